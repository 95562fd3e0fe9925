//! Everything that is wrong with a program, with places in files.
//!
//! [`item_diagnostics`] gathers what concerns one item without its bodies; [`diagnostics`] adds bodies, the graph and
//! the rest, and is the only one that reads positions.

use crate::check::check;
use crate::check::item::item_diagnostics;
use crate::contracts::syntax_doubt::{Doubt, lacks_a_file};
use crate::db::def::{At, FnId, Place, RecordId, VarId};
use crate::db::diagnostic::{
    Diagnostic, FileRange, Fix, Inside, Label, LineName, Rendered, RenderedFix, RenderedLabel,
};
use crate::db::items::functions;
use crate::db::items::{ProgramUnit, body_tree, item_origins, item_tree, items, origins, unit};
use crate::db::ty::{FnInst, GenericArg, RecordInst, Ty, TyKind};
use crate::db::{Db, Program};
use crate::db::{is_whole, units};
use crate::flow::reachability::needed;
use crate::link::{MAX_INSTANCES, has_compute_entry, link, too_much};
use crate::lower::Role;
use crate::lower::unit::Unit;
use crate::report::damage::{Stumble, broken_parts, first_of_each};
use crate::report::instantiation_notes::Gathered;
use crate::tables::codes::{Code, Severity};
use crate::tables::collections::IndexSet;
use crate::types::globals::global;
use crate::types::instantiation::plain_function;
use crate::types::record::{plain_records, record};
use crate::types::signature::{fn_signature, template_params};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use wgc_frontend::ast::Span;
use wgc_frontend::diagnostic::{Error, ErrorCode, Location};
use wgc_ir::MAX_VALUES;

/// The row of the table for each kind of mistake that the front end reports.
pub fn code_of(code: ErrorCode) -> Code {
    use ErrorCode as E;
    match code {
        E::NotUtf8 | E::WrongEncoding => Code::Encoding,
        E::UnexpectedCharacter | E::UnterminatedComment | E::UnterminatedLiteral | E::TokenTooLong => Code::Lexical,
        E::UnknownDirective
        | E::MalformedDirective
        | E::MalformedInclude
        | E::MalformedCondition
        | E::UnmatchedConditional
        | E::UnterminatedConditional
        | E::IncludeTooDeep => Code::Directive,
        E::IncludeNotFound => Code::IncludeNotFound,
        E::UserError => Code::UserError,
        E::UserWarning => Code::UserWarning,
        E::MacroRedefined => Code::MacroRedefined,
        E::MacroArguments | E::UnterminatedMacroCall | E::BadPaste | E::ExpansionLimit => Code::MacroCall,
        E::NestingTooDeep => Code::NestingTooDeep,
        E::EffectSyntax => Code::EffectSyntax,
        E::ExpectedToken
        | E::ExpectedExpression
        | E::ExpectedName
        | E::ExpectedType
        | E::ExpectedStatement
        | E::ExpectedDeclaration
        | E::ExpectedBody
        | E::UnexpectedToken
        | E::UnmatchedBrace
        | E::UnclosedBrace => Code::Syntax,
    }
}

/// All diagnostics of a program, each once, by file and place.
#[salsa::tracked(returns(ref))]
pub fn diagnostics(db: &dyn Db, program: Program) -> Vec<Rendered> {
    if let Some(cut) = cut_short(db, program) {
        return cut;
    }
    let renderer = Renderer { db };
    let (mut out, mut follow_ups, mut broken) = (Vec::new(), Vec::new(), Vec::new());
    let mut order: FxHashMap<&str, usize> = FxHashMap::default();
    for part in units(db, program) {
        let whole = unit(db, part);
        let (mut text, preprocessed) = text_and_syntax(db, part);
        let grammar = text.split_off(preprocessed);
        // A file that is missing may hold macros: what the grammar says without them is a guess.
        if !lacks_a_file(db, part) {
            follow_ups.extend(grammar);
        }
        broken.extend(broken_parts(db, part, whole, &text));
        out.extend(text);
        for file in &whole.files {
            let next = order.len();
            order.entry(file.path(db)).or_insert(next);
        }
    }
    let doubt = Doubt::of(db, program);
    let mut semantic = semantic(db, program, &doubt);
    // What a host gives, or may have meant to give, is not missing in the text.
    let host_is_wrong = doubt.is_none() && crate::graph::graph(db, program).host_is_wrong;
    let answered = crate::graph::host::overrides::answered(db, program);
    semantic.retain(|d| match d.primary.place {
        At::Text(_) if host_is_wrong => !matches!(d.code, Code::MissingGrid | Code::MissingMaxRecords),
        At::Text(place) => !answered.contains(&(d.code, place)),
        At::Host(_) => true,
    });
    if let Some(file) = crate::graph::host::file(db, program) {
        let (problems, unreadable) = crate::graph::host::problems(db, file);
        out.extend(problems.iter().map(|diagnostic| renderer.render(diagnostic)));
        if let Some((message, range)) = unreadable {
            let mut whole = about_file(file.path(db), Code::HostFile, message, "");
            whole.labels[0].range = range;
            out.push(whole);
        }
        let next = order.len();
        order.entry(file.path(db)).or_insert(next);
    }
    follow_ups.extend(semantic.iter().filter(|d| !doubt.hides(d, db)).map(|diagnostic| renderer.render(diagnostic)));
    out.extend(follow_ups.into_iter().filter(|r| {
        let range = &r.labels[0].range;
        !broken.iter().any(|part| part.file == range.file && part.lo <= range.hi && range.lo < part.hi)
    }));
    if program.options(db).library {
        leave_out_late(&mut out);
    }
    let mut has_errors = out.iter().any(|r| r.severity == Severity::Error);
    if !has_errors && let Some(gap) = crate::report::missing_module::unexplained(db, program) {
        out.push(renderer.render(&gap));
        has_errors = true;
    }
    let first = units(db, program).first().and_then(|unit| unit.roots(db).first());
    let nothing = first.filter(|_| !has_errors).and_then(|root| nothing_to_run(db, program, root.path(db)));
    if let Some(nothing) = nothing {
        let nearly = out.iter().position(|r| r.code == Code::NodeAttribute).filter(|_| nothing.code == Code::NoNodes);
        match nearly.map(|n| out.remove(n)) {
            // A function that is a node but for something: one message.
            Some(why) => {
                let message = format!("{}: {}", nothing.message, why.message);
                out.push(Rendered { message, code: nothing.code, ..why });
            }
            None => out.push(nothing),
        }
    }
    let key = |r: &Rendered| {
        let range = &r.labels[0].range;
        (order.get(&*range.file).copied().unwrap_or(usize::MAX), range.clone(), r.code)
    };
    out.sort_by_cached_key(key);
    out.dedup();
    out
}

/// Of a library with other errors DXC does not say what it finds in passes of its own, behind the checks of names and
/// types: there, the errors of a library are DXC's.
fn leave_out_late(out: &mut Vec<Rendered>) {
    let is_late = |r: &Rendered| r.severity == Severity::Error && r.code.is_late();
    if out.iter().any(|r| r.severity == Severity::Error && !is_late(r)) {
        out.retain(|r| !is_late(r));
    }
}

/// What the preprocessor and the grammar say, in no order that matters, without a look at names and types.
pub fn syntax(db: &dyn Db, program: Program) -> Vec<Rendered> {
    units(db, program).into_iter().flat_map(|unit| text_and_syntax(db, unit).0).collect()
}

/// What the preprocessor says where a limit ends its work: what follows has other tokens than the author wrote, and all
/// that could be said of them is a guess.
fn cut_short(db: &dyn Db, program: Program) -> Option<Vec<Rendered>> {
    let is_limit = |error: &Error| matches!(error.code, ErrorCode::ExpansionLimit | ErrorCode::IncludeTooDeep);
    let is_cut = units(db, program).into_iter().any(|part| unit(db, part).unit.errors.iter().any(is_limit));
    is_cut.then(|| preprocessing(db, program))
}

/// What the preprocessor says, in the order of the text: nothing behind it is asked for.
pub fn preprocessing(db: &dyn Db, program: Program) -> Vec<Rendered> {
    let mut out = Vec::new();
    for part in units(db, program) {
        let whole = unit(db, part);
        out.extend(whole.unit.errors.iter().map(|e| front_end(db, whole, e)).filter(|r| r.code < Code::Syntax));
    }
    out
}

/// The messages of [`syntax`], and how many of them are about files and preprocessing: those come first.
fn text_and_syntax(db: &dyn Db, program: Program) -> (Vec<Rendered>, usize) {
    let mut out: Vec<Rendered> = Vec::new();
    for root in program.roots(db).iter().filter(|r| !r.exists(db)) {
        out.push(about_file(root.path(db), Code::FileNotFound, format!("cannot read `{}`", root.path(db)), ""));
    }
    let whole = unit(db, program);
    let (origins, brace_errors) = item_origins(db, program);
    out.extend(whole.unit.errors.iter().map(|e| front_end(db, whole, e)));
    let preprocessed = out.len();
    let stumble = |e: &Error, item, is_head| Stumble { code: e.code, error: front_end(db, whole, e), item, is_head };
    let mut stumbles: Vec<Stumble> = brace_errors.iter().map(|e| stumble(e, None, true)).collect();
    for (number, (item, origins)) in items(db, program).iter().zip(origins).enumerate() {
        let errors = item_tree(db, *item).errors.iter().map(|e| whole.unit.locate(e, &origins.head));
        stumbles.extend(errors.map(|e| stumble(&e, Some(number), true)));
        for (n, origins) in origins.bodies.iter().enumerate() {
            let Some(body) = body_tree(db, *item, n as u32) else { continue };
            let errors = body.errors.iter().map(|e| whole.unit.locate(e, origins));
            stumbles.extend(errors.map(|e| stumble(&e, Some(number), false)));
        }
    }
    out.extend(first_of_each(db, program, stumbles));
    (out, preprocessed)
}

/// One diagnostic of a program or of the prelude, with its places in files.
pub(crate) fn rendered<'db>(db: &'db dyn Db, diagnostic: &Diagnostic<'db>) -> Rendered {
    Renderer { db }.render(diagnostic)
}

/// The place as a range of its file; that of a macro's use where a macro put the tokens there.
pub fn range_of<'db>(db: &'db dyn Db, at: At<'db>) -> FileRange {
    match at {
        At::Text(place) => {
            let (program, at) = Renderer { db }.location(place);
            range(db, program, at)
        }
        At::Host(place) => crate::graph::host::range(db, place),
    }
}

/// The range of one token of a unit.
pub fn token_range(db: &dyn Db, program: &ProgramUnit, token: u32) -> FileRange {
    let at = program.unit.origins.get(token as usize).copied();
    at.map_or_else(|| FileRange::new("".into(), 0, 0), |at| range(db, program, at))
}

/// The text of a place as its file has it: where a macro put the tokens there, its use.
pub(crate) fn source_text<'db>(db: &'db dyn Db, place: Place<'db>) -> Option<String> {
    let (program, at) = Renderer { db }.location(place);
    let place = program.unit.place(at);
    let text = program.files.get(place.file.0 as usize)?.text(db);
    Some(String::from_utf8_lossy(text.get(place.lo as usize..place.hi as usize)?).into_owned())
}

/// A diagnostic about a file as a whole.
fn about_file(path: &str, code: Code, message: String, note: &str) -> Rendered {
    let range = FileRange::new(path.into(), 0, 0);
    Rendered {
        code,
        severity: code.row().severity,
        message,
        labels: vec![RenderedLabel { range, message: String::new(), trail: Vec::new(), included: Vec::new() }],
        notes: if note.is_empty() { Vec::new() } else { vec![note.to_string()] },
        fix: None,
    }
}

/// A program that a host can start nothing of.
fn nothing_to_run(db: &dyn Db, program: Program, path: &str) -> Option<Rendered> {
    let options = program.options(db);
    if has_compute_entry(db, program) {
        return None;
    }
    if let Some(name) = &options.compute_entry {
        return Some(match crate::link::compute::no_entry(db, program, name) {
            Ok(diagnostic) => rendered(db, &diagnostic),
            Err(message) => about_file(path, Code::EntryNotFound, message, "it must have a body and be no method"),
        });
    }
    let is_empty = crate::graph::graph(db, program).graph.nodes.is_empty();
    (is_empty && !options.library)
        .then(|| about_file(path, Code::NoNodes, "this program has no nodes".to_string(), NO_NODES_HELP))
}

/// That a program has no nodes, as an error: a graph is asked for.
pub fn no_nodes(db: &dyn Db, program: Program) -> Option<Rendered> {
    let path = units(db, program).first()?.roots(db).first()?.path(db);
    let missing = about_file(path, Code::NoNodes, "this program has no nodes".to_string(), NO_NODES_HELP);
    Some(Rendered { severity: Severity::Error, ..missing })
}

const NO_NODES_HELP: &str = "a node is a function with `[Shader(\"node\")]`";

/// What names, types, checks, the graph and lowering say, in no order that matters.
fn semantic<'db>(db: &'db dyn Db, program: Program, doubt: &Doubt<'db>) -> IndexSet<Diagnostic<'db>> {
    let mut out: IndexSet<Diagnostic<'db>> = IndexSet::default();
    for unit in units(db, program) {
        of_unit(db, unit, &mut out);
        out.extend(crate::flow::records::diagnostics(db, unit, program));
    }
    out.extend(crate::flow::lints::memory::of_program(db, program).iter().cloned());
    if !doubt.is_none() {
        return out;
    }
    out.extend(crate::graph::graph(db, program).diagnostics.iter().cloned());
    out.extend(crate::flow::group_memory::group_memory(db, program).iter().cloned());
    out.extend(crate::flow::reach::sharing_at_entries(db, program).iter().cloned());
    let linked = link(db, program);
    out.extend(linked.bindings.diagnostics.iter().cloned());
    if is_whole(db, program) {
        out.extend(linked.diagnostics.iter().cloned());
    }
    out
}

/// What concerns one translation unit, whatever graph it is part of.
fn of_unit<'db>(db: &'db dyn Db, program: Program, out: &mut IndexSet<Diagnostic<'db>>) {
    let mut found = Gathered::default();
    found.add(crate::types::redeclarations::redeclarations(db, program).iter().cloned());
    found.add(crate::types::blocks::loose_diagnostics(db, program));
    let needed = needed(db, program);
    found.add(needed.exported_circles(db));
    for item in items(db, program) {
        found.add(item_diagnostics(db, *item).iter().filter(|d| needed.item_counts(db, *item, d)).cloned());
    }
    let mut unknown: FxHashSet<At<'db>> = FxHashSet::default();
    for f in functions(db, program) {
        db.unwind_if_revision_cancelled();
        // Said of the template as a whole, whatever its instances.
        unknown.extend(crate::check::template_names::unknown(db, f).iter().map(|d| d.primary.place));
        if let Some(inst) = plain_function(db, f)
            && crate::types::definition::has_body(db, inst)
        {
            found.add(check(db, inst).diagnostics.iter().filter(|d| needed.counts(inst, d)).cloned());
        }
    }
    let is_new = |d: &&Diagnostic<'db>| !unknown.contains(&d.primary.place);
    let linked = link(db, program);
    for inst in &linked.reached {
        found.add_of(db, *inst, fn_signature(db, *inst).diagnostics.iter().cloned());
        found.add_of(db, *inst, check(db, *inst).diagnostics.iter().filter(is_new).cloned());
    }
    let (instances, last) = instances(db, program, &linked.reached);
    if let Some(last) = last.filter(|_| linked.diagnostics.iter().all(|d| d.code != Code::TooMuchCode)) {
        found.add(too_much(db, &Unit::root(last, Role::Callee)));
    }
    for inst in instances.iter().filter(|inst| !linked.reached.contains(*inst)) {
        found.add_of(db, *inst, fn_signature(db, *inst).diagnostics.iter().cloned());
        let counts = |d: &&Diagnostic<'db>| needed.counts(*inst, d) && is_new(d);
        found.add_of(db, *inst, check(db, *inst).diagnostics.iter().filter(counts).cloned());
    }
    for inst in &instances {
        found.add(crate::lower::grid_writes::grid_writes(db, *inst).iter().cloned());
        found.add(crate::flow::coherence::coherence(db, *inst).iter().cloned());
    }
    found.add(template_instances(db, program, &instances));
    found.add(linked.diagnostics.iter().cloned());
    found.add(crate::link::root_signature::program_diagnostics(db, program).iter().cloned());
    found.add(crate::flow::reach::groupshared(db, program).iter().cloned());
    found.add(crate::flow::call_context::contexts(db, program).iter().cloned());
    out.extend(found.labelled(db, &instances));
}

/// All functions that are no templates, whoever needs them, and what they make of templates by calling them; and the
/// instance that has no room any more, at which the rest is left out.
fn instances<'db>(
    db: &'db dyn Db,
    program: Program,
    reached: &IndexSet<FnInst<'db>>,
) -> (IndexSet<FnInst<'db>>, Option<FnInst<'db>>) {
    let mut out = reached.clone();
    out.extend(functions(db, program).into_iter().filter_map(|f| plain_function(db, f)));
    let mut counts: FxHashMap<FnId<'db>, u32> = FxHashMap::default();
    let (mut next, mut size) = (0, 0);
    // Grows while it is walked.
    while let Some(function) = out.get_index(next).copied() {
        next += 1;
        if is_instance(db, function) {
            size += check(db, function).body.exprs.len();
        }
        if size > MAX_VALUES {
            out.truncate(next);
            return (out, Some(function));
        }
        for (callee, _) in &crate::flow::call_context::uses(db, function).calls {
            // Linking reports a template that needs ever more of itself; here it only must end.
            let count = counts.entry(callee.function(db)).or_insert(0);
            if *count < MAX_INSTANCES && out.insert(*callee) {
                *count += 1;
            }
        }
    }
    (out, None)
}

fn is_instance<'db>(db: &'db dyn Db, f: FnInst<'db>) -> bool {
    !f.args(db).is_empty() || f.owner(db).is_some_and(|o| !o.args(db).is_empty())
}

/// Instances of templates that a translation unit makes, for editors.
#[salsa::tracked(returns(ref))]
pub fn program_instances<'db>(db: &'db dyn Db, program: Program) -> Vec<FnInst<'db>> {
    let all = instances(db, program, &link(db, program).reached).0.into_iter();
    all.filter(|f| is_instance(db, *f)).collect()
}

/// What is wrong with instances of record templates that globals and checked functions mention, and with the heads of
/// their methods. A template alone is not checked: its types are unknown.
fn template_instances<'db>(db: &'db dyn Db, program: Program, checked: &IndexSet<FnInst<'db>>) -> Vec<Diagnostic<'db>> {
    let mut types: IndexSet<Ty<'db>> = IndexSet::default();
    for item in items(db, program) {
        for index in 0..item_tree(db, *item).decls.vars.len() as u32 {
            types.extend(global(db, VarId { item: *item, index }, None).map(|g| g.ty));
        }
        types.extend(plain_records(db, *item).into_iter().map(|inst| Ty::new(db, TyKind::Record(inst))));
    }
    for inst in checked {
        let signature = fn_signature(db, *inst);
        types.extend(signature.params.iter().map(|p| p.ty).chain([signature.ret]));
        let body = &check(db, *inst).body;
        types.extend(body.locals.iter().map(|l| l.ty).chain(body.exprs.iter().map(|e| e.ty)));
    }
    let mut out = Vec::new();
    let mut counts: FxHashMap<RecordId<'db>, u32> = FxHashMap::default();
    let mut next = 0;
    // Grows while it is walked.
    while let Some(ty) = types.get_index(next).copied() {
        next += 1;
        match ty.kind(db) {
            TyKind::Array(element, _) => {
                types.insert(*element);
            }
            TyKind::Record(inst) => {
                // A template that needs ever more of itself is reported by those that are looked at.
                let count = counts.entry(inst.record(db)).or_insert(0);
                *count += 1;
                if *count > MAX_INSTANCES && inst.record(db).item.program(db) == program {
                    continue;
                }
                let decl = record(db, *inst);
                if !inst.args(db).is_empty() && inst.record(db).item.program(db) == program {
                    out.extend(decl.diagnostics.iter().cloned());
                    out.extend(crate::types::interfaces::missing(db, *inst));
                    let methods = methods(db, *inst);
                    out.extend(methods.flat_map(|method| fn_signature(db, method).diagnostics.iter().cloned()));
                }
                types.extend(
                    inst.args(db).iter().filter_map(|a| if let GenericArg::Ty(ty) = a { Some(*ty) } else { None }),
                );
                types.extend(decl.fields.iter().map(|f| f.ty));
                types.extend(decl.bases.iter().map(|base| Ty::new(db, TyKind::Record(*base))));
            }
            _ => {}
        }
    }
    out
}

/// Methods of a record that are no templates themselves.
fn methods<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> impl Iterator<Item = FnInst<'db>> {
    let record = crate::types::definition::record(db, inst).record;
    let functions = item_tree(db, record.item).decls.functions.iter().zip(0..);
    let own = functions.filter(move |(f, _)| f.around.owner == Some(record.index));
    own.map(move |(_, index)| FnId { item: record.item, index })
        .filter(|f| template_params(db, *f).is_empty())
        .map(move |f| FnInst::new(db, f, Some(inst), Vec::new()))
}

fn front_end(db: &dyn Db, program: &ProgramUnit, error: &Error) -> Rendered {
    let code = code_of(error.code);
    let mut labels = vec![label(db, program, error.at, String::new())];
    labels.extend(error.notes.iter().map(|(text, at)| label(db, program, *at, text.clone())));
    let rendered = Rendered {
        code,
        severity: if error.code.is_warning() { Severity::Warning } else { code.row().severity },
        message: error.message.clone(),
        labels,
        notes: error.help.map(str::to_string).into_iter().collect(),
        fix: error.fix.as_ref().map(|fix| RenderedFix {
            range: range(db, program, fix.at),
            replacement: fix.text.clone(),
            message: match fix.text.trim() {
                "" => "leave it out".to_string(),
                text => format!("write `{text}`"),
            },
        }),
    };
    rendered.shortened()
}

fn label(db: &dyn Db, program: &ProgramUnit, at: Location, message: String) -> RenderedLabel {
    let mut spelled = at.place;
    let mut trail = Vec::new();
    for expansion in program.unit.trail(at) {
        trail.push((expansion.name.to_string(), file_range(db, program, spelled)));
        spelled = expansion.use_site.place;
    }
    let place = program.unit.place(at);
    let included = program.unit.inclusions(place.file).into_iter().map(|by| file_range(db, program, by)).collect();
    RenderedLabel { range: file_range(db, program, place), message, trail, included }
}

pub fn range(db: &dyn Db, program: &ProgramUnit, at: Location) -> FileRange {
    file_range(db, program, program.unit.place(at))
}

fn file_range(db: &dyn Db, program: &ProgramUnit, place: wgc_frontend::diagnostic::Place) -> FileRange {
    let file: Arc<str> = program.files.get(place.file.0 as usize).map_or("".into(), |f| f.path(db).into());
    let named = program.unit.line_directive(place.file, place.lo).map(|directive| LineName {
        file: directive.name.as_deref().map_or_else(|| file.clone(), Arc::from),
        shift: directive.shift,
    });
    FileRange { named, ..FileRange::new(file, place.lo, place.hi) }
}

/// Turns token places into file ranges; a place may be in the program or in the prelude.
struct Renderer<'db> {
    db: &'db dyn Db,
}

/// Of a string literal, together.
const QUOTES: u32 = 2;

impl<'db> Renderer<'db> {
    fn location(&self, place: Place<'db>) -> (&'db ProgramUnit, Location) {
        let (program, span, tokens) = self.tokens(place);
        (program, program.unit.span_location(span, tokens))
    }

    /// A span, and the tokens of the unit that it counts.
    fn tokens(&self, place: Place<'db>) -> (&'db ProgramUnit, Span, &'db [u32]) {
        let db = self.db;
        let place = crate::types::local_types::in_program(db, place);
        let Some((whole, origins)) = origins(db, place.item) else {
            return (unit(db, place.item.program(db)), place.span, &[]);
        };
        let tokens = match place.body {
            None => Some(&origins.head),
            Some(n) => origins.bodies.get(n as usize),
        };
        (whole, place.span, tokens.map_or(&[], Vec::as_slice))
    }

    fn label(&self, label_: &Label<'db>) -> RenderedLabel {
        match label_.place {
            At::Text(place) => {
                let (program, at) = self.location(place);
                label(self.db, program, at, label_.message.clone())
            }
            At::Host(place) => RenderedLabel {
                range: crate::graph::host::range(self.db, place),
                message: label_.message.clone(),
                trail: Vec::new(),
                included: Vec::new(),
            },
        }
    }

    fn render(&self, diagnostic: &Diagnostic<'db>) -> Rendered {
        let mut primary = self.label(&diagnostic.primary);
        if let Some(Inside { at, len, whole }) = diagnostic.inside
            && primary.range.hi.checked_sub(primary.range.lo) == Some(whole + QUOTES)
        {
            primary.range.lo += 1 + at;
            primary.range.hi = primary.range.lo + len;
        }
        let mut labels = vec![primary];
        labels.extend(diagnostic.secondary.iter().map(|l| self.label(l)));
        let rendered = Rendered {
            code: diagnostic.code,
            severity: diagnostic.severity,
            message: diagnostic.message.clone(),
            labels,
            notes: diagnostic.notes.clone(),
            fix: diagnostic.fix.as_ref().and_then(|f| self.fix(f)),
        };
        rendered.shortened()
    }

    /// A fix inside a macro's body would change other places too: none is offered there.
    fn fix(&self, fix: &Fix<'db>) -> Option<RenderedFix> {
        let place = fix.place;
        let inserts = place.span.lo == place.span.hi;
        // An empty span stands behind the token before it; an insertion goes in front of the token after it.
        let span = if inserts { Span { lo: place.span.lo, hi: place.span.lo + 1 } } else { place.span };
        let (program, span, tokens) = self.tokens(Place { span, ..place });
        let at = program.unit.edit_location(span, tokens)?;
        let mut range = range(self.db, program, at);
        if inserts {
            range.hi = range.lo;
        }
        Some(RenderedFix { range, replacement: fix.replacement.clone(), message: fix.message.clone() })
    }
}

/// What keeps a library from being a module, though it was checked as one: a mistake of nodes that are both there.
pub fn contradiction(db: &dyn Db, program: Program) -> Option<Rendered> {
    let found = crate::graph::graph(db, program).contradiction.clone()?;
    Some(rendered(db, &found.note("no module of this library can be right, whatever it is linked with")))
}
