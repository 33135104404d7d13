//! Many objects through one `git cat-file --batch`: object names come in, their bytes go out, in the same order.
//!
//! Format (git-cat-file(1), BATCH OUTPUT): `OID TYPE SIZE\n`, the bytes and `\n`; or `REQUEST missing\n`.

use super::Repository;
use super::process::Running;
use crate::io::IoError;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout};

/// What git says of one object.
#[derive(Debug, PartialEq)]
pub(super) enum Object {
    Missing,
    Blob(Vec<u8>),
    /// A commit, a tree or a tag.
    Other,
}

impl Repository {
    /// Asks for all `requests`, none of which holds a line feed, and gives each answer to `take` with its index.
    pub(super) fn objects(&self, requests: &[Vec<u8>], mut take: impl FnMut(usize, Object)) -> Result<(), IoError> {
        if requests.is_empty() {
            return Ok(());
        }
        let mut running = self.start(["cat-file", "--batch", "--buffer"])?;
        let (mut stdin, mut stdout) = running.pipes()?;
        std::thread::scope(|scope| {
            // Written beside: git stops reading requests while nobody reads its answers. It stops altogether when it
            // fails; the reader then learns why.
            scope.spawn(move || {
                let mut lines = Vec::with_capacity(requests.iter().map(|request| request.len() + 1).sum());
                for request in requests {
                    lines.extend_from_slice(request);
                    lines.push(b'\n');
                }
                let _ = stdin.write_all(&lines);
            });
            for idx in 0..requests.len() {
                match read_object(&mut stdout) {
                    Ok(object) => take(idx, object),
                    Err(error) => return Err(running.fail(Some(&error))),
                }
            }
            Ok(())
        })?;
        running.finish()
    }

    /// Starts a process that answers one request after the other.
    pub(super) fn reader(&self) -> Result<ObjectReader<'_>, IoError> {
        let mut running = self.start(["cat-file", "--batch"])?;
        let (stdin, stdout) = running.pipes()?;
        Ok(ObjectReader { running, stdin, stdout })
    }
}

/// A `git cat-file --batch` that waits for the next request.
#[derive(Debug)]
pub(super) struct ObjectReader<'r> {
    running: Running<'r>,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl ObjectReader<'_> {
    /// The object named by `request`, which holds no line feed.
    pub(super) fn read(&mut self, request: &str) -> Result<Object, IoError> {
        let asked = self.stdin.write_all(format!("{request}\n").as_bytes()).and_then(|()| self.stdin.flush());
        asked.and_then(|()| read_object(&mut self.stdout)).map_err(|error| self.running.fail(Some(&error)))
    }
}

fn read_object(from: &mut impl BufRead) -> io::Result<Object> {
    let mut line = Vec::new();
    from.read_until(b'\n', &mut line)?;
    if line.pop() != Some(b'\n') {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "git stopped in the middle of its answers"));
    }
    // A request is echoed here and may hold anything, so the end of the line decides.
    if line.ends_with(b" missing") || line.ends_with(b" ambiguous") {
        return Ok(Object::Missing);
    }
    let mut words = line.rsplit(|&byte| byte == b' ');
    let size = words.next().and_then(|word| std::str::from_utf8(word).ok()?.parse().ok());
    let size: u64 = size.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "git answered in a form that memfile does not know"))?;
    let is_blob = words.next() == Some(b"blob");
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0).min(1 << 24) + 1);
    from.take(size + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != size + 1 || bytes.pop() != Some(b'\n') {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "git stopped in the middle of an object"));
    }
    Ok(if is_blob { Object::Blob(bytes) } else { Object::Other })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_apart_by_their_end() {
        let mut bytes: &[u8] = b"aa blob 3\na\nb\nHEAD:x blob 5 missing\naa commit 0\n\naa blob 9\nshort";
        assert_eq!(read_object(&mut bytes).expect("an object"), Object::Blob(b"a\nb".to_vec()));
        assert_eq!(read_object(&mut bytes).expect("an object"), Object::Missing);
        assert_eq!(read_object(&mut bytes).expect("an object"), Object::Other);
        assert!(read_object(&mut bytes).is_err());
        assert!(read_object(&mut bytes).is_err());
    }
}
