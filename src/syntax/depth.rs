//! Lines nested so deeply that they would make the Markdown parser slow.
//!
//! pulldown-cmark is quadratic on lazy continuation under deep nesting, so the markers behind an allowed depth are turned into
//! letters in the copy that it sees. Offsets stay, and no record is read from such a line.

use crate::text::TextRange;

/// Deeper nesting than this on one line is masked before the parser sees it: pulldown-cmark is quadratic on lazy
/// continuation under deep nesting.
const MAX_DEPTH: usize = 32;
/// Columns of indentation that count as that depth.
pub(super) const MAX_INDENT: usize = 4 * MAX_DEPTH;

/// A copy of `text`, byte for byte as long, in which too deep nesting is no nesting.
pub(super) fn masked_copy(text: &str, masked: &[TextRange]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for line in masked {
        mask(&mut bytes[line.start()..line.end()]);
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// True where one line opens more containers than the parser should follow.
pub(super) fn too_deep(line: &[u8]) -> bool {
    let mut depth = 0;
    let mut indent = 0;
    for &byte in line {
        match byte {
            b'>' | b'-' | b'*' | b'+' => depth += 1,
            b' ' => indent += 1,
            b'\t' => indent += 4,
            b'0'..=b'9' | b'.' | b')' => {}
            _ => break,
        }
        if depth > MAX_DEPTH {
            // A thematic break or a rule of dashes nests nothing.
            return line.windows(2).any(|pair| matches!(pair, b"> " | b"- " | b"* " | b"+ " | b">>")) && !is_rule(line);
        }
    }
    indent > MAX_INDENT
}

fn is_rule(line: &[u8]) -> bool {
    let mark = line.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
    mark.is_some_and(|mark| matches!(mark, b'-' | b'*') && line.iter().all(|byte| byte == mark || matches!(byte, b' ' | b'\t')))
}

/// Turns the container markers behind the allowed depth into letters.
fn mask(line: &mut [u8]) {
    let mut depth = 0;
    let mut indent = 0;
    for byte in line.iter_mut() {
        match *byte {
            b' ' => indent += 1,
            b'\t' => indent += 4,
            b'>' | b'-' | b'*' | b'+' | b'0'..=b'9' => {
                depth += 1;
                if depth > MAX_DEPTH || indent > MAX_INDENT {
                    *byte = b'x';
                }
            }
            b'.' | b')' => {}
            _ => break,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_lines_are_masked() {
        let text = format!("{}a\n- - b\n----------------------------------------\n", "> ".repeat(40));
        let scan = super::super::scan::scan(&text);
        assert_eq!(scan.masked.len(), 1);
        assert_eq!(masked_copy(&text, &scan.masked).matches('>').count(), MAX_DEPTH);
    }
}
