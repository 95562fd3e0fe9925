//! Counts what a module consists of, to compare the code of both compilers.
//!
//! [`Counts::of`] counts one module. [`table`] writes the counts of many shaders, and [`summary`] compares them.

use spirv::{Decoration, Op, StorageClass};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use wgc_spirv_module::{Id, Module, Type, grammar};

/// The number of opcodes in the summary.
const MAX_OPCODES: usize = 40;

/// The contents of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Instructions in blocks by opcode, labels included and lines excluded.
    pub opcodes: BTreeMap<u16, u64>,
    /// Loads of memory of a function.
    pub loads: u64,
    /// Stores to memory of a function.
    pub stores: u64,
    /// Words of the module without names, lines and sources.
    pub words: u64,
    /// Variables with a set and a binding. The compilers number them differently, and variables may share a binding.
    pub bindings: u64,
}

/// A column of the table.
type Column = (&'static str, fn(&Counts) -> u64);

/// The columns, each for both compilers. The first one also has a ratio in the summary.
const COLUMNS: [Column; 10] = [
    ("instructions", Counts::instructions),
    ("loads of locals", |counts| counts.loads),
    ("stores to locals", |counts| counts.stores),
    ("locals", |counts| counts.opcode(Op::Variable)),
    ("phis", |counts| counts.opcode(Op::Phi)),
    ("selects", |counts| counts.opcode(Op::Select)),
    ("calls", |counts| counts.opcode(Op::FunctionCall)),
    ("branches", |counts| counts.opcode(Op::BranchConditional) + counts.opcode(Op::Switch)),
    ("words", |counts| counts.words),
    ("bindings", |counts| counts.bindings),
];

/// The counts of both modules of a shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The index in the table of shaders, which also names written modules.
    pub number: usize,
    pub name: String,
    pub ours: Counts,
    pub theirs: Counts,
}

impl Counts {
    /// Counts a module.
    ///
    /// # Errors
    /// The words are no module.
    pub fn of(words: &[u32]) -> Result<Counts, String> {
        let module = Module::load(words).map_err(|error| error.to_string())?;
        let mut counts = Counts { words: essential(&module.words), ..Counts::default() };
        for block in module.functions.iter().flat_map(|function| &function.blocks) {
            let ends = block.merge_inst.iter().chain([&block.terminator_inst]);
            for inst in [&block.inst].into_iter().chain(&block.insts).chain(ends) {
                let is_local = |pointer: Option<&Id>| pointer.is_some_and(|id| is_local(&module, *id));
                let operands = module.operands(inst);
                match inst.op() {
                    Some(Op::Line | Op::NoLine) => continue,
                    Some(Op::Load) => counts.loads += u64::from(is_local(operands.first())),
                    Some(Op::Store) => counts.stores += u64::from(is_local(operands.first())),
                    Some(Op::CopyMemory) => {
                        counts.stores += u64::from(is_local(operands.first()));
                        counts.loads += u64::from(is_local(operands.get(1)));
                    }
                    _ => {}
                }
                *counts.opcodes.entry(inst.opcode).or_default() += 1;
            }
        }
        for id in module.globals.keys() {
            let has = |kind| module.decoration_word(*id, None, kind).is_some();
            counts.bindings += u64::from(has(Decoration::DescriptorSet) && has(Decoration::Binding));
        }
        Ok(counts)
    }

    pub fn instructions(&self) -> u64 {
        self.opcodes.values().sum()
    }

    pub fn opcode(&self, op: Op) -> u64 {
        u16::try_from(op as u32).ok().and_then(|op| self.opcodes.get(&op)).copied().unwrap_or(0)
    }

    /// Returns the counts as numbers, which [`Counts::decode`] reads.
    pub fn encode(&self) -> String {
        let mut numbers = vec![self.loads, self.stores, self.words, self.bindings];
        numbers.extend(self.opcodes.iter().flat_map(|(op, count)| [u64::from(*op), *count]));
        numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
    }

    /// Reads the numbers of [`Counts::encode`]; `None` if the text has another form.
    pub fn decode(text: &str) -> Option<Counts> {
        let numbers: Vec<u64> = text.split(' ').map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let [loads, stores, words, bindings, opcodes @ ..] = &numbers[..] else { return None };
        let opcode = |pair: &[u64]| match pair {
            [op, count] => Some((u16::try_from(*op).ok()?, *count)),
            _ => None,
        };
        Some(Counts {
            opcodes: opcodes.chunks(2).map(opcode).collect::<Option<_>>()?,
            loads: *loads,
            stores: *stores,
            words: *words,
            bindings: *bindings,
        })
    }
}

/// Returns whether a pointer points to memory of a function.
fn is_local(module: &Module, pointer: Id) -> bool {
    matches!(module.ty(module.type_of(pointer)), Some(Type::Pointer { class: StorageClass::Function, .. }))
}

/// Returns the number of words without instructions that only describe the source.
fn essential(words: &[u32]) -> u64 {
    let mut count = 5;
    let mut rest = words.get(5..).unwrap_or_default();
    while let Some(&head) = rest.first() {
        let length = (head >> 16).max(1) as usize;
        let is_description = matches!(
            grammar::op((head & 0xffff) as u16),
            Some(
                Op::Name
                    | Op::MemberName
                    | Op::Line
                    | Op::NoLine
                    | Op::String
                    | Op::Source
                    | Op::SourceContinued
                    | Op::SourceExtension
                    | Op::ModuleProcessed
            )
        );
        count += if is_description { 0 } else { length as u64 };
        rest = rest.get(length..).unwrap_or_default();
    }
    count
}

/// Returns a line of tab-separated values for each shader, below a line with the names of the columns.
pub fn table(pairs: &[Pair]) -> String {
    let mut text = "# number\tshader".to_owned();
    for (name, _) in COLUMNS {
        let _ = write!(text, "\twgc {name}\tDXC {name}");
    }
    text += "\n";
    for pair in pairs {
        let _ = write!(text, "{}\t{}", pair.number, pair.name);
        for (_, count) in COLUMNS {
            let _ = write!(text, "\t{}\t{}", count(&pair.ours), count(&pair.theirs));
        }
        text += "\n";
    }
    text
}

/// Compares the counts of all shaders.
pub fn summary(pairs: &[Pair]) -> String {
    let mut text = format!("code of {} shaders, wgc and DXC:\n", pairs.len());
    let ratio = |pair: &Pair| pair.ours.instructions() as f64 / pair.theirs.instructions().max(1) as f64;
    let mut ratios: Vec<f64> = pairs.iter().map(ratio).collect();
    ratios.sort_by(f64::total_cmp);
    if let Some(median) = ratios.get(ratios.len() / 2) {
        let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
        let _ = writeln!(text, "instructions, wgc/DXC: median {median:.3}, geometric mean {mean:.3}");
    }
    for (name, count) in COLUMNS {
        let sum = |side: fn(&Pair) -> &Counts| pairs.iter().map(|pair| count(side(pair))).sum::<u64>();
        let (ours, theirs) = (sum(|pair| &pair.ours), sum(|pair| &pair.theirs));
        let _ = writeln!(text, "{name}: {ours}, {theirs}, ratio {:.3}", ours as f64 / theirs.max(1) as f64);
    }
    text += &opcodes(pairs);
    for pair in pairs {
        let (ours, theirs) = (pair.ours.bindings, pair.theirs.bindings);
        if ours > theirs {
            let _ = writeln!(text, "wgc keeps {ours} bindings in place of {theirs}: {}", pair.name);
        }
    }
    text
}

/// Lists the opcodes with the largest differences of their sums.
fn opcodes(pairs: &[Pair]) -> String {
    let sums = |side: fn(&Pair) -> &Counts| {
        let mut sums: BTreeMap<u16, u64> = BTreeMap::new();
        for (op, count) in pairs.iter().flat_map(|pair| &side(pair).opcodes) {
            *sums.entry(*op).or_default() += count;
        }
        sums
    };
    let (ours, theirs) = (sums(|pair| &pair.ours), sums(|pair| &pair.theirs));
    let all: BTreeSet<u16> = ours.keys().chain(theirs.keys()).copied().collect();
    let of = |sums: &BTreeMap<u16, u64>, op| sums.get(&op).copied().unwrap_or(0);
    let mut all: Vec<(u16, u64, u64)> = all.into_iter().map(|op| (op, of(&ours, op), of(&theirs, op))).collect();
    all.sort_by_key(|(_, ours, theirs)| std::cmp::Reverse(ours.abs_diff(*theirs)));
    let mut text = String::new();
    for (op, ours, theirs) in all.into_iter().take(MAX_OPCODES) {
        let _ = writeln!(text, "{}: {ours}, {theirs}", grammar::name(op));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgc_spirv_module::asm::assemble;

    /// A loop that counts in a local, a selection, and two buffers, one of which is unused.
    const SMALL: &str = r#"
        OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main "main" %used %unused
        OpExecutionMode %main LocalSize 1 1 1
        %file = OpString "a.hlsl"
        OpName %main "main"
        OpMemberName %block 0 "value"
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        OpDecorate %used DescriptorSet 0
        OpDecorate %used Binding 3
        OpDecorate %unused DescriptorSet 0
        OpDecorate %unused Binding 3
        %void = OpTypeVoid
        %bool = OpTypeBool
        %uint = OpTypeInt 32 0
        %zero = OpConstant %uint 0
        %nine = OpConstant %uint 9
        %block = OpTypeStruct %uint
        %to_block = OpTypePointer StorageBuffer %block
        %to_word = OpTypePointer StorageBuffer %uint
        %to_local = OpTypePointer Function %uint
        %used = OpVariable %to_block StorageBuffer
        %unused = OpVariable %to_block StorageBuffer
        %type = OpTypeFunction %void
        %helper_type = OpTypeFunction %uint %to_local
        %main = OpFunction %void None %type
        %start = OpLabel
        %local = OpVariable %to_local Function
        OpLine %file 1 1
        OpStore %local %zero
        OpBranch %head
        %head = OpLabel
        %i = OpPhi %uint %zero %start %next %more
        OpLoopMerge %end %more None
        OpBranch %test
        %test = OpLabel
        %less = OpULessThan %bool %i %nine
        OpBranchConditional %less %more %end
        %more = OpLabel
        %next = OpFunctionCall %uint %helper %local
        OpBranch %head
        %end = OpLabel
        OpNoLine
        %word = OpAccessChain %to_word %used %zero
        %old = OpLoad %uint %word
        %new = OpLoad %uint %local
        %chosen = OpSelect %uint %less %old %new
        OpStore %word %chosen
        OpReturn
        OpFunctionEnd
        %helper = OpFunction %uint None %helper_type
        %parameter = OpFunctionParameter %to_local
        %only = OpLabel
        %value = OpLoad %uint %parameter
        OpReturnValue %value
        OpFunctionEnd
    "#;

    fn counted() -> Counts {
        Counts::of(&assemble(SMALL).expect("it assembles")).expect("it loads")
    }

    #[test]
    fn a_small_module_has_its_known_counts() {
        let counts = counted();
        let numbers: Vec<(&str, u64)> = COLUMNS.iter().map(|(name, count)| (*name, count(&counts))).collect();
        // OpString has 3 words; names of 4 and 5 words; OpLine 4, OpNoLine 1.
        let words = assemble(SMALL).expect("it assembles").len() as u64 - (4 + 4 + 5 + 4 + 1);
        let expected = [
            ("instructions", 24),
            ("loads of locals", 2),
            ("stores to locals", 1),
            ("locals", 1),
            ("phis", 1),
            ("selects", 1),
            ("calls", 1),
            ("branches", 1),
            ("words", words),
            ("bindings", 2),
        ];
        assert_eq!(numbers, expected);
    }

    #[test]
    fn encoded_counts_can_be_decoded() {
        let counts = counted();
        assert_eq!(Counts::decode(&counts.encode()), Some(counts));
        assert_eq!(Counts::decode(&Counts::default().encode()), Some(Counts::default()));
        for broken in ["", "1 2 3", "1 2 3 4 5", "1 2 3 x"] {
            assert_eq!(Counts::decode(broken), None, "{broken}");
        }
    }

    #[test]
    fn the_summary_compares_both_compilers() {
        let ours = counted();
        let mut theirs = ours.clone();
        theirs.bindings = 1;
        // Half as many instructions.
        theirs.opcodes = BTreeMap::from([(Op::Label as u16, 12)]);
        let pair = Pair { number: 7, name: "a.hlsl main".to_owned(), ours, theirs };
        let text = summary(std::slice::from_ref(&pair));
        for line in [
            "code of 1 shaders, wgc and DXC:",
            "instructions, wgc/DXC: median 2.000, geometric mean 2.000",
            "instructions: 24, 12, ratio 2.000",
            "OpLabel: 6, 12",
            "OpLoad: 3, 0",
            "wgc keeps 2 bindings in place of 1: a.hlsl main",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in\n{text}");
        }
        let table = table(&[pair]);
        let row = table.lines().nth(1).expect("a line for the shader");
        assert!(row.starts_with("7\ta.hlsl main\t24\t12\t2\t2\t1\t1\t") && row.ends_with("\t2\t1"), "{row}");
    }
}
