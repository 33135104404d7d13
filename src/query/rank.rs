//! Which facts a question is about: BM25 over parameter, subject, values and reasons, stemmed (SPEC 10).
//!
//! A fact is one document: words of its parameter weigh most, those of values that hold no longer least.

use super::version::{Chain, Standing};
use super::words::Words;
use rustc_hash::{FxHashMap, FxHashSet};

/// Saturation and length normalisation of BM25, as in the literature.
const K1: f64 = 1.2;
const B: f64 = 0.75;

const PARAMETER: f64 = 3.0;
const SUBJECT: f64 = 1.5;
const CURRENT: f64 = 1.5;
const OTHER: f64 = 1.0;

/// The numbers of the chains that have a word of `query`, the best first; equal ones in their order.
pub fn rank(chains: &[Chain], query: &str) -> Vec<usize> {
    let words = Words::new();
    let wanted: Vec<String> = words.stems(query);
    let terms: FxHashSet<&str> = wanted.iter().map(String::as_str).collect();
    if terms.is_empty() {
        return Vec::new();
    }
    let documents: Vec<Document> = chains.iter().map(|chain| Document::new(chain, &words, &terms)).collect();
    let mean = documents.iter().map(|document| document.length).sum::<f64>() / documents.len().max(1) as f64;
    let mut counts: FxHashMap<&str, f64> = FxHashMap::default();
    for document in &documents {
        document.weights.keys().for_each(|term| *counts.entry(term).or_default() += 1.0);
    }
    let score = |document: &Document| -> f64 {
        let part = |(term, weight): (&&str, &f64)| {
            let count = counts[term];
            let rarity = (1.0 + (documents.len() as f64 - count + 0.5) / (count + 0.5)).ln();
            rarity * weight * (K1 + 1.0) / (weight + K1 * (1.0 - B + B * document.length / mean.max(1.0)))
        };
        document.weights.iter().map(part).sum()
    };
    let mut ranked: Vec<(f64, usize)> = documents.iter().map(score).enumerate().map(|(idx, score)| (score, idx)).collect();
    ranked.retain(|(score, _)| *score > 0.0);
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    ranked.into_iter().map(|(_, idx)| idx).collect()
}

/// The numbers of the versions of `chain` that have a word of `query` in their value, reason or source.
pub fn matching(chain: &Chain, query: &str) -> Vec<usize> {
    let words = Words::new();
    let terms: FxHashSet<String> = words.stems(query).into_iter().collect();
    let has = |text: &Option<String>| text.as_deref().is_some_and(|text| words.stems(text).iter().any(|stem| terms.contains(stem)));
    let fits = |version: &super::Version| has(&version.value) || has(&version.reason) || has(&version.source);
    (0..chain.versions.len()).filter(|&idx| fits(&chain.versions[idx])).collect()
}

/// How much of each wanted term a fact holds.
struct Document<'q> {
    weights: FxHashMap<&'q str, f64>,
    length: f64,
}

impl<'q> Document<'q> {
    fn new(chain: &Chain, words: &Words, terms: &FxHashSet<&'q str>) -> Self {
        let mut this = Self { weights: FxHashMap::default(), length: 0.0 };
        let mut add = |text: &str, weight: f64| {
            for stem in words.stems(text) {
                this.length += 1.0;
                if let Some(term) = terms.get(stem.as_str()) {
                    *this.weights.entry(term).or_default() += weight;
                }
            }
        };
        let first = chain.versions.first();
        first.and_then(|version| version.parameter.as_deref()).into_iter().for_each(|text| add(text, PARAMETER));
        // An alias in the text, its canonical name in the configuration.
        if first.and_then(|version| version.parameter.as_deref()).is_none_or(|own| crate::text::fold_key(own) != chain.parameter) {
            add(&chain.parameter, PARAMETER);
        }
        chain.subject.as_deref().into_iter().for_each(|text| add(text, SUBJECT));
        let told = chain.versions.iter().filter(|version| version.standing != Standing::Redacted);
        for version in told {
            let weight = if version.standing == Standing::Current { CURRENT } else { OTHER };
            version.value.as_deref().into_iter().for_each(|text| add(text, weight));
            version.reason.as_deref().into_iter().for_each(|text| add(text, OTHER));
        }
        // A long chain is no less about its parameter.
        this.length = this.length.min(60.0);
        this
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::chains;
    use super::*;

    #[test]
    fn the_parameter_weighs_most_and_words_are_stemmed() {
        let chains = chains("- Budget owner: Kim\n- Deploy regions: eu-west-1\n- Notes: the region of the budget is not set\n");
        assert_eq!(rank(&chains, "Which region do we deploy to?"), [1, 2]);
        assert_eq!(rank(&chains, "budgets")[0], 0);
        assert_eq!(rank(&chains, "what is the"), Vec::<usize>::new());
    }

    #[test]
    fn russian_words_are_stemmed_and_old_values_found() {
        let chains = chains("- Базы данных: MySQL [historical] replaced by: Postgres\n- Базы данных: Postgres\n- Адрес: Казань\n");
        assert_eq!(rank(&chains, "какая база"), [0]);
        assert_eq!(rank(&chains, "mysql"), [0]);
        assert_eq!(matching(&chains[0], "mysql"), [0]);
        assert_eq!(rank(&chains, "адреса"), [1]);
    }
}
