//! Constructs of a valid program that a target rejects, as diagnostics of its source.
//!
//! Back ends use the IR, which has no file locations. They name the token that declares a variable, and this module
//! finds it among the functions of the module.

use crate::check::symbol;
use crate::contracts::node::node;
use crate::db::def::{Item, SourcePlace};
use crate::db::diagnostic::{Diagnostic, FileRange, Rendered, RenderedLabel};
use crate::db::ty::FnInst;
use crate::db::units;
use crate::db::{Db, Program};
use crate::graph::node_functions;
use crate::link::compute::compute_entries;
use crate::link::link;
use crate::link::source_map::physical_map;
use crate::report::diagnostics::rendered;
use crate::tables::codes::{Code, Severity};
use crate::types::definition::{body, has_body};
use crate::types::signature::fn_signature;
use wgc_frontend::ast::Span;
use wgc_ir::passes::UntraceableReason;
use wgc_ir::{NodeId, SourceText};

/// A local whose referent a target cannot determine: a source variable, declared at this token, or the result of an
/// inlined function.
#[derive(Clone, Copy, Debug)]
pub struct UntraceableLocal<'a> {
    pub local: &'a str,
    pub declared: Option<&'a (SourceText, u32)>,
}

impl UntraceableLocal<'_> {
    /// Reports a handle that the native target cannot follow; `None` if its location is unknown.
    pub fn records(self, db: &dyn Db, program: Program) -> Option<Rendered> {
        let (place, what) = match self.place(db, program)? {
            (place, true) => (place, "the choice of records that this function returns".to_owned()),
            (place, false) => (place, format!("the choice of records in `{}`", self.local)),
        };
        let message = format!("{what} depends on control flow, which spirv-amdx does not support");
        let diagnostic = Diagnostic::new(Code::MergedHandle, place, message)
            .note("use the records in the branch that requests them")
            .note("or compile with `--target spirv-emulated`, which supports this");
        Some(rendered(db, &diagnostic))
    }

    /// Reports a resource that no target can identify; `None` if its location is unknown.
    pub fn resource(self, db: &dyn Db, program: Program, why: UntraceableReason) -> Option<Rendered> {
        let (place, is_result) = self.place(db, program)?;
        let what = if is_result { "the result of this function".to_owned() } else { format!("`{}`", self.local) };
        let (message, help) = match why {
            UntraceableReason::Unset => {
                (format!("{what} is used but never set to a resource"), "set it on every path to its use")
            }
            UntraceableReason::Foreign => (
                format!("cannot determine the resource of {what}"),
                "set it to a global, an element of a global array, or an element of a heap",
            ),
        };
        Some(rendered(db, &Diagnostic::new(Code::UnknownResource, place, message).note(help)))
    }

    /// Returns the location of the declaration, and whether that is the function that returns the local.
    fn place<'db>(self, db: &'db dyn Db, program: Program) -> Option<(SourcePlace<'db>, bool)> {
        let reached = &link(db, program).reached;
        let declared = self.declared.and_then(|(text, token)| {
            let (item, _) =
                reached.iter().filter_map(|f| body(db, *f)).find(|b| text_of(db, program, *b, text.body) == *text)?;
            Some(SourcePlace { item, body: text.body, span: Span { lo: *token, hi: *token + 1 } })
        });
        let returned = || {
            // The inliner's name for the result of a call or a part of it. It starts with the callee's symbol, whose
            // plain name ends at an `@`.
            let (callee, part) = self.local.rsplit_once(".result")?;
            let callee = callee.split('@').next().filter(|_| part.is_empty() || part.starts_with(['.', '[']))?;
            let callee = reached.iter().find(|f| symbol::entry(db, **f) == callee)?;
            Some(fn_signature(db, *callee).name_place)
        };
        declared.map(|place| (place, false)).or_else(|| Some((returned()?, true)))
    }
}

/// Reports a sample with an offset that Vulkan does not accept, at its token; `None` if its location is unknown.
pub fn refused_offset(db: &dyn Db, program: Program, text: &SourceText, token: u32, why: &str) -> Option<Rendered> {
    Some(Rendered {
        code: Code::TexelOffset,
        severity: Severity::Error,
        message: why.to_owned(),
        labels: vec![written_at(db, program, text, token)?],
        notes: vec!["use `Load`, which accepts variable offsets, or add the offset to the coordinate".to_owned()],
        fix: None,
    })
}

/// Reports an atomic on a record, which the native target does not support; `None` if its location is unknown.
pub fn payload_atomic(db: &dyn Db, program: Program, text: &SourceText, token: u32) -> Option<Rendered> {
    Some(Rendered {
        code: Code::PayloadAtomic,
        severity: Code::PayloadAtomic.row().severity,
        message: "an atomic on a record is undefined behaviour for spirv-amdx".to_owned(),
        labels: vec![written_at(db, program, text, token)?],
        notes: vec![
            "concurrent access to a record is a data race in VK_AMDX_shader_enqueue, and SPIRV-Tools rejects the module"
                .to_owned(),
            "`--target spirv-emulated` supports such atomics; `--deny payload-atomic` turns this into an error".to_owned(),
        ],
        fix: None,
    })
}

/// The part of a program that a target rejects, as far as the back end knows it.
#[derive(Clone, Copy, Debug, Default)]
pub struct RefusedPart<'a> {
    /// A statement: a text, and a token in it.
    pub at: Option<&'a (SourceText, u32)>,
    /// The symbol of a function.
    pub function: Option<&'a str>,
    /// The symbol of a global variable.
    pub global: Option<&'a str>,
    pub node: Option<&'a NodeId>,
    /// An output of the node.
    pub output: Option<&'a str>,
}

/// Reports any other construct that a target rejects, at the smallest known part, or else at the first entry point.
/// `None` for a program without one.
pub fn refused(db: &dyn Db, program: Program, code: Code, part: RefusedPart<'_>, why: &str) -> Option<Rendered> {
    if let Some(label) = part.at.and_then(|(text, token)| written_at(db, program, text, *token)) {
        let severity = Severity::Error;
        return Some(Rendered {
            code,
            severity,
            message: why.to_owned(),
            labels: vec![label],
            notes: vec![],
            fix: None,
        });
    }
    let linked = link(db, program);
    let function = |name: &str| {
        // Instances and copies of a function share its symbol up to an `@`.
        let plain = |symbol: &str| symbol.split('@').next().map(str::to_owned);
        let mut exact = linked.reached.iter().filter(|f| *symbol::entry(db, **f) == *name);
        let mut copies = linked.reached.iter().filter(|f| plain(&symbol::entry(db, **f)) == plain(name));
        exact.next().or_else(|| copies.next()).map(|f| fn_signature(db, *f).name_place)
    };
    let global = |name: &str| {
        let wanted = units(db, program).into_iter().flat_map(|unit| crate::link::bindings::wanted(db, unit));
        wanted.filter(|wanted| wanted.symbol == name).map(|wanted| wanted.place).next()
    };
    let named = |id: &NodeId| {
        let mut nodes = node_functions(db, program).iter().filter_map(|f| node(db, *f));
        let node = nodes.find(|node| node.id == *id)?;
        let output = node.outputs.iter().find(|output| part.output == Some(output.name.as_str()));
        Some(output.map_or(node.name_place, |output| output.name_place))
    };
    let entries = || {
        let mut all = node_functions(db, program).iter().chain(compute_entries(db, program));
        all.next().map(|f| fn_signature(db, FnInst::new(db, *f, None, Vec::new())).name_place)
    };
    let place = part.function.and_then(function).or_else(|| part.global.and_then(global));
    let place = place.or_else(|| part.node.and_then(named)).or_else(entries)?;
    Some(rendered(db, &Diagnostic::new(code, place, why)))
}

/// Reports a called function without a body, which the check of a library accepts; `None` if there is none.
pub fn missing_body(db: &dyn Db, program: Program) -> Option<Rendered> {
    let missing = link(db, program).reached.iter().find(|f| !has_body(db, **f))?;
    let signature = fn_signature(db, *missing);
    let message = format!("`{}` is called but has no body", signature.name);
    let refused = Diagnostic::new(Code::NoBody, signature.name_place, message).severity(Severity::Error);
    Some(rendered(db, &refused.note("compile all files together: a part of a program cannot become a module")))
}

/// Returns a label from a token to the end of the line or of the statement.
fn written_at(db: &dyn Db, program: Program, text: &SourceText, token: u32) -> Option<RenderedLabel> {
    let sources = physical_map(db, program);
    let at = sources.locate(text, token)?;
    let file = sources.files.get(at.file as usize)?;
    let mut lines = file.text.split_inclusive(|&byte| byte == b'\n');
    let before: usize = lines.by_ref().take(at.line as usize - 1).map(<[u8]>::len).sum();
    let lo = before + at.column as usize - 1;
    let rest = file.text.get(lo..)?;
    let len = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r' | b';')).unwrap_or(rest.len());
    let range = FileRange::new(file.path.as_str().into(), lo as u32, (lo + len) as u32);
    Some(RenderedLabel { range, message: String::new(), trail: Vec::new(), included: Vec::new() })
}

/// Reports a node that sends records and shares its input with a mesh node, which the emulated target draws after all
/// others. `None` if there are no such nodes.
pub fn shared_mesh(db: &dyn Db, program: Program, sender: &NodeId, mesh: &NodeId) -> Option<Rendered> {
    let named = |id: &NodeId| {
        let mut nodes = node_functions(db, program).iter().filter_map(|f| node(db, *f));
        nodes.find(|node| node.id == *id)
    };
    let (sender, mesh) = (named(sender)?, named(mesh)?);
    let message = format!("`{}` shares its input with mesh node `{}` and sends records", sender.name, mesh.name);
    let refused = Diagnostic::new(Code::MeshTarget, sender.name_place, message).also(mesh.name_place, "the mesh node");
    let why = "spirv-emulated draws mesh nodes last, and all nodes that share an input run at the same time";
    Some(rendered(
        db,
        &refused.note(why).note("send the records from another node, or compile with `--target spirv-amdx`"),
    ))
}

/// Reports a resource that cannot be a local root argument of a node; `why` is the reason. `None` if there is no such
/// node.
pub fn local_root(db: &dyn Db, program: Program, node: &NodeId, name: &str, why: &str) -> Option<Rendered> {
    let mut nodes = node_functions(db, program).iter().filter_map(|f| self::node(db, *f));
    let node = nodes.find(|known| known.id == *node)?;
    let wanted = units(db, program).into_iter().flat_map(|unit| crate::link::bindings::wanted(db, unit));
    let place = wanted.filter(|wanted| wanted.symbol == name).map(|wanted| wanted.place).next();
    let message = format!("`{name}` cannot be a local root argument of node `{}`: {why}", node.name);
    let refused = match place {
        Some(place) => Diagnostic::new(Code::LocalRootArgument, place, message).also(node.name_place, "the node"),
        None => Diagnostic::new(Code::LocalRootArgument, node.name_place, message),
    };
    let note = "the register is part of a local root signature";
    Some(rendered(
        db,
        &refused.note(note).note("compile with `--target spirv-amdx`, which binds it like any other resource"),
    ))
}

/// Names the text of a body or of its item's head.
fn text_of(db: &dyn Db, program: Program, body: (Item<'_>, u32), wanted: Option<u32>) -> SourceText {
    crate::link::source_map::linked_text(db, program, body.0, wanted.map(|_| body.1))
}
