//! Limits of a valid graph: the records that a node may send, and their total number.

use crate::model::{Family, Graph, Grid, Launch, Node};
use crate::shape::Layout;

/// Returns the nodes that an output may send to.
fn reached<'a>(
    nodes: &'a [Node],
    families: &'a [Family],
    node: usize,
    output: usize,
) -> impl Iterator<Item = usize> + 'a {
    let output = &nodes[node].outputs[output];
    let all = output.family.map_or(&[][..], |family| &families[family].nodes);
    let beyond = match output.extent {
        crate::model::Extent::Single => output.base + 1,
        crate::model::Extent::Sized(n) => output.base + n,
        _ => u32::MAX,
    };
    all.iter().copied().filter(move |n| (output.base..beyond).contains(&nodes[*n].index))
}

/// Returns which nodes other nodes send to.
pub fn targeted(nodes: &[Node], families: &[Family]) -> Vec<bool> {
    let mut targeted = vec![false; nodes.len()];
    for node in 0..nodes.len() {
        for output in 0..nodes[node].outputs.len() {
            // A node that only sends to itself needs records from the host.
            reached(nodes, families, node, output).filter(|n| *n != node).for_each(|n| targeted[n] = true);
        }
    }
    targeted
}

/// Returns whether the outputs of a node are within its limits.
pub fn fits(nodes: &[Node], layouts: &[Layout], families: &[Family], node: usize) -> bool {
    let (most_records, most_bytes) = match nodes[node].launch {
        Launch::Thread => (8, 128),
        // Leaves room for groupshared memory, and for tracking.
        _ => (256, 16_384),
    };
    let sharers = |target: usize| 1 + nodes.iter().filter(|n| n.shares == Some(target)).count() as u32;
    let (mut records, mut bytes) = (0, 0);
    let outputs = &nodes[node].outputs;
    for (owner, output) in outputs.iter().enumerate().filter(|(_, o)| o.shared_with.is_none()) {
        let (mut size, mut copies) = (0, 1);
        let group = outputs.iter().enumerate().filter(|(n, o)| *n == owner || o.shared_with == Some(owner));
        for (number, member) in group {
            let Some(shape) = member.shape else { continue };
            size = size.max(layouts[shape].size.next_multiple_of(4));
            copies = copies.max(reached(nodes, families, node, number).map(sharers).max().unwrap_or(1));
        }
        if size > 0 {
            records += output.max * copies;
            bytes += output.max * copies * size;
        }
    }
    records <= most_records && bytes <= most_bytes
}

/// Returns the number of records if all nodes send their maximum.
pub fn worst(graph: &Graph) -> f64 {
    let Graph { nodes, families, .. } = graph;
    let mut arriving = vec![0.0; nodes.len()];
    for input in &graph.inputs {
        arriving[input.node] += input.records.len() as f64;
    }
    // Owners come before those that share, and producers before consumers.
    let mut order: Vec<usize> = (0..nodes.len()).collect();
    order.sort_by_key(|n| nodes[*n].shares.map_or((nodes[*n].family, 0), |owner| (nodes[owner].family, 1)));
    let mut total = 0.0;
    for node in order {
        let made = &nodes[node];
        if let Some(owner) = made.shares {
            arriving[node] = arriving[owner];
        }
        let groups: f64 = match made.grid {
            Some(Grid::Fixed(grid) | Grid::Most(grid)) => grid.iter().map(|n| f64::from(*n)).product(),
            None => 1.0,
        };
        let budget = |output: usize| {
            let owner = made.outputs[output].shared_with.unwrap_or(output);
            f64::from(made.outputs[owner].max)
        };
        let again = (0..made.outputs.len()).filter(|o| made.outputs[*o].family == Some(made.family)).map(budget);
        let again: f64 = again.sum::<f64>() * groups;
        arriving[node] *= (0..=made.recursion as i32).map(|level| again.powi(level)).sum::<f64>();
        total += arriving[node];
        for output in 0..made.outputs.len() {
            for target in reached(nodes, families, node, output).filter(|n| *n != node) {
                arriving[target] += arriving[node] * groups * budget(output);
            }
        }
    }
    total
}
