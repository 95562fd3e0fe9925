//! Pictures of graphs as SVG, for `wgc --emit svg` and for live views in editors.

mod layout;
mod rows;
mod svg;

pub use svg::{STYLE, draw};
