//! The command line: its options as a table, parsing, help. It opens no files.

pub mod help;
pub mod options;
pub mod parse;
pub mod profile;
