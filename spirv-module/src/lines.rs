//! Source lines of instructions: OpLine, and DebugLine of `NonSemantic.Shader.DebugInfo.100`.

use crate::module::Module;
use spirv::Op;
use std::fmt;

/// NonSemantic.Shader.DebugInfo.100, 4: the numbers of its line instructions.
pub(crate) const SET: &str = "NonSemantic.Shader.DebugInfo.100";
const DEBUG_SOURCE: u32 = 35;
pub(crate) const DEBUG_LINE: u32 = 103;
const DEBUG_NO_LINE: u32 = 104;

/// A source location in the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    pub file: &'a str,
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Lines of all instructions of a module, which it may outlive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    files: Vec<String>,
    /// The first word that each location applies to.
    changes: Vec<(u32, Option<LinePosition>)>,
}

/// Index of the file, line and column.
type LinePosition = (u32, u32, u32);

impl Lines {
    pub fn of(module: &Module) -> Lines {
        let mut lines = Lines::default();
        // DebugSource: result, OpString of the file.
        let mut sources: Vec<(u32, u32)> = Vec::new();
        let mut at = 5usize;
        while let Some(&first) = module.words.get(at) {
            let count = (first >> 16).max(1) as usize;
            let words = module.words.get(at + 1..at + count).unwrap_or(&[]);
            match (Op::from_u32(first & 0xffff), words) {
                (Some(Op::Line), &[file, line, column]) => lines.set(module, at, Some((file, line, column))),
                // A line ends with its block.
                (Some(Op::NoLine | Op::Label | Op::FunctionEnd), _) => lines.set(module, at, None),
                (Some(Op::ExtInst), &[_, result, set, number, ref operands @ ..])
                    if module.imports.get(&set).is_some_and(|name| name == SET) =>
                {
                    match (number, operands) {
                        (DEBUG_SOURCE, &[file, ..]) => sources.push((result, file)),
                        (DEBUG_LINE, &[source, line, _, column, ..]) => {
                            let file = sources.iter().find(|s| s.0 == source).map_or(0, |s| s.1);
                            let number = |id| module.constant_u32(id).unwrap_or(0);
                            lines.set(module, at, Some((file, number(line), number(column))));
                        }
                        (DEBUG_NO_LINE, _) => lines.set(module, at, None),
                        _ => {}
                    }
                }
                _ => {}
            }
            at += count;
        }
        lines
    }

    fn set(&mut self, module: &Module, word: usize, place: Option<(u32, u32, u32)>) {
        let place = place.and_then(|(string, line, column)| {
            let name = module.strings.get(&string)?;
            let file = self.files.iter().position(|f| f == name).unwrap_or_else(|| {
                self.files.push(name.clone());
                self.files.len() - 1
            });
            Some((file as u32, line, column))
        });
        if self.changes.last().map_or(place.is_some(), |last| last.1 != place) {
            self.changes.push((word as u32, place));
        }
    }

    /// Returns the line of the instruction at a word of the module; `None` if the module has none.
    pub fn at(&self, word: u32) -> Option<Line<'_>> {
        let next = self.changes.partition_point(|change| change.0 <= word);
        let (_, place) = self.changes.get(next.checked_sub(1)?)?;
        let (file, line, column) = (*place)?;
        Some(Line { file: self.files.get(file as usize)?, line, column })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn op_line_applies_until_the_next_line_or_the_block_end() {
        let text = "OpCapability Shader\n%set = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\n\
            OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n\
            OpExecutionMode %main LocalSize 1 1 1\n%a = OpString \"a.hlsl\"\n%b = OpString \"b.hlsl\"\n\
            %void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%one = OpConstant %uint 1\n%nine = OpConstant %uint 9\n\
            %four = OpConstant %uint 4\n%f = OpTypeFunction %void\n%src = OpExtInst %void %set 35 %b\n\
            %main = OpFunction %void None %f\n%l = OpLabel\n%p = OpIAdd %uint %one %one\nOpLine %a 3 5\n\
            %q = OpIAdd %uint %one %one\n%dl = OpExtInst %void %set 103 %src %nine %nine %four %four\n\
            %r = OpIAdd %uint %one %one\nOpNoLine\n%s = OpIAdd %uint %one %one\nOpLine %a 7 1\nOpBranch %m\n\
            %m = OpLabel\nOpReturn\nOpFunctionEnd\n";
        let module = Module::load(&crate::asm::assemble(text).expect("it assembles")).expect("it loads");
        let lines = Lines::of(&module);
        let blocks = &module.functions[0].blocks;
        let sums: Vec<_> = blocks[0].insts.iter().filter(|i| i.op() == Some(Op::IAdd)).collect();
        let at: Vec<_> = sums.iter().map(|i| lines.at(i.word).map(|l| l.to_string())).collect();
        assert_eq!(at, [None, Some("a.hlsl:3:5".into()), Some("b.hlsl:9:4".into()), None]);
        let end = |n: usize| lines.at(blocks[n].terminator_inst.word).map(|l| l.to_string());
        assert_eq!((end(0).as_deref(), end(1)), (Some("a.hlsl:7:1"), None));
    }
}
