//! All diagnostics of a program, with file locations.
//!
//! The query [`item_diagnostics`] collects the diagnostics of one item without its bodies. The query [`diagnostics`]
//! adds bodies, the graph and the rest; no other query reads positions.

use crate::check::check;
use crate::check::item::item_diagnostics;
use crate::contracts::unreliable_syntax::{UnreliableSyntax, lacks_a_file};
use crate::db::def::{At, FnId, SourcePlace};
use crate::db::diagnostic::{
    Diagnostic, FileRange, Fix, Inside, Label, LineName, Rendered, RenderedFix, RenderedLabel,
};
use crate::db::items::functions;
use crate::db::items::{ProgramUnit, body_tree, item_origins, item_tree, items, origins, unit};
use crate::db::ty::FnInst;
use crate::db::{Db, Program};
use crate::db::{is_whole, units};
use crate::flow::reachability::reachable;
use crate::link::{MAX_INSTANCES, has_compute_entry, link, too_much};
use crate::lower::Role;
use crate::lower::unit::Unit;
use crate::report::damage::{Stumble, broken_parts, first_of_each};
use crate::report::instantiation_notes::Gathered;
use crate::report::record_instances::record_instances;
use crate::tables::codes::{Code, Severity};
use crate::tables::collections::IndexSet;
use crate::types::instantiation::plain_function;
use crate::types::signature::fn_signature;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use wgc_frontend::ast::Span;
use wgc_frontend::diagnostic::{Error, ErrorCode, Location};
use wgc_ir::MAX_VALUES;

/// Returns the code for a kind of mistake that the front end reports.
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

/// Returns all diagnostics of a program, each once, by file and location.
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
        // A missing file may contain macros, so grammar errors without it are guesses.
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
    let unreliable = UnreliableSyntax::of(db, program);
    let mut semantic = semantic(db, program, &unreliable);
    // Values that a host gives, or may intend to give, are not missing in the source.
    let host_is_wrong = unreliable.is_none() && crate::graph::graph(db, program).host_is_wrong;
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
    follow_ups
        .extend(semantic.iter().filter(|d| !unreliable.hides(d, db)).map(|diagnostic| renderer.render(diagnostic)));
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
            // A function that is almost a node gets one combined diagnostic.
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

/// Removes errors of a library that DXC finds only in passes after the checks of names and types, if there are other
/// errors. For libraries, wgc reports the errors that DXC reports.
fn leave_out_late(out: &mut Vec<Rendered>) {
    let is_late = |r: &Rendered| r.severity == Severity::Error && r.code.is_late();
    if out.iter().any(|r| r.severity == Severity::Error && !is_late(r)) {
        out.retain(|r| !is_late(r));
    }
}

/// Returns the diagnostics of preprocessor and grammar, unordered, without checking names and types.
pub fn syntax(db: &dyn Db, program: Program) -> Vec<Rendered> {
    units(db, program).into_iter().flat_map(|unit| text_and_syntax(db, unit).0).collect()
}

/// Returns the preprocessor's diagnostics if a limit ended its work. The tokens after that point differ from the
/// author's, so other diagnostics would be guesses.
fn cut_short(db: &dyn Db, program: Program) -> Option<Vec<Rendered>> {
    let is_limit = |error: &Error| matches!(error.code, ErrorCode::ExpansionLimit | ErrorCode::IncludeTooDeep);
    let is_cut = units(db, program).into_iter().any(|part| unit(db, part).unit.errors.iter().any(is_limit));
    is_cut.then(|| preprocessing(db, program))
}

/// Returns the preprocessor's diagnostics in source order; no later phase runs.
pub fn preprocessing(db: &dyn Db, program: Program) -> Vec<Rendered> {
    let mut out = Vec::new();
    for part in units(db, program) {
        let whole = unit(db, part);
        out.extend(whole.unit.errors.iter().map(|e| front_end(db, whole, e)).filter(|r| r.code < Code::Syntax));
    }
    out
}

/// Returns the diagnostics of [`syntax`] and the number of those about files and preprocessing, which come first.
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
    // A macro call without its `)` takes the rest of the file, with the braces in it.
    let takes_braces = whole.unit.errors.iter().any(|e| e.code == ErrorCode::UnterminatedMacroCall);
    let braces = brace_errors.iter().filter(|e| e.code != ErrorCode::UnclosedBrace || !takes_braces);
    let mut stumbles: Vec<Stumble> = braces.map(|e| stumble(e, None, true)).collect();
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

/// Renders one diagnostic of a program or of the prelude, with file locations.
pub(crate) fn rendered<'db>(db: &'db dyn Db, diagnostic: &Diagnostic<'db>) -> Rendered {
    Renderer { db }.render(diagnostic)
}

/// Returns the file range of a location; for tokens from a macro, the range of the macro's use.
pub fn range_of<'db>(db: &'db dyn Db, at: At<'db>) -> FileRange {
    match at {
        At::Text(place) => {
            let (program, at) = Renderer { db }.location(place);
            range(db, program, at)
        }
        At::Host(place) => crate::graph::host::range(db, place),
    }
}

/// Returns the range of one token of a unit.
pub fn token_range(db: &dyn Db, program: &ProgramUnit, token: u32) -> FileRange {
    let at = program.unit.origins.get(token as usize).copied();
    at.map_or_else(|| FileRange::new("".into(), 0, 0), |at| range(db, program, at))
}

/// Returns the source text of a location; for tokens from a macro, the macro's use.
pub(crate) fn source_text<'db>(db: &'db dyn Db, place: SourcePlace<'db>) -> Option<String> {
    let (program, at) = Renderer { db }.location(place);
    let place = program.unit.place(at);
    let text = program.files.get(place.file.0 as usize)?.text(db);
    Some(String::from_utf8_lossy(text.get(place.lo as usize..place.hi as usize)?).into_owned())
}

/// Creates a diagnostic about a file as a whole.
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

/// Reports a program without anything that a host can start.
fn nothing_to_run(db: &dyn Db, program: Program, path: &str) -> Option<Rendered> {
    let options = program.options(db);
    if has_compute_entry(db, program) {
        return None;
    }
    if let Some(name) = &options.compute_entry {
        return Some(match crate::link::compute::no_entry(db, program, name) {
            Ok(diagnostic) => rendered(db, &diagnostic),
            Err(message) => about_file(
                path,
                Code::EntryNotFound,
                message,
                "the entry point must have a body and must not be a method",
            ),
        });
    }
    let is_empty = crate::graph::graph(db, program).graph.nodes.is_empty();
    (is_empty && !options.library)
        .then(|| about_file(path, Code::NoNodes, "this program has no nodes".to_string(), NO_NODES_HELP))
}

/// Reports as an error that a program has no nodes, for requests that need a graph.
pub fn no_nodes(db: &dyn Db, program: Program) -> Option<Rendered> {
    let path = units(db, program).first()?.roots(db).first()?.path(db);
    let missing = about_file(path, Code::NoNodes, "this program has no nodes".to_string(), NO_NODES_HELP);
    Some(Rendered { severity: Severity::Error, ..missing })
}

const NO_NODES_HELP: &str = "declare a node: a function with `[Shader(\"node\")]`";

/// Returns the diagnostics of names, types, checks, the graph and lowering, unordered.
fn semantic<'db>(db: &'db dyn Db, program: Program, unreliable: &UnreliableSyntax<'db>) -> IndexSet<Diagnostic<'db>> {
    let mut out: IndexSet<Diagnostic<'db>> = IndexSet::default();
    for unit in units(db, program) {
        of_unit(db, unit, &mut out);
        out.extend(crate::flow::records::diagnostics(db, unit, program));
    }
    out.extend(crate::flow::lints::memory::of_program(db, program).iter().cloned());
    if !unreliable.is_none() {
        return out;
    }
    out.extend(crate::graph::graph(db, program).diagnostics.iter().cloned());
    out.extend(crate::flow::group_memory::group_memory(db, program).iter().cloned());
    out.extend(crate::flow::groupshared_usage::sharing_at_entries(db, program).iter().cloned());
    let linked = link(db, program);
    out.extend(linked.bindings.diagnostics.iter().cloned());
    if is_whole(db, program) {
        out.extend(linked.diagnostics.iter().cloned());
    }
    out
}

/// Adds the diagnostics of one translation unit, regardless of the graph that it belongs to.
fn of_unit<'db>(db: &'db dyn Db, program: Program, out: &mut IndexSet<Diagnostic<'db>>) {
    let mut found = Gathered::default();
    found.add(crate::types::redeclarations::redeclarations(db, program).iter().cloned());
    found.add(crate::types::blocks::loose_diagnostics(db, program));
    let reachable = reachable(db, program);
    found.add(reachable.exported_cycles(db));
    for item in items(db, program) {
        found.add(item_diagnostics(db, *item).iter().filter(|d| reachable.item_counts(db, *item, d)).cloned());
    }
    let mut unknown: FxHashSet<At<'db>> = FxHashSet::default();
    for f in functions(db, program) {
        db.unwind_if_revision_cancelled();
        // Reported for the template as a whole, regardless of its instances.
        unknown.extend(crate::check::template_names::unknown(db, f).iter().map(|d| d.primary.place));
        if let Some(inst) = plain_function(db, f)
            && crate::types::definition::has_body(db, inst)
        {
            found.add(check(db, inst).diagnostics.iter().filter(|d| reachable.counts(inst, d)).cloned());
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
        let counts = |d: &&Diagnostic<'db>| reachable.counts(*inst, d) && is_new(d);
        found.add_of(db, *inst, check(db, *inst).diagnostics.iter().filter(counts).cloned());
    }
    for inst in &instances {
        found.add(crate::lower::grid_writes::grid_writes(db, *inst).iter().cloned());
        found.add(crate::flow::coherence::coherence(db, *inst).iter().cloned());
    }
    let types = record_instances(db, program, &instances, &mut found);
    found.add(linked.diagnostics.iter().cloned());
    found.add(crate::link::root_signature::program_diagnostics(db, program).iter().cloned());
    found.add(crate::flow::groupshared_usage::groupshared(db, program).iter().cloned());
    found.add(crate::flow::call_context::contexts(db, program).iter().cloned());
    out.extend(found.labelled(db, &instances, &types));
}

/// Returns all functions that are not templates, used or not, and the template instances that they create by calls. If
/// there are too many, also returns the instance at the limit; later ones are omitted.
fn instances<'db>(
    db: &'db dyn Db,
    program: Program,
    reached: &IndexSet<FnInst<'db>>,
) -> (IndexSet<FnInst<'db>>, Option<FnInst<'db>>) {
    let mut out = reached.clone();
    out.extend(functions(db, program).into_iter().filter_map(|f| plain_function(db, f)));
    let mut counts: FxHashMap<FnId<'db>, u32> = FxHashMap::default();
    let (mut next, mut size) = (0, 0);
    // The set grows during the walk.
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
            // Linking reports a template that instantiates itself forever; here the walk only has to end.
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

/// Returns the template instances of a translation unit, for editors.
#[salsa::tracked(returns(ref))]
pub fn program_instances<'db>(db: &'db dyn Db, program: Program) -> Vec<FnInst<'db>> {
    let all = instances(db, program, &link(db, program).reached).0.into_iter();
    all.filter(|f| is_instance(db, *f)).collect()
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
                "" => "remove it".to_string(),
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

fn file_range(db: &dyn Db, program: &ProgramUnit, place: wgc_frontend::diagnostic::SpelledRange) -> FileRange {
    let file: Arc<str> = program.files.get(place.file.0 as usize).map_or("".into(), |f| f.path(db).into());
    let named = program.unit.line_directive(place.file, place.lo).map(|directive| LineName {
        file: directive.name.as_deref().map_or_else(|| file.clone(), Arc::from),
        shift: directive.shift,
    });
    FileRange { named, ..FileRange::new(file, place.lo, place.hi) }
}

/// Converts token locations to file ranges, in the program or the prelude.
struct Renderer<'db> {
    db: &'db dyn Db,
}

/// Length of both quotes of a string literal.
const QUOTES: u32 = 2;

impl<'db> Renderer<'db> {
    fn location(&self, place: SourcePlace<'db>) -> (&'db ProgramUnit, Location) {
        let (program, span, tokens) = self.tokens(place);
        (program, program.unit.span_location(span, tokens))
    }

    /// Returns a span and the tokens of the unit that it indexes.
    fn tokens(&self, place: SourcePlace<'db>) -> (&'db ProgramUnit, Span, &'db [u32]) {
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

    /// Renders a fix. A fix inside a macro's body would change other uses too, so there is none.
    fn fix(&self, fix: &Fix<'db>) -> Option<RenderedFix> {
        let place = fix.place;
        let inserts = place.span.lo == place.span.hi;
        // An empty span is after the previous token; an insertion goes before the next token.
        let span = if inserts { Span { lo: place.span.lo, hi: place.span.lo + 1 } } else { place.span };
        let (program, span, tokens) = self.tokens(SourcePlace { span, ..place });
        let at = program.unit.edit_location(span, tokens)?;
        let mut range = range(self.db, program, at);
        if inserts {
            range.hi = range.lo;
        }
        Some(RenderedFix { range, replacement: fix.replacement.clone(), message: fix.message.clone() })
    }
}

/// Returns the mistake that prevents a valid library from becoming a module: an error in nodes that are already
/// present.
pub fn contradiction(db: &dyn Db, program: Program) -> Option<Rendered> {
    let found = crate::graph::graph(db, program).contradiction.clone()?;
    Some(rendered(db, &found.note("no module of this library can be valid")))
}
