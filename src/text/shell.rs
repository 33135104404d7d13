//! A text as one word of a command line, for commands that people are told to run.

use std::borrow::Cow;

/// `word` as a POSIX shell takes it: in single quotes where it is empty or holds anything but letters, digits and `-_./:=,@+%`.
pub fn shell_word(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=,@+%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) { word.into() } else { format!("'{}'", word.replace('\'', r"'\''")).into() }
}

#[cfg(test)]
mod tests {
    use super::shell_word;

    #[test]
    fn what_a_shell_could_read_is_quoted() {
        for plain in ["AGENTS.md", "docs/Память.md", "AGENTS.md:12", "C++"] {
            assert_eq!(shell_word(plain), plain);
        }
        assert_eq!(shell_word(""), "''");
        assert_eq!(shell_word("Release day"), "'Release day'");
        assert_eq!(shell_word("it's $HOME"), r"'it'\''s $HOME'");
    }
}
