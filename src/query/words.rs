//! Words for ranking: folded, cut into tokens, stemmed by the script they are written in, without the words that say nothing.

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;

/// Words of questions that are in every question.
const STOP: [&str; 116] = [
    "a",
    "an",
    "the",
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "am",
    "do",
    "does",
    "did",
    "has",
    "have",
    "had",
    "of",
    "in",
    "on",
    "at",
    "to",
    "for",
    "from",
    "by",
    "with",
    "and",
    "or",
    "as",
    "it",
    "its",
    "this",
    "that",
    "these",
    "those",
    "what",
    "which",
    "who",
    "whom",
    "whose",
    "when",
    "where",
    "why",
    "how",
    "we",
    "you",
    "i",
    "they",
    "he",
    "she",
    "our",
    "your",
    "my",
    "their",
    "his",
    "her",
    "me",
    "us",
    "them",
    "now",
    "can",
    "will",
    "would",
    "should",
    "there",
    "here",
    "tell",
    "about",
    "please",
    "much",
    "many",
    "не",
    "и",
    "в",
    "во",
    "на",
    "с",
    "со",
    "по",
    "к",
    "ко",
    "у",
    "о",
    "об",
    "от",
    "до",
    "за",
    "из",
    "для",
    "что",
    "как",
    "какой",
    "какая",
    "какое",
    "какие",
    "каким",
    "кто",
    "где",
    "когда",
    "почему",
    "зачем",
    "сколько",
    "это",
    "этот",
    "эта",
    "мы",
    "вы",
    "я",
    "он",
    "она",
    "они",
    "был",
    "была",
    "было",
    "были",
    "ли",
    "же",
];

/// Cuts texts into stems.
pub(super) struct Words {
    english: Stemmer,
    russian: Stemmer,
}

impl Words {
    pub(super) fn new() -> Self {
        Self { english: Stemmer::create(Algorithm::English), russian: Stemmer::create(Algorithm::Russian) }
    }

    /// The stems of `text`, in order.
    pub(super) fn stems(&self, text: &str) -> Vec<String> {
        let folded: String = text.nfkc().flat_map(char::to_lowercase).map(|c| if c == 'ё' { 'е' } else { c }).collect();
        let mut stems = Vec::new();
        for word in folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            if STOP.contains(&word) {
                continue;
            }
            if word.chars().any(is_ideograph) {
                stems.extend(word.chars().map(String::from));
            } else {
                stems.push(self.stem(word));
            }
        }
        stems
    }

    fn stem(&self, word: &str) -> String {
        let cyrillic = word.chars().any(|c| ('\u{400}'..='\u{4ff}').contains(&c));
        let stemmer = if cyrillic { &self.russian } else { &self.english };
        if word.bytes().any(|byte| byte.is_ascii_digit()) { word.to_owned() } else { stemmer.stem(word).into_owned() }
    }
}

/// Scripts without blanks between words: each sign is a word.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}
