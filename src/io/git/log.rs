//! The output of `git log -z --raw`: bytes come in, commits go out, one at a time, so that a reader can stop early.
//!
//! Every field of [`FORMAT`] ends in NUL, which no field can hold; the raw line (`:MODE MODE ID ID STATUS`) and its path
//! follow as two fields more.

use std::io::{self, BufRead};

/// Commit, parents, author, author's date, message.
pub(super) const FORMAT: &str = "--format=%H%x00%P%x00%an%x00%aI%x00%B%x00";

/// The key of the trailer by which a commit says that what it did was meant.
const ACCEPT: &str = "Memfile-Accept:";

/// One commit.
#[derive(Debug, PartialEq)]
pub(super) struct Commit {
    pub(super) id: String,
    pub(super) parents: Vec<String>,
    pub(super) author: String,
    /// ISO 8601 with the author's offset.
    pub(super) date: String,
    pub(super) message: String,
    /// What it did to the file, if it did anything.
    pub(super) change: Option<Change>,
}

/// What a commit did to the file, against its first parent.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Change {
    /// The blob before, if there was a regular file.
    pub(super) before: Option<String>,
    /// The blob after, if there is a regular file.
    pub(super) after: Option<String>,
}

/// Reads commits from the output of `git log`.
#[derive(Debug)]
pub(super) struct LogReader<R> {
    from: R,
    ahead: Option<Vec<u8>>,
}

impl<R: BufRead> LogReader<R> {
    pub(super) fn new(from: R) -> Self {
        Self { from, ahead: None }
    }

    /// The next commit, if there is one.
    pub(super) fn read(&mut self) -> io::Result<Option<Commit>> {
        // Git puts a NUL between commits and after a message; an id is never empty.
        let id = loop {
            match self.field()? {
                None => return Ok(None),
                Some(field) if field.trim_ascii().is_empty() => {}
                Some(field) => break field,
            }
        };
        let mut text = || -> io::Result<String> {
            let field = self.field()?.ok_or(io::ErrorKind::UnexpectedEof)?;
            Ok(String::from_utf8_lossy(&field).into_owned())
        };
        let (parents, author, date, message) = (text()?, text()?, text()?, text()?);
        let parents = parents.split_whitespace().map(str::to_owned).collect();
        let id = String::from_utf8_lossy(id.trim_ascii()).into_owned();
        Ok(Some(Commit { id, parents, author, date, message, change: self.change()? }))
    }

    fn change(&mut self) -> io::Result<Option<Change>> {
        loop {
            match self.field()? {
                None => return Ok(None),
                Some(field) if field.trim_ascii().is_empty() => {}
                Some(field) if field.trim_ascii_start().starts_with(b":") => {
                    self.field()?; // the path, which is the one that was asked for
                    return Ok(parse_raw(&field).map(|(change, _)| change));
                }
                Some(field) => {
                    self.ahead = Some(field);
                    return Ok(None);
                }
            }
        }
    }

    fn field(&mut self) -> io::Result<Option<Vec<u8>>> {
        if let Some(field) = self.ahead.take() {
            return Ok(Some(field));
        }
        let mut field = Vec::new();
        if self.from.read_until(0, &mut field)? == 0 {
            return Ok(None);
        }
        if field.last() == Some(&0) {
            field.pop();
        }
        Ok(Some(field))
    }
}

/// Reads `:MODE MODE ID ID STATUS`; gives the status letter, too.
pub(super) fn parse_raw(field: &[u8]) -> Option<(Change, char)> {
    let line = std::str::from_utf8(field.trim_ascii()).ok()?.strip_prefix(':')?;
    let mut words = line.split(' ');
    let (old_mode, new_mode, old_id, new_id) = (words.next()?, words.next()?, words.next()?, words.next()?);
    // Links and submodules are no texts.
    let blob = |mode: &str, id: &str| mode.starts_with("100").then(|| id.to_owned());
    let change = Change { before: blob(old_mode, old_id), after: blob(new_mode, new_id) };
    Some((change, words.next()?.chars().next()?))
}

/// The values of the `Memfile-Accept` trailers of a message.
///
/// They count wherever they begin a line of the body, not only in its last paragraph as git has it: where a branch is
/// squashed, the messages of its commits, trailers in their midst, become one.
pub fn accepted(message: &str) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in message.lines().skip(1) {
        let value = line.get(..ACCEPT.len()).filter(|key| key.eq_ignore_ascii_case(ACCEPT)).map(|_| line[ACCEPT.len()..].trim());
        match (value, values.last_mut()) {
            (Some(value), _) => {
                values.push(value.to_owned());
                is_open = true;
            }
            // A folded value goes on in a line that begins with a blank.
            (None, Some(last)) if is_open && line.starts_with([' ', '\t']) && !line.trim().is_empty() => {
                last.push(' ');
                last.push_str(line.trim());
            }
            _ => is_open = false,
        }
    }
    values.retain(|value| !value.is_empty());
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_changes_are_told_apart() {
        let bytes = b"aa\0bb cc\0A\0d\0:m\n\0\0\n:100644 120000 11 22 T\0x\0dd\0\0A\0d\0m\n\0\0";
        let mut reader = LogReader::new(&bytes[..]);
        let first = reader.read().expect("read").expect("a commit");
        assert_eq!((first.parents.len(), first.message.as_str()), (2, ":m\n"));
        assert_eq!(first.change, Some(Change { before: Some("11".into()), after: None }));
        let second = reader.read().expect("read").expect("a commit");
        assert_eq!((second.id.as_str(), second.change), ("dd", None));
        assert_eq!(reader.read().expect("read"), None);
        assert!(LogReader::new(&b"aa\0bb\0"[..]).read().is_err());
    }

    #[test]
    fn trailers_of_squashed_messages_count() {
        let message = "Memfile-Accept: subject line\n\none\n\nmemfile-accept: Database\nother: x\n\ntwo\n\nMemfile-Accept: A long\n  key\n\nMemfile-Accept:\n";
        assert_eq!(accepted(message), ["Database", "A long key"]);
    }
}
