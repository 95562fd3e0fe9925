//! Checks one function: scopes, operands, places and control flow, in one walk over its statements.

use super::types::{TypeChecker, Use};
use super::{Errors, Rule, VerifyError, function_part};
use crate::MAX_NESTING;
use crate::function::*;
use crate::graph::{Launch, Node, Output, OutputArray};
use crate::module::{GlobalKind, Module};
use crate::types::{Scalar, Space, Type};
use crate::typing::{self, Typing};
use crate::variable::{Variable, VariableId};
use rustc_hash::FxHashSet;

/// Checks all types that a function mentions.
pub(super) fn signature(function: &Function, errors: &mut Errors) -> bool {
    let mut types = TypeChecker::default();
    let mut sound = true;
    let mut check = |ty, wanted, what: &dyn Fn() -> String| {
        if let Err(message) = types.check(ty, wanted) {
            errors.add(Rule::Type, function_part(&function.name), format!("{}: {message}", what()));
            sound = false;
        }
    };
    for param in &function.params {
        check(&param.ty, Use::Value, &|| format!("parameter {}", param.name));
    }
    check(&function.ret, Use::Return, &|| "return type".into());
    for local in function.locals.values() {
        check(&local.ty, Use::Local, &|| format!("local {}", local.name));
    }
    for (id, value) in function.values.iter() {
        check(&value.ty, Use::Value, &|| format!("value %{}", id.into_raw().into_u32()));
    }
    sound
}

/// Checks the body. `nodes` are indexes of the nodes that reach the function.
pub(super) fn body(module: &Module, function: &Function, nodes: &[usize], errors: &mut Errors) {
    let nodes = nodes.iter().filter_map(|&n| module.graph.nodes.get(n)).collect();
    let mut checker = Checker {
        module,
        function,
        nodes,
        errors,
        states: vec![State::Undefined; function.values.len()],
        writable: vec![false; function.values.len()],
        path: Vec::new(),
    };
    checker.scopes();
    checker.variables();
    let flow = checker.block(&function.body, Context { leaves: None, repeats: None, yields: None, returns: true });
    checker.unused_values();
    if flow.falls && function.ret != Type::Void {
        checker.complain(Rule::ControlFlow, "control reaches the end without a value to return");
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Undefined,
    Visible,
    /// The value's block has ended.
    Gone,
}

/// The jumps that a block may contain, with the values that their targets expect.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    /// The results of the statement that a `Break` leaves, if it is allowed.
    pub(super) leaves: Option<&'a [ValueId]>,
    /// The parameters of `continuing`, if `Continue` is allowed.
    pub(super) repeats: Option<&'a [ValueId]>,
    /// The values that the end of the block sets; `None` outside of arms and bodies.
    pub(super) yields: Option<&'a [ValueId]>,
    pub(super) returns: bool,
}

/// The exits of a block.
#[derive(Clone, Copy, Default)]
pub(super) struct Flow {
    pub(super) falls: bool,
    pub(super) breaks: bool,
    pub(super) continues: bool,
}

pub(super) struct Checker<'a> {
    module: &'a Module,
    pub(super) function: &'a Function,
    nodes: Vec<&'a Node>,
    errors: &'a mut Errors,
    states: Vec<State>,
    /// For each place, true if its memory may be written.
    writable: Vec<bool>,
    /// The current position: statement numbers, and names of nested blocks.
    pub(super) path: Vec<(usize, &'static str)>,
}

impl<'a> Checker<'a> {
    pub(super) fn complain(&mut self, rule: Rule, message: impl Into<String>) {
        let steps: Vec<String> = self
            .path
            .iter()
            .map(|(i, block)| if block.is_empty() { i.to_string() } else { format!("{i}.{block}") })
            .collect();
        let statement = (!steps.is_empty()).then(|| steps.join("."));
        self.errors.push(VerifyError {
            rule,
            part: function_part(&self.function.name),
            statement,
            message: message.into(),
        });
    }

    /// Checks that the calls of inlined scopes are in earlier scopes.
    fn scopes(&mut self) {
        for (id, scope) in self.function.scopes.iter() {
            let own = id.into_raw().into_u32();
            if let Some(call) = scope.inlined_at
                && call.scope.into_raw().into_u32() >= own
            {
                self.complain(Rule::Name, format!("scope {own} is inlined into one that is not in front of it"));
            }
        }
    }

    /// Checks that variables belong to scopes, and that each holder has a variable.
    fn variables(&mut self) {
        let function = self.function;
        for variable in function.variables.values().filter(|v| function.scope(v.scope()).is_none()) {
            self.complain(Rule::Name, format!("variable {} is declared in no scope", variable.name));
        }
        let locals = function.locals.values().map(|l| (l.variable, &l.ty));
        let params = function.params.iter().map(|p| (p.variable, p.ty.pointee().unwrap_or(&p.ty)));
        for (variable, ty) in locals.chain(params) {
            if let Some(id) = variable {
                self.holds(id, ty);
            }
        }
    }

    /// Returns whether the value of a variable may be in memory: it is no place itself.
    fn is_in_memory(&self, variable: VariableId) -> bool {
        self.function.variable(variable).is_some_and(|variable| variable.ty.pointee().is_none())
    }

    /// Checks that the holder of a variable has its type.
    fn holds(&mut self, id: VariableId, ty: &Type) {
        match self.function.variable(id) {
            None => self.complain(Rule::Name, format!("there is no variable {}", id.into_raw().into_u32())),
            Some(variable) if variable.ty.same_shape(ty) => {}
            Some(Variable { name, ty: wanted, .. }) => {
                self.complain(Rule::Operands, format!("variable {name} of type {wanted} is held by {ty}"));
            }
        }
    }

    fn block(&mut self, block: &'a Block, context: Context<'a>) -> Flow {
        if self.path.len() > MAX_NESTING {
            self.complain(Rule::ControlFlow, format!("blocks nested deeper than {MAX_NESTING} levels"));
            return Flow { falls: true, ..Flow::default() };
        }
        let mut made = Vec::new();
        let flow = self.statements(block, context, &mut made);
        self.forget(&made);
        flow
    }

    pub(super) fn forget(&mut self, made: &[ValueId]) {
        for id in made {
            self.states[raw(*id)] = State::Gone;
        }
    }

    /// Checks the statements of a block. `made` collects the values whose visibility ends with it.
    pub(super) fn statements(&mut self, block: &'a Block, context: Context<'a>, made: &mut Vec<ValueId>) -> Flow {
        let mut flow = Flow { falls: true, ..Flow::default() };
        let mut jumped = false;
        for (i, stmt) in block.iter().enumerate() {
            self.path.push((i, ""));
            if jumped {
                self.complain(Rule::ControlFlow, "follows a jump in its block");
            }
            jumped = stmt.ends_block();
            let one = self.stmt(stmt, context, made);
            if flow.falls {
                flow.breaks |= one.breaks;
                flow.continues |= one.continues;
                flow.falls = one.falls;
            }
            self.path.pop();
        }
        let yielded = matches!(block.last(), Some(Stmt::Yield(_)));
        if flow.falls && !yielded && context.yields.is_some_and(|results| !results.is_empty()) {
            self.complain(Rule::ControlFlow, "the end of a block yields no values, but its statement has results");
        }
        flow
    }

    pub(super) fn named_block(&mut self, block: &'a Block, name: &'static str, context: Context<'a>) -> Flow {
        if let Some(step) = self.path.last_mut() {
            step.1 = name;
        }
        let flow = self.block(block, context);
        if let Some(step) = self.path.last_mut() {
            step.1 = "";
        }
        flow
    }

    fn stmt(&mut self, stmt: &'a Stmt, context: Context<'a>, made: &mut Vec<ValueId>) -> Flow {
        let falls = Flow { falls: true, ..Flow::default() };
        for id in stmt.operands() {
            if !self.visible(id) {
                return falls;
            }
        }
        let function = self.function;
        match stmt {
            Stmt::At(position) => {
                let scope = position.scope.into_raw().into_u32();
                if scope as usize >= function.scopes.len() {
                    self.complain(Rule::Name, format!("there is no scope {scope}"));
                }
                falls
            }
            Stmt::Holds { variable, value } => {
                match value.and_then(|id| function.type_of(id)) {
                    Some(Type::Ref(_, pointee)) if self.is_in_memory(*variable) => self.holds(*variable, pointee),
                    Some(ty) => self.holds(*variable, ty),
                    None if function.variable(*variable).is_none() => {
                        self.complain(Rule::Name, format!("there is no variable {}", variable.into_raw().into_u32()));
                    }
                    None => {}
                }
                falls
            }
            Stmt::Let(id) => {
                if self.function.value(*id).is_some_and(|value| value.op == Op::Merge) {
                    self.complain(Rule::Operands, format!("a `Let` of the merged value %{}", raw(*id)));
                }
                if self.let_value(*id) {
                    made.push(*id);
                }
                falls
            }
            Stmt::Store { place, value } => {
                self.accept(typing::check_store(function, *place, *value));
                self.check_writable(*place);
                falls
            }
            Stmt::If { cond, then, otherwise, results, hint } => {
                if hint.is_of_switch() {
                    self.complain(Rule::ControlFlow, "an `if` with a hint for switches");
                }
                if function.type_of(*cond) != Some(&Type::BOOL) {
                    self.complain(Rule::Operands, "the condition is not a bool");
                }
                let inside = Context { yields: Some(results), ..context };
                let then = self.named_block(then, "then", inside);
                let otherwise = self.named_block(otherwise, "else", inside);
                self.merged(results, made);
                Flow {
                    falls: then.falls || otherwise.falls,
                    breaks: then.breaks || otherwise.breaks,
                    continues: then.continues || otherwise.continues,
                }
            }
            Stmt::Loop { body, continuing, break_if, details } => {
                self.loop_((body, continuing), *break_if, details, (context, made))
            }
            Stmt::Switch { selector, cases, default, results, .. } => {
                let inside = Context { leaves: Some(results), yields: Some(results), ..context };
                let flow = self.switch(*selector, cases, default, inside);
                self.merged(results, made);
                flow
            }
            Stmt::Yield(values) => {
                self.carried(values, context.yields, "a yield outside of an arm and of the body of a loop");
                if values.is_empty() {
                    self.complain(Rule::ControlFlow, "a yield without values");
                }
                falls
            }
            Stmt::Break(values) => {
                self.carried(values, context.leaves, "a break outside loops and switches, or in `continuing`");
                Flow { breaks: true, ..Flow::default() }
            }
            Stmt::Continue(values) => {
                self.carried(values, context.repeats, "a continue outside loops, or in `continuing`");
                Flow { continues: true, ..Flow::default() }
            }
            Stmt::Return(value) => {
                if !context.returns {
                    self.complain(Rule::ControlFlow, "a return in `continuing`");
                }
                let ty = value.and_then(|v| function.type_of(v)).unwrap_or(&Type::Void);
                if !ty.stands_for(&function.ret) {
                    self.complain(Rule::Operands, format!("returns {ty} from a function of {}", function.ret));
                }
                Flow::default()
            }
            Stmt::Barrier(barrier) => {
                let is_handle = |id: ValueId| matches!(function.type_of(id), Some(Type::Records(_)));
                if barrier.records.is_some_and(|records| !is_handle(records)) {
                    self.complain(Rule::Operands, "the operand of a barrier for records is not a record handle");
                }
                falls
            }
            Stmt::ImageStore { image, coord, sample, value } => {
                self.accept(typing::check_image_store(function, (*image, *coord, *sample), *value));
                falls
            }
            Stmt::RayQuery { command, query, args } => {
                self.accept(typing::check_ray_command(function, *command, *query, args));
                falls
            }
            Stmt::Spirv(instruction) => {
                self.accept(typing::check_instruction(function, instruction));
                falls
            }
            Stmt::Complete(records) => {
                if !matches!(function.type_of(*records), Some(Type::Records(_))) {
                    self.complain(Rule::Operands, "the completed operand is not a record handle");
                }
                falls
            }
            Stmt::IncrementCount { output, index, count, .. } => {
                self.accept(typing::check_index(function, *index));
                self.accept(typing::check_index(function, *count));
                self.check_output(*output, *index, |output| match output.record {
                    None => Ok(()),
                    Some(_) => Err("counts records of an output that is not empty".into()),
                });
                falls
            }
            Stmt::Report { end, .. } => {
                for node in self.nodes.clone() {
                    if *end as usize >= node.ends.len() {
                        let message = format!("node \"{}\"[{}] has no end {end}", node.id.name, node.id.index);
                        self.complain(Rule::NodeOperation, message);
                    }
                }
                falls
            }
            Stmt::MeshCounts { vertices, primitives } => {
                self.accept(typing::check_index(function, *vertices));
                self.accept(typing::check_index(function, *primitives));
                falls
            }
            Stmt::Call { callee, args } => {
                self.call(callee, args, &Type::Void);
                falls
            }
        }
    }

    fn switch(&mut self, selector: ValueId, cases: &'a [Case], default: &'a Block, inside: Context<'a>) -> Flow {
        let scalar = match self.function.type_of(selector) {
            Some(Type::Scalar(s)) if s.is_integer() && s.size() >= 4 => *s,
            _ => {
                self.complain(Rule::Operands, "the selector is not an integer of 32 or 64 bits");
                Scalar::U64
            }
        };
        let mut labels = FxHashSet::default();
        let mut flow = Flow::default();
        for case in cases {
            if case.labels.is_empty() {
                self.complain(Rule::ControlFlow, "a case without a label");
            }
            for &label in &case.labels {
                let bits = label as u64 & scalar.mask();
                let extended = ScalarConst { ty: scalar, bits }.as_i64();
                if label as u64 != bits && label != extended {
                    self.complain(Rule::Constant, format!("label {label} does not fit the selector"));
                }
                if !labels.insert(bits) {
                    self.complain(Rule::ControlFlow, format!("label {label} stands twice"));
                }
            }
            let one = self.named_block(&case.body, "case", inside);
            flow.falls |= one.falls || one.breaks;
            flow.continues |= one.continues;
        }
        let one = self.named_block(default, "default", inside);
        flow.falls |= one.falls || one.breaks;
        flow.continues |= one.continues;
        flow
    }

    /// Checks a `Let` and makes the value visible. Returns false if there is no such value.
    pub(super) fn let_value(&mut self, id: ValueId) -> bool {
        let Some(value) = self.function.value(id) else {
            self.complain(Rule::Name, format!("there is no value %{}", raw(id)));
            return false;
        };
        if self.states[raw(id)] != State::Undefined {
            self.complain(Rule::Scope, format!("value %{} is defined twice", raw(id)));
            return false;
        }
        let mut operands = Vec::new();
        value.op.for_each_operand(|operand| operands.push(operand));
        let visible = operands.into_iter().fold(true, |all, operand| all & self.visible(operand));
        if visible {
            self.check_op(id, value);
        }
        self.states[raw(id)] = State::Visible;
        true
    }

    /// Checks values without a statement. They have no meaning, but the names in them must exist.
    fn unused_values(&mut self) {
        for (id, value) in self.function.values.iter() {
            let local_is_there = match value.op {
                Op::Local(local) => self.function.local(local).is_some(),
                _ => true,
            };
            let mut operands_are_there = true;
            value.op.for_each_operand(|operand| operands_are_there &= self.function.value(operand).is_some());
            if self.states[raw(id)] == State::Undefined && !(local_is_there && operands_are_there) {
                self.complain(Rule::Name, format!("the unused value %{} names what is not there", raw(id)));
            }
        }
    }

    pub(super) fn visible(&mut self, id: ValueId) -> bool {
        let message = match self.states.get(raw(id)) {
            Some(State::Visible) => return true,
            Some(State::Undefined) => format!("uses %{} before its definition", raw(id)),
            Some(State::Gone) => format!("uses %{} outside its block", raw(id)),
            None => format!("there is no value %{}", raw(id)),
        };
        self.complain(Rule::Scope, message);
        false
    }

    fn check_op(&mut self, id: ValueId, value: &'a Value) {
        match typing::type_of(self.function, &value.op, &value.ty) {
            Err(message) => return self.complain(Rule::Operands, format!("%{}: {message}", raw(id))),
            Ok(Typing::Is(ty)) if ty != value.ty => {
                return self.complain(Rule::Operands, format!("%{} is {ty}, not {}", raw(id), value.ty));
            }
            Ok(_) => {}
        }
        self.check_outside(id, value);
        self.writable[raw(id)] = match &value.op {
            Op::Field { base, .. } | Op::Index { base, .. } | Op::Descriptor { array: base, .. } => {
                self.writable[raw(*base)]
            }
            Op::Global(name) => self.module.globals.get(name).is_some_and(|g| g.is_writable()),
            Op::InputRecord { .. } => self.nodes.iter().all(|n| n.input.as_ref().is_some_and(|i| i.read_write)),
            _ => true,
        };
        if let Op::Atomic { op, place, .. } = &value.op
            && *op != AtomicOp::Load
        {
            self.check_writable(*place);
        }
    }

    /// Checks operations that depend on the module and the nodes.
    fn check_outside(&mut self, id: ValueId, value: &'a Value) {
        match &value.op {
            Op::Global(name) => match self.module.globals.get(name) {
                None => self.complain(Rule::Name, format!("there is no global @{name}")),
                Some(global) if global.value_type() != value.ty => {
                    self.complain(Rule::Operands, format!("%{} is {}, not {}", raw(id), global.value_type(), value.ty));
                }
                Some(_) => {}
            },
            Op::Counter(buffer) => {
                // Through parameters and locals, the pass that resolves counters finds the buffer.
                let name = match self.function.value(*buffer).map(|v| &v.op) {
                    Some(Op::Global(name)) => Some(name),
                    Some(Op::Descriptor { array, .. }) => match self.function.value(*array).map(|v| &v.op) {
                        Some(Op::Global(name)) => Some(name),
                        _ => None,
                    },
                    _ => None,
                };
                if let Some(global) = name.and_then(|n| self.module.globals.get(n))
                    && !matches!(global.kind, GlobalKind::Buffer { counter: Some(_), .. })
                {
                    self.complain(Rule::Operands, format!("buffer @{} has no counter", global.name));
                }
            }
            Op::Call { callee, args } => self.call(callee, args, &value.ty),
            Op::InputRecord { index } => {
                let index = self.function.constant(*index);
                for node in self.nodes.clone() {
                    let record = node.input.as_ref().and_then(|i| i.record.as_ref());
                    match record.map(|r| Type::reference(crate::Space::NodeInput, r.ty.clone())) {
                        None => self.complain(Rule::NodeOperation, "the node has no input record"),
                        Some(ty) if ty != value.ty => {
                            self.complain(Rule::NodeOperation, format!("the input record is {ty}, not {}", value.ty));
                        }
                        Some(_) if node.launch != Launch::Coalescing && index.is_none_or(|c| c.bits != 0) => {
                            self.complain(Rule::NodeOperation, "the node gets one record: the index is the constant 0");
                        }
                        Some(_) => {}
                    }
                }
            }
            Op::Allocate { scope, output, index, .. } => {
                let scope = *scope;
                self.check_output(*output, *index, |output| match (&output.record, &value.ty) {
                    (Some(record), Type::Records(r)) if *r.record == record.ty && r.scope == scope => Ok(()),
                    (None, _) => Err("allocates records of an empty output".into()),
                    (Some(_), ty) => Err(format!("{ty} is not a handle to records of output {}", output.name)),
                });
            }
            Op::OutputValid { output, index } => self.check_output(*output, *index, |_| Ok(())),
            Op::InputCount if self.nodes.iter().any(|n| n.input.is_none()) => {
                self.complain(Rule::NodeOperation, "counts the records of a node without input");
            }
            _ => {}
        }
    }

    /// Checks an output of every node that reaches the function.
    fn check_output(&mut self, n: OutputId, index: ValueId, check: impl Fn(&Output) -> Result<(), String>) {
        let index = self.function.constant(index);
        for node in self.nodes.clone() {
            let Some(output) = node.outputs.get(n as usize) else {
                let message = format!("node \"{}\"[{}] has no output {n}", node.id.name, node.id.index);
                self.complain(Rule::NodeOperation, message);
                continue;
            };
            // An element beyond an array's end is a mistake of the program. It is found at run time, as for variable
            // indexes.
            if output.array == OutputArray::Single
                && let Some(index) = index
                && index.bits != 0
            {
                let message = format!("element {} of output {}, which is not an array", index.bits, output.name);
                self.complain(Rule::NodeOperation, message);
            }
            if let Err(message) = check(output) {
                self.complain(Rule::NodeOperation, message);
            }
        }
    }

    fn call(&mut self, callee: &str, args: &[ValueId], result: &Type) {
        let Some(function) = self.module.functions.get(callee) else {
            return self.complain(Rule::Name, format!("there is no function @{callee}"));
        };
        if function.ret != *result {
            self.complain(Rule::Call, format!("@{callee} returns {}, not {result}", function.ret));
        }
        if args.len() != function.params.len() {
            let message = format!("@{callee} takes {} arguments, not {}", function.params.len(), args.len());
            return self.complain(Rule::Call, message);
        }
        for (&arg, param) in args.iter().zip(&function.params) {
            match self.function.type_of(arg) {
                Some(ty) if *ty != param.ty && !is_static_query(ty, &param.ty) => {
                    self.complain(
                        Rule::Call,
                        format!("argument {} of @{callee} is {ty}, not {}", param.name, param.ty),
                    );
                }
                _ => {}
            }
        }
    }

    fn check_writable(&mut self, place: ValueId) {
        let is_place = matches!(self.function.type_of(place), Some(Type::Ref(..)));
        if is_place && !self.writable.get(raw(place)).is_some_and(|w| *w) {
            self.complain(Rule::Place, format!("writes to %{}, which is read-only", raw(place)));
        }
    }

    fn accept(&mut self, result: Result<(), String>) {
        if let Err(message) = result {
            self.complain(Rule::Operands, message);
        }
    }
}

/// Returns whether a ray query of a private global is passed to a function by its place. `localise` turns it into a
/// local.
fn is_static_query(given: &Type, wanted: &Type) -> bool {
    match (given, wanted) {
        (Type::Ref(Space::Private, given), Type::Ref(Space::Function, wanted)) => {
            given == wanted && given.holds_query()
        }
        _ => false,
    }
}

fn raw(id: ValueId) -> usize {
    id.into_raw().into_u32() as usize
}
