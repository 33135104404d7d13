//! One look at all bytes of a text, many at a time.

/// Bytes that are looked at together: as many as every x86-64 and ARM compares in one step.
const WIDTH: usize = 16;

/// What `sign` gives for any of `bytes`, all of it: the bits that one of them sets.
pub(crate) fn signs(bytes: &[u8], sign: impl Fn(u8) -> u8) -> u8 {
    let mut found = [0; WIDTH];
    let mut look = |part: &[u8; WIDTH]| found.iter_mut().zip(part).for_each(|(found, byte)| *found |= sign(*byte));
    let (parts, rest) = bytes.as_chunks::<WIDTH>();
    parts.iter().for_each(&mut look);
    match (rest, bytes.last_chunk::<WIDTH>()) {
        ([], _) => {}
        // What is looked at twice tells the same twice.
        (_, Some(last)) => look(last),
        ([first, ..], None) => {
            let mut last = [*first; WIDTH];
            last[..rest.len()].copy_from_slice(rest);
            look(&last);
        }
    }
    found.iter().fold(0, |all, one| all | one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_is_seen_at_each_place() {
        let sign = |byte: u8| u8::from(byte == b'|') | u8::from(byte == b'[') << 3;
        for len in 0..3 * WIDTH {
            let mut text = vec![b'a'; len];
            assert_eq!(signs(&text, sign), 0);
            for at in 0..len {
                text[at] = b'|';
                assert_eq!(signs(&text, sign), 1, "{at} of {len}");
                text[len / 2] = b'[';
                assert_eq!(signs(&text, sign), if at == len / 2 { 8 } else { 9 }, "{at} of {len}");
                (text[at], text[len / 2]) = (b'a', b'a');
            }
        }
    }
}
