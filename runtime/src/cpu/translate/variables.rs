//! Variables: those in registers, and the memory of the others.

use super::{Local, Result, Stride, Translator};
use crate::cpu::program::{Ins, Slot, SlotKind, Space};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{BuiltIn, Decoration, Op, StorageClass};
use wgc_spirv_module::module::{Def, EntryPoint, Global, Inst, Terminator};
use wgc_spirv_module::{Id, Type};

/// A variable with more scalars than this lives in memory.
const MAX_PROMOTED: u32 = 1024;

/// Bytes of the local variables in memory, for one thread.
const MAX_LOCALS: u32 = 1 << 24;

/// Bytes of workgroup memory.
const MAX_SHARED: u32 = 1 << 20;

/// Rows of each built-in that a compute shader may read.
const BUILTINS: &[(BuiltIn, u32)] = &[
    (BuiltIn::NumWorkgroups, 3),
    (BuiltIn::WorkgroupSize, 3),
    (BuiltIn::WorkgroupId, 3),
    (BuiltIn::LocalInvocationId, 3),
    (BuiltIn::GlobalInvocationId, 3),
    (BuiltIn::LocalInvocationIndex, 1),
    (BuiltIn::SubgroupSize, 1),
    (BuiltIn::NumSubgroups, 1),
    (BuiltIn::SubgroupId, 1),
    (BuiltIn::SubgroupLocalInvocationId, 1),
    (BuiltIn::SubgroupEqMask, 4),
    (BuiltIn::SubgroupGeMask, 4),
    (BuiltIn::SubgroupGtMask, 4),
    (BuiltIn::SubgroupLeMask, 4),
    (BuiltIn::SubgroupLtMask, 4),
    (BuiltIn::DeviceIndex, 1),
    (BuiltIn::RemainingRecursionLevelsAMDX, 1),
    (BuiltIn::ShaderIndexAMDX, 1),
];

impl Translator<'_> {
    /// Allocates every variable outside functions that the functions use.
    pub(super) fn globals(&mut self, entry: &EntryPoint, functions: &[Id]) -> Result<()> {
        self.promote(functions);
        let m = self.m;
        let mut used = FxHashSet::default();
        for function in functions.iter().filter_map(|&id| m.function(id)) {
            for inst in function.blocks.iter().flat_map(|b| &b.insts) {
                m.for_each_used_id(inst, |id| {
                    if m.def(id) == Def::Global {
                        used.insert(id);
                    }
                });
            }
        }
        // An input payload belongs to the entry point even if it is never read, and so do the variables of a mesh.
        let is_mesh = self.program.mesh.is_some();
        for id in &entry.interface {
            let class = m.globals.get(id).and_then(|g| StorageClass::from_u32(g.class));
            if class == Some(StorageClass::NodePayloadAMDX) || (is_mesh && class == Some(StorageClass::Output)) {
                used.insert(*id);
            }
        }
        for global in m.globals.values().filter(|g| used.contains(&g.id)) {
            self.word = global.inst.word;
            self.global(global)?;
        }
        self.word = 0;
        Ok(())
    }

    fn pointee(&self, pointer: Id) -> Result<Id> {
        match self.ty(pointer)? {
            Type::Pointer { pointee, .. } => Ok(*pointee),
            _ => Err(format!("%{pointer} is not a pointer type")),
        }
    }

    fn global(&mut self, global: &Global) -> Result<()> {
        let ty = self.pointee(global.ty)?;
        match StorageClass::from_u32(global.class) {
            Some(StorageClass::Input) => {
                let builtin = self.m.decoration_word(global.id, None, Decoration::BuiltIn).and_then(BuiltIn::from_u32);
                let known = BUILTINS.iter().find(|row| Some(row.0) == builtin);
                let n = self.count(ty)?;
                let Some(&(builtin, rows)) = known.filter(|row| row.1 == n) else {
                    let name = self.m.describe(global.id);
                    return Err(format!("this device does not provide the input {name} ({builtin:?})"));
                };
                let row = self.rows(rows)?;
                self.program.builtins.push((builtin, row, rows));
                self.program.cooperates |= !matches!(
                    builtin,
                    BuiltIn::RemainingRecursionLevelsAMDX
                        | BuiltIn::ShaderIndexAMDX
                        | BuiltIn::WorkgroupId
                        | BuiltIn::LocalInvocationId
                        | BuiltIn::GlobalInvocationId
                        | BuiltIn::LocalInvocationIndex
                        | BuiltIn::WorkgroupSize
                        | BuiltIn::NumWorkgroups
                        | BuiltIn::DeviceIndex
                );
                if self.promoted.contains(&global.id) {
                    self.locals.insert(global.id, Local { row, offset: None, ty });
                } else {
                    let address = self.private(global.id, ty)?;
                    let footprint = self.layouts.footprint(ty, Stride::Natural)?;
                    let footprint = self.intern(footprint);
                    self.prologue.push(Ins::Store { src: row, address, footprint, space: Space::Own });
                }
            }
            Some(StorageClass::Output) if self.program.mesh.is_some() => self.mesh_output(global, ty)?,
            Some(StorageClass::Private | StorageClass::Output) => {
                let initial = if global.initializer == 0 { None } else { Some(self.value(global.initializer)?.row) };
                self.variable(global.id, ty)?;
                if let Some(src) = initial {
                    self.initialise(global.id, ty, src)?;
                    self.prologue.append(&mut self.code);
                    self.words.clear();
                }
            }
            Some(StorageClass::Workgroup) => {
                let (bytes, _) = self.layouts.size(ty, Stride::Natural)?;
                let offset = self.program.shared_bytes.next_multiple_of(16);
                let end = offset.checked_add(bytes).filter(|&end| end <= MAX_SHARED);
                self.program.shared_bytes = end.ok_or("its workgroup variables need more than 1 MiB")?;
                let row = self.rows(1)?;
                self.program.shared_pointers.push((row, offset));
                self.program.cooperates = true;
                self.values.insert(global.id, super::Value { row, n: 1 });
            }
            Some(StorageClass::PushConstant) => {
                let (bytes, _) = self.layouts.size(ty, Stride::Natural)?;
                let row = self.rows(1)?;
                self.program.push_pointers.push(row);
                self.program.push_bytes = self.program.push_bytes.max(bytes);
                self.values.insert(global.id, super::Value { row, n: 1 });
            }
            Some(StorageClass::StorageBuffer | StorageClass::Uniform | StorageClass::UniformConstant) => {
                self.declare_coherence(global);
                self.slot(global, ty)?;
            }
            Some(StorageClass::NodePayloadAMDX) => {
                self.declare_coherence(global);
                self.input_payload(global, ty)?;
            }
            other => {
                return Err(format!(
                    "variable {} in storage class {other:?} is not supported",
                    self.m.describe(global.id)
                ));
            }
        }
        Ok(())
    }

    /// Creates a Function or Private variable: registers or local memory, zero at the start.
    pub(super) fn variable(&mut self, id: Id, ty: Id) -> Result<()> {
        if self.promoted.contains(&id) {
            let value = self.new_value(ty)?;
            self.program.zeroed.push((value.row, value.n));
            self.locals.insert(id, Local { row: value.row, offset: None, ty });
        } else {
            self.private(id, ty)?;
        }
        Ok(())
    }

    pub(super) fn initialise(&mut self, id: Id, ty: Id, src: u32) -> Result<()> {
        match self.locals.get(&id) {
            Some(local) => {
                let (row, n) = (local.row, self.count(ty)?);
                self.copy(row, src, n);
            }
            None => {
                let address = self.scalar(id)?;
                let footprint = self.layouts.footprint(ty, Stride::Natural)?;
                let footprint = self.intern(footprint);
                self.emit(Ins::Store { src, address, footprint, space: Space::Own });
            }
        }
        Ok(())
    }

    /// Reserves local memory for a variable; returns the row of its pointer.
    fn private(&mut self, id: Id, ty: Id) -> Result<u32> {
        let (bytes, _) = self.layouts.size(ty, Stride::Natural)?;
        let offset = self.program.private_bytes.next_multiple_of(16);
        let end = offset.checked_add(bytes).filter(|&end| end <= MAX_LOCALS);
        self.program.private_bytes = end.ok_or("its local variables need more than 16 MiB")?;
        let row = self.rows(1)?;
        self.program.private_pointers.push((row, offset));
        self.values.insert(id, super::Value { row, n: 1 });
        Ok(row)
    }

    fn slot(&mut self, global: &Global, ty: Id) -> Result<()> {
        let m = self.m;
        let word = |kind| m.decoration_word(global.id, None, kind);
        let name = m.names.get(&global.id).cloned().unwrap_or_default();
        let (Some(set), Some(binding)) = (word(Decoration::DescriptorSet), word(Decoration::Binding)) else {
            return Err(format!("variable {} has no set and binding", m.describe(global.id)));
        };
        let (element, array) = match self.ty(ty)? {
            Type::Array { element, .. } | Type::RuntimeArray { element } => (*element, true),
            _ => (ty, false),
        };
        let buffer = |kind| match array {
            true => (kind, false),
            false => (kind, true),
        };
        let (kind, direct) = match (self.ty(element)?, StorageClass::from_u32(global.class)) {
            (Type::Struct { .. }, Some(StorageClass::StorageBuffer)) => buffer(SlotKind::StorageBuffer),
            (Type::Struct { .. }, Some(StorageClass::Uniform)) => {
                match m.decoration(element, None, Decoration::BufferBlock) {
                    Some(_) => buffer(SlotKind::StorageBuffer),
                    None => buffer(SlotKind::UniformBuffer),
                }
            }
            (Type::Image(image), _) if image.dim == spirv::Dim::DimBuffer => match image.sampled {
                2 => (SlotKind::StorageTexels, false),
                _ => (SlotKind::SampledTexels, false),
            },
            (Type::Image(image), _) if image.sampled == 2 => (SlotKind::StorageImage, false),
            (Type::Image(_), _) => (SlotKind::SampledImage, false),
            (Type::Sampler, _) => (SlotKind::Sampler, false),
            (Type::SampledImage { .. }, _) => (SlotKind::CombinedImage, false),
            (Type::Other { opcode }, _) if *opcode == Op::TypeAccelerationStructureKHR as u16 => {
                (SlotKind::AccelerationStructure, false)
            }
            _ => {
                return Err(format!("resource {} has a kind that this device does not support", m.describe(global.id)));
            }
        };
        let row = self.rows(1)?;
        self.program.slots.push(Slot { set, binding, kind, name, row, direct });
        self.values.insert(global.id, super::Value { row, n: 1 });
        Ok(())
    }

    /// Finds the variables whose pointers are only loaded, stored through and indexed.
    fn promote(&mut self, functions: &[Id]) {
        let m = self.m;
        let mut root: FxHashMap<Id, Id> = FxHashMap::default();
        // A mesh is its workgroup's.
        let is_mesh = self.program.mesh.is_some();
        let registers = |class: u32| match StorageClass::from_u32(class) {
            Some(StorageClass::Private | StorageClass::Input | StorageClass::Function) => true,
            Some(StorageClass::Output) => !is_mesh,
            _ => false,
        };
        for global in m.globals.values().filter(|g| registers(g.class)) {
            root.insert(global.id, global.id);
        }
        let insts: Vec<&Inst> = functions
            .iter()
            .filter_map(|&id| m.function(id))
            .flat_map(|f| f.blocks.iter().flat_map(|b| &b.insts))
            .collect();
        for inst in insts.iter().filter(|i| i.op() == Some(Op::Variable)) {
            root.insert(inst.result, inst.result);
        }
        // Blocks may be in any order that dominance allows, so this repeats until there is no change.
        loop {
            let before = root.len();
            for inst in insts.iter().filter(|i| matches!(i.op(), Some(Op::AccessChain | Op::InBoundsAccessChain))) {
                if let Some(&base) = m.operands(inst).first().and_then(|base| root.get(base)) {
                    root.insert(inst.result, base);
                }
            }
            if root.len() == before {
                break;
            }
        }
        let mut escaped = FxHashSet::default();
        for inst in &insts {
            // Operands that may be such a pointer.
            let fine = match inst.op() {
                Some(Op::Load | Op::Store | Op::AccessChain | Op::InBoundsAccessChain) => 1,
                Some(Op::CopyMemory) => 2,
                _ => 0,
            };
            let mut at = 0;
            for operand in m.decoded(inst) {
                if let wgc_spirv_module::grammar::Operand::Id(id) = operand {
                    if let Some(root) = root.get(&id).filter(|_| at >= fine) {
                        escaped.insert(*root);
                    }
                    at += 1;
                }
            }
        }
        for function in functions.iter().filter_map(|&id| m.function(id)) {
            for block in &function.blocks {
                if let Terminator::ReturnValue(id) = block.terminator
                    && let Some(root) = root.get(&id)
                {
                    escaped.insert(*root);
                }
            }
        }
        let roots = root.into_iter().filter(|(id, root)| id == root).map(|(id, _)| id);
        for id in roots.filter(|id| !escaped.contains(id)) {
            let small = self.pointee(m.type_of(id)).and_then(|ty| self.count(ty)).is_ok_and(|n| n <= MAX_PROMOTED);
            if small {
                self.promoted.insert(id);
            }
        }
    }
}
