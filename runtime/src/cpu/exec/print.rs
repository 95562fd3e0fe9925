//! Messages of threads.

use super::Run;
use super::ops::Active;
use crate::cpu::message::{Number, format};
use crate::cpu::program::{Print, PrintArg};

impl Run<'_, '_> {
    pub(super) fn print(&mut self, active: &Active, print: &Print) {
        for lane in active.mask.lanes() {
            let numbers: Vec<Number> = print.numbers.iter().map(|n| number(n, self.rows.get(n.row, lane))).collect();
            self.world.messages.add(format(&print.format, &numbers));
        }
    }
}

fn number(arg: &PrintArg, bits: u64) -> Number {
    match (arg.float, arg.bits) {
        (true, 16) => Number::Float(half::f16::from_bits(bits as u16).to_f64()),
        (true, 32) => Number::Float(f64::from(f32::from_bits(bits as u32))),
        (true, _) => Number::Float(f64::from_bits(bits)),
        (false, _) if arg.signed => {
            let unused = 64 - arg.bits.clamp(1, 64);
            Number::Signed((bits << unused) as i64 >> unused)
        }
        (false, _) => Number::Unsigned(bits),
    }
}
