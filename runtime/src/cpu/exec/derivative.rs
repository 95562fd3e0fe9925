//! Derivatives: differences between the threads of a quad, which [`Program::quad_neighbours`] finds.
//!
//! [`Program::quad_neighbours`]: crate::cpu::program::Program::quad_neighbours

use super::Run;
use super::ops::Active;
use crate::cpu::program::Row;

impl Run<'_, '_> {
    /// Computes a derivative. A neighbour on another path counts as equal.
    pub(super) fn derivative(&mut self, active: &Active, axis: usize, coarse: bool, dst: Row, a: Row, n: u32) {
        let (rows, program) = (self.rows, self.program);
        for lane in (0..rows.lanes).filter(|&lane| active.mask.contains(lane)) {
            // The quad's first row, or its first column, represents all.
            let at = if coarse { program.quad_neighbours(lane)[1 - axis][0] } else { lane };
            let [low, high] = program.quad_neighbours(at)[axis];
            let here = active.mask.contains(low) && active.mask.contains(high);
            for i in 0..n {
                let value = |lane: usize| f32::from_bits(rows.get(a + i, lane) as u32);
                let difference = if here { value(high) - value(low) } else { 0.0 };
                rows.set(dst + i, lane, u64::from(difference.to_bits()));
            }
        }
    }
}
