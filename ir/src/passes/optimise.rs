//! The optimiser: the passes of each level, after those that a target requires.

use super::dead::remove_unreachable;
use super::inline::{for_each_call, inline_and_drop};
use super::{
    Accesses, DenormalFlush, Inline, Unset, call_constants, chains, dead, fold_conditions, fold_floats,
    fold_table_loads, forward, gvn, ifs, loops, nest,
};
use super::{contract, hoist, narrow, overwritten, own_globals, pack, promote, read_in_place, scale, sroa, ssa};
use crate::Symbol;
use crate::function::Function;
use crate::module::Module;
use rustc_hash::FxHashSet;

/// The amount of optimisation (`-O0` to `-O3`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OptLevel {
    /// The code is as written, for debuggers.
    O0,
    /// Changes only values and the memory of functions. All other accesses stay, so that the CPU device finds the same
    /// errors.
    O1,
    #[default]
    O2,
    /// Larger budgets, and a second round.
    O3,
}

/// The requests to the optimiser.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    pub level: OptLevel,
    pub flush: DenormalFlush,
    /// Functions that stay, besides those of nodes and entries.
    pub more_roots: &'a [Symbol],
    /// The module will describe variables for debuggers. Without it, [`strip`](super::strip) removes them first.
    pub describes_variables: bool,
}

impl Plan<'_> {
    /// Returns the plan of a level, for devices that may flush denormals.
    pub fn new(level: OptLevel) -> Plan<'static> {
        Plan { level, flush: DenormalFlush::Optional, more_roots: &[], describes_variables: false }
    }
}

/// A pass of the optimiser.
pub struct Step {
    pub name: &'static str,
    /// The lowest level that runs it.
    pub from: OptLevel,
    /// The reason for it or for its place.
    pub why: &'static str,
    run: fn(&mut Module, Plan),
}

const fn step(name: &'static str, from: OptLevel, run: fn(&mut Module, Plan), why: &'static str) -> Step {
    Step { name, from, why, run }
}

impl Step {
    /// Runs the pass alone.
    pub fn run(&self, module: &mut Module, plan: Plan) {
        (self.run)(module, plan);
    }
}

/// The passes of the optimiser in their order. `docs/ARCHITECTURE.md` has the same table; a test compares them.
pub const STEPS: [Step; 26] = [
    step("inline", OptLevel::O2, small_calls, "small functions, and those with one call"),
    step("own_globals", OptLevel::O2, |m, _| own_globals(m), "private globals that only entry points name are locals"),
    step("fold_table_loads", OptLevel::O2, |m, _| table_loads(m), "elements of constant tables are constants"),
    step("fold_conditions", OptLevel::O2, |m, _| conditions(m), "conditions on vectors and tables are constants"),
    step("call_constants", OptLevel::O2, constants, "if there are calls, constants reach the functions below"),
    step("promote", OptLevel::O2, |m, _| values(m), "locals of untaken branches become values"),
    step("call_constants", OptLevel::O2, constants, "some of these values are constants"),
    step("chains", OptLevel::O2, |m, _| chains(m), "chains of comparisons are switches; constant ones are gone"),
    step("sroa", OptLevel::O1, |m, _| each(m, sroa), "parts of structures and arrays are locals of their own"),
    step("ssa", OptLevel::O1, merged, "locals become values that branches and loops merge"),
    step("fold", OptLevel::O1, simplified, "parts of these values are known, and so are conditions"),
    step(
        "loops",
        OptLevel::O2,
        unrolled,
        "short loops, and those with `[unroll]`, become statements; then `fold`, `sroa` and `ssa` run again",
    ),
    step("nest", OptLevel::O2, |m, _| each(m, nest), "early returns are branches"),
    step("ifs", OptLevel::O2, |m, _| each(m, ifs), "branches that choose between values are selects"),
    step(
        "narrow",
        OptLevel::O2,
        |m, _| each(m, narrow),
        "only the used parts of structures and arrays in memory are loaded",
    ),
    step(
        "read_in_place",
        OptLevel::O2,
        |m, _| read_in_place(m),
        "a local that only copies memory goes, if the memory stays the same; its reads become reads of that memory",
    ),
    step("gvn", OptLevel::O1, joined, "equal values join; from `-O2` on, `forward` does the same"),
    step("forward", OptLevel::O2, |m, _| forward(m), "equal loads join, and loads after a store are its value"),
    step("fold", OptLevel::O2, simplified, "selects and loads may have become constant"),
    step("ifs", OptLevel::O2, |m, _| each(m, ifs), "branches that lost their loads or stores are selects"),
    step(
        "hoist",
        OptLevel::O2,
        |m, _| hoisted(m),
        "values that no iteration changes are computed before the loop; then `forward` joins them with equal ones",
    ),
    step("contract", OptLevel::O2, |m, _| each(m, contract), "products and the sums that alone use them are one step"),
    step("scale", OptLevel::O2, |m, _| each(m, scale), "vectors times scalars need no repeated scalar"),
    step(
        "pack",
        OptLevel::O2,
        |m, _| each(m, pack),
        "two 16-bit stores to one word become one store, if their places are equal",
    ),
    step(
        "overwritten",
        OptLevel::O2,
        |m, _| each(m, overwritten),
        "stores to locals go if another store, or the end, follows before a read",
    ),
    step("dead", OptLevel::O1, unused, "unused code, parameters and globals go"),
];

/// Optimises a module that is ready for emission. `-O3` runs the passes of `-O2` once more, so that functions that
/// became small are inlined. That round unrolls no loops: each round would unroll one more level of nested loops.
pub fn optimise(module: &mut Module, plan: Plan) {
    for step in STEPS.iter().filter(|step| plan.level >= step.from) {
        step.run(module, plan);
    }
    if plan.level == OptLevel::O3 {
        let plan = Plan { level: OptLevel::O2, ..plan };
        STEPS.iter().filter(|step| step.name != UNROLLING).for_each(|step| step.run(module, plan));
    }
}

/// The step that runs once.
const UNROLLING: &str = "loops";

fn each(module: &mut Module, pass: fn(&mut Function)) {
    module.functions.values_mut().for_each(|function| pass(function));
}

fn simplified(module: &mut Module, plan: Plan) {
    module.functions.values_mut().for_each(|function| fold_floats(function, plan.flush));
}

fn merged(module: &mut Module, plan: Plan) {
    let unset = if plan.level > OptLevel::O1 { Unset::Zero } else { Unset::Undefined };
    module.functions.values_mut().for_each(|function| ssa(function, unset));
}

fn joined(module: &mut Module, plan: Plan) {
    if plan.level == OptLevel::O1 {
        each(module, gvn);
    }
}

fn unused(module: &mut Module, plan: Plan) {
    let accesses = if plan.level > OptLevel::O1 { Accesses::MayGo } else { Accesses::Stay };
    dead(module, plan.more_roots, accesses);
}

fn constants(module: &mut Module, plan: Plan) {
    let calls = |function: &Function| {
        let mut any = false;
        for_each_call(function, &mut |_| any = true);
        any
    };
    // It folds every function, which `fold` does later at a smaller cost.
    if module.functions.values().any(|function| calls(function)) {
        call_constants(module, plan.more_roots);
    }
}

fn unrolled(module: &mut Module, plan: Plan) {
    let Module { functions, globals, .. } = module;
    for function in functions.values_mut() {
        if loops(function, plan.level) {
            fold_floats(function, plan.flush);
            fold_table_loads(function, globals);
            sroa(function);
            ssa(function, Unset::Zero);
            fold_floats(function, plan.flush);
        }
    }
}

fn small_calls(module: &mut Module, Plan { level, more_roots, .. }: Plan) {
    let which = if level == OptLevel::O3 { Inline::Larger } else { Inline::Small };
    let roots: FxHashSet<Symbol> = module.roots().chain(more_roots).cloned().collect();
    // It fails for recursion only, which `verify` refuses.
    let _ = inline_and_drop(module, which, |name| !roots.contains(name));
    // Most callees have no call left. The passes after this one skip them.
    remove_unreachable(module, more_roots);
}

fn hoisted(module: &mut Module) {
    // Two loops may have the same bound.
    if hoist(module) {
        forward(module);
    }
}

fn table_loads(module: &mut Module) {
    let Module { functions, globals, .. } = module;
    functions.values_mut().for_each(|function| fold_table_loads(function, globals));
}

fn conditions(module: &mut Module) {
    let Module { functions, globals, .. } = module;
    for function in functions.values_mut() {
        fold_conditions(function, globals);
    }
}

fn values(module: &mut Module) {
    for function in module.functions.values_mut() {
        // It fails for handles and resources only, which no function has in locals any more.
        let _ = promote(function);
    }
}
