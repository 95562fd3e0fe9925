//! Dynamic grids: bounds that producers exceed, bounds far above any request, and grids that are equal in every record.
//!
//! The module reads the results of [`node_flow`](crate::flow::records) for each producer. It reports only if constants
//! determine the values of all producers. A host that starts the node may request any grid.

use crate::db::diagnostic::Diagnostic;
use crate::flow::records::Touched;
use crate::graph::lints::LARGEST;
use crate::graph::model::Model;
use crate::tables::codes::Code;
use crate::tables::figures::grouped;
use wgc_ir::flow::Axis;
use wgc_ir::{GraphConstant, Grid};

/// Ratio of allowed to requested groups from which on a bound is reported as too large.
const FAR: u64 = 16;

pub(super) fn bounds<'db>(model: &Model<'db>, touched: &[Option<&Touched<'db>>], out: &mut Vec<Diagnostic<'db>>) {
    for (n, node) in model.nodes.iter().enumerate() {
        let Grid::Max(bound) = node.grid else { continue };
        let is_open = node.specialised.iter().any(|given| matches!(given.what, GraphConstant::Grid(_)));
        if is_open {
            continue;
        }
        let Some(record) = node.input.as_ref().and_then(|input| input.record.as_ref()) else { continue };
        let written = |from: usize| {
            let grids = touched[from].iter().flat_map(|touched| &touched.grids);
            grids.filter(|(ty, _)| *ty == record.ir.ty).map(|(_, axes)| *axes).next().unwrap_or([Axis::Unknown; 3])
        };
        for from in model.feeders(n) {
            // Several outputs may have records of one type, and a write does not name its output, so all writes must
            // exceed the bound.
            let least = written(from.node).map(|axis| if let Axis::Between(least, _) = axis { least } else { 0 });
            if let Some(axis) = (0..3).find(|n| least[*n] > u64::from(bound[*n])) {
                let (groups, most) = (grouped(least[axis]), grouped(u64::from(bound[axis])));
                let (output, axis) = (model.output(from), ["x", "y", "z"][axis]);
                let message = format!(
                    "records of output `{}` request {groups} thread groups along {axis}, but node `{}` allows at most {most}",
                    output.name, node.name
                );
                out.push(
                    Diagnostic::new(Code::GridAboveBound, output.place, message)
                        .also(node.name_place, format!("`NodeMaxDispatchGrid` is {most} along {axis}")),
                );
            }
        }
        if model.entries[n] || bound.contains(&LARGEST) {
            continue;
        }
        let mut asked = [Axis::Nothing; 3];
        let mut first = None;
        for from in model.feeders(n) {
            first = first.or(Some(from));
            for (axis, other) in asked.iter_mut().zip(written(from.node)) {
                // Unwritten values are unknown.
                *axis = if other == Axis::Nothing { Axis::Unknown } else { axis.and(other) };
            }
        }
        let (Some(from), [Axis::Between(x, x1), Axis::Between(y, y1), Axis::Between(z, z1)]) = (first, asked) else {
            continue;
        };
        let shown = |grid: [u64; 3]| {
            let [x, y, z] = grid.map(grouped);
            format!("{x} x {y} x {z}")
        };
        let groups = |grid: [u64; 3]| grid.iter().map(|n| u128::from(*n)).product::<u128>();
        let (least, most) = ([x, y, z], [x1, y1, z1]);
        let writer = model.nodes[from.node];
        let others = model.feeders(n).any(|other| other.node != from.node);
        let who = if others { "written here and elsewhere" } else { "written here" };
        let bound = bound.map(u64::from);
        let is_above = least.iter().zip(bound).any(|(least, bound)| *least > bound);
        if is_above {
            continue;
        }
        if least == most && groups(most) > 0 {
            let message = format!("every record of node `{}` requests a grid of {}", node.name, shown(most));
            out.push(
                Diagnostic::new(Code::StaticGrid, node.name_place, message)
                    .also(model.output(from).place, format!("`{}`: {who}", writer.name))
                    .note(format!(
                        "declare `[NodeDispatchGrid({x}, {y}, {z})]`; the record then needs no `SV_DispatchGrid`"
                    )),
            );
        } else if groups(bound) / groups(most).max(1) >= u128::from(FAR) {
            let message = format!(
                "node `{}` limits its grids to {}, but its records request at most {}",
                node.name,
                shown(bound),
                shown(most)
            );
            out.push(
                Diagnostic::new(Code::LargestGrid, node.name_place, message)
                    .also(model.output(from).place, format!("`{}` sends them", writer.name))
                    .note(
                        "an implementation may plan for the largest grid: declare the largest that producers request",
                    ),
            );
        }
    }
}
