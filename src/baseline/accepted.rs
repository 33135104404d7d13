//! What a person said was meant: it takes findings away and never makes an edit (SPEC 1.5).

use crate::facts::{Facts, is_secret};
use crate::syntax::Record;
use crate::text::{Patch, TextEdit, TextRange, fold_blanks, fold_key};
use rustc_hash::{FxHashMap, FxHashSet};

/// A pair that `accept`, `reword`, `drop`, `reopen` or `undo` declared: what the baseline said, and what is meant instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// The own text of the baseline's record, blanks folded.
    pub old: String,
    /// The own text of the record that is meant instead; empty where the record is meant to be gone.
    pub new: String,
}

impl Declared {
    /// That `record` of `text` is meant to read as `edits` make it; to be gone where there are none. A baseline may have it
    /// without its present tag, so that is declared as well.
    pub fn of(text: &str, record: &Record, edits: Option<&[TextEdit]>) -> Vec<Self> {
        let secret = is_secret(record.value.of(text));
        let tag = record.tag.as_deref();
        let untag: Vec<TextEdit> =
            [tag.map(|tag| tag.range), tag.and_then(|tag| tag.opening)].into_iter().flatten().map(TextEdit::delete).collect();
        let own = |edits: &[&[TextEdit]]| -> Option<String> {
            let mut patch = Patch::default();
            let all = edits.iter().all(|edits| patch.try_add(edits));
            let after = patch.apply(text);
            let end = (record.head.end() + after.len()).checked_sub(text.len()).filter(|_| all)?;
            let head = fold_blanks(TextRange::new(record.head.start(), end).of(&after));
            Some(Self::text_of(&head, secret))
        };
        let mut pairs = Vec::new();
        for cut in [&[][..], &untag] {
            let new = edits.map_or(Some(String::new()), |edits| own(&[edits, cut]));
            if let (Some(old), Some(new)) = (own(&[cut]), new)
                && old != new
            {
                pairs.push(Self { old, new });
            }
        }
        pairs.dedup();
        pairs
    }

    /// A record's own text as a declaration keeps it: a secret only by its hash.
    pub fn text_of(own: &str, secret: bool) -> String {
        use sha2::{Digest, Sha256};
        if !secret {
            return own.to_owned();
        }
        let hash = Sha256::digest(own.as_bytes());
        hash.iter().fold("sha256:".to_owned(), |text, byte| format!("{text}{byte:02x}"))
    }
}

/// All that was declared for one file.
#[derive(Clone, Default, Debug)]
pub struct Accepted {
    /// Pairs of texts from the journal.
    pub declared: Vec<Declared>,
    /// Keys of `Memfile-Accept` trailers, and the number of the revision that carries them: what that revision did to the
    /// fact, and those before it, is meant.
    pub trailers: Vec<(String, u32)>,
}

impl Accepted {
    /// True where declared pairs, one or several behind each other, say that `old` is meant to be what stands there now (`now`:
    /// own texts of the fact's records, with and without their tags).
    pub(super) fn says(&self, old: &str, now: &[String]) -> bool {
        let old = fold_blanks(old);
        let hidden = self.declared.iter().any(|pair| pair.old.starts_with("sha256:")).then(|| Declared::text_of(&old, true));
        let mut reached: Vec<&str> = vec![&old];
        reached.extend(hidden.as_deref());
        let mut at = 0;
        while let Some(&text) = reached.get(at) {
            at += 1;
            for pair in self.declared.iter().filter(|pair| pair.old == text) {
                if pair.new.is_empty() || now.contains(&pair.new) {
                    return true;
                }
                if !reached.contains(&pair.new.as_str()) {
                    reached.push(&pair.new);
                }
            }
        }
        false
    }

    /// For the records of the baseline that a declaration speaks of: the record of the file that it is meant to be, or none where
    /// it is meant to be gone.
    pub(super) fn meant(&self, base: &Facts, file: &Facts) -> Vec<(usize, Option<usize>)> {
        if self.declared.is_empty() {
            return Vec::new();
        }
        let mut there: FxHashMap<String, usize> = FxHashMap::default();
        for (idx, record) in file.document.records.iter().enumerate() {
            let texts = [Some(file.own_words(idx as u32)), bare_head(file.document.text, record)];
            texts.into_iter().flatten().for_each(|text| {
                there.entry(text).or_insert(idx);
            });
        }
        let mut dropped: FxHashSet<String> = FxHashSet::default();
        let mut meant = Vec::new();
        // Of doubles the lower one was dropped.
        for idx in (0..base.document.records.len()).rev() {
            let text = base.own_words(idx as u32);
            let mut reached: Vec<&str> = vec![&text];
            let mut at = 0;
            while let Some(&from) = reached.get(at) {
                at += 1;
                for pair in self.declared.iter().filter(|pair| pair.old == from) {
                    match there.get(&pair.new) {
                        _ if pair.new.is_empty() => meant.extend(dropped.insert(text.clone()).then_some((idx, None))),
                        Some(&file_idx) => meant.push((idx, Some(file_idx))),
                        None if !reached.contains(&pair.new.as_str()) => reached.push(&pair.new),
                        None => {}
                    }
                }
            }
        }
        meant
    }

    /// True where a trailer at or behind revision `gone` (the first that lacks the record) names the fact.
    pub(super) fn names(&self, subject: Option<&str>, parameter: &str, gone: u32) -> bool {
        let with_subject = subject.map(|subject| format!("{}/{parameter}", fold_key(subject)));
        let fits = |key: &str| {
            let key = fold_key(key);
            key == parameter || Some(&key) == with_subject.as_ref()
        };
        self.trailers.iter().any(|(key, at)| *at >= gone && fits(key))
    }
}

/// A record's own text without its tag, blanks folded; `None` where it has no tag.
pub(super) fn bare_head(text: &str, record: &Record) -> Option<String> {
    let tag = record.tag.as_deref()?;
    let mut patch = Patch::default();
    let cuts: Vec<TextEdit> = [Some(tag.range), tag.opening].into_iter().flatten().map(TextEdit::delete).collect();
    patch.try_add(&cuts);
    Some(fold_blanks(&patch.apply_within(text, record.head)).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::syntax::{Reading, parse};

    /// What is declared when the value of the first record of `line` becomes `value`, or the record is meant to go.
    fn declared(line: &str, value: Option<&str>) -> Vec<(String, String)> {
        let text = format!("## Project memory\n\n{line}\n");
        let config = Config::default();
        let document = parse(&text, Reading::new(&config));
        let edits = value.map(|value| [TextEdit::replace(document.records[0].value, value)]);
        let pairs = Declared::of(&text, &document.records[0], edits.as_ref().map(<[_; 1]>::as_slice));
        pairs.into_iter().map(|pair| (pair.old, pair.new)).collect()
    }

    fn pairs<const N: usize>(pairs: [(&str, &str); N]) -> Vec<(String, String)> {
        pairs.map(|(old, new)| (old.to_owned(), new.to_owned())).to_vec()
    }

    #[test]
    fn what_is_meant_is_declared_with_and_without_the_tag() {
        assert_eq!(declared("- Port: 1", Some("2")), pairs([("Port: 1", "Port: 2")]));
        assert_eq!(declared("- Port: 1", None), pairs([("Port: 1", "")]));
        assert_eq!(declared("- Port: 1", Some("1")), [], "nothing is meant instead");
        let tagged = pairs([("Port: 1 [retracted]", "Port: 2 [retracted]"), ("Port: 1", "Port: 2")]);
        assert_eq!(declared("- Port: 1 [retracted]", Some("2")), tagged);
    }

    #[test]
    fn declarations_lead_from_one_to_the_next() {
        let pair = |(old, new): (&str, &str)| Declared { old: old.to_owned(), new: new.to_owned() };
        let declared = [("a", "b"), ("b", "c"), ("c", "a"), ("gone", "")].map(pair).to_vec();
        let accepted = Accepted { declared, trailers: Vec::new() };
        let says = |old: &str, now: &str| accepted.says(old, &[now.to_owned()]);
        assert_eq!([says("a", "b"), says("a", "c"), says("a", "d"), says("d", "a")], [true, true, false, false]);
        assert!(accepted.says("gone", &[]) && !accepted.says("a", &[]));
        let declared = vec![Declared { old: Declared::text_of("Key: s", true), new: "Key: vault".to_owned() }];
        let accepted = Accepted { declared, trailers: Vec::new() };
        assert!(accepted.says("Key:  s", &["Key: vault".to_owned()]) && !accepted.says("Key: t", &["Key: vault".to_owned()]));
    }

    #[test]
    fn a_record_is_known_without_its_tag() {
        let text =
            "## Project memory\n\n- Port: 1 [historical] replaced by: 2\n- Port:  2\n- [historical] Host: b ended as of 2026-05-05\n";
        let config = Config::default();
        let document = parse(text, Reading::new(&config));
        let bare: Vec<_> = document.records.iter().map(|record| bare_head(text, record)).collect();
        assert_eq!(bare, [Some("Port: 1".to_owned()), None, Some("Host: b".to_owned())]);
    }

    #[test]
    fn a_secret_is_declared_by_its_hash() {
        // `printf 'abc' | sha256sum`
        let hash = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!((Declared::text_of("abc", true).as_str(), Declared::text_of("abc", false).as_str()), (hash, "abc"));
        let pairs = declared("- Key: ghp_x7Kq2Vd9Lm4Rt8Wz3Bn6Yp1Hc5Jf0Gs2Qa7E", None);
        assert!(pairs.len() == 1 && pairs[0].0.starts_with("sha256:") && pairs[0].1.is_empty(), "{pairs:?}");
    }
}
