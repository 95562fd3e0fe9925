//! Inlining of calls.
//!
//! The callee's values and locals are copied into the caller. If the callee returns only at its end, its statements
//! replace the call. Otherwise they go into a `switch` with only a default, so that a return becomes a `break` of that
//! switch. Returns inside loops and switches of the callee set a flag, which is tested after each of these on the way
//! out. A loop with one iteration would also work, but a switch has no back edge.

use super::case_labels::functions_across_lanes;
use super::early;
use super::nest::returns_nest;
use super::offsets::has_variable_offsets;
use crate::function::*;
use crate::hint::BranchHint;
use crate::module::Module;
use crate::position::{Position, ScopeId, SourceScope};
use crate::types::{Space, Type};
use crate::value_map::ValueMap;
use crate::variable::{Variable, VariableId};
use crate::walk;
use crate::{MAX_NESTING, MAX_VALUES, Symbol};
use la_arena::RawIdx;
use rustc_hash::{FxHashMap, FxHashSet};

/// The calls that are inlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inline {
    /// Calls that no target can emit. The callee takes or returns handles or resources, or takes places outside the
    /// space `Function`. Or it names private globals with resources, contains graph operations, samples with a variable
    /// offset, or receives a part of a local by reference.
    Required,
    /// The required calls, and calls of functions with barriers at which all threads of a group meet. Returns before
    /// such barriers become conditions, see [`early_returns`](super::early_returns). A thread that returned from the
    /// caller also reaches them.
    Meeting,
    /// The required calls, and calls of functions that are small or called once. A function with operations on several
    /// lanes must return only at its end, or where [`nest`](super::nest()) makes branches of returns. The caller stays
    /// below a limit, so this never fails where [`Inline::Required`] succeeds.
    Small,
    /// Like [`Inline::Small`], with larger limits (`-O3`).
    Larger,
    All,
}

/// The limits of calls that are inlined for speed.
#[derive(Clone, Copy)]
struct Limits {
    /// The most values of a callee.
    small: usize,
    /// The most values of a callee that takes a local by reference. A local that a call takes stays in memory.
    by_reference: usize,
    /// The most values of a caller, with everything that was inlined into it.
    large: usize,
}

impl Inline {
    fn limits(self) -> Option<Limits> {
        match self {
            Inline::Small => Some(Limits { small: 100, by_reference: 10_000, large: 1 << 15 }),
            Inline::Larger => Some(Limits { small: 400, by_reference: 1 << 15, large: 1 << 17 }),
            Inline::Required | Inline::Meeting | Inline::All => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InlineError {
    Recursion {
        function: Symbol,
    },
    /// The function would exceed [`MAX_VALUES`] values.
    TooLarge {
        function: Symbol,
    },
    /// The blocks of the function would exceed [`crate::MAX_NESTING`] levels.
    TooDeep {
        function: Symbol,
    },
    UnknownCallee {
        function: Symbol,
        callee: Symbol,
    },
}

impl InlineError {
    /// Returns the function whose calls cannot be inlined.
    pub fn function(&self) -> &Symbol {
        match self {
            InlineError::Recursion { function }
            | InlineError::TooLarge { function }
            | InlineError::TooDeep { function }
            | InlineError::UnknownCallee { function, .. } => function,
        }
    }
}

impl std::fmt::Display for InlineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            InlineError::Recursion { function } => write!(f, "function {function} calls itself"),
            InlineError::TooLarge { function } => {
                write!(f, "function {function} has more than {MAX_VALUES} values after inlining its calls")
            }
            InlineError::TooDeep { function } => {
                write!(
                    f,
                    "blocks of function {function} nest more than {MAX_NESTING} levels deep after inlining its calls"
                )
            }
            InlineError::UnknownCallee { function, callee } => write!(f, "{function} calls {callee}, which is missing"),
        }
    }
}

impl std::error::Error for InlineError {}

/// Inlines calls in every function, callees first. Removes functions that had to be inlined, unless a node or an entry
/// names them.
pub fn inline(module: &mut Module, which: Inline) -> Result<(), InlineError> {
    inline_and_drop(module, which, |_| false)
}

/// Inlines all calls that `root` reaches. Other functions may go: only the new body of `root` is complete.
///
/// # Errors
/// The errors of [`inline`].
pub fn inline_into(module: &mut Module, root: &Symbol) -> Result<(), InlineError> {
    inline_and_drop(module, Inline::All, |name| name != root)
}

/// Inlines like [`inline`]. A function that `may_go` accepts goes as soon as its only call is inlined. Otherwise a chain
/// of functions would take memory for the square of its length.
pub(super) fn inline_and_drop(
    module: &mut Module,
    which: Inline,
    may_go: impl Fn(&Symbol) -> bool,
) -> Result<(), InlineError> {
    super::demote_all(module);
    let in_graph = !module.graph.nodes.is_empty();
    let mut required = FxHashSet::default();
    let mut gone = FxHashSet::default();
    let sites = call_sites(module);
    let across_lanes = if which.limits().is_some() { functions_across_lanes(module) } else { FxHashSet::default() };
    for name in callees_first(module)? {
        let Some(function) = module.functions.get_mut(&name) else { continue };
        let taken = std::mem::replace(&mut **function, Function::new(name.clone(), Type::Void));
        let mut only_calls = Vec::new();
        let mut inlined = Inliner {
            module,
            only_calls: &mut only_calls,
            which,
            required: &required,
            sites: &sites,
            across_lanes: &across_lanes,
            size: taken.size(),
            nesting: nesting(&taken.body),
            function: taken,
            replaced: ValueMap::default(),
            position: None,
        }
        .run()?;
        if nests_deeper(&inlined.body, MAX_NESTING) {
            return Err(InlineError::TooDeep { function: name });
        }
        let meets = which == Inline::Meeting && inlined.body.iter().any(early::meets);
        if meets {
            early::early_returns(&mut inlined);
        }
        if meets || must_inline(&inlined) || in_graph && reads_place_of_thread(&inlined) {
            required.insert(name.clone());
        }
        module.functions.insert(name, inlined.into());
        for callee in only_calls.into_iter().filter(&may_go) {
            if let Some(function) = module.functions.get_mut(&callee) {
                **function = Function::new(callee.clone(), Type::Void);
            }
            gone.insert(callee);
        }
    }
    let roots: FxHashSet<Symbol> = module.roots().cloned().collect();
    module.functions.retain(|name, _| roots.contains(name) || !required.contains(name) && !gone.contains(name));
    Ok(())
}

/// Returns the function names in an order with callees before callers.
pub(super) fn callees_first(module: &Module) -> Result<Vec<Symbol>, InlineError> {
    let callees: Vec<Vec<usize>> = module
        .functions
        .values()
        .map(|function| {
            let mut callees = Vec::new();
            for_each_call(function, &mut |callee| callees.extend(module.functions.get_index_of(callee)));
            callees
        })
        .collect();
    let name = |i: usize| module.functions.get_index(i).map(|(name, _)| name.clone()).unwrap_or_default();
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; callees.len()];
    let mut order = Vec::new();
    for root in 0..callees.len() {
        let mut stack = vec![(root, 0usize)];
        while let Some((f, next)) = stack.last_mut() {
            let f = *f;
            if *next == 0 {
                if marks[f] == Mark::Done {
                    stack.pop();
                    continue;
                }
                if marks[f] == Mark::Open {
                    return Err(InlineError::Recursion { function: name(f) });
                }
                marks[f] = Mark::Open;
            }
            match callees[f].get(*next) {
                Some(&callee) => {
                    *next += 1;
                    stack.push((callee, 0));
                }
                None => {
                    marks[f] = Mark::Done;
                    order.push(name(f));
                    stack.pop();
                    // The caller has advanced past this callee, so the walk does not open it again.
                }
            }
        }
    }
    Ok(order)
}

/// Calls `f` with the name of each function that a function calls.
pub(super) fn for_each_call(function: &Function, f: &mut impl FnMut(&Symbol)) {
    for_each_called(function, &mut |callee, _| f(callee));
}

/// Calls `f` with the callee and the arguments of each call in a function.
pub(super) fn for_each_called(function: &Function, f: &mut impl FnMut(&Symbol, &[ValueId])) {
    walk::statements(&function.body, &mut |stmt| match stmt {
        Stmt::Call { callee, args } => f(callee, args),
        Stmt::Let(id) => {
            if let Some(Value { op: Op::Call { callee, args }, .. }) = function.value(*id) {
                f(callee, args);
            }
        }
        _ => {}
    });
}

/// Returns the number of calls of each function.
fn call_sites(module: &Module) -> FxHashMap<Symbol, usize> {
    let mut sites = FxHashMap::default();
    for function in module.functions.values() {
        for_each_call(function, &mut |callee| *sites.entry(callee.clone()).or_default() += 1);
    }
    sites
}

fn nests_deeper(block: &[Stmt], levels: usize) -> bool {
    block.iter().flat_map(Stmt::blocks).any(|inner| levels == 0 || nests_deeper(inner, levels - 1))
}

/// Returns the number of levels of blocks inside these statements.
pub(super) fn nesting(block: &[Stmt]) -> usize {
    block.iter().flat_map(Stmt::blocks).map(|inner| 1 + nesting(inner)).max().unwrap_or(0)
}

/// Returns whether no target can emit the function as a function.
fn must_inline(function: &Function) -> bool {
    let opaque = |ty: &Type| {
        // `split` takes a structure with a query apart.
        let queries = matches!(ty, Type::Struct(_)) && ty.holds_query();
        matches!(ty, Type::Records(_)) || ty.is_resource() || ty.holds_objects() || queries
    };
    let foreign = |ty: &Type| matches!(ty, Type::Ref(space, pointee) if *space != Space::Function || opaque(pointee));
    if opaque(&function.ret) || function.params.iter().any(|p| opaque(&p.ty) || foreign(&p.ty)) {
        return true;
    }
    // An argument may make it constant.
    if has_variable_offsets(function) {
        return true;
    }
    let mut needs_node = false;
    walk::statements(&function.body, &mut |stmt| match stmt {
        Stmt::IncrementCount { .. } | Stmt::Report { .. } => needs_node = true,
        Stmt::Let(id) => {
            let names_resources = |v: &Value| matches!((&v.op, &v.ty), (Op::Global(_), Type::Ref(Space::Private, pointee)) if opaque(pointee) || pointee.holds_query());
            needs_node |= function.value(*id).is_some_and(|v| v.op.needs_node() || names_resources(v));
        }
        _ => {}
    });
    needs_node
}

/// Returns whether the function itself reads the place of its thread in a grid or group. Targets replace these values in
/// the functions of nodes, and in no others.
fn reads_place_of_thread(function: &Function) -> bool {
    let is_place = |builtin: &Builtin| builtin.is_place_of_thread() || *builtin == Builtin::NumWorkgroups;
    function.values.values().any(|value| matches!(&value.op, Op::Builtin(builtin) if is_place(builtin)))
}

struct Inliner<'a> {
    module: &'a Module,
    /// Callees that were inlined at the only call of the module.
    only_calls: &'a mut Vec<Symbol>,
    which: Inline,
    required: &'a FxHashSet<Symbol>,
    /// The number of calls of each function in the module.
    sites: &'a FxHashMap<Symbol, usize>,
    /// Functions with operations on several lanes.
    across_lanes: &'a FxHashSet<Symbol>,
    /// The levels of blocks in the function as it was.
    nesting: usize,
    function: Function,
    /// The size of the function so far.
    size: usize,
    /// Results of inlined calls, by the value that they replace.
    replaced: ValueMap<ValueId>,
    /// The position of the current statement.
    position: Option<Position>,
}

impl Inliner<'_> {
    fn run(mut self) -> Result<Function, InlineError> {
        let body = std::mem::take(&mut self.function.body);
        self.function.body = self.block(body)?;
        Ok(self.function)
    }

    fn block(&mut self, block: Block) -> Result<Block, InlineError> {
        let around = self.position;
        let mut out = Block::with_capacity(block.len());
        for mut stmt in block {
            let replaced = &self.replaced;
            let replace = |id: &mut ValueId| replaced.replace(id);
            stmt.for_each_operand_mut(replace);
            match &mut stmt {
                Stmt::At(position) => self.position = Some(*position),
                Stmt::Let(id) => {
                    let id = *id;
                    if self.function.value(id).is_some() {
                        self.function.values[id].op.for_each_operand_mut(replace);
                    }
                    if let Some((callee, args)) = self.call_of(id)
                        && let Some(result) = self.expand(&callee, &args, &mut out)?
                    {
                        self.function.values[result].precise |= self.function.values[id].precise;
                        self.replaced.insert(id, result);
                        continue;
                    }
                }
                Stmt::Call { callee, args } => {
                    let (callee, args) = (callee.clone(), args.clone());
                    if self.wanted(&callee, &args)? {
                        self.expand(&callee, &args, &mut out)?;
                        continue;
                    }
                }
                Stmt::Loop { body, continuing, break_if, .. } => {
                    *body = self.block(std::mem::take(body))?;
                    *continuing = self.block(std::mem::take(continuing))?;
                    break_if.iter_mut().for_each(|id| self.replaced.replace(id));
                }
                other => {
                    for inner in other.blocks_mut() {
                        *inner = self.block(std::mem::take(inner))?;
                    }
                }
            }
            out.push(stmt);
        }
        self.position = around;
        Ok(out)
    }

    /// Returns the call that computes a value.
    fn call_of(&self, id: ValueId) -> Option<(Symbol, Vec<ValueId>)> {
        match &self.function.value(id)?.op {
            Op::Call { callee, args } => Some((callee.clone(), args.clone())),
            _ => None,
        }
    }

    fn wanted(&self, callee: &Symbol, args: &[ValueId]) -> Result<bool, InlineError> {
        if !self.module.functions.contains_key(callee) {
            let function = self.function.name.clone();
            return Err(InlineError::UnknownCallee { function, callee: callee.clone() });
        }
        // SPIR-V does not allow logical pointers to a part of a variable as arguments.
        let part = |id: &ValueId| {
            let value = self.function.value(*id);
            value.is_some_and(|v| matches!(v.op, Op::Field { .. } | Op::Index { .. }) && matches!(v.ty, Type::Ref(..)))
        };
        let is_chosen =
            self.which == Inline::All || self.which.limits().is_some_and(|most| self.is_cheap(callee, most));
        Ok(is_chosen || self.required.contains(callee) || args.iter().any(part))
    }

    /// Returns whether a call costs more than the statements of its callee, and these fit. `[noinline]` keeps it.
    fn is_cheap(&self, name: &Symbol, most: Limits) -> bool {
        let Some(callee) = self.module.functions.get(name) else { return false };
        if callee.noinline {
            return false;
        }
        let size = callee.size();
        let is_reference = |param: &Param| matches!(param.ty, Type::Ref(Space::Function, _));
        let small = if callee.params.iter().any(is_reference) { most.by_reference } else { most.small };
        (size <= small || self.sites.get(name) == Some(&1))
            && self.size + size <= most.large
            // A driver separates the lanes of a switch, which early returns become unless `nest` makes them branches.
            && (returns_only_at_end(&callee.body) || !self.across_lanes.contains(name) || returns_nest(&callee.body))
            && self.nesting + nesting(&callee.body) + 1 < MAX_NESTING
    }

    /// Writes the callee's body to `out`. Returns the result of a callee that has one, or `None` if it stays a call.
    fn expand(&mut self, callee: &Symbol, args: &[ValueId], out: &mut Block) -> Result<Option<ValueId>, InlineError> {
        if !self.wanted(callee, args)? {
            return Ok(None);
        }
        if self.sites.get(callee) == Some(&1) {
            self.only_calls.push(callee.clone());
        }
        let Some(callee) = self.module.functions.get(callee) else { return Ok(None) };
        self.size += callee.size();
        if self.size > MAX_VALUES {
            return Err(InlineError::TooLarge { function: self.function.name.clone() });
        }
        let mut copy = Copy::new(&mut self.function, callee, args, self.position);
        if returns_only_at_end(&callee.body) {
            let (body, last) = match callee.body.split_last() {
                Some((Stmt::Return(value), body)) => (body, *value),
                _ => (&callee.body[..], None),
            };
            copy.block(body, Inside::Body, out);
            copy.back_to(self.position, out);
            if last.is_some() || callee.ret == Type::Void {
                return Ok(last.map(|id| copy.map(id)));
            }
            // The callee never returns, so the stand-in for its result is never read.
            let never_set = copy.local("result", callee.ret.clone(), out);
            return Ok(Some(copy.value(callee.ret.clone(), Op::Load(never_set), out)));
        }
        copy.prepare_returns(out);
        let mut default = Block::new();
        copy.block(&callee.body, Inside::Body, &mut default);
        let selector = copy.constant(ScalarConst::u32(0), out);
        out.push(Stmt::Switch {
            selector,
            cases: Vec::new(),
            default,
            hint: BranchHint::Any,
            results: Values::default(),
        });
        let Some(place) = copy.result else { return Ok(None) };
        let result = copy.value(callee.ret.clone(), Op::Load(place), out);
        Ok(Some(result))
    }
}

/// Returns whether the only return is the last statement, or there is none.
fn returns_only_at_end(body: &[Stmt]) -> bool {
    let inner = match body.split_last() {
        Some((Stmt::Return(_), inner)) => inner,
        _ => body,
    };
    !contains_return(inner)
}

pub(super) fn contains_return(block: &[Stmt]) -> bool {
    block.iter().any(|stmt| matches!(stmt, Stmt::Return(_)) || stmt.blocks().any(|b| contains_return(b)))
}

/// The target that a return leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// The callee's body, outside its loops and switches.
    Body,
    /// A loop or switch of the callee.
    Nested,
}

/// A callee's body while it is copied into a caller.
struct Copy<'a> {
    into: &'a mut Function,
    callee: &'a Function,
    args: &'a [ValueId],
    values: ValueMap<ValueId>,
    /// Index of the first of the callee's locals in the caller.
    first_local: u32,
    /// Index of the first of the callee's scopes in the caller.
    first_scope: u32,
    /// Index of the first of the callee's variables in the caller.
    first_variable: u32,
    /// The place of the result, if there are early returns.
    result: Option<ValueId>,
    /// The place of the flag and the constant `true`, if there are returns inside loops or switches.
    returned: Option<(ValueId, ValueId)>,
}

impl<'a> Copy<'a> {
    /// Starts a copy. `at` is the position of the call.
    fn new(into: &'a mut Function, callee: &'a Function, args: &'a [ValueId], at: Option<Position>) -> Copy<'a> {
        into.needs.merge(&callee.needs);
        let first_scope = into.scopes.len() as u32;
        for scope in callee.scopes.values() {
            let inlined_at = scope.inlined_at.map(|inner| shifted(inner, first_scope)).or(at);
            into.scopes.alloc(SourceScope { inlined_at, ..scope.clone() });
        }
        let first_variable = into.variables.len() as u32;
        for variable in callee.variables.values() {
            let declared = shifted(variable.declared, first_scope);
            into.variables.alloc(Variable { declared, ..variable.clone() });
        }
        let moved = |variable: Option<VariableId>| variable.map(|v| shifted_variable(v, first_variable));
        let first_local = into.locals.len() as u32;
        for local in callee.locals.values() {
            into.locals.alloc(Local { variable: moved(local.variable), ..local.clone() });
        }
        // A variable passed by reference stays in the storage that the caller chose: its own temporary.
        for (param, arg) in callee.params.iter().zip(args) {
            if let Some(Op::Local(local)) = into.value(*arg).map(|v| v.op.clone())
                && into.local(local).is_some_and(|l| l.variable.is_none())
            {
                into.locals[local].variable = moved(param.variable);
            }
        }
        let values = ValueMap::default();
        Copy { into, callee, args, values, first_local, first_scope, first_variable, result: None, returned: None }
    }

    /// Restores the position of the caller.
    fn back_to(&mut self, position: Option<Position>, out: &mut Block) {
        if let (Some(position), false) = (position, self.callee.scopes.is_empty()) {
            out.push(Stmt::At(position));
        }
    }

    fn map(&self, id: ValueId) -> ValueId {
        self.values.get(id).copied().unwrap_or(id)
    }

    fn value(&mut self, ty: Type, op: Op, out: &mut Block) -> ValueId {
        let id = self.into.values.alloc(Value::new(ty, op));
        out.push(Stmt::Let(id));
        id
    }

    fn constant(&mut self, constant: ScalarConst, out: &mut Block) -> ValueId {
        self.value(Type::Scalar(constant.ty), Op::Const(constant), out)
    }

    fn local(&mut self, what: &str, ty: Type, out: &mut Block) -> ValueId {
        let name = compact_str::format_compact!("{}.{what}", self.callee.name);
        let local = self.into.locals.alloc(Local { name, ty: ty.clone(), variable: None });
        self.value(Type::reference(Space::Function, ty), Op::Local(local), out)
    }

    /// Creates the locals that carry a result and the flag out of nested statements.
    fn prepare_returns(&mut self, out: &mut Block) {
        if self.callee.ret != Type::Void {
            self.result = Some(self.local("result", self.callee.ret.clone(), out));
        }
        if nested_return(&self.callee.body) {
            let flag = self.local("returned", Type::BOOL, out);
            let no = self.constant(ScalarConst::bool(false), out);
            let yes = self.constant(ScalarConst::bool(true), out);
            out.push(Stmt::Store { place: flag, value: no });
            // Otherwise a loop around the call carries the previous result. For an array the store costs more.
            let becomes_values = self.callee.ret.is_mergeable() && !matches!(self.callee.ret, Type::Array { .. });
            if let Some(place) = self.result.filter(|_| becomes_values) {
                let value = self.value(self.callee.ret.clone(), Op::Zero, out);
                out.push(Stmt::Store { place, value });
            }
            self.returned = Some((flag, yes));
        }
    }

    /// Copies statements. Returns whether they contain a return.
    fn block(&mut self, block: &[Stmt], inside: Inside, out: &mut Block) -> bool {
        let mut returns = false;
        for stmt in block {
            returns |= self.stmt(stmt, inside, out);
        }
        returns
    }

    fn new_block(&mut self, block: &[Stmt], inside: Inside) -> (Block, bool) {
        let mut out = Block::new();
        let returns = self.block(block, inside, &mut out);
        (out, returns)
    }

    /// Copies a statement. Returns whether it contains a return.
    fn stmt(&mut self, stmt: &Stmt, inside: Inside, out: &mut Block) -> bool {
        match stmt {
            Stmt::At(position) => out.push(Stmt::At(shifted(*position, self.first_scope))),
            Stmt::Holds { variable, value } => {
                let variable = shifted_variable(*variable, self.first_variable);
                out.push(Stmt::Holds { variable, value: value.map(|id| self.map(id)) });
            }
            Stmt::Let(id) => self.let_value(*id, out),
            Stmt::If { cond, then, otherwise, hint, .. } => {
                let cond = self.map(*cond);
                let (then, returns) = self.new_block(then, inside);
                let (otherwise, returns_otherwise) = self.new_block(otherwise, inside);
                out.push(Stmt::If { cond, then, otherwise, hint: *hint, results: Values::default() });
                return returns || returns_otherwise;
            }
            Stmt::Loop { body, continuing, break_if, details } => {
                let (body, returns) = self.new_block(body, Inside::Nested);
                let (continuing, _) = self.new_block(continuing, Inside::Nested);
                let break_if = break_if.map(|id| self.map(id));
                out.push(Stmt::Loop { body, continuing, break_if, details: details.clone() });
                self.leave_if_returned(returns, out);
                return returns;
            }
            Stmt::Switch { selector, cases, default, hint, .. } => {
                let selector = self.map(*selector);
                let mut returns = false;
                let mut copy = |this: &mut Self, block: &[Stmt]| {
                    let (block, one_returns) = this.new_block(block, Inside::Nested);
                    returns |= one_returns;
                    block
                };
                let cases =
                    cases.iter().map(|c| Case { labels: c.labels.clone(), body: copy(self, &c.body) }).collect();
                let default = copy(self, default);
                out.push(Stmt::Switch { selector, cases, default, hint: *hint, results: Values::default() });
                self.leave_if_returned(returns, out);
                return returns;
            }
            Stmt::Return(value) => {
                if let (Some(place), Some(value)) = (self.result, value) {
                    out.push(Stmt::Store { place, value: self.map(*value) });
                }
                if let (Some((place, value)), Inside::Nested) = (self.returned, inside) {
                    out.push(Stmt::Store { place, value });
                }
                out.push(Stmt::break_());
                return true;
            }
            simple => {
                let mut copy = simple.clone();
                copy.for_each_operand_mut(|id| *id = self.map(*id));
                out.push(copy);
            }
        }
        false
    }

    /// Leaves the next outer statement too after a loop or switch that may have returned.
    fn leave_if_returned(&mut self, returns: bool, out: &mut Block) {
        let (true, Some((flag, _))) = (returns, self.returned) else { return };
        let cond = self.value(Type::BOOL, Op::Load(flag), out);
        out.push(Stmt::if_(cond, vec![Stmt::break_()], Block::new()));
    }

    fn let_value(&mut self, id: ValueId, out: &mut Block) {
        let Some(value) = self.callee.value(id) else { return };
        let mut copy = value.clone();
        match &mut copy.op {
            Op::Param(n) => {
                if let Some(&arg) = self.args.get(*n as usize) {
                    self.values.insert(id, arg);
                }
                return;
            }
            Op::Local(local) => {
                let raw = local.into_raw().into_u32().saturating_add(self.first_local);
                *local = LocalId::from_raw(RawIdx::from_u32(raw));
            }
            op => op.for_each_operand_mut(|operand| *operand = self.map(*operand)),
        }
        let new = self.into.values.alloc(copy);
        self.values.insert(id, new);
        out.push(Stmt::Let(new));
    }
}

/// Returns the position in a function whose first `by` scopes are not the callee's.
fn shifted(position: Position, by: u32) -> Position {
    let raw = position.scope.into_raw().into_u32().saturating_add(by);
    Position { scope: ScopeId::from_raw(RawIdx::from_u32(raw)), ..position }
}

/// Returns the variable in a function whose first `by` variables are not the callee's.
fn shifted_variable(variable: VariableId, by: u32) -> VariableId {
    VariableId::from_raw(RawIdx::from_u32(variable.into_raw().into_u32().saturating_add(by)))
}

/// Returns whether a return is inside a loop or switch.
fn nested_return(block: &[Stmt]) -> bool {
    block.iter().any(|stmt| match stmt {
        Stmt::Loop { .. } | Stmt::Switch { .. } => contains_return(std::slice::from_ref(stmt)),
        other => other.blocks().any(|b| nested_return(b)),
    })
}
