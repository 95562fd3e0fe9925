//! NonSemantic.DebugPrintf: a text, and numbers to fill in.

use super::{Result, Translator};
use crate::cpu::program::{Ins, Print, PrintArg};
use wgc_spirv_module::{Id, Type};

/// The set's only instruction.
const PRINTF: u32 = 1;

impl Translator<'_> {
    pub(super) fn print(&mut self, number: u32, args: &[Id]) -> Result<()> {
        let (PRINTF, Some((format, args))) = (number, args.split_first()) else {
            return Err(format!("NonSemantic.DebugPrintf has no instruction {number} with {} operands", args.len()));
        };
        let Some(format) = self.m.string(*format) else { return Err("DebugPrintf has no text".into()) };
        let format = format.to_owned();
        let mut numbers = Vec::new();
        for &arg in args {
            let value = self.value(arg)?;
            let (bits, signed) = self.width_of(arg)?;
            let float = matches!(self.m.scalar_type(self.m.type_of(arg)), Some(Type::Float { .. }));
            numbers.extend((0..value.n).map(|i| PrintArg { row: value.row + i, bits, signed, float }));
        }
        self.emit(Ins::Print(Box::new(Print { format, numbers })));
        Ok(())
    }
}
