//! The command line: its options as a table, parsing, help. It opens no files.

pub mod dxc;
pub mod help;
pub mod options;
pub mod parse;
pub mod profile;
pub mod response;
pub mod warnings;
