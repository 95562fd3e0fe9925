//! Sizes in attributes of shaders: thread groups, waves, dispatch grids. See WorkGraphs.md, Shader function
//! attributes, and MeshShader.md, numthreads.

use crate::db::def::SourcePlace;
use crate::db::diagnostic::Diagnostic;
use crate::tables::codes::Code;
use crate::tables::figures::{grouped, signed};
use crate::types::attribute_table::AttributeUse;
use wgc_ir::Launch;

/// Returns a diagnostic for an impossible thread group size. It is at the name, because DXC drops the attribute and
/// reports it there as missing.
pub(crate) fn bad_thread_group<'db>(
    what: &str,
    name: &str,
    name_place: SourcePlace<'db>,
    attribute: SourcePlace<'db>,
    why: &str,
) -> Diagnostic<'db> {
    let message = format!("invalid thread group of {what} `{name}`: {why}");
    Diagnostic::new(Code::NumThreadsLimits, name_place, message).also(attribute, "set here")
}

/// Formats `1,024 x 8 x 1`.
fn product_of(sizes: [i64; 3]) -> String {
    sizes.map(signed).join(" x ")
}

/// Returns the product of the sizes; negative ones count as 0.
fn product(sizes: [i64; 3]) -> u64 {
    sizes.map(|n| u64::try_from(n).unwrap_or(0)).into_iter().fold(1, u64::saturating_mul)
}

/// Returns the size of a thread group as written, or the error in it.
pub(crate) fn thread_group(threads: [i64; 3]) -> Result<[u32; 3], String> {
    let [x, y, z] = threads;
    let product = product(threads);
    if let Some(negative) = threads.into_iter().find(|n| *n < 0) {
        Err(format!("a thread group needs at least one thread in each direction, not {}", signed(negative)))
    } else if threads.contains(&0) {
        Err("a thread group needs at least one thread in each direction".to_string())
    } else if x > 1024 || y > 1024 || z > 64 {
        Err(format!("a thread group is limited to 1,024 x 1,024 x 64 threads, not {}", product_of(threads)))
    } else if product > 1024 {
        Err(format!("{} = {} threads; the limit is 1,024", product_of(threads), grouped(product)))
    } else {
        Ok(threads.map(|n| n as u32))
    }
}

/// The limit of threads in a group of a mesh node.
const MAX_MESH_THREADS: u32 = 128;

/// Returns the size of a mesh node's thread group, or the error in it.
pub(super) fn mesh_group(threads: [i64; 3]) -> Result<[u32; 3], String> {
    let [x, y, z] = threads;
    let product = product(threads);
    if threads.iter().any(|n| *n < 1) {
        thread_group(threads)
    } else if product > u64::from(MAX_MESH_THREADS) {
        Err(format!("{x} x {y} x {z} = {product} threads; the limit of a mesh node is {MAX_MESH_THREADS}"))
    } else {
        Ok(threads.map(|n| n as u32))
    }
}

/// Returns `WaveSize` as minimum, maximum and preferred size (0: none), or the error in it.
pub(crate) fn wave_size<'db>(w: &AttributeUse<'db>) -> Result<[u32; 3], Box<Diagnostic<'db>>> {
    let sizes: Vec<i64> = (0..w.args.len()).filter_map(|i| w.int(i)).collect();
    // A preferred size of 0 means none.
    let is_size = |n: &i64| (4..=128).contains(n) && n.count_ones() == 1;
    let good = match sizes.as_slice() {
        [n] => is_size(n),
        [min, max] => is_size(min) && is_size(max) && min < max,
        [min, max, preferred] => {
            is_size(min)
                && is_size(max)
                && min < max
                && (*preferred == 0 || is_size(preferred) && min <= preferred && preferred <= max)
        }
        _ => false,
    };
    if !good {
        let message = match (sizes.as_slice(), sizes.iter().find(|n| !is_size(n) && **n != 0)) {
            (_, Some(wrong)) => format!("a wave size must be a power of two from 4 to 128, not {}", signed(*wrong)),
            ([min, max, ..], None) if min == max => "a range of wave sizes needs more than one size".into(),
            ([min, max, ..], None) if min > max => format!("the smallest wave size, {min}, exceeds the largest, {max}"),
            ([min, max, preferred], None) if *min != 0 && *max != 0 => {
                format!("the preferred wave size {preferred} is not in the range from {min} to {max}")
            }
            _ => "a wave size must be a power of two from 4 to 128, not 0".into(),
        };
        return Err(Box::new(Diagnostic::new(Code::WaveSize, w.place, message)));
    }
    let first = w.uint(0).unwrap_or(0);
    Ok([first, w.uint(1).unwrap_or(first), w.uint(2).unwrap_or(0)])
}

/// The limit of thread groups that one record launches.
const MAX_GROUPS: u64 = 16_777_215;
/// The limit of thread groups that one record launches in a mesh node (WorkGraphs.md, Mesh nodes).
const MAX_MESH_GROUPS: u64 = 1 << 22;

/// Returns the error in the sizes of a dispatch grid, and the index of the wrong size if it is one.
pub(crate) fn grid_problem(launch: Launch, grid: [i64; 3]) -> Option<(String, Option<usize>)> {
    let most = if launch == Launch::Mesh { MAX_MESH_GROUPS } else { MAX_GROUPS };
    let product = product(grid);
    if let Some(bad) = grid.iter().position(|n| !(1..=65_535).contains(n)) {
        Some((format!("a dispatch grid must be 1 to 65,535 in each direction, not {}", signed(grid[bad])), Some(bad)))
    } else if product > most {
        let (of, most) = (if launch == Launch::Mesh { " of a mesh node" } else { "" }, grouped(most));
        let (factors, product) = (product_of(grid), grouped(product));
        Some((format!("{factors} = {product} thread groups{of}; the limit is {most}"), None))
    } else {
        None
    }
}
