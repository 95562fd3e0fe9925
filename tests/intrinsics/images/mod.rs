//! Methods of images: each row of the list that names one of these tests becomes a case.
//!
//! A case calls the method as the row declares it, with arguments of 64 threads from tables of edges. It expects the
//! results of `reference`. So every row that names a test here is executed, and an incorrectly parsed row fails.

mod arguments;
mod objects;
mod reference;
mod samples;
mod texels;

use crate::harness::{Case, Place};
use crate::list::{Row, rows};

pub use objects::given;

/// Returns rows that name a test, with their numbers in the list.
fn rows_of(test: &str) -> Vec<(usize, Row)> {
    let all = rows().into_iter().enumerate();
    all.filter(|(_, row)| row.tests.contains(&test)).collect()
}

/// Extents, layers, levels and samples, and the positions of samples.
pub fn dimensions(place: Place) -> Vec<Case> {
    rows_of("images::dimensions").iter().map(|(n, row)| texels::dimensions(*n, row, place)).collect()
}

/// Unfiltered texels of every level and sample, read and written.
pub fn texels(_: Place) -> Vec<Case> {
    rows_of("images::texels").iter().map(|(n, row)| texels::case(*n, row)).collect()
}

/// Samples with an explicit level or derivatives.
pub fn levels(place: Place) -> Vec<Case> {
    rows_of("images::levels").iter().map(|(n, row)| samples::case(*n, row, place, None)).collect()
}

/// Samples whose levels are clamped by an argument.
pub fn clamps(place: Place) -> Vec<Case> {
    rows_of("images::clamps").iter().map(|(n, row)| samples::case(*n, row, place, None)).collect()
}

/// Samples that compute their level from a quad, and queries of that level.
pub fn derivatives(place: Place) -> Vec<Case> {
    rows_of("images::derivatives").iter().map(|(n, row)| samples::case(*n, row, place, None)).collect()
}

/// Gathers of four texels.
pub fn gathers(place: Place) -> Vec<Case> {
    rows_of("images::gathers").iter().map(|(n, row)| samples::case(*n, row, place, None)).collect()
}

/// Accesses that report whether their texels are resident.
pub fn statuses(place: Place) -> Vec<Case> {
    let case = |(n, row): &(usize, Row)| match row.name {
        "Load" | "CheckAccessFullyMapped" => texels::case(*n, row),
        _ => samples::case(*n, row, place, None),
    };
    rows_of("images::statuses").iter().map(case).collect()
}

/// Every sampler, with images of one, two and three axes and cubes.
pub fn samplers(place: Place) -> Vec<Case> {
    let rows = rows_of("images::samplers");
    let every = rows.iter().flat_map(|(n, row)| {
        let count = if row.name.contains("Cmp") { objects::shadows().len() } else { objects::samplers().len() };
        (0..count).map(move |sampler| samples::case(*n, row, place, Some(sampler)))
    });
    every.collect()
}
