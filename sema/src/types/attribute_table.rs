//! The table of attributes: allowed targets, arguments and launch modes.
//!
//! Names are compared without regard to case (WorkGraphs.md, Shader function attributes); strings in them are exact.
//! Attributes of other namespaces (`[[vk::..]]`, `[[wgc::..]]`) are read by the modules that use them.

use crate::db::def::SourcePlace;
use crate::db::diagnostic::Diagnostic;
pub use crate::tables::attribute_target::Target;
use crate::tables::codes::{Code, Severity};
use crate::tables::figures::grouped;
use crate::tables::similar_names::closest;
use crate::types::attributes::unquote;
use crate::types::const_eval::Const;
use crate::types::cx::Cx;
use crate::types::spec_value::Open;
use crate::types::specialise::GivenBy;
use crate::types::vulkan_attributes;
use wgc_frontend::ast::{Attribute, ExprId, ExprKind, Span};
use wgc_ir::{GraphConstant, Launch};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttributeShape {
    Text,
    /// A constant; negative and fractional values are converted with a warning.
    Uint,
    /// A number of things: like `Uint`, but negative values are errors.
    Count,
    /// A constant of any sign.
    Int,
    Bool,
    /// The name of another parameter.
    Param,
    /// Anything; it is not read.
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Attr {
    Shader,
    NodeLaunch,
    NodeIsProgramEntry,
    NodeId,
    NodeLocalRootArgumentsTableIndex,
    NumThreads,
    NodeShareInputOf,
    NodeDispatchGrid,
    NodeMaxDispatchGrid,
    NodeMaxRecursionDepth,
    WaveSize,
    GroupSharedLimit,
    OutputTopology,
    NodeMaxInputRecordsPerGraphEntryRecord,
    NodeTrackRwInputSharing,
    MaxRecords,
    MaxRecordsSharedWith,
    AllowSparseNodes,
    NodeArraySize,
    UnboundedSparseNodes,
    MaxRecordsPerNode,
    NoInline,
    /// Known but without effect here: statement attributes and those of other stages.
    Other,
}

impl Attr {
    /// Returns whether its arguments are numbers of the graph, which specialisation constants may supply.
    pub fn gives_numbers(self) -> bool {
        matches!(
            self,
            Attr::NodeId
                | Attr::NumThreads
                | Attr::NodeShareInputOf
                | Attr::NodeDispatchGrid
                | Attr::NodeMaxDispatchGrid
                | Attr::NodeMaxRecursionDepth
                | Attr::MaxRecords
                | Attr::NodeArraySize
        )
    }
}

#[derive(Debug, PartialEq, Eq)]
pub struct AttributeRow {
    /// The canonical spelling.
    pub name: &'static str,
    pub attr: Attr,
    pub on: &'static [Target],
    pub args: &'static [AttributeShape],
    /// The number of required arguments; later ones are optional.
    pub required: usize,
    /// Launch modes of nodes that may have it.
    pub launch: &'static [Launch],
}

impl AttributeRow {
    /// Returns whether it is valid and has a meaning on functions only.
    pub fn is_of_functions(&self) -> bool {
        self.attr != Attr::Other && self.on.contains(&Target::Function) && !self.on.contains(&Target::Record)
    }

    /// Returns whether it has no effect on a function that is not a node.
    pub fn is_node_only(&self) -> bool {
        matches!(
            self.attr,
            Attr::NodeLaunch
                | Attr::NodeIsProgramEntry
                | Attr::NodeId
                | Attr::NodeLocalRootArgumentsTableIndex
                | Attr::NodeShareInputOf
                | Attr::NodeDispatchGrid
                | Attr::NodeMaxDispatchGrid
                | Attr::NodeMaxRecursionDepth
                | Attr::NodeMaxInputRecordsPerGraphEntryRecord
        )
    }
}

const ALL: &[Launch] = &[Launch::Broadcasting, Launch::Coalescing, Launch::Thread, Launch::Mesh];
const GRID: &[Launch] = &[Launch::Broadcasting, Launch::Mesh];
/// Launch modes of nodes that produce records.
const SENDS: &[Launch] = &[Launch::Broadcasting, Launch::Coalescing, Launch::Thread];
const MESH: &[Launch] = &[Launch::Mesh];
const FN: &[Target] = &[Target::Function];
const PARAM: &[Target] = &[Target::Param];
const STMT: &[Target] = &[Target::Statement];
const U3: &[AttributeShape] = &[AttributeShape::Uint, AttributeShape::Uint, AttributeShape::Uint];

const fn row(
    name: &'static str,
    attr: Attr,
    on: &'static [Target],
    args: &'static [AttributeShape],
    required: usize,
    launch: &'static [Launch],
) -> AttributeRow {
    AttributeRow { name, attr, on, args, required, launch }
}

const fn other(name: &'static str, on: &'static [Target]) -> AttributeRow {
    row(
        name,
        Attr::Other,
        on,
        &[AttributeShape::Any, AttributeShape::Any, AttributeShape::Any, AttributeShape::Any],
        0,
        ALL,
    )
}

pub const TABLE: &[AttributeRow] = &[
    row("Shader", Attr::Shader, FN, &[AttributeShape::Text], 1, ALL),
    row("NodeLaunch", Attr::NodeLaunch, FN, &[AttributeShape::Text], 1, ALL),
    row("NodeIsProgramEntry", Attr::NodeIsProgramEntry, FN, &[], 0, ALL),
    row(
        "NodeID",
        Attr::NodeId,
        &[Target::Function, Target::Param],
        &[AttributeShape::Text, AttributeShape::Uint],
        1,
        ALL,
    ),
    row("NodeLocalRootArgumentsTableIndex", Attr::NodeLocalRootArgumentsTableIndex, FN, &[AttributeShape::Int], 1, ALL),
    row("NumThreads", Attr::NumThreads, FN, U3, 3, ALL),
    row("NodeShareInputOf", Attr::NodeShareInputOf, FN, &[AttributeShape::Text, AttributeShape::Uint], 1, ALL),
    row("NodeDispatchGrid", Attr::NodeDispatchGrid, FN, U3, 3, GRID),
    row("NodeMaxDispatchGrid", Attr::NodeMaxDispatchGrid, FN, U3, 3, GRID),
    row("NodeMaxRecursionDepth", Attr::NodeMaxRecursionDepth, FN, &[AttributeShape::Uint], 1, SENDS),
    row("WaveSize", Attr::WaveSize, FN, U3, 1, ALL),
    row("GroupSharedLimit", Attr::GroupSharedLimit, FN, &[AttributeShape::Uint], 1, ALL),
    row("OutputTopology", Attr::OutputTopology, FN, &[AttributeShape::Text], 1, MESH),
    row(
        "NodeMaxInputRecordsPerGraphEntryRecord",
        Attr::NodeMaxInputRecordsPerGraphEntryRecord,
        FN,
        &[AttributeShape::Uint, AttributeShape::Bool],
        1,
        MESH,
    ),
    row("NodeTrackRWInputSharing", Attr::NodeTrackRwInputSharing, &[Target::Record], &[], 0, ALL),
    row("MaxRecords", Attr::MaxRecords, PARAM, &[AttributeShape::Count], 1, ALL),
    row("MaxRecordsSharedWith", Attr::MaxRecordsSharedWith, PARAM, &[AttributeShape::Param], 1, ALL),
    row("AllowSparseNodes", Attr::AllowSparseNodes, PARAM, &[], 0, ALL),
    row("NodeArraySize", Attr::NodeArraySize, PARAM, &[AttributeShape::Uint], 1, ALL),
    row("UnboundedSparseNodes", Attr::UnboundedSparseNodes, PARAM, &[], 0, ALL),
    row("MaxRecordsPerNode", Attr::MaxRecordsPerNode, PARAM, &[AttributeShape::Count], 1, ALL),
    other("RootSignature", FN),
    row("noinline", Attr::NoInline, FN, &[], 0, ALL),
    other("earlydepthstencil", FN),
    other("domain", FN),
    other("partitioning", FN),
    other("outputcontrolpoints", FN),
    other("patchconstantfunc", FN),
    other("maxtessfactor", FN),
    other("maxvertexcount", FN),
    other("instance", FN),
    other("unroll", STMT),
    other("loop", STMT),
    other("fastopt", STMT),
    other("allow_uav_condition", STMT),
    other("branch", STMT),
    other("flatten", STMT),
    other("call", STMT),
    other("forcecase", STMT),
    other("raypayload", &[Target::Record]),
];

/// Finds the row of a name, in any case.
pub fn find(name: &str) -> Option<&'static AttributeRow> {
    TABLE.iter().find(|row| row.name.eq_ignore_ascii_case(name))
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    Text(String),
    /// The value as written, but without a fraction.
    Int(i64),
    Name(String),
    /// Not read.
    Any,
}

/// An attribute with a valid target and valid arguments.
#[derive(Clone, Debug)]
pub struct AttributeUse<'db> {
    pub row: &'static AttributeRow,
    pub args: Vec<Value>,
    pub place: SourcePlace<'db>,
    /// Parallel to `args`.
    pub arg_places: Vec<SourcePlace<'db>>,
    /// Another attribute contradicts it, and an error reports this.
    pub is_contradicted: bool,
    /// Arguments from specialisation constants: their positions and expressions.
    pub specialised: Vec<(usize, Open<'db>)>,
}

impl<'db> AttributeUse<'db> {
    pub fn text(&self) -> &str {
        match self.args.first() {
            Some(Value::Text(text) | Value::Name(text)) => text,
            _ => "",
        }
    }

    /// Returns the n-th argument as a 32-bit number; a negative one becomes a large one.
    pub fn uint(&self, n: usize) -> Option<u32> {
        self.int(n).map(|value| value.min(i64::from(u32::MAX)) as u32)
    }

    /// Returns the n-th argument as written.
    pub fn int(&self, n: usize) -> Option<i64> {
        match self.args.get(n) {
            Some(Value::Int(value)) => Some(*value),
            _ => None,
        }
    }

    /// Returns the numbers of a node that come from specialisation constants. The n-th argument supplies `of(n)`.
    pub fn specialised(&self, of: impl Fn(u32) -> GraphConstant) -> impl Iterator<Item = GivenBy<'db>> {
        self.specialised.iter().map(move |(n, by)| GivenBy { what: of(*n as u32), by: by.clone() })
    }

    pub fn uint3(&self) -> [u32; 3] {
        [0, 1, 2].map(|i| self.uint(i).unwrap_or(1))
    }

    pub fn int3(&self) -> [i64; 3] {
        [0, 1, 2].map(|i| self.int(i).unwrap_or(1))
    }
}

/// Reads the attributes of one declaration by the table, in the order of the text. Wrong ones are reported and left
/// out. The last of several equal ones remains, at the position of the first, as in DXC.
pub fn read<'db>(cx: &mut Cx<'_, 'db>, attributes: &[&Attribute], on: Target) -> Vec<AttributeUse<'db>> {
    let mut out: Vec<AttributeUse<'db>> = Vec::new();
    let mut stages: Vec<AttributeUse<'db>> = Vec::new();
    for attribute in attributes {
        let [segment] = attribute.path.segments.as_slice() else {
            let space = attribute.path.segments.first().map(|s| s.name.text.as_str());
            if space == Some("wgc") && !cx.item.program(cx.db).options(cx.db).internal {
                let message = "attributes of the namespace `wgc::` are internal to the compiler";
                cx.error(Code::InternalNamespace, attribute.span, message);
            }
            vulkan(cx, &[attribute], on);
            continue;
        };
        let name = segment.name.text.as_str();
        let Some(row) = find(name) else {
            let mut unknown = Diagnostic::new(
                Code::UnknownAttribute,
                cx.place(attribute.span),
                format!("unknown attribute `{name}` has no effect"),
            );
            if let Some(meant) = nearly(attribute) {
                unknown = unknown.meant(cx.token(segment.name.at), meant.name);
            }
            cx.errors.push(unknown);
            continue;
        };
        if !row.on.contains(&on) {
            wrong_place(cx, row, attribute, on);
            continue;
        }
        let Some(Arguments { args, spans, specialised }) = read_args(cx, row, attribute) else { continue };
        let written = AttributeUse {
            row,
            args,
            specialised,
            place: cx.place(attribute.span),
            arg_places: spans.into_iter().map(|s| cx.place(s)).collect(),
            is_contradicted: false,
        };
        if row.attr != Attr::Other
            && let Some(old) = out.iter_mut().find(|w| w.row.attr == row.attr)
        {
            if row.attr == Attr::Shader {
                stages.push(std::mem::replace(old, written));
            } else {
                let contradicts = repeated(cx, on, old, &written);
                *old = AttributeUse { is_contradicted: contradicts, ..written };
            }
            continue;
        }
        out.push(written);
    }
    if let Some(last) = out.iter().find(|w| w.row.attr == Attr::Shader) {
        other_stages(cx, &stages, last);
    }
    out
}

/// Returns the row of the attribute that an unknown one resembles.
pub(crate) fn nearly(attribute: &Attribute) -> Option<&'static AttributeRow> {
    let [segment] = attribute.path.segments.as_slice() else { return None };
    let name = segment.name.text.as_str();
    let meant = closest(name, TABLE.iter().map(|r| r.name).filter(|_| find(name).is_none()))?;
    find(meant)
}

/// Reports wrong attributes of `vk::` on a declaration.
pub(crate) fn vulkan<'db>(cx: &mut Cx<'_, 'db>, attributes: &[&Attribute], on: Target) {
    for attribute in attributes {
        let wrong = vulkan_attributes::wrong(attribute, on, |span| cx.place(span));
        cx.errors.extend(wrong);
    }
}

/// Reports attributes of nodes on variables, members and structures, which cannot have them.
pub(crate) fn misplaced<'db>(cx: &mut Cx<'_, 'db>, attributes: &[&Attribute], on: Target) {
    for attribute in attributes {
        let [segment] = attribute.path.segments.as_slice() else { continue };
        let row = find(&segment.name.text).filter(|row| row.attr != Attr::Other && !row.on.contains(&on));
        if let Some(row) = row {
            wrong_place(cx, row, attribute, on);
        }
    }
}

fn wrong_place<'db>(cx: &mut Cx<'_, 'db>, row: &AttributeRow, attribute: &Attribute, on: Target) {
    let places: Vec<_> = row.on.iter().map(|t| t.name()).collect();
    let message = format!("`{}` belongs on {}, not on {}", row.name, places.join(" and "), on.name());
    let place = cx.place(attribute.span);
    cx.errors.push(Diagnostic::new(Code::AttributePlace, place, message).remove_attribute(place, row.name));
}

/// Reports stages that differ from the last one, which counts, as in DXC.
fn other_stages<'db>(cx: &mut Cx<'_, 'db>, earlier: &[AttributeUse<'db>], last: &AttributeUse<'db>) {
    for other in earlier.iter().filter(|other| other.args != last.args) {
        let message = format!("a function can be only one kind of shader: `{}` or `{}`", other.text(), last.text());
        cx.errors.push(Diagnostic::new(Code::ShaderStage, other.place, message).also(last.place, "the other one"));
    }
}

/// Reports a repeated attribute by DXC's rules. On a function it is a warning, regardless of its value; on a
/// parameter a different value is an error. Two different launch modes are an error except in libraries, because the
/// last one would cause more errors. Returns true if the intended launch mode is unknown.
fn repeated<'db>(cx: &mut Cx<'_, 'db>, on: Target, old: &AttributeUse<'db>, new: &AttributeUse<'db>) -> bool {
    let same = old.args == new.args;
    let is_library = cx.item.program(cx.db).options(cx.db).library;
    let mut is_open = false;
    let diagnostic = match (new.row.attr, on) {
        (_, Target::Param) if same => return false,
        (Attr::NodeLaunch, Target::Function) if !same && !is_library => {
            is_open = true;
            let message = format!("a node can have only one launch mode: `{}` or `{}`", old.text(), new.text());
            let twice = Diagnostic::new(Code::AttributeRepeated, new.place, message).severity(Severity::Error);
            twice.also(old.place, "first given here").note("remove one of them")
        }
        (Attr::WaveSize, _) if !same => {
            let sizes = |w: &AttributeUse| {
                (0..w.args.len()).filter_map(|n| w.int(n)).map(|n| n.to_string()).collect::<Vec<_>>().join(", ")
            };
            let message = format!("conflicting wave sizes: `WaveSize({})` and `WaveSize({})`", sizes(old), sizes(new));
            let diagnostic = Diagnostic::new(Code::WaveSize, old.place, message);
            diagnostic.also(new.place, "the other one")
        }
        (_, Target::Param) => {
            let message = format!("conflicting values of `{}`", new.row.name);
            let twice = Diagnostic::new(Code::AttributeRepeated, new.place, message).severity(Severity::Error);
            twice.also(old.place, "first given here")
        }
        _ => {
            let (how, counts) = match same {
                true => ("", "given here again"),
                false => (", with different values: the last one applies", "this one applies"),
            };
            let message = format!("duplicate `{}`{how}", new.row.name);
            let twice = Diagnostic::new(Code::AttributeRepeated, old.place, message).severity(Severity::Warning);
            let twice = if same { twice } else { twice.label("has no effect") };
            let help = format!("remove the first `{}`", old.row.name);
            twice.also(new.place, counts).remove_brackets(old.place, help)
        }
    };
    cx.errors.push(diagnostic);
    is_open
}

struct Arguments<'db> {
    args: Vec<Value>,
    spans: Vec<Span>,
    specialised: Vec<(usize, Open<'db>)>,
}

fn read_args<'db>(cx: &mut Cx<'_, 'db>, row: &AttributeRow, attribute: &Attribute) -> Option<Arguments<'db>> {
    let given = attribute.args.as_deref().unwrap_or_default();
    if given.len() < row.required || given.len() > row.args.len() {
        let wanted = match (row.required, row.args.len()) {
            (0, 0) => "no arguments".to_string(),
            (1, 1) => "one argument".to_string(),
            (a, b) if a == b => format!("{a} arguments"),
            (a, b) => format!("{a} to {b} arguments"),
        };
        let given = match given.len() {
            0 => "none given".to_string(),
            1 => "one given".to_string(),
            n => format!("{n} given"),
        };
        let message = format!("`{}` expects {wanted}, {given}", row.name);
        let wrong = Diagnostic::new(Code::AttributeArguments, cx.place(attribute.span), message);
        let form = match (row.required, row.args) {
            (3, _) => Some("(x, y, z)`, with 1 for unused axes"),
            (1, [AttributeShape::Uint | AttributeShape::Count]) => Some("(n)`"),
            (1, [AttributeShape::Text, ..]) => Some("(\"name\")`"),
            _ => None,
        };
        cx.errors.push(match form {
            Some(form) => wrong.label(format!("`{}{form}", row.name)),
            None => wrong,
        });
        return None;
    }
    let mut out = Arguments { args: Vec::new(), spans: Vec::new(), specialised: Vec::new() };
    for (i, (expr, shape)) in given.iter().zip(row.args).enumerate() {
        let (value, by) = read_arg(cx, row, *expr, *shape)?;
        out.args.push(value);
        out.spans.push(cx.ast.exprs[*expr].span);
        out.specialised.extend(by.map(|by| (i, by)));
    }
    Some(out)
}

fn read_arg<'db>(
    cx: &mut Cx<'_, 'db>,
    row: &AttributeRow,
    expr: ExprId,
    shape: AttributeShape,
) -> Option<(Value, Option<Open<'db>>)> {
    let ast = cx.ast;
    let node = &ast.exprs[expr];
    match shape {
        AttributeShape::Any => Some((Value::Any, None)),
        AttributeShape::Text => match &node.kind {
            ExprKind::Str(parts) => {
                let text = unquote(parts);
                // Strings of SPIR-V end there.
                if text.contains('\0') {
                    let message = format!("`{}` expects a string without a NUL character", row.name);
                    cx.error(Code::AttributeArguments, node.span, message);
                    return None;
                }
                if text.is_empty() && matches!(row.attr, Attr::NodeId | Attr::NodeShareInputOf) {
                    let message = format!("`{}` has an empty name", row.name);
                    let empty = Diagnostic::new(Code::AttributeArguments, cx.place(node.span), message);
                    cx.errors.push(empty.severity(Severity::Warning));
                }
                Some((Value::Text(text), None))
            }
            ExprKind::Error => None,
            kind => {
                let message = format!("`{}` expects a string here", row.name);
                let wrong = Diagnostic::new(Code::AttributeArguments, cx.place(node.span), message);
                // The argument may be the string without quotes, or with single quotes.
                let word = match kind {
                    ExprKind::Path(path) if path.segments.len() == 1 => Some(path.segments[0].name.text.as_str()),
                    ExprKind::Char(text) => Some(text.trim_matches('\'')),
                    _ => None,
                };
                cx.errors.push(match word {
                    Some(word) => wrong.fix(cx.place(node.span), format!("\"{word}\""), "put it in double quotes"),
                    None => wrong,
                });
                None
            }
        },
        AttributeShape::Param => match &node.kind {
            ExprKind::Path(path) if path.segments.len() == 1 => {
                Some((Value::Name(path.segments[0].name.text.to_string()), None))
            }
            ExprKind::Error => None,
            _ => {
                cx.error(
                    Code::AttributeArguments,
                    node.span,
                    format!("`{}` expects the name of a parameter", row.name),
                );
                None
            }
        },
        AttributeShape::Uint | AttributeShape::Count | AttributeShape::Int | AttributeShape::Bool => {
            let (value, by) = crate::types::specialise::argument(cx, expr, row.attr.gives_numbers())?;
            let int = value.to_int().and_then(|v| i64::try_from(v).ok());
            let Some(int) = int else {
                cx.error(Code::AttributeArguments, node.span, "this number is too large");
                return None;
            };
            let fractional = matches!(value, Const::Float { .. });
            if shape == AttributeShape::Count && int < 0 {
                let message = format!("`{}` is a number of records, so it cannot be {int}", row.name);
                cx.error(Code::AttributeArguments, node.span, message);
                return None;
            }
            let unsigned = matches!(shape, AttributeShape::Uint | AttributeShape::Count);
            if unsigned && (fractional || int < 0) {
                let message = format!(
                    "`{}` expects an unsigned integer; this is read as {}",
                    row.name,
                    grouped(u64::from(int as u32))
                );
                cx.error(Code::AttributeArgumentSign, node.span, message);
                let read = if int < 0 { int } else { i64::from(int as u32) };
                return Some((Value::Int(read), None));
            }
            if unsigned && int > i64::from(u32::MAX) {
                cx.error(Code::AttributeArguments, node.span, "this number is too large");
                return None;
            }
            Some((Value::Int(int), by))
        }
    }
}
