//! Prints functions, statements and operations.

use super::Printer;
use crate::function::*;
use crate::hint::{BranchHint, LoopControl, LoopHint};
use crate::image::*;
use crate::names::Words;
use crate::position::Position;
use crate::ray::RayQuestion;
use crate::spirv::{Instruction, Needs, Operand};
use crate::variable::VariableId;
use std::fmt::{self, Write};

impl Printer {
    pub(super) fn function(&mut self, function: &Function) -> fmt::Result {
        self.out.push_str("fn ");
        self.symbol(&function.name)?;
        self.out.push('(');
        for (i, param) in function.params.iter().enumerate() {
            self.out.push_str(if i == 0 { "" } else { ", " });
            self.name(&param.name)?;
            self.out.push_str(": ");
            self.ty(&param.ty)?;
            self.variable(param.variable)?;
        }
        self.out.push_str(") -> ");
        self.ty(&function.ret)?;
        self.needs(&function.needs)?;
        self.out.push_str(if function.noinline { " noinline {\n" } else { " {\n" });
        for (id, local) in function.locals.iter() {
            write!(self.out, "  local ${} ", id.into_raw().into_u32())?;
            if !local.name.is_empty() {
                self.name(&local.name)?;
            }
            self.out.push_str(": ");
            self.ty(&local.ty)?;
            self.variable(local.variable)?;
            self.out.push('\n');
        }
        if self.positions {
            for (id, scope) in function.scopes.iter() {
                write!(self.out, "  scope {} ", id.into_raw().into_u32())?;
                self.symbol(&scope.function)?;
                self.out.push(' ');
                self.quoted(&scope.text.item)?;
                if let Some(body) = scope.text.body {
                    write!(self.out, " body {body}")?;
                }
                write!(self.out, " name {}", scope.name)?;
                if let Some(call) = scope.inlined_at {
                    self.out.push_str(" inlined ");
                    self.position(call)?;
                }
                self.out.push('\n');
            }
            for (id, variable) in function.variables.iter() {
                write!(self.out, "  variable {} ", id.into_raw().into_u32())?;
                self.name(&variable.name)?;
                self.out.push_str(": ");
                self.ty(&variable.ty)?;
                self.out.push_str(" at ");
                self.position(variable.declared)?;
                if let Some(n) = variable.argument {
                    write!(self.out, " argument {n}")?;
                }
                self.out.push('\n');
            }
        }
        let mut body = Body { p: self, function, printed: vec![false; function.values.len()] };
        body.mark(&function.body);
        for (id, _) in function.values.iter() {
            if !body.printed[id.into_raw().into_u32() as usize] {
                body.p.out.push_str("  unused ");
                body.value(id)?;
            }
        }
        body.printed.fill(false);
        body.block(&function.body, 1)?;
        self.out.push_str("}\n");
        Ok(())
    }

    /// Writes ` capability 39 extension "SPV_KHR_shader_clock"`.
    fn needs(&mut self, needs: &Needs) -> fmt::Result {
        for capability in &needs.capabilities {
            write!(self.out, " capability {capability}")?;
        }
        for extension in &needs.extensions {
            self.out.push_str(" extension ");
            self.quoted(extension)?;
        }
        Ok(())
    }

    fn variable(&mut self, variable: Option<VariableId>) -> fmt::Result {
        match variable.filter(|_| self.positions) {
            Some(id) => write!(self.out, " variable {}", id.into_raw().into_u32()),
            None => Ok(()),
        }
    }

    fn position(&mut self, at: Position) -> fmt::Result {
        write!(self.out, "{}:{}", at.scope.into_raw().into_u32(), at.token)
    }
}

struct Body<'a> {
    p: &'a mut Printer,
    function: &'a Function,
    /// For each value, true if the text contains its definition.
    printed: Vec<bool>,
}

impl Body<'_> {
    fn mark(&mut self, block: &Block) {
        crate::walk::statements(block, &mut |stmt| {
            stmt.for_each_definition(|id| {
                if let Some(printed) = self.printed.get_mut(id.into_raw().into_u32() as usize) {
                    *printed = true;
                }
            });
        });
    }

    fn indent(&mut self, depth: usize) {
        for _ in 0..depth {
            self.p.out.push_str("  ");
        }
    }

    fn block(&mut self, block: &Block, depth: usize) -> fmt::Result {
        for stmt in block {
            if stmt.is_marker() && !self.p.positions {
                continue;
            }
            self.indent(depth);
            self.stmt(stmt, depth)?;
        }
        Ok(())
    }

    fn braces(&mut self, block: &Block, depth: usize) -> fmt::Result {
        self.p.out.push_str("{\n");
        self.block(block, depth + 1)?;
        self.indent(depth);
        self.p.out.push('}');
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt, depth: usize) -> fmt::Result {
        match stmt {
            Stmt::Let(id) => return self.let_value(*id),
            Stmt::At(position) => {
                self.p.out.push_str("at ");
                self.p.position(*position)?;
            }
            Stmt::Holds { variable, value } => {
                write!(self.p.out, "holds {}", variable.into_raw().into_u32())?;
                match value {
                    Some(value) => write!(self.p.out, " {}", Id(*value))?,
                    None => self.p.out.push_str(" nothing"),
                }
            }
            Stmt::Store { place, value } => {
                self.p.out.push_str("store ");
                self.ids(&[*place, *value])?;
            }
            Stmt::If { cond, then, otherwise, results, hint } => {
                self.results(results)?;
                self.p.out.push_str("if ");
                self.ids(&[*cond])?;
                self.branch_hint(*hint)?;
                self.p.out.push(' ');
                self.braces(then, depth)?;
                if !otherwise.is_empty() {
                    self.p.out.push_str(" else ");
                    self.braces(otherwise, depth)?;
                }
            }
            Stmt::Loop { body, continuing, break_if, details } => {
                self.results(&details.results)?;
                self.p.out.push_str("loop ");
                self.loop_hint(details.hint)?;
                self.params(&details.params, Some(&details.first))?;
                self.braces(body, depth)?;
                let ends = !details.again.is_empty() || !details.next.is_empty();
                if !continuing.is_empty() || break_if.is_some() || ends {
                    self.p.out.push_str(" continuing ");
                    self.params(&details.again, None)?;
                    self.p.out.push_str("{\n");
                    self.block(continuing, depth + 1)?;
                    if !details.next.is_empty() {
                        self.indent(depth + 1);
                        self.p.out.push_str("next ");
                        self.ids(&details.next)?;
                        self.p.out.push('\n');
                    }
                    self.indent(depth);
                    self.p.out.push('}');
                }
                if let Some(value) = break_if {
                    self.p.out.push_str(" break_if ");
                    self.ids(&[*value])?;
                }
                if !details.last.is_empty() {
                    self.p.out.push_str(" last ");
                    self.ids(&details.last)?;
                }
            }
            Stmt::Switch { selector, cases, default, results, hint } => {
                self.results(results)?;
                self.p.out.push_str("switch ");
                self.ids(&[*selector])?;
                self.branch_hint(*hint)?;
                self.p.out.push_str(" {\n");
                for case in cases {
                    self.indent(depth + 1);
                    self.p.out.push_str("case");
                    for (i, label) in case.labels.iter().enumerate() {
                        write!(self.p.out, "{} {label}", if i == 0 { "" } else { "," })?;
                    }
                    self.p.out.push(' ');
                    self.braces(&case.body, depth + 1)?;
                    self.p.out.push('\n');
                }
                self.indent(depth + 1);
                self.p.out.push_str("default ");
                self.braces(default, depth + 1)?;
                self.p.out.push('\n');
                self.indent(depth);
                self.p.out.push('}');
            }
            Stmt::Yield(values) => self.carrying("yield", values)?,
            Stmt::Break(values) => self.carrying("break", values)?,
            Stmt::Continue(values) => self.carrying("continue", values)?,
            Stmt::Return(value) => {
                self.p.out.push_str("return");
                if let Some(value) = value {
                    self.p.out.push(' ');
                    self.ids(&[*value])?;
                }
            }
            Stmt::Barrier(b) => {
                self.p.out.push_str("barrier");
                self.p.flag(b.memory.uav, "uav");
                self.p.flag(b.memory.group_shared, "group_shared");
                self.p.flag(b.memory.node_input, "node_input");
                self.p.flag(b.memory.node_output, "node_output");
                self.p.flag(b.group_sync, "group_sync");
                if let Some(scope) = b.scope {
                    self.p.flag(true, scope.word());
                }
                self.operand("records", b.records)?;
            }
            Stmt::ImageStore { image, coord, sample, value } => {
                self.p.out.push_str("image_store ");
                self.ids(&[*image, *coord, *value])?;
                self.operand("sample", *sample)?;
            }
            Stmt::RayQuery { command, query, args } => {
                write!(self.p.out, "{} {}", command.word(), Id(*query))?;
                args.iter().try_for_each(|arg| write!(self.p.out, ", {}", Id(*arg)))?;
            }
            Stmt::Complete(records) => {
                self.p.out.push_str("complete ");
                self.ids(&[*records])?;
            }
            Stmt::IncrementCount { scope, output, index, count } => {
                write!(self.p.out, "increment_count {} ", scope.word())?;
                self.element(*output, *index)?;
                self.p.out.push_str(", ");
                self.ids(&[*count])?;
            }
            Stmt::Report { misuse, end } => write!(self.p.out, "report {} {end}", misuse.word())?,
            Stmt::MeshCounts { vertices, primitives } => {
                self.p.out.push_str("mesh_counts ");
                self.ids(&[*vertices, *primitives])?;
            }
            Stmt::Call { callee, args } => self.call(callee, args)?,
            Stmt::Spirv(instruction) => self.instruction(instruction)?,
        }
        self.p.out.push('\n');
        Ok(())
    }

    /// Writes `yield %1, %2`.
    fn carrying(&mut self, word: &str, values: &[ValueId]) -> fmt::Result {
        self.p.out.push_str(word);
        if values.is_empty() {
            return Ok(());
        }
        self.p.out.push(' ');
        self.ids(values)
    }

    /// Writes `%1: u32, %2 name: precise f32 = `, unless there are no results.
    fn results(&mut self, results: &[ValueId]) -> fmt::Result {
        for (i, id) in results.iter().enumerate() {
            self.p.out.push_str(if i == 0 { "" } else { ", " });
            self.merged(*id)?;
        }
        self.p.out.push_str(if results.is_empty() { "" } else { " = " });
        Ok(())
    }

    /// Writes `(%1: u32 = %2) `, unless there are no parameters.
    fn params(&mut self, params: &[ValueId], first: Option<&[ValueId]>) -> fmt::Result {
        for (i, id) in params.iter().enumerate() {
            self.p.out.push_str(if i == 0 { "(" } else { ", " });
            self.merged(*id)?;
            if let Some(first) = first.and_then(|first| first.get(i)) {
                write!(self.p.out, " = {}", Id(*first))?;
            }
        }
        self.p.out.push_str(if params.is_empty() { "" } else { ") " });
        Ok(())
    }

    /// Writes `%2 name: precise f32`.
    fn merged(&mut self, id: ValueId) -> fmt::Result {
        let Some(value) = self.function.value(id) else { return write!(self.p.out, "{}", Id(id)) };
        write!(self.p.out, "{}", Id(id))?;
        if !value.name.is_empty() {
            self.p.out.push(' ');
            self.p.name(&value.name)?;
        }
        self.p.out.push_str(if value.precise { ": precise " } else { ": " });
        self.p.ty(&value.ty)
    }

    /// Writes an optional ` [flatten]`.
    fn branch_hint(&mut self, hint: BranchHint) -> fmt::Result {
        match hint {
            BranchHint::Any => Ok(()),
            hint => write!(self.p.out, " [{}]", hint.word()),
        }
    }

    /// Writes an optional `[unroll 4] `.
    fn loop_hint(&mut self, hint: LoopHint) -> fmt::Result {
        match hint.control {
            LoopControl::Any => {}
            LoopControl::Unroll(None) => self.p.out.push_str("[unroll] "),
            LoopControl::Unroll(Some(count)) => write!(self.p.out, "[unroll {count}] ")?,
            LoopControl::Loop => self.p.out.push_str("[loop] "),
            LoopControl::FastOpt => self.p.out.push_str("[fastopt] "),
        }
        if hint.uav_condition {
            self.p.out.push_str("[allow_uav_condition] ");
        }
        Ok(())
    }

    fn let_value(&mut self, id: ValueId) -> fmt::Result {
        match self.printed.get_mut(id.into_raw().into_u32() as usize) {
            Some(printed) if !*printed => {
                *printed = true;
                self.value(id)
            }
            // An invalid function is printed, but the parser rejects it.
            _ => writeln!(self.p.out, "let {}", Id(id)),
        }
    }

    /// Writes `%3 name: u32 = add %1, %2` and a line break.
    fn value(&mut self, id: ValueId) -> fmt::Result {
        let value = &self.function.values[id];
        write!(self.p.out, "{}", Id(id))?;
        if !value.name.is_empty() {
            self.p.out.push(' ');
            self.p.name(&value.name)?;
        }
        self.p.out.push_str(": ");
        self.p.ty(&value.ty)?;
        self.p.out.push_str(if value.precise { " = precise " } else { " = " });
        match &value.op {
            Op::Const(c) if crate::Type::Scalar(c.ty) == value.ty => self.p.literal(*c)?,
            op => self.op(op)?,
        }
        self.p.out.push('\n');
        Ok(())
    }

    fn op(&mut self, op: &Op) -> fmt::Result {
        match op {
            Op::Const(c) => {
                write!(self.p.out, "const {} ", c.ty.word())?;
                self.p.literal(*c)
            }
            Op::Zero => self.p.out.write_str("zero"),
            Op::Undef => self.p.out.write_str("undef"),
            Op::Merge => self.p.out.write_str("merge"),
            Op::Param(n) => write!(self.p.out, "param {n}"),
            Op::Compose(parts) => self.with("compose", parts),
            Op::Extract { base, index } => write!(self.p.out, "extract {}, {index}", Id(*base)),
            Op::ExtractDynamic { base, index } => self.with("extract_dynamic", &[*base, *index]),
            Op::Insert { base, index, value } => {
                write!(self.p.out, "insert {}, {index}, {}", Id(*base), Id(*value))
            }
            Op::Swizzle { base, components } => {
                write!(self.p.out, "swizzle {},", Id(*base))?;
                components.iter().try_for_each(|c| write!(self.p.out, " {c}"))
            }
            Op::Shuffle { lhs, rhs, components } => {
                write!(self.p.out, "shuffle {}, {},", Id(*lhs), Id(*rhs))?;
                components.iter().try_for_each(|c| write!(self.p.out, " {c}"))
            }
            Op::Unary { op, value } => self.with(op.word(), &[*value]),
            Op::Binary { op, lhs, rhs } => self.with(op.word(), &[*lhs, *rhs]),
            Op::Select { cond, then, otherwise } => self.with("select", &[*cond, *then, *otherwise]),
            Op::Convert(value) => self.with("convert", &[*value]),
            Op::Bitcast(value) => self.with("bitcast", &[*value]),
            Op::Math { op, args } => self.with(op.word(), args),
            Op::Local(id) => write!(self.p.out, "local ${}", id.into_raw().into_u32()),
            Op::Global(name) => {
                self.p.out.push_str("global ");
                self.p.symbol(name)
            }
            Op::Descriptor { array, index } => self.with("descriptor", &[*array, *index]),
            Op::NonUniform(value) => self.with("non_uniform", &[*value]),
            Op::Counter(buffer) => self.with("counter", &[*buffer]),
            Op::Bits(place) => self.with("bits", &[*place]),
            Op::Wide(buffer) => self.with("wide", &[*buffer]),
            Op::Field { base, index } => write!(self.p.out, "field {}, {index}", Id(*base)),
            Op::Index { base, index } => self.with("index", &[*base, *index]),
            Op::Address(value) => self.with("address", &[*value]),
            Op::Load(place) => self.with("load", &[*place]),
            Op::ArrayLength(place) => self.with("array_length", &[*place]),
            Op::Atomic { op, place, value, comparator, scope, order } => {
                self.with(op.word(), &[*place, *value])?;
                if let Some(c) = comparator {
                    write!(self.p.out, ", {}", Id(*c))?;
                }
                write!(self.p.out, " {} {}", scope.word(), order.word())
            }
            Op::ImageLoad(load) => {
                self.with("image_load", &[load.image, load.coord])?;
                self.operand("level", load.level)?;
                self.operand("sample", load.sample)?;
                self.p.flag(load.sparse, "sparse");
                Ok(())
            }
            Op::ImageSample(sample) => self.sample(sample),
            Op::ImageQuery { image, query } => match query {
                ImageQuery::Size(level) => {
                    self.with("image_size", &[*image])?;
                    self.operand("level", *level)
                }
                ImageQuery::Levels => self.with("image_levels", &[*image]),
                ImageQuery::Samples => self.with("image_samples", &[*image]),
                ImageQuery::Lod { sampler, coord } => self.with("image_lod", &[*image, *sampler, *coord]),
            },
            Op::Texel { image, coord, sample } => {
                self.with("texel", &[*image, *coord])?;
                self.operand("sample", *sample)
            }
            Op::Resident(code) => self.with("resident", &[*code]),
            Op::RayQuery { ask: RayQuestion::Of(hit, part), query } => {
                write!(self.p.out, "{} {} {}", hit.word(), part.word(), Id(*query))
            }
            Op::RayQuery { ask, query } => self.with(ask.word(), &[*query]),
            Op::Builtin(b) => self.p.out.write_str(b.word()),
            Op::Subgroup { op, args } => self.with(op.word(), args),
            Op::Call { callee, args } => self.call(callee, args),
            Op::Spirv(instruction) => self.instruction(instruction),
            Op::InputRecord { index } => self.with("input_record", &[*index]),
            Op::InputCount => self.p.out.write_str("input_count"),
            Op::Allocate { scope, output, index, count } => {
                write!(self.p.out, "allocate {} ", scope.word())?;
                self.element(*output, *index)?;
                write!(self.p.out, ", {}", Id(*count))
            }
            Op::OutputRecord { records, index } => self.with("output_record", &[*records, *index]),
            Op::OutputValid { output, index } => {
                self.p.out.push_str("output_valid ");
                self.element(*output, *index)
            }
            Op::RemainingLevels => self.p.out.write_str("remaining_levels"),
            Op::FinishedSharing => self.p.out.write_str("finished_sharing"),
        }
    }

    /// Writes `image_sample %1, %2, %3 compare %4 level %5 offset %6 min_lod %7 sparse`.
    fn sample(&mut self, sample: &ImageSample) -> fmt::Result {
        self.with("image_sample", &[sample.image, sample.sampler, sample.coord])?;
        match sample.result {
            SampleResult::Texel => {}
            SampleResult::Compared(reference) => self.operand("compare", Some(reference))?,
            SampleResult::Gathered(component) => write!(self.p.out, " gather {component}")?,
            SampleResult::GatherCompared(reference) => self.operand("gather_compare", Some(reference))?,
        }
        match sample.lod {
            Lod::Implicit => {}
            Lod::Bias(bias) => self.operand("bias", Some(bias))?,
            Lod::Level(level) => self.operand("level", Some(level))?,
            Lod::Gradient(x, y) => {
                self.p.out.push_str(" gradient ");
                self.ids(&[x, y])?;
            }
        }
        match &sample.offset {
            TexelOffset::None => {}
            TexelOffset::One(offset) => self.operand("offset", Some(*offset))?,
            TexelOffset::Four(offsets) => {
                self.p.out.push_str(" offsets ");
                self.ids(offsets)?;
            }
        }
        self.operand("min_lod", sample.min_lod)?;
        self.p.flag(sample.sparse, "sparse");
        Ok(())
    }

    /// Writes an optional ` level %3`.
    fn operand(&mut self, word: &str, value: Option<ValueId>) -> fmt::Result {
        value.map_or(Ok(()), |value| write!(self.p.out, " {word} {}", Id(value)))
    }

    fn with(&mut self, word: &str, args: &[ValueId]) -> fmt::Result {
        self.p.out.push_str(word);
        if !args.is_empty() {
            self.p.out.push(' ');
        }
        self.ids(args)
    }

    fn ids(&mut self, ids: &[ValueId]) -> fmt::Result {
        for (i, id) in ids.iter().enumerate() {
            write!(self.p.out, "{}{}", if i == 0 { "" } else { ", " }, Id(*id))?;
        }
        Ok(())
    }

    /// Writes `0[%3]`: an element of an output.
    fn element(&mut self, output: OutputId, index: ValueId) -> fmt::Result {
        write!(self.p.out, "{output}[{}]", Id(index))
    }

    /// Writes `spirv "GLSL.std.450" 13 (%3, 0)`: values with `%`, literals without, texts in quotes.
    fn instruction(&mut self, instruction: &Instruction) -> fmt::Result {
        self.p.out.push_str("spirv ");
        if let Some(set) = &instruction.set {
            self.p.quoted(set)?;
            self.p.out.push(' ');
        }
        write!(self.p.out, "{} (", instruction.opcode)?;
        for (i, operand) in instruction.operands.iter().enumerate() {
            self.p.out.push_str(if i == 0 { "" } else { ", " });
            match operand {
                Operand::Value(value) => write!(self.p.out, "{}", Id(*value))?,
                Operand::Literal(word) => write!(self.p.out, "{word}")?,
                Operand::Text(text) => self.p.quoted(text)?,
            }
        }
        self.p.out.push(')');
        Ok(())
    }

    fn call(&mut self, callee: &str, args: &[ValueId]) -> fmt::Result {
        self.p.out.push_str("call ");
        self.p.symbol(callee)?;
        self.p.out.push('(');
        self.ids(args)?;
        self.p.out.push(')');
        Ok(())
    }
}

struct Id(ValueId);

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0.into_raw().into_u32())
    }
}
