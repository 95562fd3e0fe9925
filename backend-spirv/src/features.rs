//! Device features that modules require without a corresponding capability.

use wgc_ir::function::{AtomicOp, Op, Stmt};
use wgc_ir::{Function, Module, Scalar, Space, Type, walk};

/// A feature of VK_EXT_shader_atomic_float. SPIR-V has a capability for additions of floats, but none for exchanges.
pub const IMAGE_FLOAT_ATOMICS: &str = "shaderImageFloat32Atomics";

/// Returns the names of the Vulkan features.
pub fn without_capability(module: &Module) -> Vec<&'static str> {
    let exchanges = module.functions.values().any(|function| exchanges_float_texels(function));
    if exchanges { vec![IMAGE_FLOAT_ATOMICS] } else { Vec::new() }
}

/// Returns whether a function exchanges float texels. Outside images, floats are exchanged as their bits
/// ([`wgc_ir::passes::float_atomics`]).
fn exchanges_float_texels(function: &Function) -> bool {
    let mut found = false;
    walk::statements(&function.body, &mut |stmt| {
        if let Stmt::Let(id) = stmt
            && let Some(Op::Atomic { op: AtomicOp::Exchange, place, .. }) = function.value(*id).map(|value| &value.op)
        {
            let pointee = Type::Scalar(Scalar::F32);
            found |= function.type_of(*place) == Some(&Type::reference(Space::Image, pointee));
        }
    });
    found
}
