//! Detection of programs whose workgroups can tell that they share a record: programs that write to their input, or
//! report that they have finished with it. Such workgroups run one after the other.

use crate::cpu::program::{End, Ins, Program, Row};

/// Returns whether a program may write to the records that it consumes.
pub fn writes_input(program: &Program) -> bool {
    let Some(input) = &program.input else { return false };
    // Rows that may point into the input.
    let mut points = vec![false; program.rows as usize];
    if let Some(slot) = points.get_mut(input.row as usize) {
        *slot = true;
    }
    let blocks = || program.functions.iter().flat_map(|f| &f.blocks);
    let mut moves: Vec<(Row, Row, u32)> = Vec::new();
    for block in blocks() {
        for ins in &block.code {
            match *ins {
                Ins::Offset { dst, base, .. } | Ins::Index { dst, base, .. } | Ins::Element { dst, base, .. } => {
                    moves.push((dst, base, 1));
                }
                Ins::Move { dst, src, n } => moves.push((dst, src, n)),
                Ins::Select { dst, a, b, n, .. } => moves.extend([(dst, a, n), (dst, b, n)]),
                _ => {}
            }
        }
        match &block.end {
            End::Jump(edge) => moves.extend(&edge.moves),
            End::Branch { then, otherwise, .. } => moves.extend(then.moves.iter().chain(&otherwise.moves)),
            End::Switch { edges, .. } => moves.extend(edges.iter().flat_map(|edge| &edge.moves)),
            End::Return | End::Kill | End::Unreachable => {}
        }
    }
    let is = |points: &[bool], row: Row| points.get(row as usize).copied().unwrap_or(false);
    loop {
        let mut changed = false;
        for &(dst, src, n) in &moves {
            for i in 0..n {
                if is(&points, src + i)
                    && let Some(slot @ false) = points.get_mut((dst + i) as usize)
                {
                    *slot = true;
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    blocks().flat_map(|block| &block.code).any(|ins| match *ins {
        Ins::Store { address, .. } | Ins::Atomic { address, .. } => is(&points, address),
        Ins::FinishWriting { .. } => true,
        _ => false,
    })
}
