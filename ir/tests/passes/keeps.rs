//! Every pass keeps marks and hints.

use crate::{check, read};
use std::collections::BTreeMap;
use wgc_ir::passes::{self, DenormalFlush, Inline, OptLevel};
use wgc_ir::{BranchHint, Function, LoopHint, Module, Op, Scalar, Stmt, print, walk};

/// A module for all passes. It has calls with early returns inside of a loop, a barrier, and resources that are chosen
/// and in structures. A loop chooses a resource. There are also counters, atomics of floats, 64-bit atomics, a table, a
/// branch on a constant, arithmetic, and quads of two by two threads.
const MODULE: &str = r#"struct H size 0 align 1 { of: ref<storage, [f32 stride 4]> @0, k: f32 @0 }
global @a: buffer<f32 stride 4> writable counter @n set 0 binding 0
global @n: buffer<u32 stride 4> writable set 0 binding 3
global @b: buffer<f32 stride 4> writable set 0 binding 1
global @words: buffer<u32 stride 4> writable set 0 binding 2
global @table: constant [f32; 2 stride 4] = { f32 1.0, f32 2.0 }
global @g: private f32
entry "f" = @f threads 32 1 1
entry "squares" = @squares threads 4 4 1
fn @squares() -> void {
  %0: f32 = 1.0
  %1: f32 = subgroup.ddx %0
  %2: u32 = builtin.group_index
  %3: ref<private, f32> = global @g
  %4: f32 = load %3
  %5: f32 = load %3
  %6: f32 = precise mul %4, %5
  %7: f32 = precise mul %4, %5
  %8: f32 = precise add %6, %7
  store %3, %8
}
fn @callee(x: f32, n: u32, out: ref<function, f32>) -> f32 {
  %0: f32 = param 0
  %1: u32 = param 1
  %2: ref<function, f32> = param 2
  loop [unroll 4] {
    %3: f32 = precise mul %0, %0
    store %2, %3
    %4: bool = lt %3, %0
    if %4 [branch] {
      %5: f32 = precise add %3, %0
      return %5
    }
  } continuing {
    %6: bool = lt %0, %0
  } break_if %6
  switch %1 [forcecase] {
    case 1 {
      %7: f32 = precise neg %0
      return %7
    }
    default {
    }
  }
  %8: f32 = precise sub %0, %0
  return %8
}
fn @f() -> void {
  local $0 x: ref<storage, [f32 stride 4]>
  local $1 j: u32
  local $2 out: f32
  local $3 held: H
  local $4 picked: ref<storage, [f32 stride 4]>
  %0: ref<function, ref<storage, [f32 stride 4]>> = local $0
  %1: ref<storage, [f32 stride 4]> = global @a
  %2: ref<storage, [f32 stride 4]> = global @b
  %3: u32 = builtin.group_index
  %4: u32 = 0
  %5: bool = eq %3, %4
  if %5 [flatten] {
    store %0, %1
  } else {
    store %0, %2
  }
  %6: ref<storage, [f32 stride 4]> = load %0
  %7: ref<storage, f32> = index %6, %3
  %8: f32 = load %7
  %9: f32 = precise mul %8, %8
  store %7, %9
  %10: ref<function, f32> = local $2
  %11: f32 = call @callee(%9, %3, %10)
  %12: f32 = precise div %11, %9
  if %5 {
    return
  }
  %42: f32 = precise add %9, %8
  store %10, %42
  barrier group_shared group_sync workgroup
  %13: ref<function, H> = local $3
  %14: ref<function, ref<storage, [f32 stride 4]>> = field %13, 0
  store %14, %1
  %15: ref<storage, [f32 stride 4]> = load %14
  %16: ref<storage, f32> = index %15, %4
  %17: f32 = precise add %12, %42
  store %16, %17
  %18: ref<storage, u32> = counter %1
  %19: u32 = 1
  %20: u32 = atomic.add %18, %19 device relaxed
  %21: ref<function, u32> = local $1
  %22: ref<function, ref<storage, [f32 stride 4]>> = local $4
  %23: u32 = 2
  store %21, %4
  loop [loop] [allow_uav_condition] {
    %24: u32 = load %21
    %25: bool = lt %24, %23
    if %25 {
    } else {
      break
    }
    %26: bool = lt %24, %19
    if %26 [branch] {
      store %22, %1
    } else {
      store %22, %2
    }
    %27: ref<storage, [f32 stride 4]> = load %22
    %28: ref<storage, f32> = index %27, %4
    %29: f32 = load %28
    %30: f32 = precise sub %29, %17
    store %28, %30
  } continuing {
    %31: u32 = load %21
    %32: u32 = add %31, %19
    store %21, %32
  }
  %33: ref<private, f32> = global @g
  %34: ref<private, [f32; 2 stride 4]> = global @table
  %35: ref<private, f32> = index %34, %19
  %36: f32 = load %35
  %37: f32 = precise mul %36, %8
  store %33, %37
  %38: bool = true
  if %38 [flatten] {
    %39: f32 = precise add %37, %37
    store %33, %39
  }
  switch %3 [call] {
    case 0 {
      loop [fastopt] {
        %40: f32 = load %33
        %41: f32 = precise rem %40, %8
        store %33, %41
        if %5 {
          break
        }
      }
    }
    default {
    }
  }
}
"#;

/// Checks that all float arithmetic is marked, including copies.
fn check_marks(what: &str, function: &Function) {
    walk::statements(&function.body, &mut |stmt| {
        if let Stmt::Let(id) = stmt
            && let Some(value) = function.value(*id)
            && matches!(value.op, Op::Binary { .. } | Op::Unary { .. })
            && value.ty.scalar().is_some_and(Scalar::is_float)
        {
            assert!(value.precise, "{what}: %{} of {} lost its mark", id.into_raw().into_u32(), function.name);
        }
    });
}

fn hints(module: &Module) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for function in module.functions.values() {
        walk::statements(&function.body, &mut |stmt| {
            let hint = match stmt {
                Stmt::If { hint, .. } | Stmt::Switch { hint, .. } if *hint != BranchHint::Any => format!("{hint:?}"),
                Stmt::Loop { details, .. } if details.hint != LoopHint::default() => format!("{:?}", details.hint),
                _ => return,
            };
            *found.entry(hint).or_default() += 1;
        });
    }
    found
}

type Pass = (&'static str, fn(&mut Module));

fn each(module: &mut Module, pass: impl Fn(&mut Function)) {
    module.functions.values_mut().for_each(|function| pass(function));
}

/// The passes that work without inlining.
const PASSES: &[Pass] = &[
    ("precise", passes::precise),
    ("mark_all", |m| each(m, passes::mark_all)),
    ("case_labels", passes::case_labels),
    ("quads", |m| passes::quads(m).expect("it succeeds")),
    ("thread_requests", passes::thread_requests),
    ("localise", passes::localise),
    ("float_atomics", |m| passes::float_atomics(m).expect("it succeeds")),
    ("wide_atomics", |m| passes::wide_atomics(m).expect("it succeeds")),
    ("mesh", |m| passes::mesh(m).expect("it succeeds")),
    ("fix_constants", passes::fix_constants),
    ("dead", |m| passes::dead(m, &[], passes::Accesses::MayGo)),
    ("strip", passes::strip),
    ("hoist", |m| _ = passes::hoist(m)),
    ("own_globals", passes::own_globals),
    ("call_constants", |m| passes::call_constants(m, &[])),
    ("chains", passes::chains),
    ("optimise", |m| passes::optimise(m, passes::Plan::new(OptLevel::O3))),
    ("gvn", |m| each(m, passes::gvn)),
    ("forward", passes::forward),
    ("fold", |m| each(m, passes::fold)),
    ("sroa", |m| each(m, passes::sroa)),
    ("ssa", |m| each(m, |f| passes::ssa(f, passes::Unset::Zero))),
    ("overwritten", |m| each(m, passes::overwritten)),
    ("pack", |m| each(m, passes::pack)),
    ("narrow", |m| each(m, passes::narrow)),
    ("read_in_place", passes::read_in_place),
    ("contract", |m| each(m, passes::contract)),
    ("scale", |m| each(m, passes::scale)),
    ("nest", |m| each(m, passes::nest)),
    ("ifs", |m| each(m, passes::ifs)),
    ("loops", |m| each(m, |f| _ = passes::loops(f, OptLevel::O2))),
    ("demote", |m| each(m, passes::demote)),
    ("fold_floats", |m| each(m, |f| passes::fold_floats(f, DenormalFlush::Optional))),
    ("early_returns", |m| each(m, |f| _ = passes::early_returns(f))),
    ("split", |m| each(m, |f| passes::split(f).expect("it succeeds"))),
    ("promote", |m| each(m, |f| drop(passes::promote(f)))),
    ("fold_conditions", |m| {
        let globals = m.globals.clone();
        each(m, |f| _ = passes::fold_conditions(f, &globals));
    }),
    ("fold_table_loads", |m| {
        let globals = m.globals.clone();
        each(m, |f| passes::fold_table_loads(f, &globals));
    }),
    ("peel", |m| each(m, |f| _ = passes::peel(f, &"picked".into()))),
    ("peel_decided", |m| each(m, |f| _ = passes::peel_decided(f, &"picked".into()))),
    ("inline", |m| passes::inline(m, Inline::All).expect("it succeeds")),
    ("inline meeting", |m| passes::inline(m, Inline::Meeting).expect("it succeeds")),
];

/// Passes that leave the module as it is. They have an effect after others, in the test below, or need a node or a mesh,
/// or have nothing to mark here.
const IDLE: &[&str] = &[
    "precise",
    "mark_all",
    "case_labels",
    "thread_requests",
    "localise",
    "float_atomics",
    "wide_atomics",
    "mesh",
    "fix_constants",
    "strip",
    "chains",
    "sroa",
    "overwritten",
    "pack",
    "narrow",
    "read_in_place",
    "contract",
    "scale",
    "nest",
    "ifs",
    "loops",
    "demote",
    "promote",
    "fold_conditions",
];

/// Returns whether a pass may drop a hint, because the branch is on a constant.
fn may_go(pass: &str, hint: &str) -> bool {
    match pass {
        "fold" | "fold_floats" | "call_constants" | "optimise" | "peel_decided" | "prepared" => {
            hint == "Flatten" || hint == "Branch"
        }
        _ => false,
    }
}

fn check_hints(what: &str, pass: &str, before: &BTreeMap<String, usize>, module: &Module) {
    let after = hints(module);
    for (hint, count) in before {
        let left = after.get(hint).copied().unwrap_or(0);
        assert!(left >= *count || may_go(pass, hint), "{what}: {count} of {hint} became {left}\n{}", print(module));
        assert!(left > 0, "{what}: no {hint} is left\n{}", print(module));
    }
}

#[test]
fn every_pass_keeps_marks_and_hints() {
    let whole = read(MODULE);
    let before = hints(&whole);
    assert_eq!(before.len(), 7, "{before:?}");
    let mut idle = Vec::new();
    for (name, pass) in PASSES {
        let mut module = whole.clone();
        pass(&mut module);
        check(&module);
        idle.extend((module == whole).then_some(*name));
        module.functions.values().for_each(|f| check_marks(name, f));
        check_hints(name, name, &before, &module);
    }
    assert_eq!(idle, IDLE, "a pass that changes nothing: the module needs its construct");
}

/// Runs the passes one after another, in an order like that of back ends, and twice.
#[test]
fn all_passes_together_keep_marks_and_hints() {
    let mut module = read(MODULE);
    let before = hints(&module);
    for _ in 0..2 {
        passes::precise(&mut module);
        passes::inline(&mut module, Inline::All).unwrap();
        passes::thread_requests(&mut module);
        passes::localise(&mut module);
        let globals = module.globals.clone();
        for function in module.functions.values_mut() {
            passes::split(function).unwrap();
            while passes::promote(function).is_err() {
                passes::fold(function);
                passes::resource_selection(function).unwrap();
            }
            passes::fold_conditions(function, &globals);
            passes::fold(function);
            passes::unroll(function, &globals);
        }
        passes::counters(&mut module).unwrap();
        passes::mesh(&mut module).unwrap();
        passes::float_atomics(&mut module).unwrap();
        passes::wide_atomics(&mut module).unwrap();
        passes::dead(&mut module, &[], passes::Accesses::MayGo);
        check(&module);
        module.functions.values().for_each(|f| check_marks("all passes", f));
        check_hints("all passes", "prepared", &before, &module);
    }
}

/// A value that replaces a marked one gets its mark.
#[test]
fn promotion_transfers_the_precise_mark() {
    let mut module = read(
        "fn @f(a: f32, b: f32) -> f32 {
          local $0 x: f32
          %0: f32 = param 0
          %1: f32 = param 1
          %2: f32 = mul %0, %1
          %3: ref<function, f32> = local $0
          store %3, %2
          %4: f32 = precise load %3
          return %4
        }",
    );
    passes::promote(&mut module.functions[0]).unwrap();
    assert!(print(&module).contains("= precise mul"), "{}", print(&module));
}

/// The maximum size of a statement in bytes: functions are long lists of them.
const MAX_STMT_BYTES: usize = 72;

#[test]
fn statements_stay_small() {
    assert!(size_of::<Stmt>() <= MAX_STMT_BYTES, "{} bytes", size_of::<Stmt>());
}
