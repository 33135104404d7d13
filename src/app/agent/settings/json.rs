//! Settings in JSON, perhaps with comments and trailing commas: a text and pieces come in, the text after goes out. All else of the
//! text stays as it is.

use super::pieces::{Piece, is_own_hook, is_own_server};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::Value;

/// What editors of settings allow beyond JSON, and no more.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The text with all of `pieces`; those that are there stay as they are.
///
/// # Errors
/// Why the text is no such settings file, with the line.
pub(super) fn add(text: &str, pieces: &[Piece]) -> Result<String, String> {
    change(text, |top| {
        for piece in pieces {
            match piece {
                Piece::Frame { name, value } => {
                    if top.get(name).is_none() {
                        top.insert(0, name, input(value));
                    }
                }
                Piece::Element { path: [first, second], value } => {
                    let object = top.object_value_or_create(first).ok_or_else(|| format!("`{first}` is no object"))?;
                    let array = object.array_value_or_create(second).ok_or_else(|| format!("`{first}.{second}` is no array"))?;
                    if !array.elements().iter().any(has_own_hook) {
                        array.append(input(value));
                    }
                }
                Piece::Property { object: key, name, value } => {
                    let object = top.object_value_or_create(key).ok_or_else(|| format!("`{key}` is no object"))?;
                    if object.get(name).is_none() {
                        object.append(name, input(value));
                    }
                }
            }
        }
        Ok(())
    })
}

/// The text without what is memfile's at the places of `pieces`, and without what that leaves empty.
///
/// # Errors
/// As [`add`].
pub(super) fn take_out(text: &str, pieces: &[Piece]) -> Result<String, String> {
    if text.trim().is_empty() {
        return Ok(text.to_owned());
    }
    change(text, |top| {
        for piece in pieces {
            match piece {
                Piece::Frame { .. } => {}
                Piece::Element { path: [first, second], .. } => {
                    let Some(object) = top.object_value(first) else { continue };
                    let Some(array) = object.array_value(second) else { continue };
                    if take_hooks(&array) && array.elements().is_empty() {
                        object.get(second).into_iter().for_each(|property| property.remove());
                        drop_empty(top, first, &object);
                    }
                }
                Piece::Property { object: key, name, .. } => {
                    let Some(object) = top.object_value(key) else { continue };
                    if let Some(property) = object.get(name).filter(|property| property.value().is_some_and(|value| is_server(&value))) {
                        property.remove();
                        drop_empty(top, key, &object);
                    }
                }
            }
        }
        Ok(())
    })
}

/// True for a file that says nothing: an empty object, or one that has only the version of its format.
pub(super) fn is_bare(text: &str) -> bool {
    let Ok(root) = CstRootNode::parse(text.trim_start_matches('\u{feff}'), &OPTIONS) else { return false };
    let is_plain = root.children().iter().all(|node| !node.is_comment());
    let top = root.object_value();
    is_plain
        && top.is_some_and(|top| {
            let names: Vec<String> = top.properties().iter().filter_map(|property| property.decoded_name()).collect();
            names.iter().all(|name| name == "version") && !top.children().iter().any(CstNode::is_comment)
        })
}

/// Changes the top object of a text.
fn change(text: &str, work: impl FnOnce(&CstObject) -> Result<(), String>) -> Result<String, String> {
    let bom = if text.starts_with('\u{feff}') { "\u{feff}" } else { "" };
    let root = CstRootNode::parse(&text[bom.len()..], &OPTIONS).map_err(|error| format!("is no JSON: {error}"))?;
    let is_new = text.trim().is_empty();
    let top = root.object_value_or_create().ok_or("its top is no JSON object")?;
    work(&top)?;
    let end = if is_new { "\n" } else { "" };
    Ok(format!("{bom}{}{end}", root.to_string().trim_end_matches(if is_new { "\n" } else { "" })))
}

/// Takes memfile's hooks out of the array of an event; true where there were some.
fn take_hooks(array: &CstArray) -> bool {
    let mut found = false;
    for element in array.elements().into_iter().filter(has_own_hook) {
        found = true;
        let inner = element.as_object().and_then(|object| object.array_value("hooks"));
        let Some(inner) = inner else {
            element.remove();
            continue;
        };
        // A person may have put a hook of their own beside ours.
        let elements = inner.elements();
        let (own, others): (Vec<CstNode>, Vec<CstNode>) = elements.into_iter().partition(calls_own_hook);
        if others.is_empty() {
            element.remove();
        } else {
            own.into_iter().for_each(CstNode::remove);
        }
    }
    found
}

fn drop_empty(top: &CstObject, key: &str, object: &CstObject) {
    if object.properties().is_empty() && !object.children().iter().any(CstNode::is_comment) {
        top.get(key).into_iter().for_each(|property| property.remove());
    }
}

/// True for a server that is memfile's.
fn is_server(value: &CstNode) -> bool {
    // What was read as JSON is JSON; comments inside belong to a person.
    serde_json::from_str(&value.to_string()).is_ok_and(|value| is_own_server(&value))
}

/// True for an element of an event that calls memfile's hook, itself or among its `hooks`.
fn has_own_hook(element: &CstNode) -> bool {
    let inner = element.as_object().and_then(|object| object.array_value("hooks"));
    calls_own_hook(element) || inner.is_some_and(|inner| inner.elements().iter().any(calls_own_hook))
}

fn calls_own_hook(element: &CstNode) -> bool {
    let command = element.as_object().and_then(|object| object.get("command")).and_then(|property| property.value());
    let text = command.and_then(|value| value.as_string_lit()).and_then(|text| text.decoded_value().ok());
    text.is_some_and(|text| is_own_hook(&text))
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(values) => CstInputValue::Object(values.iter().map(|(name, value)| (name.clone(), input(value))).collect()),
    }
}
