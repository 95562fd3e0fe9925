//! The rule that capabilities and extensions are declared for everything that the module uses (SPIR-V 2.16.1, 3.31).

use super::capability_table::{CAPABILITIES, ENUMERANTS, INSTRUCTIONS};
use super::{Checker, rules};
use crate::grammar::{EnumKind, Operand};
use crate::module::Inst;
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{AddressingModel, Capability as C, Dim, MemoryModel, Op, StorageClass};
use std::sync::LazyLock;

type Any = &'static [C];

static BY_OP: LazyLock<FxHashMap<u16, Any>> =
    LazyLock::new(|| INSTRUCTIONS.iter().flat_map(|(caps, ops)| ops.iter().map(|op| (*op as u16, *caps))).collect());

static BY_VALUE: LazyLock<FxHashMap<(EnumKind, u32), Any>> = LazyLock::new(|| {
    ENUMERANTS.iter().flat_map(|(kind, caps, values)| values.iter().map(|v| ((*kind, *v), *caps))).collect()
});

/// Extensions for instructions that need no capability, and the minor version that has them in the core.
const INSTRUCTION_EXTENSIONS: &[(Op, &[&str], u8)] = &[
    (Op::DecorateString, &["SPV_GOOGLE_decorate_string", "SPV_GOOGLE_hlsl_functionality1"], 4),
    (Op::MemberDecorateString, &["SPV_GOOGLE_decorate_string", "SPV_GOOGLE_hlsl_functionality1"], 4),
    (Op::TerminateInvocation, &["SPV_KHR_terminate_invocation"], 6),
];

/// The extension for sets without semantics.
const NON_SEMANTIC: &[&str] = &["SPV_KHR_non_semantic_info"];

/// The extensions that a capability requires.
#[derive(Clone, Copy, Debug)]
pub struct Extensions {
    /// One of these must be declared ..
    pub names: &'static [&'static str],
    /// .. in modules of minor versions before this one.
    pub core_since: u8,
}

/// Returns the extensions that a capability needs; `None` if it was always in the core, or is unknown.
pub fn extensions_of(capability: u32) -> Option<Extensions> {
    let row = CAPABILITIES.iter().find(|row| row.capability as u32 == capability)?;
    (!row.extensions.is_empty()).then_some(Extensions { names: row.extensions, core_since: row.core_since })
}

pub(super) fn check(c: &mut Checker) {
    environment(c);
    let declared = closure(c);
    check_extensions(c);
    let mut reported = FxHashSet::default();
    for inst in c.insts {
        if let Some(any) = BY_OP.get(&inst.opcode) {
            require(c, &declared, &mut reported, inst, any, || inst.name());
        }
        for operand in c.decoded(inst) {
            let Operand::Enum(kind, value) = *operand else { continue };
            let masks = matches!(kind, EnumKind::MemoryAccess | EnumKind::ImageOperands);
            let bits =
                if masks { (0..32).map(|b| value & (1 << b)).filter(|b| *b != 0).collect() } else { vec![value] };
            for bit in bits {
                if let Some(any) = BY_VALUE.get(&(kind, bit)) {
                    require(c, &declared, &mut reported, inst, any, || format!("{kind:?} {bit}"));
                }
            }
        }
        if let Some((any, what)) = by_type(c, inst) {
            require(c, &declared, &mut reported, inst, any, || what.to_string());
        }
    }
    storage(c, &declared, &mut reported);
}

/// Capabilities of kernels, and of OpenGL features that Vulkan never adopted.
const NOT_IN_VULKAN: &[C] = &[
    C::Addresses,
    C::Linkage,
    C::Kernel,
    C::Vector16,
    C::Float16Buffer,
    C::ImageBasic,
    C::ImageReadWrite,
    C::ImageMipmap,
    C::Pipes,
    C::DeviceEnqueue,
    C::LiteralSampler,
    C::AtomicStorage,
    C::ImageRect,
    C::SampledRect,
    C::GenericPointer,
    C::SubgroupDispatch,
    C::NamedBarrier,
    C::PipeStorage,
];

fn environment(c: &mut Checker) {
    for (value, inst) in &c.m.capabilities {
        if NOT_IN_VULKAN.iter().any(|capability| *capability as u32 == *value) {
            c.at(rules::ENVIRONMENT, inst, format!("Vulkan has no capability {:?}", C::from_u32(*value)));
        }
    }
    let Some((addressing, memory, inst)) = &c.m.memory_model else { return };
    let physical = *addressing == AddressingModel::PhysicalStorageBuffer64 as u32;
    let logical = *addressing == AddressingModel::Logical as u32;
    // Vulkan does not restrict memory models, so all models of shaders are allowed.
    let models = [MemoryModel::Simple, MemoryModel::GLSL450, MemoryModel::Vulkan];
    let known = models.iter().any(|model| *model as u32 == *memory);
    if !(physical || logical) || !known {
        c.at(rules::ENVIRONMENT, inst, format!("unsupported addressing model {addressing} or memory model {memory}"));
    }
    let vulkan = c.m.has_capability(C::VulkanMemoryModel);
    if let (true, Some(model)) = (vulkan, MemoryModel::from_u32(*memory).filter(|model| *model != MemoryModel::Vulkan))
    {
        let message = format!("the module declares VulkanMemoryModel, but its memory model is {model:?}");
        c.at(rules::MEMORY_MODEL, inst, message);
    }
}

/// Returns the declared capabilities with all that they imply.
fn closure(c: &Checker) -> FxHashSet<C> {
    let mut declared = FxHashSet::default();
    let mut work: Vec<C> = c.m.capabilities.iter().filter_map(|(value, _)| C::from_u32(*value)).collect();
    while let Some(capability) = work.pop() {
        if declared.insert(capability)
            && let Some(row) = CAPABILITIES.iter().find(|row| row.capability == capability)
        {
            work.extend(row.implies);
        }
    }
    declared
}

fn require(
    c: &mut Checker,
    declared: &FxHashSet<C>,
    reported: &mut FxHashSet<Any>,
    inst: &Inst,
    any: Any,
    what: impl Fn() -> String,
) {
    if any.iter().any(|capability| declared.contains(capability)) || !reported.insert(any) {
        return;
    }
    let names: Vec<String> = any.iter().map(|c| format!("{c:?}")).collect();
    c.at(rules::CAPABILITY, inst, format!("{} needs the capability {}", what(), names.join(" or ")));
}

/// Returns the capabilities that depend on the width of a number.
fn by_type(c: &Checker, inst: &Inst) -> Option<(Any, &'static str)> {
    let op = inst.op()?;
    let width = c.operand(inst, 0);
    Some(match (op, width) {
        (Op::TypeInt, 8) => (
            &[
                C::Int8,
                C::StorageBuffer8BitAccess,
                C::UniformAndStorageBuffer8BitAccess,
                C::StoragePushConstant8,
                C::WorkgroupMemoryExplicitLayout8BitAccessKHR,
            ],
            "an 8-bit integer",
        ),
        (Op::TypeInt, 16) => (
            &[
                C::Int16,
                C::StorageBuffer16BitAccess,
                C::UniformAndStorageBuffer16BitAccess,
                C::StoragePushConstant16,
                C::StorageInputOutput16,
                C::WorkgroupMemoryExplicitLayout16BitAccessKHR,
            ],
            "a 16-bit integer",
        ),
        (Op::TypeFloat, 16) => (
            &[
                C::Float16,
                C::Float16Buffer,
                C::BFloat16TypeKHR,
                C::StorageBuffer16BitAccess,
                C::UniformAndStorageBuffer16BitAccess,
                C::StoragePushConstant16,
                C::StorageInputOutput16,
                C::WorkgroupMemoryExplicitLayout16BitAccessKHR,
            ],
            "a 16-bit float",
        ),
        (Op::Constant | Op::SpecConstant, _) => match c.m.ty(inst.ty)? {
            Type::Int { width: 8, .. } => (&[C::Int8], "an 8-bit constant"),
            Type::Int { width: 16, .. } => (&[C::Int16], "a 16-bit constant"),
            Type::Float { width: 16 } => (&[C::Float16, C::BFloat16TypeKHR], "a 16-bit constant"),
            _ => return None,
        },
        (Op::TypeImage, _) => {
            let storage = c.operand(inst, 5) == 2;
            match Dim::from_u32(c.operand(inst, 1))? {
                Dim::Dim1D if storage => (&[C::Image1D], "a one-dimensional storage image"),
                Dim::DimBuffer if storage => (&[C::ImageBuffer], "a storage image of a buffer"),
                _ => return None,
            }
        }
        // All other runtime arrays are at the end of blocks.
        (Op::Variable, _) => match c.m.ty(inst.ty)? {
            Type::Pointer { class, pointee }
                if super::memory::is_descriptor_class(*class)
                    && matches!(c.m.ty(*pointee), Some(Type::RuntimeArray { .. })) =>
            {
                (&[C::RuntimeDescriptorArray], "an array of descriptors without a length")
            }
            _ => return None,
        },
        (Op::TypeInt, 64) => (&[C::Int64], "a 64-bit integer"),
        (Op::TypeFloat, 64) => (&[C::Float64], "a 64-bit float"),
        (Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT, _) => {
            let Type::Float { width } = c.m.ty(c.pointer(c.operand(inst, 0))?.1)? else { return None };
            match (op == Op::AtomicFAddEXT, width) {
                (true, 16) => (&[C::AtomicFloat16AddEXT], "a sum of a 16-bit float"),
                (true, 32) => (&[C::AtomicFloat32AddEXT], "a sum of a 32-bit float"),
                (true, 64) => (&[C::AtomicFloat64AddEXT], "a sum of a 64-bit float"),
                (false, 16) => (&[C::AtomicFloat16MinMaxEXT], "a minimum or maximum of a 16-bit float"),
                (false, 32) => (&[C::AtomicFloat32MinMaxEXT], "a minimum or maximum of a 32-bit float"),
                (false, 64) => (&[C::AtomicFloat64MinMaxEXT], "a minimum or maximum of a 64-bit float"),
                _ => return None,
            }
        }
        _ if op == Op::AtomicStore || (Op::AtomicLoad..=Op::AtomicXor).contains(&op) => {
            let pointee = c.pointer(c.operand(inst, 0))?.1;
            match c.m.ty(pointee)? {
                Type::Int { width: 64, .. } => (&[C::Int64Atomics], "a 64-bit atomic"),
                _ => return None,
            }
        }
        _ => return None,
    })
}

/// Checks the capabilities for narrow numbers in memory that a host accesses.
fn storage(c: &mut Checker, declared: &FxHashSet<C>, reported: &mut FxHashSet<Any>) {
    const TABLE: &[(StorageClass, u32, Any)] = &[
        (StorageClass::StorageBuffer, 8, &[C::StorageBuffer8BitAccess, C::UniformAndStorageBuffer8BitAccess]),
        (StorageClass::PhysicalStorageBuffer, 8, &[C::StorageBuffer8BitAccess, C::UniformAndStorageBuffer8BitAccess]),
        (StorageClass::Uniform, 8, &[C::UniformAndStorageBuffer8BitAccess]),
        (StorageClass::PushConstant, 8, &[C::StoragePushConstant8]),
        (StorageClass::StorageBuffer, 16, &[C::StorageBuffer16BitAccess, C::UniformAndStorageBuffer16BitAccess]),
        (
            StorageClass::PhysicalStorageBuffer,
            16,
            &[C::StorageBuffer16BitAccess, C::UniformAndStorageBuffer16BitAccess],
        ),
        (StorageClass::Uniform, 16, &[C::UniformAndStorageBuffer16BitAccess]),
        (StorageClass::PushConstant, 16, &[C::StoragePushConstant16]),
    ];
    let mut narrowest: FxHashMap<u32, FxHashSet<u32>> = FxHashMap::default();
    for inst in &c.m.declarations {
        // Types contain only earlier types.
        let widths = match c.m.ty(inst.result) {
            Some(Type::Int { width, .. } | Type::Float { width }) => [*width].into_iter().collect(),
            Some(Type::Vector { component: part, .. } | Type::Matrix { column: part, .. })
            | Some(Type::Array { element: part, .. } | Type::RuntimeArray { element: part }) => {
                narrowest.get(part).cloned().unwrap_or_default()
            }
            Some(Type::Struct { members }) => {
                members.iter().filter_map(|m| narrowest.get(m)).flatten().copied().collect()
            }
            Some(Type::Pointer { class, pointee }) => {
                let widths = narrowest.get(pointee).cloned().unwrap_or_default();
                // A block of the old style is a storage buffer.
                for (_, _, any) in TABLE.iter().filter(|(k, w, _)| k == class && widths.contains(w)) {
                    require(c, declared, reported, inst, any, || "a narrow number in memory".into());
                }
                continue;
            }
            _ => continue,
        };
        narrowest.insert(inst.result, widths);
    }
}

fn check_extensions(c: &mut Checker) {
    let minor = c.m.version.1;
    let has = |c: &Checker, names: &[&str]| c.m.extensions.iter().any(|(name, _)| names.contains(&name.as_str()));
    for (value, inst) in &c.m.capabilities {
        let Some(row) = CAPABILITIES.iter().find(|row| row.capability as u32 == *value) else { continue };
        if !row.extensions.is_empty() && minor < row.core_since && !has(c, row.extensions) {
            let names = row.extensions.join(" or ");
            c.at(rules::EXTENSION, inst, format!("{:?} needs the extension {names}", row.capability));
        }
    }
    let mut reported = FxHashSet::default();
    for inst in c.insts {
        let Some(op) = inst.op() else { continue };
        let needed = match op {
            Op::TypePointer if c.operand(inst, 0) == StorageClass::StorageBuffer as u32 => {
                Some((&["SPV_KHR_storage_buffer_storage_class", "SPV_KHR_variable_pointers"][..], 3))
            }
            Op::ExtInstImport => {
                let is_plain = c.m.imports.get(&inst.result).is_some_and(|name| name.starts_with("NonSemantic."));
                is_plain.then_some((NON_SEMANTIC, 6))
            }
            _ => INSTRUCTION_EXTENSIONS.iter().find(|row| row.0 == op).map(|row| (row.1, row.2)),
        };
        if let Some((names, since)) = needed
            && minor < since
            && !has(c, names)
            && reported.insert(names)
        {
            c.at(rules::EXTENSION, inst, format!("needs the extension {}", names.join(" or ")));
        }
    }
}
