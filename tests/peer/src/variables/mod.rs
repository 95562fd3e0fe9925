//! Compares the source variables of a program between levels of optimisation while it runs.
//!
//! A debugger may see no value for a variable, but never one that the variable does not have at that point. A module of
//! `-O0` gives the true values: it inlines almost nothing, and all variables stay in memory. It runs twice, with
//! different values in place of those that the program leaves open. Any value may stand for such a one.
//!
//! `instrument` makes a module record its variables. Compared are the variables of the function that contains the sample
//! point, not those of its callers.

mod instrument;
mod pool;
#[path = "../../../debug_info/reader.rs"]
pub mod reader;

pub use instrument::{Key, MARKS};

use crate::case::Case;
use crate::execute::{Launch, Resource, run};
use crate::generate::{self, Program};
use crate::judge;
use crate::ours::{Ours, Refusal};
use instrument::{CAPACITY, Recording, TRACE, instrument};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use wgc_abi::interface::Interface;
use wgc_ir::passes::OptLevel;
use wgc_ir::{Function, FunctionBuilder, LocalId, Module, Op, Space, Stmt, Symbol, Type, Value};
use wgc_runtime::cpu::{CpuDevice, CpuSettings};
use wgc_sema::db::Options;

/// The values for everything that a module leaves open.
const PATTERNS: [u64; 2] = [0x5a5a_5a5b_5a5a_5a5b, 0xa5a5_a5a4_a5a5_a5a4];
/// The compared levels.
pub const LEVELS: [OptLevel; 4] = [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3];

/// The variables at a sample point, in the order of execution.
#[derive(Clone, Debug)]
pub struct Sample {
    pub line: u32,
    pub function: String,
    /// The words of each scalar; `None` if the variable has no value. A name with several variables is left out.
    pub values: BTreeMap<Key, Option<Vec<u32>>>,
}

/// Counts of scalars at sample points.
#[derive(Clone, Copy, Debug, Default)]
pub struct Share {
    pub samples: usize,
    /// Scalars with a defined value in memory.
    pub defined: usize,
    /// Those that also have a value at the level.
    pub seen: usize,
}

impl Share {
    pub fn add(&mut self, other: Share) {
        self.samples += other.samples;
        self.defined += other.defined;
        self.seen += other.seen;
    }

    pub fn percent(self) -> usize {
        self.seen * 100 / self.defined.max(1)
    }
}

/// The reason why a program has no result.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The compiler refuses the program.
    Refused(String),
    /// A variable has a wrong value, or the program cannot run.
    Wrong(String),
}

impl Failure {
    fn at(self, level: OptLevel) -> Failure {
        match self {
            Failure::Refused(what) => Failure::Refused(format!("{level:?}: {what}")),
            Failure::Wrong(what) => Failure::Wrong(format!("{level:?}: {what}")),
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        match &refusal {
            Refusal::Source { .. } => Failure::Refused(refusal.to_string()),
            Refusal::Target(_) | Refusal::Broken(_) => Failure::Wrong(refusal.to_string()),
        }
    }
}

impl From<String> for Failure {
    fn from(what: String) -> Failure {
        Failure::Wrong(what)
    }
}

/// Compilers of all levels, which compare programs one after the other.
pub struct Observer {
    in_memory: Ours,
    levels: [Ours; LEVELS.len()],
}

impl Default for Observer {
    fn default() -> Observer {
        Observer { in_memory: Ours::debugging(OptLevel::O0), levels: LEVELS.map(Ours::debugging) }
    }
}

/// The result of a program.
pub struct Compared {
    pub shares: [Share; LEVELS.len()],
    /// The samples with the true values. A scalar without a defined value has none.
    pub truth: Vec<Sample>,
}

/// Creates the resources of a program.
pub type Resources<'a> = &'a dyn Fn(&Interface) -> Vec<Resource>;

impl Observer {
    /// Compares the program in a file. Only `main` runs, in one thread.
    ///
    /// # Errors
    /// The program cannot be compiled or run, or a variable has a wrong value.
    pub fn compare(&mut self, file: &str, options: &Options, resources: Resources) -> Result<Compared, Failure> {
        let truth = self.truth(file, options, resources)?;
        let mut shares = [Share::default(); LEVELS.len()];
        for ((level, ours), share) in LEVELS.into_iter().zip(&mut self.levels).zip(&mut shares) {
            let (module, interface) = ours.compute(file, options.clone()).map_err(|e| Failure::from(e).at(level))?;
            let recording = instrument(&module.words, PATTERNS[0], None);
            let samples = recording.and_then(|recording| record(&recording, resources(&interface)));
            let checked = samples.and_then(|samples| check(&truth, &samples));
            *share = checked.map_err(|error| Failure::from(error).at(level))?;
        }
        Ok(Compared { shares, truth })
    }

    /// Returns the samples of variables in memory.
    fn truth(&mut self, file: &str, options: &Options, resources: Resources) -> Result<Vec<Sample>, Failure> {
        let (module, interface) = self.in_memory.program(file, options.clone(), |session| {
            let mut module = session.module()?;
            keep_in_memory(&mut module);
            Ok((session.compute_changed(&module)?, session.interface()?))
        })?;
        let samples = |pattern| record(&instrument(&module.words, pattern, None)?, resources(&interface));
        let (mut truth, other) = (samples(PATTERNS[0])?, samples(PATTERNS[1])?);
        if truth.len() != other.len() {
            return Err(Failure::Wrong("the path of the program is undefined".into()));
        }
        for (sample, other) in truth.iter_mut().zip(other) {
            for (key, value) in &mut sample.values {
                if other.values.get(key) != Some(value) {
                    *value = None;
                }
            }
        }
        Ok(truth)
    }

    /// Gives one DebugValue after the other a wrong value, in the module of `-O2`. Returns how many of them a sample
    /// reveals, and how many there are.
    ///
    /// # Errors
    /// The program cannot be compiled or run.
    pub fn planted(&mut self, file: &str, options: &Options, resources: Resources) -> Result<(usize, usize), Failure> {
        let truth = self.truth(file, options, resources)?;
        let level = LEVELS.iter().position(|level| *level == OptLevel::O2).unwrap_or_default();
        let (module, interface) = self.levels[level].compute(file, options.clone())?;
        let (mut found, mut all) = (0, 0);
        loop {
            let recording = instrument(&module.words, PATTERNS[0], Some(all))?;
            if all >= recording.values {
                return Ok((found, all));
            }
            all += 1;
            found += usize::from(check(&truth, &record(&recording, resources(&interface))?).is_err());
        }
    }

    /// Compares a random program, which is written to a file. Its generator has added sample points.
    ///
    /// # Errors
    /// See [`Observer::compare`].
    pub fn compare_random(&mut self, program: &Program, file: &Path) -> Result<Compared, Failure> {
        let mut case = Case::of(program, false);
        case.text = in_one_thread(program);
        fs::write(file, &case.text).map_err(|error| error.to_string())?;
        let resources = |interface: &Interface| {
            let mut all = judge::resources(&case, interface);
            all.push(Resource::storage(generate::MARKS, vec![0; 16]));
            all
        };
        self.compare(&file.to_string_lossy(), &judge::options(&case, false), &resources)
    }
}

/// Passes the place of each variable to an empty function. No pass of `-O0` then makes it a value.
fn keep_in_memory(module: &mut Module) {
    let mut types: Vec<Type> = Vec::new();
    for function in module.functions.values_mut() {
        let locals: Vec<(LocalId, Type)> = function
            .locals
            .iter()
            .filter(|(_, local)| local.variable.is_some() && is_data(&local.ty))
            .map(|(id, local)| (id, local.ty.clone()))
            .collect();
        let mut start = Vec::new();
        for (local, ty) in locals {
            let n = types.iter().position(|known| *known == ty).unwrap_or_else(|| {
                types.push(ty.clone());
                types.len() - 1
            });
            let place = function.values.alloc(Value::new(Type::reference(Space::Function, ty), Op::Local(local)));
            start.extend([Stmt::Let(place), Stmt::Call { callee: keeper(n), args: vec![place] }]);
        }
        function.body.splice(0..0, start);
    }
    for (n, ty) in types.into_iter().enumerate() {
        module.functions.insert(keeper(n), empty_function(n, ty).into());
    }
}

fn keeper(n: usize) -> Symbol {
    format!("keep.{n}").into()
}

fn empty_function(n: usize, ty: Type) -> Function {
    let mut builder = FunctionBuilder::new(keeper(n), Type::Void);
    builder.param("place", Type::reference(Space::Function, ty));
    builder.finish()
}

/// Returns whether debuggers know values of the type.
fn is_data(ty: &Type) -> bool {
    !matches!(ty, Type::Records(_)) && !ty.is_resource() && !ty.holds_objects() && !ty.holds_query()
}

/// Returns the text of a program with groups of one thread.
fn in_one_thread(program: &Program) -> String {
    let text = program.text();
    let Some(at) = text.rfind("[numthreads(") else { return text };
    let end = text[at..].find(']').map_or(text.len(), |end| at + end);
    format!("{}[numthreads(1, 1, 1){}", &text[..at], &text[end..])
}

/// Checks the samples of a level.
fn check(truth: &[Sample], optimised: &[Sample]) -> Result<Share, String> {
    let place = |sample: Option<&Sample>| sample.map(|sample| (sample.line, sample.function.clone()));
    let mut share = Share { samples: truth.len(), ..Share::default() };
    let mut wrong = Vec::new();
    for n in 0..truth.len().max(optimised.len()) {
        let (expected, found) = (place(truth.get(n)), place(optimised.get(n)));
        if expected != found {
            return Err(format!("sample {n} is at {found:?} instead of {expected:?}"));
        }
        let (truth, optimised) = (&truth[n], &optimised[n]);
        for (key, value) in &truth.values {
            let Some(value) = value else { continue };
            share.defined += 1;
            let Some(Some(seen)) = optimised.values.get(key) else { continue };
            share.seen += 1;
            if seen != value {
                let Sample { line, function, .. } = truth;
                let Key { name, line: declared, .. } = key;
                wrong.push(format!(
                    "sample {n}, line {line} in {function}: `{name}` of line {declared} is {seen:x?} instead of {value:x?}"
                ));
            }
        }
    }
    if wrong.is_empty() { Ok(share) } else { Err(wrong[..wrong.len().min(8)].join("\n")) }
}

/// Runs an instrumented module, and returns its samples.
fn record(recording: &Recording, mut resources: Vec<Resource>) -> Result<Vec<Sample>, String> {
    let trace = resources.len();
    let mut first = 1u32.to_le_bytes().to_vec();
    first.resize(CAPACITY as usize * 4, 0);
    resources.push(Resource { set: TRACE.0, ..Resource::storage(TRACE.1, first) });
    let mut device = CpuDevice::new(CpuSettings::default());
    let launch = Launch::new("main", [1, 1, 1]);
    let ran = run(&mut device, &recording.words, &launch, &resources).map_err(|error| error.to_string())?;
    let bytes = &ran.contents[trace][0];
    let words = bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    let words: Vec<u32> = words.collect();
    decode(recording, words.get(1..words[0] as usize).ok_or("the trace is too long")?)
}

fn decode(recording: &Recording, mut words: &[u32]) -> Result<Vec<Sample>, String> {
    let mut samples = Vec::new();
    while let Some((&number, mut rest)) = words.split_first() {
        let site = recording.sites.get(number as usize).ok_or("a site out of range")?;
        let mut take = |count: u32| {
            let (taken, more) = rest.split_at_checked(count as usize).ok_or("the trace ends inside a sample")?;
            rest = more;
            Ok::<_, String>(taken.to_vec())
        };
        let mut values = BTreeMap::new();
        let mut repeated = Vec::new();
        for variable in &site.variables {
            let has_value = take(1)? == [1];
            for (path, count) in &variable.scalars {
                let key = Key { name: format!("{}{path}", variable.key.name), ..variable.key.clone() };
                let value = take(*count)?;
                if values.insert(key.clone(), has_value.then_some(value)).is_some() {
                    repeated.push(key);
                }
            }
        }
        repeated.iter().for_each(|key| _ = values.remove(key));
        samples.push(Sample { line: site.line, function: site.function.clone(), values });
        words = rest;
    }
    Ok(samples)
}
