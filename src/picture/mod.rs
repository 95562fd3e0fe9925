//! Pictures of graphs, as SVG: for `wgc --emit svg`, and for the view beside the text that editors keep up to date.

mod layout;
mod rows;
mod svg;

pub use svg::{STYLE, draw};
