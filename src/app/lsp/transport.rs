//! Frames over standard input and output: bytes come in, messages go out, and the other way round.
//!
//! `lsp-server` has threads of its own for this; they end at the first message that is no JSON, and reserve as many bytes as a header
//! says. Here such a message is answered as JSON-RPC 2.0 says (section 5.1), and the next one is read.

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use serde_json::{Value, json};
use std::io::{self, BufRead, Read, Write};
use std::thread::{JoinHandle, spawn};

/// Longer messages end the connection: no text of that size is a memory file.
const LONGEST: u64 = 1 << 28;
/// Longer lines are no headers.
const LONGEST_HEADER: u64 = 8192;

/// Connects to standard input and output. The thread writes until the connection is dropped.
pub(super) fn stdio() -> (Connection, JoinHandle<io::Result<()>>) {
    let (own, other) = Connection::memory();
    let Connection { sender, receiver } = other;
    let writer = spawn(move || receiver.into_iter().try_for_each(|message| write(&mut io::stdout().lock(), &frame(&message)?)));
    // Nobody waits for the reader: it may sit in a read when the server ends.
    spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(Some(body)) = body(&mut input) {
            let done = match message(&body) {
                Ok(None) => false,
                Ok(Some(message)) => {
                    let is_exit = matches!(&message, Message::Notification(note) if note.method == "exit");
                    sender.send(message).is_err() || is_exit
                }
                Err(answer) => write(&mut io::stdout().lock(), answer.to_string().as_bytes()).is_err(),
            };
            if done {
                break;
            }
        }
    });
    (own, writer)
}

fn frame(message: &Message) -> io::Result<Vec<u8>> {
    let mut value = serde_json::to_value(message)?;
    if let Some(fields) = value.as_object_mut() {
        fields.insert("jsonrpc".to_owned(), "2.0".into());
    }
    Ok(value.to_string().into_bytes())
}

fn write(out: &mut impl Write, body: &[u8]) -> io::Result<()> {
    write!(out, "Content-Length: {}\r\n\r\n", body.len())?;
    out.write_all(body)?;
    out.flush()
}

/// The next body; `None` at the end of the input. Lines that are no header are passed over.
fn body(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length: Option<u64> = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(LONGEST_HEADER).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case("Content-Length")
        {
            length = value.trim().parse().ok();
        }
        if line.is_empty() && length.is_some() {
            break;
        }
    }
    let length = length.unwrap_or_default();
    if length > LONGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("a message of {length} bytes")));
    }
    let mut body = Vec::new();
    input.take(length).read_to_end(&mut body)?;
    Ok((body.len() as u64 == length).then_some(body))
}

/// The message that `body` is, or the answer to what is none. To a broken response there is no answer.
fn message(body: &[u8]) -> Result<Option<Message>, Value> {
    let refused = |id: Value, code: ErrorCode, message: String| json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code as i32, "message": message } });
    let value: Value =
        serde_json::from_slice(body).map_err(|error| refused(Value::Null, ErrorCode::ParseError, format!("no JSON: {error}")))?;
    let id = value.get("id").cloned();
    let has_method = value.get("method").is_some();
    let read = match (&id, has_method) {
        (Some(_), true) => serde_json::from_value::<Request>(value).map(Message::from),
        (None, true) => serde_json::from_value::<Notification>(value).map(Message::from),
        (Some(_), false) => return Ok(serde_json::from_value::<Response>(value).map(Message::from).ok()),
        (None, false) => {
            let what = "neither a request, a notification nor a response".to_owned();
            return Err(refused(Value::Null, ErrorCode::InvalidRequest, what));
        }
    };
    read.map(Some).map_err(|error| refused(id.unwrap_or_default(), ErrorCode::InvalidRequest, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_header_is_passed_over() {
        let mut input = &b"noise\r\n\r\ncontent-length:2\r\nContent-Type: x\r\n\r\n{}Content-Length: 3\r\n\r\n{"[..];
        assert_eq!(body(&mut input).expect("read"), Some(b"{}".to_vec()));
        // The input ends in the middle of a body.
        assert_eq!(body(&mut input).expect("read"), None);
        assert!(body(&mut &b"Content-Length: 99999999999999\r\n\r\n"[..]).is_err());
        assert_eq!(body(&mut &b"Content-Length: -1\r\n\r\n"[..]).expect("read"), None);
    }

    #[test]
    fn what_is_no_message_is_answered() {
        let code = |body: &str| message(body.as_bytes()).expect_err("no message")["error"]["code"].as_i64();
        assert_eq!(code("{"), Some(-32700));
        assert_eq!(code("[]"), Some(-32600));
        assert_eq!(code("7"), Some(-32600));
        let odd = message(br#"{"id":1.5,"method":"shutdown"}"#).expect_err("no id");
        assert_eq!(odd["id"], 1.5);
        assert!(matches!(message(br#"{"method":"exit"}"#), Ok(Some(Message::Notification(_)))));
        assert!(matches!(message(br#"{"id":1,"result":null}"#), Ok(Some(Message::Response(_)))));
        assert!(matches!(message(br#"{"id":1}"#), Ok(None)));
    }
}
