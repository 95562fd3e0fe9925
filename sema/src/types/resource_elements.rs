//! Element types of resources. Texels are numbers of a format that Vulkan has; constant blocks are structures.

use crate::db::diagnostic::Diagnostic;
use crate::db::ty::{Scalar, Ty, TyKind};
use crate::tables::builtin::Builtin;
use crate::tables::codes::Code;
use crate::types::cx::Cx;
use crate::types::layout::holds_node_objects;
use crate::types::record::type_arg;
use wgc_frontend::ast::Span;

/// Checks the declaration of a resource of type `ty`, or an array of them; false when it is wrong.
pub(crate) fn check<'db>(cx: &mut Cx<'_, 'db>, object: Builtin, ty: Ty<'db>, span: Span) -> bool {
    let db = cx.db;
    let TyKind::Record(inst) = ty.kind(db) else { return true };
    let Some(element) = type_arg(db, *inst).filter(|element| !element.is_error(db)) else { return true };
    let is_memory = object == Builtin::CountedBuffer
        || matches!(object, Builtin::StructuredBuffer { .. } | Builtin::ConstantBuffer | Builtin::TextureBuffer);
    if is_memory && holds_node_objects(db, element) {
        let message = format!("`{}` is invalid: a buffer outlives the nodes that own such objects", ty.display(db));
        let diagnostic = Diagnostic::new(Code::UnsupportedType, cx.place(span), message)
            .note("declare inputs, outputs and handles to records as parameters and locals of a node: buffers contain only numbers");
        cx.errors.push(diagnostic);
        return false;
    }
    let wrong = match object {
        Builtin::Texture { .. } | Builtin::TypedBuffer { .. } => texel(db, element),
        Builtin::ConstantBuffer | Builtin::TextureBuffer => block(db, element),
        Builtin::StructuredBuffer { .. } if matches!(element.kind(db), TyKind::Void) => {
            Some(("`void` has no size".into(), "use a `ByteAddressBuffer`, which has untyped bytes".into()))
        }
        Builtin::StructuredBuffer { .. } | Builtin::CountedBuffer if is_empty(db, element) => {
            let why = format!("`{}` has no members, so all elements would be at one address", element.display(db));
            Some((why, "add a member, or use a `ByteAddressBuffer`".into()))
        }
        _ => None,
    };
    let Some((why, note)) = wrong else { return true };
    let message = format!("`{}` is invalid: {why}", ty.display(db));
    cx.errors.push(Diagnostic::new(Code::UnsupportedType, cx.place(span), message).note(note));
    false
}

fn is_empty<'db>(db: &'db dyn crate::db::Db, element: Ty<'db>) -> bool {
    let extent = crate::types::extent::extent(db, element);
    extent.scalars == 0 && !extent.has_opaque
}

/// Returns the error in a texel type, and the type to use instead.
fn texel<'db>(db: &'db dyn crate::db::Db, element: Ty<'db>) -> Option<(String, String)> {
    let shown = element.display(db);
    let scalar = match element.kind(db) {
        TyKind::Scalar(scalar) | TyKind::Vector(scalar, _) => *scalar,
        TyKind::Matrix { .. } => {
            return Some(("a texel must be a number or a vector".into(), "use a vector for each row".into()));
        }
        TyKind::Record(_) if crate::types::record::builtin(db, element).is_none() => {
            let note = format!(
                "use a `StructuredBuffer<{shown}>` or `RWStructuredBuffer<{shown}>`, whose elements can have any type"
            );
            return Some((format!("a texel must be a number or a vector, but `{shown}` is a structure"), note));
        }
        _ => {
            let note = "declare an array of such resources".to_owned();
            return Some((format!("a texel must be a number or a vector, not `{shown}`"), note));
        }
    };
    match scalar {
        Scalar::F64 => Some((
            "Vulkan has no format with texels of `double`".into(),
            "use texels of `uint2` for the bits: `asdouble(texel.x, texel.y)`".into(),
        )),
        Scalar::Bool => Some(("Vulkan has no format with texels of `bool`".into(), "use `uint`".into())),
        _ => None,
    }
}

/// Reports a variable that cannot be a block of push constants. It must be a structure or a `ConstantBuffer` of one.
pub(crate) fn no_block<'db>(cx: &Cx<'_, 'db>, ty: Ty<'db>, span: Span) -> Option<Diagnostic<'db>> {
    let db = cx.db;
    if ty.is_error(db) || crate::types::record::builtin(db, ty) == Some(Builtin::ConstantBuffer) {
        return None;
    }
    let (why, _) = block(db, ty)?;
    let wrong = Diagnostic::new(Code::UnsupportedType, cx.place(span), format!("push constants: {why}"));
    Some(wrong.note("declare a structure of the pushed numbers, and one variable of it"))
}

fn block<'db>(db: &'db dyn crate::db::Db, element: Ty<'db>) -> Option<(String, String)> {
    let is_structure =
        matches!(element.kind(db), TyKind::Record(_)) && crate::types::record::builtin(db, element).is_none();
    if is_structure {
        return None;
    }
    let shown = element.display(db);
    let note = format!("put it into a structure, or into a `cbuffer B {{ {shown} value; }}`");
    Some((format!("a block of constants must be a structure, not `{shown}`"), note))
}
