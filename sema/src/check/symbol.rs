//! Names of functions in the module: the plain name where it is the only one, else a readable mangling.
//!
//! ```text
//! Finish                    the only function of its name
//! geometry.area             in a namespace
//! Hash(uint2)               one of several
//! saturate<float3>(float3)  an instance of a template
//! Shape.area()              a method
//! emit(..)@output2          lowered for a node's output (`crate::lower::symbol`)
//! ```

use crate::check::env;
use crate::db::Db;
use crate::db::def::{Def, FnId, Name, VarId};
use crate::db::items::fn_node;
use crate::db::ty::{FnInst, GenericArg, RecordInst, Ty, TyKind};
use crate::tables::builtin::Builtin;
use crate::tables::scalar::Scalar;
use crate::types::names::lookup_in;
use wgc_ir::Symbol;

/// Names a node or a compute entry point. Its plain name stays, so that hosts and graphs find it.
pub fn entry<'db>(db: &'db dyn Db, f: FnInst<'db>) -> Symbol {
    base(db, f).into()
}

/// Names an output array of a mesh node, by its parameter.
pub fn mesh_output<'db>(db: &'db dyn Db, f: FnInst<'db>, param: &str) -> Symbol {
    format!("{}.{param}", base(db, f)).into()
}

/// Names a function regardless of its role.
pub fn plain<'db>(db: &'db dyn Db, f: FnInst<'db>) -> String {
    base(db, f)
}

/// Names the computation of a global's initial value.
pub fn start<'db>(db: &'db dyn Db, var: VarId<'db>, owner: Option<RecordInst<'db>>) -> Symbol {
    format!("{}@start", crate::types::globals::symbol(db, var, owner)).into()
}

pub(crate) fn base<'db>(db: &'db dyn Db, f: FnInst<'db>) -> String {
    let id = f.function(db);
    let signature = env::signature(db, f);
    let mut out = String::new();
    if let Some(owner) = f.owner(db) {
        out.push_str(&full_name(db, Ty::new(db, TyKind::Record(owner))));
        out.push('.');
        out.push_str(&signature.name);
    } else {
        out.push_str(&crate::types::globals::qualified(db, id.item, &signature.name));
    }
    let is_plain = f.owner(db).is_none() && f.args(db).is_empty() && is_only(db, id, &signature.name);
    if is_plain {
        return out;
    }
    if !f.args(db).is_empty() {
        let args: Vec<String> = f.args(db).iter().map(|a| argument(db, a)).collect();
        out.push_str(&format!("<{}>", args.join(",")));
    }
    let params: Vec<String> = signature.params.iter().map(|p| full_name(db, p.ty)).collect();
    out.push_str(&format!("({})", params.join(",")));
    out
}

/// Returns whether no other function of the program has this name in this scope.
fn is_only<'db>(db: &'db dyn Db, f: FnId<'db>, name: &str) -> bool {
    let program = f.item.program(db);
    if program == db.prelude() {
        return false;
    }
    let scope = Name::new(db, f.item.scope(db).to_string());
    let defs = lookup_in(db, program, scope, Name::new(db, name.to_string()));
    let defined = |d: &&Def<'db>| match d {
        Def::Function(f) => fn_node(db, *f).is_some_and(|n| n.function.body != wgc_frontend::ast::Body::None),
        _ => false,
    };
    defs.iter().filter(defined).nth(1).is_none()
}

fn argument<'db>(db: &'db dyn Db, arg: &GenericArg<'db>) -> String {
    match arg {
        GenericArg::Ty(ty) => full_name(db, *ty),
        GenericArg::Value(value) => value.number().to_string(),
    }
}

/// Returns a type's name with its scope, which the name for messages omits.
pub(crate) fn full_name<'db>(db: &'db dyn Db, ty: Ty<'db>) -> String {
    match ty.kind(db) {
        TyKind::Record(inst) if env::builtin(db, *inst).is_none_or(|b| matches!(b, Builtin::ConstantBuffer)) => {
            let id = inst.record(db);
            let name = crate::types::globals::qualified(db, id.item, &crate::types::record::record_name(db, id));
            let nth = if id.index == 0 { String::new() } else { format!("#{}", id.index) };
            let args: Vec<String> = inst.args(db).iter().map(|a| argument(db, a)).collect();
            if args.is_empty() { format!("{name}{nth}") } else { format!("{name}{nth}<{}>", args.join(",")) }
        }
        TyKind::Record(inst) => {
            let args: Vec<String> = inst.args(db).iter().map(|a| argument(db, a)).collect();
            let name = crate::types::record::record_name(db, inst.record(db));
            if args.is_empty() { name } else { format!("{name}<{}>", args.join(",")) }
        }
        TyKind::Enum(e) => {
            let name = crate::db::items::enum_node(db, *e).and_then(|node| node.def.name.as_ref());
            let name = name.map_or_else(|| format!("enum#{}", e.index), |name| name.text.to_string());
            match e.owner {
                Some(owner) => format!("{}.{name}", full_name(db, Ty::new(db, TyKind::Record(owner)))),
                None => crate::types::globals::qualified(db, e.item, &name),
            }
        }
        TyKind::Array(element, len) => {
            let len = len.map(|n| n.to_string()).unwrap_or_default();
            format!("{}[{len}]", full_name(db, *element))
        }
        // Without `-enable-16bit-types`, `half` has 32 bits, and both are types of their own.
        TyKind::Scalar(Scalar::F16) | TyKind::Vector(Scalar::F16, _) | TyKind::Matrix { scalar: Scalar::F16, .. } => {
            ty.display(db).replace("half", "float16_t")
        }
        _ => ty.display(db),
    }
}
