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

#[test]
fn the_schema_knows_each_key_that_is_read() {
    let schema: serde_json::Value = serde_json::from_str(SCHEMA).expect("JSON");
    let keys = |text: &str| -> Vec<String> {
        let error = toml::from_str::<Raw>(text).map(|_| ()).expect_err("an unknown key");
        let mut known: Vec<String> = error.message().split('`').skip(3).step_by(2).map(str::to_owned).collect();
        known.sort();
        known
    };
    for (text, place) in [
        ("nothing = 1", "/properties"),
        ("aliases.nothing = 1", "/properties/aliases/properties"),
        ("labels.nothing = 1", "/properties/labels/properties"),
    ] {
        let object = schema.pointer(place).and_then(serde_json::Value::as_object).expect("properties");
        let mut said: Vec<String> = object.keys().cloned().collect();
        said.sort();
        assert_eq!(said, keys(text), "{place}");
    }
    let headings = schema.pointer("/properties/managed-headings/default").expect("a default");
    assert_eq!(*headings, serde_json::json!(DEFAULT_HEADINGS));
}
