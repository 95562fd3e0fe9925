//! The table of passes. Each runs alone on programs of two forms.

use wgc_ir::passes::{self, Accesses, DenormalFlush, Inline, OptLevel, Plan, Unset};
use wgc_ir::{Function, MathOp, Module, Op, Value};

type Pass = (&'static str, fn(&mut Module));

/// All passes that these programs can show to be wrong. The first word is the name of the function.
pub const PASSES: &[Pass] = &[
    ("precise", |m| {
        if !has_several_roundings(m) {
            passes::precise(m);
        }
    }),
    ("mark_all", |m| {
        if !has_several_roundings(m) {
            each(m, passes::mark_all);
        }
    }),
    ("case_labels", passes::case_labels),
    ("dead", |m| passes::dead(m, &[], Accesses::MayGo)),
    ("dead, accesses stay", |m| passes::dead(m, &[], Accesses::Stay)),
    ("hoist", |m| _ = passes::hoist(m)),
    ("own_globals", passes::own_globals),
    ("call_constants", |m| passes::call_constants(m, &[])),
    ("chains", passes::chains),
    ("gvn", |m| each(m, passes::gvn)),
    ("forward", passes::forward),
    ("fold", |m| each(m, passes::fold)),
    ("fold_floats", |m| each(m, |f| passes::fold_floats(f, DenormalFlush::Optional))),
    ("sroa", |m| each(m, passes::sroa)),
    ("ssa", |m| each(m, |f| passes::ssa(f, Unset::Zero))),
    ("ssa, unset is undefined", |m| each(m, |f| passes::ssa(f, Unset::Undefined))),
    ("overwritten", |m| each(m, passes::overwritten)),
    ("pack", |m| each(m, passes::pack)),
    ("narrow", |m| each(m, passes::narrow)),
    ("read_in_place", passes::read_in_place),
    ("contract", |m| each(m, passes::contract)),
    ("scale", |m| each(m, passes::scale)),
    ("nest", |m| each(m, passes::nest)),
    ("ifs", |m| each(m, passes::ifs)),
    ("loops", |m| each(m, |f| _ = passes::loops(f, OptLevel::O2))),
    ("loops, larger", |m| each(m, |f| _ = passes::loops(f, OptLevel::O3))),
    ("demote", |m| each(m, passes::demote)),
    ("early_returns", |m| each(m, |f| _ = passes::early_returns(f))),
    ("promote", |m| each(m, |f| passes::promote(f).expect("there are no resources in locals"))),
    ("fold_conditions", |m| {
        let globals = m.globals.clone();
        each(m, |f| _ = passes::fold_conditions(f, &globals));
    }),
    ("fold_table_loads", |m| {
        let globals = m.globals.clone();
        each(m, |f| passes::fold_table_loads(f, &globals));
    }),
    ("peel", |m| each(m, |f| locals(f).iter().for_each(|name| _ = passes::peel(f, name)))),
    ("peel_decided", |m| each(m, |f| locals(f).iter().for_each(|name| _ = passes::peel_decided(f, name)))),
    ("inline", |m| passes::inline(m, Inline::All).expect("there is no recursion")),
    ("inline, small", |m| passes::inline(m, Inline::Small).expect("there is no recursion")),
    ("inline, meeting", |m| passes::inline(m, Inline::Meeting).expect("there is no recursion")),
    ("optimise, -O1", |m| passes::optimise(m, Plan::new(OptLevel::O1))),
    ("optimise, -O2", |m| passes::optimise(m, Plan::new(OptLevel::O2))),
    ("optimise, -O3", |m| passes::optimise(m, Plan::new(OptLevel::O3))),
];

/// Passes that are not in [`PASSES`], with the reason.
pub const LEFT_OUT: &[(&str, &str)] = &[
    ("counters", "there are no counters"),
    ("float_atomics", "there are no atomics of floats"),
    ("localise", "there are no resources in globals"),
    ("inline_into", "only one function is complete afterwards, and `inline` does the same"),
    ("strip", "there are no variables of debuggers"),
    ("mesh", "there is no mesh"),
    ("offsets", "it only checks"),
    ("quads", "it renumbers threads, so that operations of subgroups return other values"),
    ("resource_selection", "there are no resources in locals"),
    ("fix_constants", "there are no specialisation constants"),
    ("split", "there are no resources in structures"),
    ("thread_requests", "there are no nodes"),
    ("unroll", "there are no samples"),
    ("wide_atomics", "there are no atomics of 64 bits"),
];

fn each(module: &mut Module, pass: impl Fn(&mut Function)) {
    module.functions.values_mut().for_each(|function| pass(function));
}

/// Returns whether the module has an operation that precise marks round otherwise.
fn has_several_roundings(module: &Module) -> bool {
    use MathOp as M;
    let expands = |value: &Value| match &value.op {
        Op::Math { op, .. } => {
            matches!(op, M::Dot | M::Mix | M::Length | M::Cross | M::Normalize | M::Product | M::Fma)
        }
        _ => false,
    };
    module.functions.values().any(|function| function.values.values().any(expands))
}

fn locals(function: &Function) -> Vec<wgc_ir::Symbol> {
    // Each may copy a loop again.
    function.locals.values().map(|local| local.name.clone()).take(2).collect()
}

/// The form of a program that a pass receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// With locals and some merged values, from the generator.
    Mixed,
    /// Locals are values.
    Values,
}

impl Form {
    pub fn apply(self, module: &mut Module) {
        if self == Form::Values {
            each(module, passes::sroa);
            each(module, |f| passes::ssa(f, Unset::Zero));
        }
    }
}
