//! The text form of types; modules and functions follow.

use crate::Symbol;
use crate::types::{AllocScope, ImageDim, Space, StructType, Type};
use std::fmt::{self, Write};

/// Writes a type, with structures under the names that `name_of` gives them.
pub fn write_type(f: &mut dyn Write, ty: &Type, name_of: &dyn Fn(&StructType) -> Symbol) -> fmt::Result {
    match ty {
        Type::Void => f.write_str("void"),
        Type::Scalar(s) => f.write_str(s.name()),
        Type::Vector(s, n) => write!(f, "{}x{n}", s.name()),
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
        Type::Struct(s) => write_type_name(f, &name_of(s)),
        Type::Ref(space, pointee) => {
            write!(f, "ref<{}, ", space_name(*space))?;
            write_type(f, pointee, name_of)?;
            f.write_char('>')
        }
        Type::Records(r) => {
            write!(f, "records<{}, ", scope_name(r.scope))?;
            write_type(f, &r.record, name_of)?;
            f.write_char('>')
        }
        Type::Image(image) => {
            let kind = if image.storage { "rwimage" } else { "image" };
            let arrayed = if image.arrayed { ".array" } else { "" };
            write!(f, "{kind}<{}{arrayed}, {}", dim_name(image.dim), image.texel.name())?;
            if image.components != 1 {
                write!(f, "x{}", image.components)?;
            }
            f.write_char('>')
        }
        Type::Sampler => f.write_str("sampler"),
    }
}

pub(crate) fn space_name(space: Space) -> &'static str {
    match space {
        Space::Function => "function",
        Space::Private => "private",
        Space::Workgroup => "workgroup",
        Space::Storage { coherent: false } => "storage",
        Space::Storage { coherent: true } => "storage.coherent",
        Space::Uniform => "uniform",
        Space::PushConstant => "push_constant",
        Space::NodeInput => "node_input",
        Space::NodeOutput => "node_output",
        Space::Physical { coherent: false } => "physical",
        Space::Physical { coherent: true } => "physical.coherent",
    }
}

pub(crate) fn scope_name(scope: AllocScope) -> &'static str {
    match scope {
        AllocScope::Thread => "thread",
        AllocScope::Group => "group",
    }
}

pub(crate) fn dim_name(dim: ImageDim) -> &'static str {
    match dim {
        ImageDim::D1 => "1d",
        ImageDim::D2 => "2d",
        ImageDim::D3 => "3d",
        ImageDim::Cube => "cube",
        ImageDim::Buffer => "buffer",
    }
}

/// A structure's name in type position: quoted when a built-in type or no identifier.
fn write_type_name(f: &mut dyn Write, name: &str) -> fmt::Result {
    write!(f, "{name}")
}
