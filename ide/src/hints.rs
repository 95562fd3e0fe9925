//! Inlay hints, which show decisions of the compiler: bindings of resources, numbers of attributes, groups of a node,
//! and names of parameters at calls.

use super::source_tokens::{SourceTokenKind, SourceTokens};
use super::{parts, text_range};
use std::collections::BTreeMap;
use std::ops::Range;
use wgc_frontend::ast::{Attribute, Body, Param};
use wgc_frontend::token::{Sym, TokenKind};
use wgc_ir::{Grid, Launch};
use wgc_sema::check::check;
use wgc_sema::check::env::signature;
use wgc_sema::check::hir::{Arg, ExprKind};
use wgc_sema::contracts::node::{NodeDecl, function_attributes, stage};
use wgc_sema::db::def::{FnId, Item, SourcePlace};
use wgc_sema::db::is_whole;
use wgc_sema::db::items::{fn_node, item_tree, items, origins};
use wgc_sema::db::ty::Env;
use wgc_sema::db::{Db, Program};
use wgc_sema::graph::host::overrides::contract;
use wgc_sema::graph::model::Model;
use wgc_sema::link::bindings::wanted;
use wgc_sema::link::joint_bindings::bindings_of_unit;
use wgc_sema::link::link;
use wgc_sema::tables::figures::grouped;
use wgc_sema::types::attribute_table::{Attr, AttributeShape, find};
use wgc_sema::types::cx::Cx;
use wgc_sema::types::instantiation::plain_function;
use wgc_sema::types::record::record;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintKind {
    /// The descriptor set and binding of a resource.
    Binding,
    /// The number of groups and threads of a node, and the values of its attributes.
    Launch,
    /// The number of records of inputs and outputs, and their sizes.
    Records,
    /// The name of a parameter, before an argument.
    Param,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The byte after the hint.
    pub at: u32,
    pub label: String,
    pub kind: HintKind,
}

/// Returns the hints in a range of a file. Computes nothing for unwanted kinds.
pub fn hints(
    db: &dyn Db,
    program: Program,
    path: &str,
    text: &[u8],
    range: Range<u32>,
    is_wanted: &dyn Fn(HintKind) -> bool,
) -> Vec<Hint> {
    let source = SourceTokens::new(text);
    let reader = Reader { db, program, path, source: &source, range };
    let mut out = Vec::new();
    if is_wanted(HintKind::Records) {
        reader.sizes(&mut out);
    }
    for part in parts(db, program) {
        if is_wanted(HintKind::Binding) {
            reader.bindings(part, &mut out);
        }
        for item in items(db, part) {
            let Some(whole) = super::whole_range(db, *item) else { continue };
            if &*whole.file != path || whole.hi < reader.range.start || whole.lo > reader.range.end {
                continue;
            }
            for index in 0..item_tree(db, *item).decls.functions.len() as u32 {
                let f = FnId { item: *item, index };
                reader.attributes(f, is_wanted, &mut out);
                if is_wanted(HintKind::Param) {
                    reader.arguments(f, &mut out);
                }
            }
        }
    }
    out.retain(|hint| reader.range.start <= hint.at && hint.at <= reader.range.end);
    out.sort_by(|a, b| (a.at, &a.label).cmp(&(b.at, &b.label)));
    out.dedup();
    out
}

struct Reader<'a> {
    db: &'a dyn Db,
    program: Program,
    path: &'a str,
    source: &'a SourceTokens<'a>,
    range: Range<u32>,
}

impl<'a> Reader<'a> {
    // ---- bindings

    /// Adds the binding after the declaration of each resource, unless `[[vk::binding]]` already shows it.
    fn bindings(&self, part: Program, out: &mut Vec<Hint>) {
        let of = match is_whole(self.db, self.program) {
            true => bindings_of_unit(self.db, self.program, part),
            false => Some(&link(self.db, part).bindings.of),
        };
        // A structure of resources has a binding for each of them.
        let mut found: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
        for one in wanted(self.db, part).iter().filter(|one| one.declared.vulkan.is_none()) {
            let range = text_range(self.db, one.place);
            if &*range.file == self.path
                && let Some(slot) = of.and_then(|of| of.get(&one.symbol))
                && let Some(at) = self.end_of_declarator(range.hi)
            {
                found.entry(at).or_default().push(*slot);
            }
        }
        for (at, mut slots) in found {
            slots.sort_unstable();
            let label = match slots.as_slice() {
                [(set, binding)] => format!("binding {binding}, set {set}"),
                [(set, binding), .., (last_set, last)] => {
                    format!("binding {binding}, set {set} to binding {last}, set {last_set}")
                }
                [] => continue,
            };
            out.push(Hint { at, label, kind: HintKind::Binding });
        }
    }

    /// Returns the end of the declarator whose name ends at a byte: before `;`, `,`, `=` or `{`.
    fn end_of_declarator(&self, name: u32) -> Option<u32> {
        let source = self.source;
        let mut at = source.first_after(name);
        let mut end = name;
        while let Some(token) = source.get(at) {
            match token.kind {
                SourceTokenKind::Sign(b';' | b',' | b'=' | b'{' | b'}') | SourceTokenKind::Directive => break,
                SourceTokenKind::Sign(b'(' | b'[') => at = source.partner(at)?,
                _ => {}
            }
            end = source.get(at)?.hi;
            at += 1;
        }
        Some(end)
    }

    // ---- nodes

    /// Adds the size after the name of each structure that is a record of the graph.
    fn sizes(&self, out: &mut Vec<Hint>) {
        let model = Model::new(self.db, self.program);
        let inputs = model.nodes.iter().filter_map(|node| node.input.as_ref()?.record.as_ref());
        let outputs = model.nodes.iter().flat_map(|node| &node.outputs).filter_map(|output| output.record.as_ref());
        for info in inputs.chain(outputs) {
            let Some(inst) = info.ty.as_record(self.db) else { continue };
            // Instances of a template differ.
            if !inst.args(self.db).is_empty() {
                continue;
            }
            let name = text_range(self.db, record(self.db, inst).place);
            let label = format!("{} bytes", grouped(info.size().into()));
            let hint = Hint { at: name.hi, label, kind: HintKind::Records };
            if &*name.file == self.path && !out.contains(&hint) {
                out.push(hint);
            }
        }
    }

    fn attributes(&self, f: FnId<'a>, is_wanted: &dyn Fn(HintKind) -> bool, out: &mut Vec<Hint>) {
        let (launches, records) = (is_wanted(HintKind::Launch), is_wanted(HintKind::Records));
        if !(launches || records) || stage(self.db, f) != Some("node") {
            return;
        }
        let Some(node) = fn_node(self.db, f) else { return };
        if launches {
            for attribute in function_attributes(&node) {
                self.numbers(f.item, attribute, HintKind::Launch, out);
            }
        }
        let Some(decl) = contract(self.db, self.program, f) else { return };
        if records {
            for param in &node.function.params {
                for attribute in &param.attributes {
                    self.numbers(f.item, attribute, HintKind::Records, out);
                    self.shared(f.item, param, attribute, decl, out);
                }
            }
        }
        let name = text_range(self.db, SourcePlace::token(f.item, node.function.name.at));
        if launches
            && let Some(label) = groups(decl)
            && &*name.file == self.path
        {
            let paren = self.source.first_after(name.hi);
            if self.source.is(paren, b'(')
                && let Some(close) = self.source.partner(paren).and_then(|close| self.source.get(close))
            {
                out.push(Hint { at: close.hi, label, kind: HintKind::Launch });
            }
        }
    }

    /// Adds the value after each number of an attribute that is not a literal.
    fn numbers(&self, item: Item<'a>, attribute: &Attribute, kind: HintKind, out: &mut Vec<Hint>) {
        let [name] = attribute.path.segments.as_slice() else { return };
        let Some(row) = find(&name.name.text) else { return };
        let tree = item_tree(self.db, item);
        for (shape, arg) in row.args.iter().zip(attribute.args.iter().flatten()) {
            if !matches!(shape, AttributeShape::Uint | AttributeShape::Count | AttributeShape::Int) {
                continue;
            }
            let range = text_range(self.db, SourcePlace::head(item, tree.ast.exprs[*arg].span));
            if &*range.file != self.path || range.hi <= range.lo || self.is_number(range.lo..range.hi) {
                continue;
            }
            let env = Env::new();
            let mut cx = Cx::head(self.db, item, &tree.ast, &env);
            if let Some(value) = cx.int(*arg) {
                out.push(Hint { at: range.hi, label: format!("= {value}"), kind });
            }
        }
    }

    fn is_number(&self, range: Range<u32>) -> bool {
        self.source.part(range).bytes().next().is_some_and(|c| c.is_ascii_digit() || c == b'-')
    }

    /// Adds the shared number of records after `MaxRecordsSharedWith(other)`.
    fn shared(&self, item: Item<'a>, param: &Param, attribute: &Attribute, decl: &NodeDecl, out: &mut Vec<Hint>) {
        let [name] = attribute.path.segments.as_slice() else { return };
        if find(&name.name.text).is_none_or(|row| row.attr != Attr::MaxRecordsSharedWith) {
            return;
        }
        let own = param.declarator.as_ref().map_or("", |declarator| declarator.name.text.as_str());
        let Some(output) = decl.outputs.iter().find(|output| output.name == own) else { return };
        let Some(arg) = attribute.args.iter().flatten().next() else { return };
        let range = text_range(self.db, SourcePlace::head(item, item_tree(self.db, item).ast.exprs[*arg].span));
        if &*range.file == self.path && range.lo < range.hi && output.shared_with.is_some() {
            out.push(Hint { at: range.hi, label: format!("= {}", output.max_records), kind: HintKind::Records });
        }
    }

    // ---- calls

    fn arguments(&self, f: FnId<'a>, out: &mut Vec<Hint>) {
        let db = self.db;
        let (Some(inst), Some(node)) = (plain_function(db, f), fn_node(db, f)) else { return };
        let Body::Sliced(n) = node.function.body else { return };
        let (Some((whole, origins)), Some(text)) = (origins(db, f.item), f.item.bodies(db).get(n as usize)) else {
            return;
        };
        let (tokens, origins) = (text.tokens(db), origins.bodies.get(n as usize).map_or(&[][..], Vec::as_slice));
        // Returns the location of a token, unless it comes from a macro.
        let written = |at: u32| {
            let origin = whole.unit.origins.get(*origins.get(at as usize)? as usize)?;
            let file = whole.files.get(origin.place.file.0 as usize)?;
            (origin.expansion.is_none() && file.path(db) == self.path).then_some(origin.place)
        };
        let body = &check(db, inst).body;
        for expr in &body.exprs {
            let (callee, args) = match &expr.kind {
                ExprKind::Call { callee, args, .. } | ExprKind::Op { callee, args, .. } => (*callee, args),
                _ => continue,
            };
            let params = &signature(db, callee).params;
            // The function's own name explains a single argument.
            if params.len() < 2 {
                continue;
            }
            for (param, arg) in params.iter().zip(args) {
                let span = body.expr(Arg::expr(*arg)).span;
                let before = span.lo.checked_sub(1).and_then(|at| tokens.get(at as usize));
                let is_argument = before.is_some_and(|token| {
                    token.is(Sym::LParen) || token.is(Sym::Comma) || token.kind == TokenKind::CastOpen
                });
                let is_inside = expr.span.lo <= span.lo && span.hi <= expr.span.hi;
                let (true, true, Some(last)) = (is_argument, is_inside, span.hi.checked_sub(1)) else { continue };
                let (Some(first), Some(last)) = (written(span.lo), written(last)) else { continue };
                if says_more(&param.name, self.source.part(first.lo..last.hi)) {
                    let label = format!("{}:", param.name);
                    out.push(Hint { at: first.lo, label, kind: HintKind::Param });
                }
            }
        }
    }
}

/// Returns whether a parameter's name is more informative than its argument.
fn says_more(param: &str, arg: &str) -> bool {
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    // `input.Get().item` ends with the same name as `item`.
    let arg = arg.replace("()", "");
    let is_path = arg.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.' | b':'));
    let last = arg.rsplit(['.', ':']).next().unwrap_or(&arg);
    param.len() > 1 && !(is_path && plain(last) == plain(param))
}

/// Describes the number of groups of a node, and the threads of each.
fn groups(decl: &NodeDecl) -> Option<String> {
    let product = |[x, y, z]: [u32; 3]| u64::from(x) * u64::from(y) * u64::from(z);
    let counted = |count: u64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let threads = counted(product(decl.num_threads), "thread");
    let grid = match decl.grid {
        Grid::None => String::new(),
        Grid::Fixed(grid) => format!("{} of ", counted(product(grid), "group")),
        Grid::Max(grid) => format!("up to {} of ", counted(product(grid), "group")),
    };
    match decl.launch {
        Launch::Thread => None,
        Launch::Coalescing => {
            let most = decl.input.as_ref().map_or(1, |input| input.max_records);
            Some(format!("{threads} for up to {}", counted(most.into(), "record")))
        }
        Launch::Broadcasting | Launch::Mesh => Some(format!("{grid}{threads}")),
    }
}

#[cfg(test)]
mod tests {
    use super::says_more;

    #[test]
    fn parameter_hints_omit_redundant_names() {
        assert!(says_more("count", "4") && says_more("count", "n") && says_more("count", "count + 1"));
        assert!(!says_more("count", "count") && !says_more("recordCount", "r.record_count"));
        assert!(!says_more("x", "4"), "one letter says nothing");
    }
}
