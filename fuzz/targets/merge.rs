//! Bytes of the fuzzer to the property `merge`.

#![no_main]

#[path = "../properties.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::hold("merge", data));
