//! The language server as an editor sees it: real processes, both encodings, nothing but frames on standard output.

mod client;
mod conversation;
mod script;
