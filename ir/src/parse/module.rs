//! Parses structures, globals, nodes and entries.

use super::lexer::LexemeKind;
use super::{Parser, Result};
use crate::graph::{Grid, GridField, Input, Launch, Mesh, Node, NodeId, Output, OutputArray, Record, RecordEnd};
use crate::layout;
use crate::mesh::{Interpolation, MeshSlot, MeshValue};
use crate::module::{Binding, ComputeEntry, Constant, Count, Global, GlobalKind, Module};
use crate::names::Words;
use crate::spec_value::{SpecOp, SpecStep, SpecValue};
use crate::specialise::{GraphConstant, Specialised, Spelling};
use crate::types::{BitField, Field, Scalar, StructType, Type};
use std::sync::Arc;

impl Parser<'_> {
    pub(super) fn module(&mut self) -> Result<Module> {
        let mut module = Module::default();
        loop {
            let token = self.next();
            match (token.kind, token.text) {
                (LexemeKind::End, _) => return Ok(module),
                (LexemeKind::Word, "struct") => self.structure()?,
                (LexemeKind::Word, "global") => {
                    let at = self.peek();
                    let global = self.global()?;
                    if module.globals.contains_key(&global.name) {
                        return self.error(at, format!("global {} is declared twice", global.name));
                    }
                    module.add_global(global);
                }
                (LexemeKind::Word, "node") => {
                    let node = self.node()?;
                    module.graph.nodes.push(node);
                }
                (LexemeKind::Word, "entry") => {
                    let name = self.string()?;
                    self.expect("=")?;
                    let function = self.symbol()?;
                    self.expect_word("threads")?;
                    let workgroup_size = self.numbers3()?;
                    let wave_size = if self.eat_word("wave") { Some(self.numbers3()?) } else { None };
                    let mesh = self.mesh()?;
                    let specialised = self.specialised()?;
                    let entry = ComputeEntry { name, function, workgroup_size, wave_size, mesh, specialised };
                    module.entries.push(entry);
                }
                (LexemeKind::Word, "fn") => {
                    let at = self.peek();
                    let function = self.function()?;
                    if module.functions.contains_key(&function.name) {
                        return self.error(at, format!("function {} is declared twice", function.name));
                    }
                    module.add_function(function);
                }
                _ => return self.expected(token, "`struct`, `global`, `node`, `entry` or `fn`"),
            }
        }
    }

    /// Reads an optional `mesh triangle 64 126`.
    fn mesh(&mut self) -> Result<Option<Mesh>> {
        if !self.eat_word("mesh") {
            return Ok(None);
        }
        let topology = self.one_of("`line` or `triangle`")?;
        Ok(Some(Mesh { topology, max_vertices: self.number()?, max_primitives: self.number()? }))
    }

    /// Reads `bits low u32 0 4 high u32 4 12` after the word: name, type, lowest bit and width of each.
    fn bit_fields(&mut self) -> Result<Vec<BitField>> {
        let mut fields = Vec::new();
        while !self.is("}") && !self.is(",") {
            let name = self.name()?;
            let scalar = self.one_of("a scalar type")?;
            fields.push(BitField { name, scalar, first: self.number()?, width: self.number()? });
        }
        Ok(fields)
    }

    /// Reads `struct A size 8 align 4 { base: u32 @0, pad: u32 @4 }`. Without `size`, the layout is scalar.
    fn structure(&mut self) -> Result<()> {
        let key = self.word("a structure's name")?;
        let name = if self.peek().kind == LexemeKind::String { self.string()? } else { key.text.into() };
        let size: Option<(u32, u32)> = if self.eat_word("size") {
            let size = self.number()?;
            self.expect_word("align")?;
            Some((size, self.number()?))
        } else {
            None
        };
        self.expect("{")?;
        let mut fields = Vec::new();
        while !self.eat("}") {
            let name = self.name()?;
            self.expect(":")?;
            let ty = self.ty()?;
            let mut offset = 0;
            if size.is_some() {
                self.expect("@")?;
                offset = self.number()?;
            }
            let bits = if self.eat_word("bits") { self.bit_fields()? } else { Vec::new() };
            fields.push(Field { bits, ..Field::new(name, ty, offset) });
            if !self.is("}") {
                self.expect(",")?;
            }
        }
        let s = match size {
            Some((size, align)) => StructType { name, fields, size, align },
            None => match layout::scalar_struct(name, fields.iter().map(|f| (f.name.clone(), f.ty.clone()))) {
                Ok(s) => {
                    let written = StructType { fields, ..s.clone() };
                    s.with_bits_of(&written)
                }
                Err(e) => return self.error(key, e.to_string()),
            },
        };
        if self.structs.insert(key.text, Arc::new(s)).is_some() {
            return self.error(key, format!("structure {} is declared twice", key.text));
        }
        Ok(())
    }

    /// Reads `COLOR at 1 0 location 2 flat`.
    fn mesh_value(&mut self) -> Result<MeshValue> {
        let semantic = self.name()?;
        let mut path = Vec::new();
        if self.eat_word("at") {
            path.push(self.number()?);
            while self.peek().text.starts_with(|c: char| c.is_ascii_digit()) {
                path.push(self.number()?);
            }
        }
        let token = self.word("a slot of a mesh's value")?;
        let slot = match MeshSlot::from_word(token.text) {
            Some(MeshSlot::Location(_)) => MeshSlot::Location(self.number()?),
            Some(MeshSlot::ClipDistance(_)) => MeshSlot::ClipDistance(self.number()?),
            Some(MeshSlot::CullDistance(_)) => MeshSlot::CullDistance(self.number()?),
            Some(slot) => slot,
            None => return self.expected(token, "a slot of a mesh's value"),
        };
        let interpolation = Interpolation {
            flat: self.eat_word("flat"),
            no_perspective: self.eat_word("no_perspective"),
            centroid: self.eat_word("centroid"),
            sample: self.eat_word("sample"),
        };
        Ok(MeshValue { semantic, path, slot, interpolation })
    }

    fn global(&mut self) -> Result<Global> {
        let name = self.symbol()?;
        self.expect(":")?;
        let token = self.peek();
        let kind = match token.text {
            "private" => {
                self.next();
                let ty = self.ty()?;
                let init = if self.eat("=") { Some(self.constant()?) } else { None };
                GlobalKind::Private { ty, init }
            }
            "workgroup" => {
                self.next();
                GlobalKind::Workgroup { ty: self.ty()? }
            }
            "mesh" => {
                self.next();
                let array = self.one_of("`indices`, `vertices` or `primitives`")?;
                let ty = self.ty()?;
                let mut values = Vec::new();
                while self.eat_word("value") {
                    values.push(self.mesh_value()?);
                }
                GlobalKind::MeshOutput { ty, array, values }
            }
            "constant" => {
                self.next();
                let ty = self.ty()?;
                self.expect("=")?;
                GlobalKind::Constant { ty, value: self.constant()? }
            }
            "buffer" => {
                self.next();
                self.expect("<")?;
                let element = self.ty()?;
                self.expect_word("stride")?;
                let stride = self.number()?;
                self.expect(">")?;
                let writable = self.eat_word("writable");
                let coherent = self.eat_word("coherent");
                let counter = if self.eat_word("counter") { Some(self.symbol()?) } else { None };
                GlobalKind::Buffer { element, stride, writable, coherent, counter, binding: self.binding()? }
            }
            "uniform" => {
                self.next();
                GlobalKind::Uniform { block: self.ty()?, binding: self.binding()? }
            }
            "spec" => {
                self.next();
                let id = self.number()?;
                self.expect("=")?;
                let token = self.peek();
                match self.constant()? {
                    Constant::Scalar(default) => GlobalKind::SpecConstant { id, default },
                    _ => return self.expected(token, "a scalar constant"),
                }
            }
            "push_constant" => {
                self.next();
                GlobalKind::PushConstant { block: self.ty()? }
            }
            _ => match self.ty()? {
                Type::Image(ty) => {
                    let format = if self.eat_word("format") { Some(self.one_of("a texel format")?) } else { None };
                    let coherent = self.eat_word("coherent");
                    GlobalKind::Image { ty, format, coherent, binding: self.binding()? }
                }
                Type::Sampler => GlobalKind::Sampler { binding: self.binding()? },
                Type::AccelerationStructure => GlobalKind::AccelerationStructure { binding: self.binding()? },
                _ => return self.expected(token, "a kind of global"),
            },
        };
        Ok(Global { name, kind })
    }

    fn binding(&mut self) -> Result<Binding> {
        self.expect_word("set")?;
        let set = self.number()?;
        self.expect_word("binding")?;
        let binding = self.number()?;
        let count = match (self.eat_word("count"), self.peek().text) {
            (false, _) => Count::One,
            (true, "unbounded") => {
                self.next();
                Count::Unbounded
            }
            (true, _) => Count::Array(self.number()?),
        };
        let mut register = None;
        if self.eat_word("register") {
            let token = self.peek();
            let class = self.string()?;
            let mut chars = class.chars();
            let (Some(class), None) = (chars.next(), chars.next()) else {
                return self.expected(token, "a register class");
            };
            register = Some((class, self.number()?, self.number()?));
        }
        let heap = if self.eat_word("heap") { Some(self.one_of("a heap")?) } else { None };
        Ok(Binding { set, binding, count, register, heap })
    }

    fn constant(&mut self) -> Result<Constant> {
        self.nested(|p| {
            if p.eat_word("zero") {
                return Ok(Constant::Zero);
            }
            if p.eat("{") {
                let mut parts = Vec::new();
                while !p.eat("}") {
                    parts.push(p.constant()?);
                    if !p.is("}") {
                        p.expect(",")?;
                    }
                }
                return Ok(Constant::Composite(parts));
            }
            let ty: Scalar = p.one_of("a constant")?;
            Ok(Constant::Scalar(p.literal(ty)?))
        })
    }

    fn node_id(&mut self) -> Result<NodeId> {
        let name = self.string()?;
        self.expect("[")?;
        let index = self.number()?;
        self.expect("]")?;
        Ok(NodeId { name, index })
    }

    fn node(&mut self) -> Result<Node> {
        let id = self.node_id()?;
        self.expect("=")?;
        let function = self.symbol()?;
        self.expect("{")?;
        self.expect_word("launch")?;
        let launch: Launch = self.one_of("a launch mode")?;
        self.expect_word("threads")?;
        let num_threads = self.numbers3()?;
        let grid = if !self.eat_word("grid") {
            Grid::None
        } else if self.eat_word("fixed") {
            Grid::Fixed(self.numbers3()?)
        } else {
            self.expect_word("max")?;
            Grid::Max(self.numbers3()?)
        };
        let mesh = self.mesh()?;
        let entry = self.eat_word("entry");
        let max_recursion = if self.eat_word("recursion") { self.number()? } else { 0 };
        let share_input_of = if self.eat_word("share_input_of") { Some(self.node_id()?) } else { None };
        let local_root_index = if self.eat_word("local_root") { Some(self.number()?) } else { None };
        let wave_size = if self.eat_word("wave") { Some(self.numbers3()?) } else { None };
        let specialised = self.specialised()?;
        let mut input = None;
        if self.eat_word("input") {
            let name = self.name()?;
            let record = self.record()?;
            let read_write = self.eat_word("read_write");
            let coherent = self.eat_word("coherent");
            self.expect_word("max")?;
            input = Some(Input { name, record, read_write, coherent, max_records: self.number()? });
        }
        let mut outputs = Vec::new();
        while self.eat_word("output") {
            outputs.push(self.output()?);
        }
        let mut ends = Vec::new();
        while self.eat_word("end") {
            ends.push(self.record_end()?);
        }
        self.expect("}")?;
        Ok(Node {
            id,
            function,
            launch,
            num_threads,
            grid,
            entry,
            max_recursion,
            share_input_of,
            local_root_index,
            wave_size,
            input,
            outputs,
            mesh,
            ends,
            specialised,
        })
    }

    fn record_end(&mut self) -> Result<RecordEnd> {
        let node = self.node_id()?;
        let output = if self.eat_word("input") {
            None
        } else {
            self.expect_word("output")?;
            Some(self.number()?)
        };
        let target = if self.eat("->") { Some(self.node_id()?) } else { None };
        Ok(RecordEnd { node, output, target })
    }

    fn specialised(&mut self) -> Result<Specialised> {
        let mut all = Specialised::new();
        while self.eat_word("specialised") {
            let token = self.word("a number of the graph")?;
            let what = match GraphConstant::from_word(token.text) {
                Some(Spelling::Plain(what)) => what,
                Some(Spelling::Numbered(of)) => of(self.number()?),
                None => return self.expected(token, "a number of the graph"),
            };
            all.push((what, self.spec_value()?));
        }
        Ok(all)
    }

    fn spec_value(&mut self) -> Result<SpecValue> {
        if !self.is("(") {
            return Ok(SpecValue::constant(self.symbol()?));
        }
        self.expect("(")?;
        let mut steps = Vec::new();
        while !self.is(")") {
            let token = self.peek();
            steps.push(match token.kind {
                LexemeKind::Word if token.text == "truth" => {
                    self.expect_word("truth")?;
                    SpecStep::Truth(self.symbol()?)
                }
                LexemeKind::Word if token.text.starts_with(|c: char| c.is_ascii_digit()) => {
                    SpecStep::Number(self.number()?)
                }
                LexemeKind::Word => match SpecOp::from_word(self.word("an operation")?.text) {
                    Some(op) => SpecStep::Op(op),
                    None => return self.expected(token, "an operation"),
                },
                _ => SpecStep::Constant(self.symbol()?),
            });
        }
        self.expect(")")?;
        Ok(SpecValue(steps))
    }

    fn output(&mut self) -> Result<Output> {
        let name = self.name()?;
        let record = self.record()?;
        self.expect("->")?;
        let target = self.node_id()?;
        let array = if !self.eat_word("array") {
            OutputArray::Single
        } else if self.eat_word("unbounded") {
            OutputArray::Unbounded
        } else {
            OutputArray::Sized(self.number()?)
        };
        let sparse = self.eat_word("sparse");
        self.expect_word("max")?;
        let max_records = self.number()?;
        let shared_with = if self.eat_word("shared_with") { Some(self.number()?) } else { None };
        Ok(Output { name, record, target, array, sparse, max_records, shared_with })
    }

    fn record(&mut self) -> Result<Option<Record>> {
        self.expect(":")?;
        if self.eat_word("empty") {
            return Ok(None);
        }
        let ty = self.ty()?;
        let mut grid = None;
        if self.eat_word("grid_field") {
            self.expect("(")?;
            let mut path = Vec::new();
            while !self.eat_word("offset") {
                path.push(self.number()?);
            }
            let offset = self.number()?;
            let token = self.word("the field's type")?;
            let Some((scalar, components)) = token.text.rsplit_once('x') else {
                return self.expected(token, "the field's type");
            };
            let (Some(scalar), Ok(components)) = (Scalar::from_word(scalar), components.parse()) else {
                return self.expected(token, "the field's type");
            };
            self.expect(")")?;
            grid = Some(GridField { path, offset, scalar, components });
        }
        let track_sharing = self.eat_word("track_sharing");
        Ok(Some(Record { ty, grid, track_sharing }))
    }
}

#[cfg(test)]
mod tests {
    use crate::names::vector_word;
    use crate::types::Scalar;

    #[test]
    fn scalars_and_vectors() {
        assert_eq!(vector_word("u32"), Some((Scalar::U32, None)));
        assert_eq!(vector_word("f16x4"), Some((Scalar::F16, Some(4))));
        assert_eq!(vector_word("matrix"), None);
    }
}
