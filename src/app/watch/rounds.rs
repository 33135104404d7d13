//! Ping-pong with another program: what memfile writes, a formatter rewrites, always to the same bytes. Texts with times come in; whether
//! it is time to give way goes out.

use super::settle::Millis;
use std::hash::{DefaultHasher, Hash, Hasher};

/// How often the same text is mended to the same text before memfile gives way.
const ROUNDS: u32 = 3;
/// A program that answers later than this, in milliseconds, is none that watches the file.
const ANSWER: Millis = 30_000;

/// The last writes that were alike.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    before: u64,
    after: u64,
    count: u32,
    /// An answer that comes later is an edit.
    until: Millis,
    gave_way: bool,
}

impl Rounds {
    /// memfile wrote `after` in the place of `before`.
    pub(super) fn wrote(&mut self, before: &str, after: &str, now: Millis, quiet: Millis) {
        let pair = (hash(before), hash(after));
        let is_same = pair == (self.before, self.after) && now <= self.until;
        let until = now + ANSWER.max(10 * quiet);
        *self = Self { before: pair.0, after: pair.1, count: if is_same { self.count + 1 } else { 1 }, until, gave_way: false };
    }

    /// True where `text` was mended often enough. Any other text ends the game.
    pub(super) fn is_ping_pong(&mut self, text: &str, now: Millis) -> bool {
        self.gave_way = self.count >= ROUNDS && hash(text) == self.before && (self.gave_way || now <= self.until);
        if !self.gave_way && (hash(text) != self.before || now > self.until) {
            self.count = 0;
        }
        self.gave_way
    }
}

/// A hash that holds for this process.
pub(super) fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
