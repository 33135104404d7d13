//! Which signs a text has, told by one look at its bytes.
//!
//! In: bytes. Out: [`Marks`]. Most items have none of the signs that some later reader looks for, and it need not look then.

/// The signs that stand somewhere in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Marks(u8);

/// Bytes that are looked at together.
const WIDTH: usize = 16;

impl Marks {
    /// `\` or `<`
    pub(super) const ESCAPE: Self = Self(1);
    /// `` ` `` or `(`
    pub(super) const SPAN: Self = Self(2);
    /// `[` or `~`
    pub(super) const TAG: Self = Self(4);
    /// `|`
    pub(super) const BAR: Self = Self(8);

    /// The signs in `bytes`.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut found = [0; WIDTH];
        let (parts, rest) = bytes.as_chunks::<WIDTH>();
        parts.iter().for_each(|part| add(&mut found, part));
        match bytes.last_chunk::<WIDTH>() {
            // What is looked at twice is told once.
            Some(last) if !rest.is_empty() => add(&mut found, last),
            _ => rest.iter().zip(&mut found).for_each(|(byte, found)| *found |= sign(*byte)),
        }
        Self(found.iter().fold(0, |all, one| all | one))
    }

    /// True where one of `signs` is there.
    pub(super) fn has(self, signs: Self) -> bool {
        self.0 & signs.0 != 0
    }
}

fn add(found: &mut [u8; WIDTH], bytes: &[u8; WIDTH]) {
    found.iter_mut().zip(bytes).for_each(|(found, byte)| *found |= sign(*byte));
}

fn sign(byte: u8) -> u8 {
    let is = |sign: u8| u8::from(byte == sign);
    (is(b'\\') | is(b'<')) | (is(b'`') | is(b'(')) << 1 | (is(b'[') | is(b'~')) << 2 | is(b'|') << 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sign_is_seen_at_each_place() {
        let signs = [(b"\\<", Marks::ESCAPE), (b"`(", Marks::SPAN), (b"[~", Marks::TAG)];
        let signs = signs.iter().flat_map(|(bytes, mark)| bytes.iter().map(move |&byte| (byte, *mark))).chain([(b'|', Marks::BAR)]);
        for (byte, mark) in signs {
            for len in 0..3 * WIDTH {
                let mut text = vec![b'a'; len];
                assert_eq!(Marks::of(&text), Marks::default());
                for at in 0..len {
                    text[at] = byte;
                    assert_eq!(Marks::of(&text), mark, "{} at {at} of {len}", char::from(byte));
                    text[at] = b'a';
                }
            }
        }
    }
}
