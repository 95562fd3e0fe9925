//! Reduces a failing program: it removes statements, arms, cases and merged values while the pass fails in the same
//! way. Removed values that others use become zero.

use crate::passes::Form;
use crate::program::inputs;
use crate::run::{Checker, Reference};
use wgc_ir::passes::{Accesses, STEPS, dead};
use wgc_ir::{Block, Function, Module, Op, Stmt, Symbol, Type, ValueId, Values, parse, print, verify, walk};

/// The most programs that are tried.
const TRIES: usize = 6000;

type Pass<'a> = (Form, &'a str, fn(&mut Module));

/// A change of one statement; `None` if it does not apply.
type Edit = fn(&mut Function, Stmt, usize) -> Option<Vec<Stmt>>;

/// The changes, with the number of variants to try. Large changes come first.
const EDITS: [(Edit, usize); 5] = [(removed, 2), (arm, 6), (without_case, 4), (without_merge, 8), (without_hint, 1)];

/// Returns the report of a failure.
pub fn report(seed: u64, module: &Module, pass: Pass, why: &str) -> String {
    let (module, why) = smallest(seed, module.clone(), pass, why.to_owned());
    let guilty = guilty_step(seed, &module, pass).map(|step| format!(" (the step `{step}`)")).unwrap_or_default();
    let (form, name, _) = pass;
    format!("seed {seed}, {form:?} form, pass `{name}`{guilty}: {why}\n{}", print(&module))
}

/// Returns the first letters of a failure.
fn kind(why: &str) -> &str {
    why.split(':').next().unwrap_or(why)
}

/// Returns how the pass fails, if the program alone is right.
fn failure(seed: u64, module: &Module, (form, _, pass): Pass) -> Option<String> {
    verify(module).ok()?;
    let reference = Reference::of(module, inputs(seed)).ok()?;
    Checker::new(&reference, module, form).ok()?.check(pass).err()
}

/// Returns the first step of a level that makes the difference.
fn guilty_step(seed: u64, module: &Module, (form, name, _): Pass) -> Option<&'static str> {
    use wgc_ir::passes::{OptLevel, Plan};
    let level = match name.strip_prefix("optimise, ")? {
        "-O1" => OptLevel::O1,
        "-O2" => OptLevel::O2,
        _ => OptLevel::O3,
    };
    let reference = Reference::of(module, inputs(seed)).ok()?;
    let mut module = module.clone();
    form.apply(&mut module);
    STEPS.iter().filter(|step| level >= step.from).find_map(|step| {
        step.run(&mut module, Plan::new(level));
        reference.compare(&module).is_err().then_some(step.name)
    })
}

fn smallest(seed: u64, mut module: Module, pass: Pass, mut why: String) -> (Module, String) {
    let tries = std::cell::Cell::new(0);
    let attempt = |module: &mut Module, why: &mut String, candidate: Module| {
        tries.set(tries.get() + 1);
        match failure(seed, &candidate, pass) {
            Some(found) if kind(&found) == kind(why) => {
                (*module, *why) = (candidate, found);
                true
            }
            _ => false,
        }
    };
    loop {
        let mut any = false;
        let mut without = module.clone();
        dead(&mut without, &[], Accesses::MayGo);
        if without != module {
            any |= attempt(&mut module, &mut why, without);
        }
        if let Some(without) = without_unused(&module) {
            any |= attempt(&mut module, &mut why, without);
        }
        let names: Vec<_> = module.functions.keys().rev().cloned().collect();
        for name in names {
            // From the end, so that uses go before definitions.
            let mut at = module.functions.get(&name).map_or(0, |function| count(&function.body));
            while at > 0 {
                at -= 1;
                'edits: for (edit, variants) in EDITS {
                    for variant in 0..variants {
                        let mut candidate = module.clone();
                        let Some(function) = candidate.functions.get_mut(&name) else { continue };
                        let mut body = std::mem::take(&mut function.body);
                        let applied = edited(function, &mut body, &mut at.clone(), (edit, variant));
                        function.body = body;
                        // A statement that ends in the middle of a shrunk block may be gone.
                        if applied == Some(true) && candidate != module && attempt(&mut module, &mut why, candidate) {
                            any = true;
                            break 'edits;
                        }
                    }
                }
                for variant in 0..3 {
                    if let Some(candidate) = with_operand(&module, &name, at, variant)
                        && attempt(&mut module, &mut why, candidate)
                    {
                        any = true;
                        break;
                    }
                }
                at = at.min(module.functions.get(&name).map_or(0, |function| count(&function.body)));
            }
        }
        if !any || tries.get() > TRIES {
            return (module, why);
        }
    }
}

/// Returns the module with a value replaced by one of its operands, in all its uses.
fn with_operand(module: &Module, name: &Symbol, at: usize, variant: usize) -> Option<Module> {
    let mut candidate = module.clone();
    let function = candidate.functions.get_mut(name)?;
    let (mut left, mut found) = (at, None);
    walk::statements(&function.body, &mut |stmt| {
        if left == 0 {
            found.get_or_insert(stmt.clone());
        }
        left = left.saturating_sub(1);
    });
    let Some(Stmt::Let(id)) = found else { return None };
    let mut operands = Vec::new();
    function.values[id].op.for_each_operand(|operand| operands.push(operand));
    let by = *operands.get(variant).filter(|by| function.values[**by].ty == function.values[id].ty)?;
    let replace = |operand: &mut ValueId| {
        if *operand == id {
            *operand = by;
        }
    };
    walk::statements_mut(&mut function.body, &mut |stmt| {
        stmt.for_each_operand_mut(replace);
        stmt.for_each_end_operand_mut(replace);
    });
    function.values.values_mut().for_each(|value| value.op.for_each_operand_mut(replace));
    (candidate != *module).then_some(candidate)
}

/// Returns the module without the values that no statement makes, if there are any.
fn without_unused(module: &Module) -> Option<Module> {
    let text = print(module);
    let is_used = |line: &&str| !line.starts_with("  unused ");
    let used: Vec<&str> = text.lines().filter(is_used).collect();
    if used.len() == text.lines().count() { None } else { parse(&used.join("\n")).ok() }
}

fn count(block: &Block) -> usize {
    block.iter().map(|stmt| 1 + stmt.blocks().map(count).sum::<usize>()).sum()
}

/// Edits the statement of a number, counted in program order. Returns `None` if it is not in the block.
fn edited(function: &mut Function, block: &mut Block, at: &mut usize, edit: (Edit, usize)) -> Option<bool> {
    for n in 0..block.len() {
        if *at == 0 {
            let stmt = block[n].clone();
            let Some(with) = edit.0(function, stmt, edit.1) else { return Some(false) };
            block.splice(n..=n, with);
            return Some(true);
        }
        *at -= 1;
        for inner in block[n].blocks_mut() {
            let found = edited(function, inner, at, edit);
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// Removes a statement. The second variant keeps its values, as zeros.
fn removed(function: &mut Function, stmt: Stmt, variant: usize) -> Option<Vec<Stmt>> {
    if variant == 0 {
        return Some(Vec::new());
    }
    let mut made = Vec::new();
    match &stmt {
        Stmt::Let(id) => made.push(*id),
        stmt => made.extend(stmt.results()),
    }
    let is_value = |id: &ValueId| function.values[*id].ty.size().is_some();
    if made.is_empty() || !made.iter().all(is_value) || made.iter().all(|id| function.values[*id].op == Op::Zero) {
        return None;
    }
    made.iter().for_each(|id| function.values[*id].op = Op::Zero);
    Some(made.into_iter().map(Stmt::Let).collect())
}

/// Replaces a statement by one of its blocks. The yielded values replace the results.
fn arm(function: &mut Function, stmt: Stmt, variant: usize) -> Option<Vec<Stmt>> {
    if matches!(stmt, Stmt::Loop { .. }) {
        return None;
    }
    let mut block = stmt.blocks().nth(variant)?.clone();
    let values = match block.last() {
        Some(Stmt::Yield(values) | Stmt::Break(values)) => values.clone(),
        _ => Values::default(),
    };
    let is_switch = matches!(stmt, Stmt::Switch { .. });
    block.pop_if(|last| matches!(last, Stmt::Yield(_)) || is_switch && matches!(last, Stmt::Break(_)));
    // A merged value may become a copy of another: a select between equal values is one.
    for (result, value) in stmt.results().iter().zip(&values) {
        let cond = function.values.alloc(wgc_ir::Value::new(Type::BOOL, Op::Zero));
        function.values[*result].op = Op::Select { cond, then: *value, otherwise: *value };
        block.extend([Stmt::Let(cond), Stmt::Let(*result)]);
    }
    (values.len() == stmt.results().len()).then_some(block)
}

fn without_case(_: &mut Function, mut stmt: Stmt, variant: usize) -> Option<Vec<Stmt>> {
    let Stmt::Switch { cases, .. } = &mut stmt else { return None };
    if variant >= cases.len() {
        return None;
    }
    cases.remove(variant);
    Some(vec![stmt])
}

fn without_hint(_: &mut Function, mut stmt: Stmt, _: usize) -> Option<Vec<Stmt>> {
    match &mut stmt {
        Stmt::If { hint, .. } | Stmt::Switch { hint, .. } => *hint = wgc_ir::BranchHint::Any,
        Stmt::Loop { details, .. } => details.hint = wgc_ir::LoopHint::default(),
        _ => return None,
    }
    Some(vec![stmt])
}

/// Removes one merged value from a statement and from the edges to it. It becomes zero after the statement, or at the
/// start of the block that sees it.
fn without_merge(function: &mut Function, mut stmt: Stmt, variant: usize) -> Option<Vec<Stmt>> {
    let (list, nth) = (variant / 3, variant % 3);
    let drop = |values: &mut Values| {
        let mut left = values.to_vec();
        if nth < left.len() {
            left.remove(nth);
        }
        *values = left.into();
    };
    let zero = |function: &mut Function, id: ValueId| {
        function.values[id].op = Op::Zero;
        Stmt::Let(id)
    };
    match &mut stmt {
        Stmt::If { then, otherwise, results, .. } if list == 0 && nth < results.len() => {
            let id = results[nth];
            drop(results);
            [then, otherwise].into_iter().for_each(|arm| yields(arm, &drop));
            let made = zero(function, id);
            Some(vec![stmt, made])
        }
        Stmt::Switch { cases, default, results, .. } if list == 0 && nth < results.len() => {
            let id = results[nth];
            drop(results);
            for arm in cases.iter_mut().map(|case| &mut case.body).chain([default]) {
                yields(arm, &drop);
                jumps(arm, (true, false), &drop);
            }
            let made = zero(function, id);
            Some(vec![stmt, made])
        }
        Stmt::Loop { body, details, .. } if list == 0 && nth < details.results.len() => {
            let id = details.results.remove(nth);
            if nth < details.last.len() {
                details.last.remove(nth);
            }
            jumps(body, (true, false), &drop);
            let made = zero(function, id);
            Some(vec![stmt, made])
        }
        Stmt::Loop { body, continuing, details, .. } if list == 1 && nth < details.again.len() => {
            let id = details.again.remove(nth);
            yields(body, &drop);
            jumps(body, (false, true), &drop);
            continuing.insert(0, zero(function, id));
            Some(vec![stmt])
        }
        Stmt::Loop { details, .. } if list == 2 && nth < details.params.len() => {
            let id = details.params.remove(nth);
            details.first.remove(nth);
            details.next.remove(nth);
            let made = zero(function, id);
            Some(vec![made, stmt])
        }
        _ => None,
    }
}

/// Changes the values of the yield at the end of a block.
fn yields(block: &mut Block, change: &impl Fn(&mut Values)) {
    if let Some(Stmt::Yield(values)) = block.last_mut() {
        change(values);
        if values.is_empty() {
            block.pop();
        }
    }
}

/// Changes the values of breaks and continues that leave the statement around the block.
fn jumps(block: &mut Block, (breaks, continues): (bool, bool), change: &impl Fn(&mut Values)) {
    for stmt in block {
        match stmt {
            Stmt::Break(values) if breaks => change(values),
            Stmt::Continue(values) if continues => change(values),
            Stmt::Loop { .. } => {}
            Stmt::Switch { .. } => stmt.blocks_mut().for_each(|inner| jumps(inner, (false, continues), change)),
            _ => stmt.blocks_mut().for_each(|inner| jumps(inner, (breaks, continues), change)),
        }
    }
}
