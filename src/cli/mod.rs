//! The command line: the table of options, the parser and the help texts. No file is opened here.

pub mod dxc;
pub mod help;
pub mod options;
pub mod parse;
pub mod profile;
pub mod response;
pub mod warnings;
