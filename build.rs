//! Links the program at a fixed address. To put it anywhere else, the loader writes 20,000 pointers and copies the pages that hold
//! them before anything runs: a quarter of the time that a hook takes for a usual file. (Libraries, heap and stack stand anywhere.)

// Cargo tells it by the environment.
#![allow(clippy::disallowed_methods)]

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |part: &str| std::env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    // Other C libraries have start files of their own for each kind of program.
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}
