//! Tests of the configuration.

use super::*;

#[test]
fn the_default_is_valid() {
    let config = Config::default();
    assert!(config.managed_headings.contains(&"project memory".to_owned()));
    assert_eq!(config.cardinality("anything"), Cardinality::One);
}

#[test]
fn names_are_folded_and_globbed() {
    let config = Config::parse("many = [\"Reviewer*\", \"Supported platforms\"]\nvolatile = [\"Tests\"]").expect("valid");
    assert_eq!(config.cardinality("reviewer on call"), Cardinality::Many);
    assert_eq!(config.cardinality("supported platforms"), Cardinality::Many);
    assert_eq!(config.cardinality("tests"), Cardinality::Volatile);
    assert_eq!(config.cardinality("tests run"), Cardinality::One);
}

#[test]
fn errors_name_key_and_line() {
    let error = Config::parse("many = []\nmanaged-heading = []").expect_err("unknown key");
    assert!(error.contains("line 2") && error.contains("`managed-heading`") && error.contains("`managed-headings`"), "{error}");
    let error = Config::parse("tag-language = \"klingon\"").expect_err("bad value");
    assert!(error.contains("line 1"), "{error}");
}

#[test]
fn extend_is_under_the_own_settings() {
    let base = "tag-language = \"ru\"\nmany = [\"A\"]\n[aliases.parameters]\nDatabase = [\"DB\"]";
    let config = Config::parse_over("many = [\"B\"]", base).expect("valid");
    assert_eq!(config.tag_language, TagLanguage::Ru);
    assert_eq!((config.cardinality("a"), config.cardinality("b")), (Cardinality::One, Cardinality::Many));
    assert_eq!(config.canonical_parameter("db".into()), "database");
}
