//! Inputs that once broke a property: `testdata/crashers/TARGET/*`, each as the fuzzer found it. See `fuzz/run`.

// The targets of the fuzzer, which are other crates, use it as well.
#[allow(unreachable_pub)]
#[path = "../../fuzz/properties.rs"]
mod properties;

use crate::fixtures::testdata;
use std::fs;

#[test]
fn what_once_broke_a_property_breaks_none() {
    let (mut number, mut broken) = (0, Vec::new());
    for target in fs::read_dir(testdata("crashers")).expect("a folder").flatten() {
        let name = target.file_name().into_string().expect("UTF-8");
        for input in fs::read_dir(target.path()).expect("a folder").flatten() {
            let data = fs::read(input.path()).expect("it was listed");
            let held = std::panic::catch_unwind(|| properties::hold(&name, &data));
            if held.is_err() {
                broken.push(input.path());
            }
            number += 1;
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
    assert!(number > 0, "there is no input");
}

#[test]
fn a_property_can_fail() {
    let broken = std::panic::catch_unwind(|| properties::hold("no such target", b""));
    assert!(broken.is_err());
    // Two texts of one input are told apart.
    assert!(format!("a{}b", properties::BETWEEN).split_once(properties::BETWEEN).is_some());
}
