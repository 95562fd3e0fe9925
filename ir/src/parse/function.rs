//! Parses functions, statements and operations.

use super::lexer::{LexemeKind, Token};
use super::{Parser, Result};
use crate::function::*;
use crate::hint::{BranchHint, LoopControl, LoopHint};
use crate::image::*;
use crate::names::Words;
use crate::position::{Position, ScopeId, SourceScope, SourceText};
use crate::ray::{RayCommand, RayHit, RayQuestion};
use crate::spirv::{Instruction, Operand};
use crate::types::{AllocScope, Type};
use crate::variable::{Variable, VariableId};
use crate::{Symbol, walk};
use la_arena::{Arena, RawIdx};
use rustc_hash::FxHashMap;

/// A function under construction, which uses the ids of the text until its end.
#[derive(Default)]
struct Body<'a> {
    locals: FxHashMap<u32, LocalId>,
    arena: Arena<Local>,
    /// Values in the order of their definitions, with their ids.
    values: Vec<(u32, Value)>,
    defined: FxHashMap<u32, Token<'a>>,
    /// The first use of each id.
    used: Vec<(u32, Token<'a>)>,
}

impl<'a> Parser<'a> {
    pub(super) fn function(&mut self) -> Result<Function> {
        let mut function = Function::new(self.symbol()?, Type::Void);
        self.expect("(")?;
        while !self.eat(")") {
            let name = self.name()?;
            self.expect(":")?;
            function.params.push(Param { name, ty: self.ty()?, variable: self.optional_variable()? });
            if !self.is(")") {
                self.expect(",")?;
            }
        }
        self.expect("->")?;
        function.ret = self.ty()?;
        while self.eat_word("capability") {
            function.needs.capabilities.insert(self.number()?);
        }
        while self.eat_word("extension") {
            function.needs.extensions.insert(self.string()?);
        }
        function.noinline = self.eat_word("noinline");
        self.expect("{")?;
        let mut body = Body::default();
        while self.eat_word("local") {
            self.local(&mut body)?;
        }
        while self.eat_word("scope") {
            self.scope(&mut function.scopes)?;
        }
        while self.eat_word("variable") {
            self.variable(&mut function.variables)?;
        }
        while self.eat_word("unused") {
            self.value(&mut body)?;
        }
        function.body = self.rest_of_block(&mut body)?;
        for (id, token) in &body.used {
            if !body.defined.contains_key(id) {
                return self.error(*token, format!("value %{id} is not defined"));
            }
        }
        function.locals = body.arena;
        self.number_values(body.values, &mut function);
        Ok(function)
    }

    /// Puts the values into the arena: under their own numbers if these have no gaps, otherwise in order.
    fn number_values(&self, mut values: Vec<(u32, Value)>, function: &mut Function) {
        let count = values.len() as u32;
        if values.iter().all(|(id, _)| *id < count) {
            values.sort_by_key(|(id, _)| *id);
        } else {
            let new: FxHashMap<u32, u32> = values.iter().zip(0..).map(|((id, _), n)| (*id, n)).collect();
            let renumber = |id: &mut ValueId| {
                if let Some(&n) = new.get(&id.into_raw().into_u32()) {
                    *id = ValueId::from_raw(RawIdx::from_u32(n));
                }
            };
            for (_, value) in &mut values {
                value.op.for_each_operand_mut(renumber);
            }
            walk::statements_mut(&mut function.body, &mut |stmt| {
                stmt.for_each_definition_mut(renumber);
                stmt.for_each_operand_mut(renumber);
                stmt.for_each_end_operand_mut(renumber);
            });
        }
        function.values = values.into_iter().map(|(_, value)| value).collect();
    }

    /// Reads `$0 name: type`.
    fn local(&mut self, body: &mut Body<'a>) -> Result<()> {
        self.expect("$")?;
        let token = self.peek();
        let id = self.number()?;
        let name = if self.is(":") { Symbol::default() } else { self.name()? };
        self.expect(":")?;
        let ty = self.ty()?;
        let variable = self.optional_variable()?;
        if body.locals.insert(id, body.arena.alloc(Local { name, ty, variable })).is_some() {
            return self.error(token, format!("local ${id} is declared twice"));
        }
        Ok(())
    }

    /// Reads `0 @name "item" body 0 name 3 inlined 0:7`.
    fn scope(&mut self, scopes: &mut Arena<SourceScope>) -> Result<()> {
        let token = self.peek();
        if self.number::<usize>()? != scopes.len() {
            return self.error(token, "scopes are numbered in order from 0");
        }
        let function = self.symbol()?;
        let item = self.string()?;
        let body = if self.eat_word("body") { Some(self.number()?) } else { None };
        self.expect_word("name")?;
        let name = self.number()?;
        let inlined_at = if self.eat_word("inlined") { Some(self.position()?) } else { None };
        scopes.alloc(SourceScope { function, text: SourceText { item, body }, name, inlined_at });
        Ok(())
    }

    /// Reads `variable 3` after a type.
    fn optional_variable(&mut self) -> Result<Option<VariableId>> {
        if self.eat_word("variable") { self.variable_id().map(Some) } else { Ok(None) }
    }

    fn variable_id(&mut self) -> Result<VariableId> {
        Ok(VariableId::from_raw(RawIdx::from_u32(self.number()?)))
    }

    /// Reads `0 name: type at 0:7 argument 1`.
    fn variable(&mut self, variables: &mut Arena<Variable>) -> Result<()> {
        let token = self.peek();
        if self.number::<usize>()? != variables.len() {
            return self.error(token, "variables are numbered in order from 0");
        }
        let name = self.name()?;
        self.expect(":")?;
        let ty = self.ty()?;
        self.expect_word("at")?;
        let declared = self.position()?;
        let argument = if self.eat_word("argument") { Some(self.number()?) } else { None };
        variables.alloc(Variable { name, ty, declared, argument });
        Ok(())
    }

    /// Reads `0:7`.
    fn position(&mut self) -> Result<Position> {
        let scope = ScopeId::from_raw(RawIdx::from_u32(self.number()?));
        self.expect(":")?;
        Ok(Position { scope, token: self.number()? })
    }

    fn rest_of_block(&mut self, body: &mut Body<'a>) -> Result<Block> {
        let mut block = Block::new();
        while !self.eat("}") {
            block.push(self.stmt(body)?);
        }
        Ok(block)
    }

    fn block(&mut self, body: &mut Body<'a>) -> Result<Block> {
        self.expect("{")?;
        self.nested(|p| p.rest_of_block(body))
    }

    fn stmt(&mut self, body: &mut Body<'a>) -> Result<Stmt> {
        if self.is("%") {
            return self.definition(body);
        }
        let token = self.word("a statement")?;
        if let Some(command) = RayCommand::from_word(token.text) {
            let query = self.id(body)?;
            let args = if self.eat(",") { self.id_list(body)? } else { Vec::new() };
            return Ok(Stmt::RayQuery { command, query, args });
        }
        Ok(match token.text {
            "at" => Stmt::At(self.position()?),
            "holds" => {
                let variable = self.variable_id()?;
                let value = if self.eat_word("nothing") { None } else { Some(self.id(body)?) };
                Stmt::Holds { variable, value }
            }
            "store" => {
                let [place, value] = self.ids(body)?;
                Stmt::Store { place, value }
            }
            "if" => {
                let cond = self.id(body)?;
                let hint = self.branch_hint()?;
                let then = self.block(body)?;
                let otherwise = if self.eat_word("else") { self.block(body)? } else { Block::new() };
                Stmt::If { cond, then, otherwise, results: Values::default(), hint }
            }
            "loop" => {
                let mut details = Box::new(LoopDetails { hint: self.loop_hint()?, ..LoopDetails::default() });
                if self.eat("(") {
                    while !self.eat(")") {
                        details.params.push(self.merged(body)?);
                        self.expect("=")?;
                        details.first.push(self.id(body)?);
                        if !self.is(")") {
                            self.expect(",")?;
                        }
                    }
                }
                let repeated = self.block(body)?;
                let continuing =
                    if self.eat_word("continuing") { self.continuing(&mut details, body)? } else { Block::new() };
                let break_if = if self.eat_word("break_if") { Some(self.id(body)?) } else { None };
                if self.eat_word("last") {
                    details.last = self.id_list(body)?;
                }
                Stmt::Loop { body: repeated, continuing, break_if, details }
            }
            "switch" => self.switch(body)?,
            "yield" => Stmt::Yield(self.id_list(body)?.into()),
            "break" => Stmt::Break(self.id_list(body)?.into()),
            "continue" => Stmt::Continue(self.id_list(body)?.into()),
            "return" => {
                let same_line = self.peek().line == token.line && self.is("%");
                Stmt::Return(if same_line { Some(self.id(body)?) } else { None })
            }
            "barrier" => Stmt::Barrier(self.barrier(body)?),
            "image_store" => {
                let [image, coord, value] = self.ids(body)?;
                Stmt::ImageStore { image, coord, sample: self.operand("sample", body)?, value }
            }
            "complete" => Stmt::Complete(self.id(body)?),
            "increment_count" => {
                let scope = self.one_of("`thread` or `group`")?;
                let (output, index, count) = self.element_and_count(body)?;
                Stmt::IncrementCount { scope, output, index, count }
            }
            "report" => {
                Stmt::Report { misuse: self.one_of("`absent`, `budget`, `element` or `record`")?, end: self.number()? }
            }
            "mesh_counts" => {
                let [vertices, primitives] = self.ids(body)?;
                Stmt::MeshCounts { vertices, primitives }
            }
            "call" => {
                let (callee, args) = self.call(body)?;
                Stmt::Call { callee, args }
            }
            "spirv" => Stmt::Spirv(Box::new(self.instruction(body)?)),
            _ => return self.expected(token, "a statement"),
        })
    }

    /// Reads `(%1: u32) { .. next %2 }`.
    fn continuing(&mut self, details: &mut LoopDetails, body: &mut Body<'a>) -> Result<Block> {
        if self.eat("(") {
            while !self.eat(")") {
                details.again.push(self.merged(body)?);
                if !self.is(")") {
                    self.expect(",")?;
                }
            }
        }
        self.expect("{")?;
        self.nested(|p| {
            let mut block = Block::new();
            while !p.eat("}") {
                if p.eat_word("next") {
                    details.next = p.id_list(body)?;
                    p.expect("}")?;
                    break;
                }
                block.push(p.stmt(body)?);
            }
            Ok(block)
        })
    }

    /// Reads `%2 name: precise f32`: a value under its id in the text.
    fn merge(&mut self) -> Result<(u32, Token<'a>, Value)> {
        self.expect("%")?;
        let token = self.peek();
        let id = self.id_number()?;
        let name = if self.is(":") { Symbol::default() } else { self.name()? };
        self.expect(":")?;
        let precise = self.eat_word("precise");
        Ok((id, token, Value { ty: self.ty()?, op: Op::Merge, name, precise }))
    }

    fn merged(&mut self, body: &mut Body<'a>) -> Result<ValueId> {
        let (id, token, value) = self.merge()?;
        self.define(id, token, value, body)
    }

    /// Reads the value of a `Let`, or a statement after its results: `%1: u32, %2: u32 = if %3 { .. }`.
    fn definition(&mut self, body: &mut Body<'a>) -> Result<Stmt> {
        let (id, defined, value) = self.merge()?;
        if self.eat("=") {
            let has_result = ["if", "loop", "switch"].iter().any(|word| self.is_word(word));
            if !has_result {
                return Ok(Stmt::Let(self.operation(id, defined, value, body)?));
            }
            self.at -= 1;
        }
        let mut results = vec![self.define(id, defined, value, body)?];
        while self.eat(",") {
            results.push(self.merged(body)?);
        }
        self.expect("=")?;
        let token = self.peek();
        let mut stmt = self.stmt(body)?;
        match &mut stmt {
            Stmt::If { results: of, .. } | Stmt::Switch { results: of, .. } => *of = results.into(),
            Stmt::Loop { details, .. } => details.results = results,
            _ => return self.expected(token, "a statement with results"),
        }
        Ok(stmt)
    }

    /// Defines a value under the id of the text.
    fn define(&self, id: u32, token: Token<'a>, value: Value, body: &mut Body<'a>) -> Result<ValueId> {
        if body.defined.insert(id, token).is_some() {
            return self.error(token, format!("value %{id} is defined twice"));
        }
        body.values.push((id, value));
        Ok(ValueId::from_raw(RawIdx::from_u32(id)))
    }

    /// Reads an optional `[flatten]`.
    fn branch_hint(&mut self) -> Result<BranchHint> {
        if !self.eat("[") {
            return Ok(BranchHint::Any);
        }
        let hint = self.one_of("a hint")?;
        self.expect("]")?;
        Ok(hint)
    }

    /// Reads an optional `[unroll 4] [allow_uav_condition]`.
    fn loop_hint(&mut self) -> Result<LoopHint> {
        let mut hint = LoopHint::default();
        while self.eat("[") {
            let token = self.word("a hint")?;
            match token.text {
                "unroll" => {
                    let count = if self.is("]") { None } else { Some(self.number()?) };
                    hint.control = LoopControl::Unroll(count);
                }
                "loop" => hint.control = LoopControl::Loop,
                "fastopt" => hint.control = LoopControl::FastOpt,
                "allow_uav_condition" => hint.uav_condition = true,
                _ => return self.expected(token, "a hint"),
            }
            self.expect("]")?;
        }
        Ok(hint)
    }

    fn switch(&mut self, body: &mut Body<'a>) -> Result<Stmt> {
        let selector = self.id(body)?;
        let hint = self.branch_hint()?;
        self.expect("{")?;
        let mut cases = Vec::new();
        while self.eat_word("case") {
            let mut labels = Vec::new();
            while !self.is("{") {
                let token = self.word("a label")?;
                let Ok(label) = token.text.parse() else { return self.expected(token, "a label") };
                labels.push(label);
                if !self.is("{") {
                    self.expect(",")?;
                }
            }
            cases.push(Case { labels, body: self.block(body)? });
        }
        let default = if self.eat_word("default") { self.block(body)? } else { Block::new() };
        self.expect("}")?;
        Ok(Stmt::Switch { selector, cases, default, hint, results: Values::default() })
    }

    fn barrier(&mut self, body: &mut Body<'a>) -> Result<Barrier> {
        let memory = MemoryFlags {
            uav: self.eat_word("uav"),
            group_shared: self.eat_word("group_shared"),
            node_input: self.eat_word("node_input"),
            node_output: self.eat_word("node_output"),
        };
        let group_sync = self.eat_word("group_sync");
        let scope = Scope::from_word(self.peek().text);
        self.at += usize::from(scope.is_some());
        let records = self.operand("records", body)?;
        Ok(Barrier { memory, group_sync, scope, records })
    }

    /// Reads `%3 name: u32 = add %1, %2`.
    fn value(&mut self, body: &mut Body<'a>) -> Result<ValueId> {
        let (id, token, value) = self.merge()?;
        self.expect("=")?;
        self.operation(id, token, value, body)
    }

    /// Reads the operation of a value.
    fn operation(&mut self, id: u32, token: Token<'a>, mut value: Value, body: &mut Body<'a>) -> Result<ValueId> {
        value.precise |= self.eat_word("precise");
        value.op = self.op(&value.ty, body)?;
        self.define(id, token, value, body)
    }

    fn op(&mut self, ty: &Type, body: &mut Body<'a>) -> Result<Op> {
        let token = self.peek();
        let is_literal =
            matches!(token.text, "true" | "false") || token.text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        if token.kind == LexemeKind::Word && is_literal {
            let Type::Scalar(scalar) = ty else { return self.error(token, format!("a constant of type {ty}")) };
            return Ok(Op::Const(self.literal(*scalar)?));
        }
        let token = self.word("an operation")?;
        if let Some(op) = UnaryOp::from_word(token.text) {
            return Ok(Op::Unary { op, value: self.id(body)? });
        }
        if let Some(op) = BinaryOp::from_word(token.text) {
            let [lhs, rhs] = self.ids(body)?;
            return Ok(Op::Binary { op, lhs, rhs });
        }
        if let Some(op) = MathOp::from_word(token.text) {
            return Ok(Op::Math { op, args: self.id_list(body)? });
        }
        if let Some(op) = SubgroupOp::from_word(token.text) {
            return Ok(Op::Subgroup { op, args: self.id_list(body)? });
        }
        if let Some(op) = AtomicOp::from_word(token.text) {
            let [place, value] = self.ids(body)?;
            let comparator = if self.eat(",") { Some(self.id(body)?) } else { None };
            let scope = self.one_of("a scope")?;
            let order = self.one_of("a memory order")?;
            return Ok(Op::Atomic { op, place, value, comparator, scope, order });
        }
        if let Some(hit) = RayHit::from_word(token.text) {
            let part = self.one_of("a part of a hit")?;
            return Ok(Op::RayQuery { ask: RayQuestion::Of(hit, part), query: self.id(body)? });
        }
        if let Some(ask) = RayQuestion::from_word(token.text) {
            return Ok(Op::RayQuery { ask, query: self.id(body)? });
        }
        if let Some(builtin) = Builtin::from_word(token.text) {
            return Ok(Op::Builtin(builtin));
        }
        Ok(match token.text {
            "const" => {
                let scalar = self.one_of("a scalar type")?;
                Op::Const(self.literal(scalar)?)
            }
            "zero" => Op::Zero,
            "undef" => Op::Undef,
            "merge" => Op::Merge,
            "param" => Op::Param(self.number()?),
            "compose" => Op::Compose(self.id_list(body)?),
            "extract" => {
                let base = self.id(body)?;
                self.expect(",")?;
                Op::Extract { base, index: self.number()? }
            }
            "extract_dynamic" => {
                let [base, index] = self.ids(body)?;
                Op::ExtractDynamic { base, index }
            }
            "insert" => {
                let base = self.id(body)?;
                self.expect(",")?;
                let index = self.number()?;
                self.expect(",")?;
                Op::Insert { base, index, value: self.id(body)? }
            }
            "swizzle" => {
                let base = self.id(body)?;
                self.expect(",")?;
                Op::Swizzle { base, components: self.components()? }
            }
            "shuffle" => {
                let lhs = self.id(body)?;
                self.expect(",")?;
                let rhs = self.id(body)?;
                self.expect(",")?;
                Op::Shuffle { lhs, rhs, components: self.components()? }
            }
            "select" => {
                let [cond, then, otherwise] = self.ids(body)?;
                Op::Select { cond, then, otherwise }
            }
            "convert" => Op::Convert(self.id(body)?),
            "bitcast" => Op::Bitcast(self.id(body)?),
            "local" => {
                self.expect("$")?;
                let token = self.peek();
                let id: u32 = self.number()?;
                match body.locals.get(&id) {
                    Some(local) => Op::Local(*local),
                    None => return self.error(token, format!("local ${id} is not declared")),
                }
            }
            "global" => Op::Global(self.symbol()?),
            "descriptor" => {
                let [array, index] = self.ids(body)?;
                Op::Descriptor { array, index }
            }
            "non_uniform" => Op::NonUniform(self.id(body)?),
            "counter" => Op::Counter(self.id(body)?),
            "bits" => Op::Bits(self.id(body)?),
            "wide" => Op::Wide(self.id(body)?),
            "field" => {
                let base = self.id(body)?;
                self.expect(",")?;
                Op::Field { base, index: self.number()? }
            }
            "index" => {
                let [base, index] = self.ids(body)?;
                Op::Index { base, index }
            }
            "address" => Op::Address(self.id(body)?),
            "load" => Op::Load(self.id(body)?),
            "array_length" => Op::ArrayLength(self.id(body)?),
            "image_load" => {
                let [image, coord] = self.ids(body)?;
                let (level, sample) = (self.operand("level", body)?, self.operand("sample", body)?);
                Op::ImageLoad(Box::new(ImageLoad { image, coord, level, sample, sparse: self.eat_word("sparse") }))
            }
            "image_sample" => Op::ImageSample(Box::new(self.sample(body)?)),
            "image_size" => {
                let image = self.id(body)?;
                Op::ImageQuery { image, query: ImageQuery::Size(self.operand("level", body)?) }
            }
            "image_levels" => Op::ImageQuery { image: self.id(body)?, query: ImageQuery::Levels },
            "image_samples" => Op::ImageQuery { image: self.id(body)?, query: ImageQuery::Samples },
            "image_lod" => {
                let [image, sampler, coord] = self.ids(body)?;
                Op::ImageQuery { image, query: ImageQuery::Lod { sampler, coord } }
            }
            "texel" => {
                let [image, coord] = self.ids(body)?;
                Op::Texel { image, coord, sample: self.operand("sample", body)? }
            }
            "resident" => Op::Resident(self.id(body)?),
            "call" => {
                let (callee, args) = self.call(body)?;
                Op::Call { callee, args }
            }
            "spirv" => Op::Spirv(Box::new(self.instruction(body)?)),
            "input_record" => Op::InputRecord { index: self.id(body)? },
            "input_count" => Op::InputCount,
            "allocate" => {
                let scope: AllocScope = self.one_of("`thread` or `group`")?;
                let (output, index, count) = self.element_and_count(body)?;
                Op::Allocate { scope, output, index, count }
            }
            "output_record" => {
                let [records, index] = self.ids(body)?;
                Op::OutputRecord { records, index }
            }
            "output_valid" => {
                let (output, index) = self.element(body)?;
                Op::OutputValid { output, index }
            }
            "remaining_levels" => Op::RemainingLevels,
            "finished_sharing" => Op::FinishedSharing,
            _ => return self.expected(token, "an operation"),
        })
    }

    fn sample(&mut self, body: &mut Body<'a>) -> Result<ImageSample> {
        let [image, sampler, coord] = self.ids(body)?;
        let result = if self.eat_word("gather") {
            SampleResult::Gathered(self.number()?)
        } else if let Some(reference) = self.operand("gather_compare", body)? {
            SampleResult::GatherCompared(reference)
        } else {
            self.operand("compare", body)?.map_or(SampleResult::Texel, SampleResult::Compared)
        };
        let lod = if let Some(bias) = self.operand("bias", body)? {
            Lod::Bias(bias)
        } else if let Some(level) = self.operand("level", body)? {
            Lod::Level(level)
        } else if self.eat_word("gradient") {
            let [x, y] = self.ids(body)?;
            Lod::Gradient(x, y)
        } else {
            Lod::Implicit
        };
        let offset = if self.eat_word("offsets") {
            TexelOffset::Four(self.ids(body)?)
        } else {
            self.operand("offset", body)?.map_or(TexelOffset::None, TexelOffset::One)
        };
        let min_lod = self.operand("min_lod", body)?;
        let sparse = self.eat_word("sparse");
        Ok(ImageSample { image, sampler, coord, result, lod, offset, min_lod, sparse })
    }

    /// Reads a value after its word, if the word is there.
    fn operand(&mut self, word: &str, body: &mut Body<'a>) -> Result<Option<ValueId>> {
        if self.eat_word(word) { self.id(body).map(Some) } else { Ok(None) }
    }

    fn id(&mut self, body: &mut Body<'a>) -> Result<ValueId> {
        self.expect("%")?;
        let token = self.peek();
        let id = self.id_number()?;
        body.used.push((id, token));
        Ok(ValueId::from_raw(RawIdx::from_u32(id)))
    }

    fn id_number(&mut self) -> Result<u32> {
        let token = self.peek();
        let id: u32 = self.number()?;
        // The arena counts its values in 32 bits.
        if id == u32::MAX { self.error(token, "the number is out of range") } else { Ok(id) }
    }

    fn ids<const N: usize>(&mut self, body: &mut Body<'a>) -> Result<[ValueId; N]> {
        let mut ids = [ValueId::from_raw(RawIdx::from_u32(0)); N];
        for (i, id) in ids.iter_mut().enumerate() {
            if i > 0 {
                self.expect(",")?;
            }
            *id = self.id(body)?;
        }
        Ok(ids)
    }

    /// Reads ids separated by commas. The list is empty if the next token is on another line or is not an id.
    fn id_list(&mut self, body: &mut Body<'a>) -> Result<Vec<ValueId>> {
        let mut ids = Vec::new();
        let line = self.tokens.get(self.at.wrapping_sub(1)).map_or(0, |t| t.line);
        if self.is("%") && self.peek().line == line {
            ids.push(self.id(body)?);
            while self.eat(",") {
                ids.push(self.id(body)?);
            }
        }
        Ok(ids)
    }

    /// Reads `0 1 3`.
    fn components(&mut self) -> Result<Vec<u8>> {
        let mut components = Vec::new();
        while self.peek().kind == LexemeKind::Word && self.peek().text.parse::<u8>().is_ok() {
            components.push(self.number()?);
        }
        Ok(components)
    }

    /// Reads `"GLSL.std.450" 13 (%3, 0)`.
    fn instruction(&mut self, body: &mut Body<'a>) -> Result<Instruction> {
        let set = if self.peek().kind == LexemeKind::String { Some(self.string()?) } else { None };
        let opcode = self.number()?;
        let mut operands = Vec::new();
        self.expect("(")?;
        while !self.eat(")") {
            let operand = match self.peek().kind {
                LexemeKind::String => Operand::Text(self.string()?),
                _ if self.is("%") => Operand::Value(self.id(body)?),
                _ => Operand::Literal(self.number()?),
            };
            operands.push(operand);
            if !self.is(")") {
                self.expect(",")?;
            }
        }
        Ok(Instruction { set, opcode, operands })
    }

    fn call(&mut self, body: &mut Body<'a>) -> Result<(Symbol, Vec<ValueId>)> {
        let callee = self.symbol()?;
        self.expect("(")?;
        let args = self.id_list(body)?;
        self.expect(")")?;
        Ok((callee, args))
    }

    /// Reads `0[%3]`.
    fn element(&mut self, body: &mut Body<'a>) -> Result<(OutputId, ValueId)> {
        let output = self.number()?;
        self.expect("[")?;
        let index = self.id(body)?;
        self.expect("]")?;
        Ok((output, index))
    }

    fn element_and_count(&mut self, body: &mut Body<'a>) -> Result<(OutputId, ValueId, ValueId)> {
        let (output, index) = self.element(body)?;
        self.expect(",")?;
        Ok((output, index, self.id(body)?))
    }
}
