//! The text form of a module: readable, stable, and read back by [`parse`](mod@crate::parse).
//!
//! Everything is in the order of the module. Structures are declared once each, before their first use. If two
//! structures of a module share a name (one in two layouts), later ones get a key `Name.1`, followed by the name.

mod function;

use crate::Symbol;
use crate::function::ScalarConst;
use crate::graph::{Grid, Mesh, Node, NodeId, Output, OutputArray, Record};
use crate::mesh::{Interpolation, MeshValue};
use crate::module::{Binding, Constant, Count, Global, GlobalKind, Module};
use crate::names::{Words, is_identifier, is_type_word};
use crate::spec_value::{SpecStep, SpecValue};
use crate::specialise::Specialised;
use crate::types::{Scalar, StructType, Type};
use crate::walk;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{self, Write};
use std::sync::Arc;

/// Returns the text form of a module, without positions.
pub fn print(module: &Module) -> String {
    whole(module, Printer::default())
}

/// Returns the text form of a module with the positions of its statements.
pub fn print_with_positions(module: &Module) -> String {
    whole(module, Printer { positions: true, ..Printer::default() })
}

fn whole(module: &Module, mut p: Printer) -> String {
    p.collect_structs(module);
    // Writing to a string never fails.
    let _ = p.module(module);
    p.out
}

/// Returns the text form of one function, with the structures that it uses and without positions.
pub fn print_function(function: &crate::Function) -> String {
    let mut p = Printer::default();
    walk::function_types(function, &mut |ty| p.collect(ty));
    let _ = p.structs();
    let _ = p.function(function);
    p.out
}

#[derive(Default)]
struct Printer {
    out: String,
    positions: bool,
    structs: Vec<Arc<StructType>>,
    keys: FxHashMap<Arc<StructType>, Symbol>,
    taken: FxHashSet<Symbol>,
}

impl Printer {
    fn collect_structs(&mut self, module: &Module) {
        walk::module_types(module, &mut |ty| self.collect(ty));
    }

    /// Declares the structures in `ty`, inner ones first.
    fn collect(&mut self, ty: &Type) {
        match ty {
            Type::Array { element, .. } | Type::RuntimeArray { element, .. } | Type::Ref(_, element) => {
                self.collect(element)
            }
            Type::Records(r) => self.collect(&r.record),
            Type::Struct(s) if !self.keys.contains_key(s) => {
                for field in &s.fields {
                    self.collect(&field.ty);
                }
                let base = if is_identifier(&s.name) && !is_type_word(&s.name) { s.name.as_str() } else { "struct" };
                let mut key = Symbol::from(base);
                let mut n = 0u32;
                while base == "struct" && n == 0 || self.taken.contains(&key) {
                    n += 1;
                    key = compact_str::format_compact!("{base}.{n}");
                }
                self.taken.insert(key.clone());
                self.keys.insert(Arc::clone(s), key);
                self.structs.push(Arc::clone(s));
            }
            _ => {}
        }
    }

    fn structs(&mut self) -> fmt::Result {
        for s in std::mem::take(&mut self.structs) {
            let key = self.keys.get(&s).cloned().unwrap_or_default();
            write!(self.out, "struct {key} ")?;
            if key != s.name {
                self.quoted(&s.name)?;
                self.out.push(' ');
            }
            write!(self.out, "size {} align {} {{", s.size, s.align)?;
            for (i, field) in s.fields.iter().enumerate() {
                self.out.push_str(if i == 0 { " " } else { ", " });
                self.name(&field.name)?;
                self.out.push_str(": ");
                self.ty(&field.ty)?;
                write!(self.out, " @{}", field.offset)?;
                for (n, bits) in field.bits.iter().enumerate() {
                    self.out.push_str(if n == 0 { " bits " } else { " " });
                    self.name(&bits.name)?;
                    write!(self.out, " {} {} {}", bits.scalar.word(), bits.first, bits.width)?;
                }
            }
            self.out.push_str(" }\n");
        }
        Ok(())
    }

    fn module(&mut self, module: &Module) -> fmt::Result {
        self.structs()?;
        for global in module.globals.values() {
            self.global(global)?;
        }
        for node in &module.graph.nodes {
            self.node(node)?;
        }
        for entry in &module.entries {
            self.out.push_str("entry ");
            self.quoted(&entry.name)?;
            self.out.push_str(" = ");
            self.symbol(&entry.function)?;
            let [x, y, z] = entry.workgroup_size;
            write!(self.out, " threads {x} {y} {z}")?;
            if let Some([min, max, preferred]) = entry.wave_size {
                write!(self.out, " wave {min} {max} {preferred}")?;
            }
            self.mesh(entry.mesh)?;
            self.specialised(&entry.specialised)?;
            self.out.push('\n');
        }
        for function in module.functions.values() {
            self.function(function)?;
        }
        Ok(())
    }

    fn global(&mut self, global: &Global) -> fmt::Result {
        self.out.push_str("global ");
        self.symbol(&global.name)?;
        self.out.push_str(": ");
        match &global.kind {
            GlobalKind::Private { ty, init } => {
                self.out.push_str("private ");
                self.ty(ty)?;
                if let Some(init) = init {
                    self.out.push_str(" = ");
                    self.constant(init)?;
                }
            }
            GlobalKind::Workgroup { ty } => {
                self.out.push_str("workgroup ");
                self.ty(ty)?;
            }
            GlobalKind::MeshOutput { ty, array, values } => {
                write!(self.out, "mesh {} ", array.word())?;
                self.ty(ty)?;
                for value in values {
                    self.mesh_value(value)?;
                }
            }
            GlobalKind::Constant { ty, value } => {
                self.out.push_str("constant ");
                self.ty(ty)?;
                self.out.push_str(" = ");
                self.constant(value)?;
            }
            GlobalKind::Buffer { element, stride, writable, coherent, counter, binding } => {
                self.out.push_str("buffer<");
                self.ty(element)?;
                write!(self.out, " stride {stride}>")?;
                self.flag(*writable, "writable");
                self.flag(*coherent, "coherent");
                if let Some(counter) = counter {
                    self.out.push_str(" counter ");
                    self.symbol(counter)?;
                }
                self.binding(binding)?;
            }
            GlobalKind::Uniform { block, binding } => {
                self.out.push_str("uniform ");
                self.ty(block)?;
                self.binding(binding)?;
            }
            GlobalKind::PushConstant { block } => {
                self.out.push_str("push_constant ");
                self.ty(block)?;
            }
            GlobalKind::Image { ty, format, coherent, binding } => {
                self.ty(&Type::Image(*ty))?;
                if let Some(format) = format {
                    write!(self.out, " format {}", format.word())?;
                }
                self.flag(*coherent, "coherent");
                self.binding(binding)?;
            }
            GlobalKind::Sampler { binding } => {
                self.out.push_str("sampler");
                self.binding(binding)?;
            }
            GlobalKind::SpecConstant { id, default } => {
                write!(self.out, "spec {id} = ")?;
                self.constant(&Constant::Scalar(*default))?;
            }
            GlobalKind::AccelerationStructure { binding } => {
                self.out.push_str("acceleration_structure");
                self.binding(binding)?;
            }
        }
        self.out.push('\n');
        Ok(())
    }

    fn binding(&mut self, b: &Binding) -> fmt::Result {
        write!(self.out, " set {} binding {}", b.set, b.binding)?;
        match b.count {
            Count::One => {}
            Count::Array(n) => write!(self.out, " count {n}")?,
            Count::Unbounded => self.out.push_str(" count unbounded"),
        }
        if let Some((class, number, space)) = b.register {
            let mut buffer = [0; 4];
            self.out.push_str(" register ");
            self.quoted(class.encode_utf8(&mut buffer))?;
            write!(self.out, " {number} {space}")?;
        }
        if let Some(heap) = b.heap {
            write!(self.out, " heap {}", heap.word())?;
        }
        Ok(())
    }

    /// Writes ` mesh triangle 64 126`.
    fn mesh(&mut self, mesh: Option<Mesh>) -> fmt::Result {
        let Some(Mesh { topology, max_vertices, max_primitives }) = mesh else { return Ok(()) };
        write!(self.out, " mesh {} {max_vertices} {max_primitives}", topology.word())
    }

    /// Writes `value COLOR at 1 0 location 2 flat`.
    fn mesh_value(&mut self, value: &MeshValue) -> fmt::Result {
        self.out.push_str("\n  value ");
        self.name(&value.semantic)?;
        self.flag(!value.path.is_empty(), "at");
        for field in &value.path {
            write!(self.out, " {field}")?;
        }
        let Interpolation { flat, no_perspective, centroid, sample } = value.interpolation;
        let (word, number) = value.slot.words();
        write!(self.out, " {word}")?;
        if let Some(number) = number {
            write!(self.out, " {number}")?;
        }
        self.flag(flat, "flat");
        self.flag(no_perspective, "no_perspective");
        self.flag(centroid, "centroid");
        self.flag(sample, "sample");
        Ok(())
    }

    fn constant(&mut self, constant: &Constant) -> fmt::Result {
        match constant {
            Constant::Zero => self.out.write_str("zero"),
            Constant::Scalar(c) => {
                write!(self.out, "{} ", c.ty.word())?;
                self.literal(*c)
            }
            Constant::Composite(parts) => {
                self.out.push('{');
                for (i, part) in parts.iter().enumerate() {
                    self.out.push_str(if i == 0 { " " } else { ", " });
                    self.constant(part)?;
                }
                self.out.write_str(" }")
            }
        }
    }

    /// Writes a scalar without its type: in decimal if that is exact, otherwise its bits in hexadecimal.
    fn literal(&mut self, c: ScalarConst) -> fmt::Result {
        let finite32 = Some(f32::from_bits(c.bits as u32)).filter(|x| x.is_finite());
        let finite64 = Some(f64::from_bits(c.bits)).filter(|x| x.is_finite());
        if c.bits & !c.ty.mask() != 0 {
            return write!(self.out, "{:#x}", c.bits);
        }
        match (c.ty, finite32, finite64) {
            (Scalar::Bool, ..) => write!(self.out, "{}", c.bits != 0),
            (Scalar::F32, Some(x), _) => write!(self.out, "{x:?}"),
            (Scalar::F64, _, Some(x)) => write!(self.out, "{x:?}"),
            (ty, ..) if ty.is_float() => write!(self.out, "{:#x}", c.bits),
            (ty, ..) if ty.is_signed() => write!(self.out, "{}", c.as_i64()),
            _ => write!(self.out, "{}", c.bits),
        }
    }

    fn node(&mut self, node: &Node) -> fmt::Result {
        self.out.push_str("node ");
        self.node_id(&node.id)?;
        self.out.push_str(" = ");
        self.symbol(&node.function)?;
        let [x, y, z] = node.num_threads;
        write!(self.out, " {{\n  launch {} threads {x} {y} {z}", node.launch.word())?;
        match node.grid {
            Grid::None => {}
            Grid::Fixed([x, y, z]) => write!(self.out, " grid fixed {x} {y} {z}")?,
            Grid::Max([x, y, z]) => write!(self.out, " grid max {x} {y} {z}")?,
        }
        self.mesh(node.mesh)?;
        self.flag(node.entry, "entry");
        if node.max_recursion != 0 {
            write!(self.out, " recursion {}", node.max_recursion)?;
        }
        if let Some(id) = &node.share_input_of {
            self.out.push_str(" share_input_of ");
            self.node_id(id)?;
        }
        if let Some(n) = node.local_root_index {
            write!(self.out, " local_root {n}")?;
        }
        if let Some([min, max, preferred]) = node.wave_size {
            write!(self.out, " wave {min} {max} {preferred}")?;
        }
        self.specialised(&node.specialised)?;
        self.out.push('\n');
        if let Some(input) = &node.input {
            self.out.push_str("  input ");
            self.name(&input.name)?;
            self.record(input.record.as_ref())?;
            self.flag(input.read_write, "read_write");
            self.flag(input.coherent, "coherent");
            writeln!(self.out, " max {}", input.max_records)?;
        }
        for output in &node.outputs {
            self.output(output)?;
        }
        for end in &node.ends {
            self.out.push_str("  end ");
            self.node_id(&end.node)?;
            match end.output {
                Some(output) => write!(self.out, " output {output}")?,
                None => self.out.push_str(" input"),
            }
            if let Some(target) = &end.target {
                self.out.push_str(" -> ");
                self.node_id(target)?;
            }
            self.out.push('\n');
        }
        self.out.write_str("}\n")
    }

    fn specialised(&mut self, all: &Specialised) -> fmt::Result {
        for (what, by) in all {
            let (word, number) = what.spelling();
            write!(self.out, " specialised {word} ")?;
            if let Some(number) = number {
                write!(self.out, "{number} ")?;
            }
            self.spec_value(by)?;
        }
        Ok(())
    }

    /// Writes a single constant, or steps in parentheses.
    fn spec_value(&mut self, value: &SpecValue) -> fmt::Result {
        if let [SpecStep::Constant(only)] = value.0.as_slice() {
            return self.symbol(only);
        }
        self.out.push('(');
        for (n, step) in value.0.iter().enumerate() {
            if n > 0 {
                self.out.push(' ');
            }
            match step {
                SpecStep::Constant(constant) => self.symbol(constant)?,
                SpecStep::Truth(constant) => {
                    self.out.push_str("truth ");
                    self.symbol(constant)?;
                }
                SpecStep::Number(number) => write!(self.out, "{number}")?,
                SpecStep::Op(op) => self.out.push_str(op.word()),
            }
        }
        self.out.push(')');
        Ok(())
    }

    fn output(&mut self, output: &Output) -> fmt::Result {
        self.out.push_str("  output ");
        self.name(&output.name)?;
        self.record(output.record.as_ref())?;
        self.out.push_str(" -> ");
        self.node_id(&output.target)?;
        match output.array {
            OutputArray::Single => {}
            OutputArray::Sized(n) => write!(self.out, " array {n}")?,
            OutputArray::Unbounded => self.out.push_str(" array unbounded"),
        }
        self.flag(output.sparse, "sparse");
        write!(self.out, " max {}", output.max_records)?;
        if let Some(n) = output.shared_with {
            write!(self.out, " shared_with {n}")?;
        }
        self.out.push('\n');
        Ok(())
    }

    fn record(&mut self, record: Option<&Record>) -> fmt::Result {
        self.out.push_str(": ");
        let Some(record) = record else { return self.out.write_str("empty") };
        self.ty(&record.ty)?;
        if let Some(grid) = &record.grid {
            self.out.push_str(" grid_field(");
            for index in &grid.path {
                write!(self.out, "{index} ")?;
            }
            write!(self.out, "offset {} {}x{})", grid.offset, grid.scalar.word(), grid.components)?;
        }
        self.flag(record.track_sharing, "track_sharing");
        Ok(())
    }

    fn node_id(&mut self, id: &NodeId) -> fmt::Result {
        self.quoted(&id.name)?;
        write!(self.out, "[{}]", id.index)
    }

    fn flag(&mut self, set: bool, word: &str) {
        if set {
            self.out.push(' ');
            self.out.push_str(word);
        }
    }

    fn ty(&mut self, ty: &Type) -> fmt::Result {
        let keys = &self.keys;
        write_type(&mut self.out, ty, &|s| keys.get(s).unwrap_or(&s.name).clone())
    }

    fn symbol(&mut self, symbol: &str) -> fmt::Result {
        self.out.push('@');
        self.name(symbol)
    }

    fn name(&mut self, name: &str) -> fmt::Result {
        if is_identifier(name) { self.out.write_str(name) } else { self.quoted(name) }
    }

    fn quoted(&mut self, text: &str) -> fmt::Result {
        self.out.push('"');
        for c in text.chars() {
            match c {
                '"' | '\\' => write!(self.out, "\\{c}")?,
                c if c.is_control() => write!(self.out, "\\u{{{:x}}}", u32::from(c))?,
                c => self.out.push(c),
            }
        }
        self.out.push('"');
        Ok(())
    }
}

/// Writes a type, with the structure names that `name_of` returns.
pub fn write_type(f: &mut dyn Write, ty: &Type, name_of: &dyn Fn(&StructType) -> Symbol) -> fmt::Result {
    match ty {
        Type::Void => f.write_str("void"),
        Type::Scalar(s) => f.write_str(s.word()),
        Type::Vector(s, n) => write!(f, "{}x{n}", s.word()),
        Type::Matrix(m) => {
            let order = if m.layout.row_major { "rows" } else { "columns" };
            write!(f, "matrix<{}, {}, {}, {order} stride {}>", m.scalar.word(), m.rows, m.columns, m.layout.stride)
        }
        Type::Array { element, len, stride } => {
            f.write_char('[')?;
            write_type(f, element, name_of)?;
            write!(f, "; {len} stride {stride}]")
        }
        Type::RuntimeArray { element, stride } => {
            f.write_char('[')?;
            write_type(f, element, name_of)?;
            write!(f, " stride {stride}]")
        }
        Type::Struct(s) => f.write_str(&name_of(s)),
        Type::Ref(space, pointee) => {
            write!(f, "ref<{}, ", space.word())?;
            write_type(f, pointee, name_of)?;
            f.write_char('>')
        }
        Type::Records(r) => {
            write!(f, "records<{}, ", r.scope.word())?;
            write_type(f, &r.record, name_of)?;
            f.write_char('>')
        }
        Type::Image(image) => {
            let kind = if image.storage { "rwimage" } else { "image" };
            let arrayed = if image.arrayed { ".array" } else { "" };
            let samples = if image.multisampled { ".ms" } else { "" };
            write!(f, "{kind}<{}{arrayed}{samples}, {}x{}>", image.dim.word(), image.texel.word(), image.components)
        }
        Type::Sampler => f.write_str("sampler"),
        Type::AccelerationStructure => f.write_str("acceleration_structure"),
        Type::RayQuery => f.write_str("ray_query"),
        Type::Descriptors { element, len } => {
            f.write_str("descriptors<")?;
            write_type(f, element, name_of)?;
            match len {
                Some(len) => write!(f, ", {len}>"),
                None => f.write_char('>'),
            }
        }
    }
}
