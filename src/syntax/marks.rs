//! Which signs a text has, told by one look at its bytes.
//!
//! In: bytes. Out: [`Marks`]. Most items have none of the signs that some later reader looks for, and it need not look then.

use crate::text::signs;

/// The signs that stand somewhere in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Marks(u8);

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
        Self(signs(bytes, sign))
    }

    /// True where one of `signs` is there.
    pub(super) fn has(self, signs: Self) -> bool {
        self.0 & signs.0 != 0
    }
}

fn sign(byte: u8) -> u8 {
    let is = |sign: u8| u8::from(byte == sign);
    (is(b'\\') | is(b'<')) | (is(b'`') | is(b'(')) << 1 | (is(b'[') | is(b'~')) << 2 | is(b'|') << 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sign_has_its_mark() {
        for (text, mark) in [(r"\<", Marks::ESCAPE), ("`(", Marks::SPAN), ("[~", Marks::TAG), ("|", Marks::BAR)] {
            for byte in text.bytes() {
                assert_eq!(Marks::of(&[b'a', byte]), mark, "{}", char::from(byte));
            }
        }
        assert_eq!(Marks::of(b")]>:-*_ a1"), Marks::default());
        assert!(Marks::of(b"a | [b]").has(Marks::BAR) && Marks::of(b"a | [b]").has(Marks::TAG));
    }
}
