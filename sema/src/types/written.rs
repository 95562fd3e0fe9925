//! Converts type expressions to types, and types to text.

use crate::db::Db;
use crate::db::def::{AliasId, Item, RecordId, SourcePlace};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::item_tree;
use crate::db::ty::{GenericArg, RecordInst, Scalar, Ty, TyKind};
use crate::tables::codes::Code;
use crate::tables::figures::signed;
use crate::types::cx::{Cx, PathTarget, Sought};
use crate::types::extent::MAX_DEPTH;
use crate::types::numeric::Shape;
use crate::types::suggestions::NameKind;
use wgc_frontend::ast::{Declarator, ExprId, Path, RecordKeyword, Segment, TemplateArg, TypeId, TypeKind};

/// Spellings of scalars. `Narrow` ones have 16 bits only with `-enable-16bit-types`; otherwise they are other types.
/// Pairs of modifiers that one type cannot have together.
const CONTRADICTORY: &[(&str, &str)] = &[
    ("row_major", "column_major"),
    ("unorm", "snorm"),
    ("groupshared", "in"),
    ("groupshared", "out"),
    ("groupshared", "inout"),
];

const SCALARS: &[(&str, Scalar, Width)] = &[
    ("bool", Scalar::Bool, Width::Fixed),
    ("int", Scalar::I32, Width::Fixed),
    ("uint", Scalar::U32, Width::Fixed),
    ("dword", Scalar::U32, Width::Fixed),
    ("half", Scalar::F16, Width::Narrow(Scalar::Half)),
    ("float", Scalar::F32, Width::Fixed),
    ("double", Scalar::F64, Width::Fixed),
    ("min16float", Scalar::F16, Width::Narrow(Scalar::Min16F)),
    ("min10float", Scalar::F16, Width::Narrow(Scalar::Min10F)),
    ("min16int", Scalar::I16, Width::Narrow(Scalar::Min16I)),
    ("min12int", Scalar::I16, Width::Narrow(Scalar::Min12I)),
    ("min16uint", Scalar::U16, Width::Narrow(Scalar::Min16U)),
    ("int16_t", Scalar::I16, Width::Fixed),
    ("uint16_t", Scalar::U16, Width::Fixed),
    ("float16_t", Scalar::F16, Width::Fixed),
    ("int32_t", Scalar::I32, Width::Fixed),
    ("uint32_t", Scalar::U32, Width::Fixed),
    ("float32_t", Scalar::F32, Width::Fixed),
    ("int64_t", Scalar::I64, Width::Fixed),
    ("uint64_t", Scalar::U64, Width::Fixed),
    ("float64_t", Scalar::F64, Width::Fixed),
];

#[derive(Clone, Copy, PartialEq)]
enum Width {
    Fixed,
    /// The type without 16-bit types.
    Narrow(Scalar),
}

/// Returns the words that [`spelled`] accepts for numbers, except vectors and matrices with a dimension of 1.
pub fn spellings() -> impl Iterator<Item = String> {
    SCALARS.iter().flat_map(|(name, ..)| {
        let vectors = (2..=4).map(move |n| format!("{name}{n}"));
        let matrices = (2..=4).flat_map(move |r| (2..=4).map(move |c| format!("{name}{r}x{c}")));
        std::iter::once(name.to_string()).chain(vectors).chain(matrices)
    })
}

/// Returns the type of a word such as `float`, `uint3`, `half4x4`.
pub fn spelled(word: &str, native_16bit: bool) -> Option<TyKind<'static>> {
    if word == "void" {
        return Some(TyKind::Void);
    }
    if word == "unsigned" {
        return Some(TyKind::Scalar(Scalar::U32));
    }
    if word == "string" {
        return Some(TyKind::String);
    }
    // The longest spelling comes first: `int` is a prefix of `int16_t2`.
    let digits = |s: &str| match s.as_bytes() {
        [d @ b'1'..=b'4'] => Some(d - b'0'),
        _ => None,
    };
    SCALARS.iter().find_map(|(name, scalar, width)| {
        let rest = word.strip_prefix(name)?;
        let scalar = match width {
            Width::Narrow(other) if !native_16bit => *other,
            _ => *scalar,
        };
        if rest.is_empty() {
            return Some(TyKind::Scalar(scalar));
        }
        match rest.split_once('x') {
            None => Some(TyKind::Vector(scalar, digits(rest)?)),
            Some((rows, columns)) => {
                Some(TyKind::Matrix { scalar, rows: digits(rows)?, columns: digits(columns)?, row_major: false })
            }
        }
    })
}

/// Returns the unsigned type of an integer type.
fn unsigned<'db>(kind: &TyKind<'db>) -> Option<TyKind<'db>> {
    let of = |scalar: Scalar| match scalar {
        Scalar::I16 | Scalar::U16 => Some(Scalar::U16),
        Scalar::Min12I | Scalar::Min16I | Scalar::Min16U => Some(Scalar::Min16U),
        Scalar::I32 | Scalar::U32 => Some(Scalar::U32),
        Scalar::I64 | Scalar::U64 => Some(Scalar::U64),
        _ => None,
    };
    Some(match *kind {
        TyKind::Scalar(s) => TyKind::Scalar(of(s)?),
        TyKind::Vector(s, n) => TyKind::Vector(of(s)?, n),
        TyKind::Matrix { scalar, rows, columns, row_major } => {
            TyKind::Matrix { scalar: of(scalar)?, rows, columns, row_major }
        }
        _ => return None,
    })
}

impl<'db> Ty<'db> {
    pub fn error(db: &'db dyn Db) -> Ty<'db> {
        Ty::new(db, TyKind::Error)
    }

    pub fn scalar_ty(db: &'db dyn Db, scalar: Scalar) -> Ty<'db> {
        Ty::new(db, TyKind::Scalar(scalar))
    }

    pub fn is_error(self, db: &'db dyn Db) -> bool {
        matches!(self.kind(db), TyKind::Error)
    }

    /// Returns the type with every matrix in this order. Matrices in a record keep the record's order.
    pub fn ordered(self, db: &'db dyn Db, order: bool) -> Ty<'db> {
        match *self.kind(db) {
            TyKind::Matrix { scalar, rows, columns, row_major } if row_major != order => {
                Ty::new(db, TyKind::Matrix { scalar, rows, columns, row_major: order })
            }
            TyKind::Array(element, n) => {
                let ordered = element.ordered(db, order);
                if ordered == element { self } else { Ty::new(db, TyKind::Array(ordered, n)) }
            }
            _ => self,
        }
    }

    /// Returns the type of its values: the order of matrices matters only in memory.
    pub fn unordered(self, db: &'db dyn Db) -> Ty<'db> {
        self.ordered(db, false)
    }

    pub fn as_record(self, db: &'db dyn Db) -> Option<crate::db::ty::RecordInst<'db>> {
        match self.kind(db) {
            TyKind::Record(inst) => Some(*inst),
            _ => None,
        }
    }

    /// Returns the type as the user would write it.
    pub fn display(self, db: &'db dyn Db) -> String {
        match self.kind(db) {
            TyKind::Error => "<error>".to_string(),
            TyKind::Void => "void".to_string(),
            TyKind::Scalar(s) => s.name().to_string(),
            TyKind::LiteralInt => "literal int".to_string(),
            TyKind::LiteralFloat => "literal float".to_string(),
            TyKind::Vector(s, n) => format!("{}{n}", s.name()),
            TyKind::Matrix { scalar, rows, columns, row_major } => {
                let order = if *row_major { "row_major " } else { "" };
                format!("{order}{}{rows}x{columns}", scalar.name())
            }
            TyKind::Array(..) => {
                let (mut element, mut dims) = (self, String::new());
                while let TyKind::Array(inner, len) = element.kind(db) {
                    dims.push_str(&len.map_or("[]".to_string(), |n| format!("[{n}]")));
                    element = *inner;
                }
                element.display(db) + &dims
            }
            TyKind::Record(inst) => {
                let name = crate::types::record::record_name(db, inst.record(db));
                if inst.args(db).is_empty() {
                    return name;
                }
                let args: Vec<_> = inst.args(db).iter().map(|a| display_arg(db, a)).collect();
                format!("{name}<{}>", args.join(", "))
            }
            TyKind::Enum(e) => {
                let name = crate::db::items::enum_node(db, *e).and_then(|n| n.def.name.as_ref());
                let name = name.map_or_else(|| "enum".to_string(), |n| n.text.to_string());
                match e.owner.filter(|owner| !owner.args(db).is_empty()) {
                    Some(owner) => format!("{}::{name}", Ty::new(db, TyKind::Record(owner)).display(db)),
                    None => name,
                }
            }
            TyKind::String => "string".to_string(),
        }
    }
}

pub fn display_arg<'db>(db: &'db dyn Db, arg: &GenericArg<'db>) -> String {
    match arg {
        GenericArg::Ty(ty) => ty.display(db),
        GenericArg::Value(value) => value.display(db),
    }
}

impl<'db> Cx<'_, 'db> {
    /// Evaluates a type expression. Reports an error and returns the error type if it is wrong.
    pub fn ty(&mut self, id: TypeId) -> Ty<'db> {
        let ast = self.ast;
        let node = &ast.types[id];
        let base = match &node.kind {
            TypeKind::Path(path) if node.modifiers.iter().any(|m| is_tag(&m.text)) => {
                self.path_type_as(path, Sought::Scope)
            }
            TypeKind::Path(path) => self.path_type(path),
            TypeKind::Unsigned(path) => {
                let signed = self.path_type(path);
                match unsigned(signed.kind(self.db)) {
                    Some(kind) => Ty::new(self.db, kind),
                    None => {
                        if !signed.is_error(self.db) {
                            self.error(Code::NotAType, node.span, "`unsigned` needs an integer type");
                        }
                        Ty::error(self.db)
                    }
                }
            }
            TypeKind::Inferred => {
                self.error(Code::MissingType, node.span, "the type cannot be deduced from an initialiser here");
                Ty::error(self.db)
            }
            TypeKind::Record(_) | TypeKind::Enum(_) => self.defined_here(id),
            TypeKind::Error => Ty::error(self.db),
        };
        if let Some(word) = node.modifiers.iter().find(|m| m.text == "constexpr") {
            self.errors.push(
                Diagnostic::new(Code::BadModifier, self.token(word.at), "HLSL has no `constexpr`")
                    .note("use `static const`; functions of constants are constant without a keyword"),
            );
        }
        self.contradictory_modifiers(id);
        let order = node.modifiers.iter().rev().find_map(|m| match m.text.as_str() {
            "row_major" => Some(true),
            "column_major" => Some(false),
            _ => None,
        });
        let base = match order {
            Some(row_major) => base.ordered(self.db, row_major),
            None => base,
        };
        self.with_dims(base, &node.dims)
    }

    fn contradictory_modifiers(&mut self, id: TypeId) {
        let words = &self.ast.types[id].modifiers;
        let find = |text: &str| words.iter().find(|word| word.text == text);
        for (one, other) in CONTRADICTORY {
            if let (Some(first), Some(second)) = (find(one), find(other)) {
                let message = format!("`{one}` and `{other}` contradict each other");
                let (first, second) = if first.at < second.at { (first, second) } else { (second, first) };
                let wrong = Diagnostic::new(Code::BadModifier, self.token(second.at), message);
                self.errors.push(wrong.also(self.token(first.at), "the other one"));
            }
        }
    }

    /// Reports the first of these modifiers of a type. `on` is the declaration that cannot have it.
    pub fn refuse_modifiers(&mut self, id: TypeId, refused: &[&str], on: &str) {
        if let Some(word) = self.ast.types[id].modifiers.iter().find(|m| refused.contains(&m.text.as_str())) {
            let message = format!("`{}` has no effect on {on}", word.text);
            self.errors.push(Diagnostic::new(Code::BadModifier, self.token(word.at), message));
        }
    }

    /// Returns the type of a field, local variable, parameter or result. Reports a record that is never defined, and
    /// returns the error type.
    pub fn value_ty(&mut self, id: TypeId) -> Ty<'db> {
        let ty = self.ty(id);
        if let Some(interface) = interface(self.db, ty) {
            let message = format!("`{interface}` is an interface, so no value can have this type");
            self.errors
                .push(Diagnostic::new(Code::UnsupportedType, self.place(self.ast.types[id].span), message).note(
                "use a template, which accepts every structure with the methods: `template<typename T> void f(T x)`",
            ));
            return Ty::error(self.db);
        }
        self.check_coherent(id, ty, self.ast.types[id].span);
        self.defined(id, ty)
    }

    /// Returns the type. If its record is never defined, reports this and returns the error type.
    pub(crate) fn defined(&mut self, id: TypeId, ty: Ty<'db>) -> Ty<'db> {
        let Some(record) = undefined_record(self.db, ty) else { return ty };
        // The missing definition may be the text with the syntax error.
        if let Some(node) = crate::db::items::record_node(self.db, record)
            && let Some(name) = &node.record.name
            && node.tree.errors.is_empty()
        {
            let message = format!("`{}` is declared but never defined", name.text);
            self.errors.push(
                Diagnostic::new(Code::IncompleteType, self.place(self.ast.types[id].span), message)
                    .also(SourcePlace::token(record.item, name.at), "declared here"),
            );
        }
        Ty::error(self.db)
    }

    /// Checks `globallycoherent` and `reordercoherent`: the type must be memory that others write too. `ty` is the
    /// type with its dimensions, `id` the text before its name.
    pub(crate) fn check_coherent(&mut self, id: TypeId, ty: Ty<'db>, span: wgc_frontend::ast::Span) {
        let ty = crate::types::globals::element(self.db, ty);
        let object = crate::types::record::builtin(self.db, ty);
        for (modifier, records) in [("globallycoherent", true), ("reordercoherent", false)] {
            if self.ast.types[id].modifiers.iter().all(|m| m.text != modifier) {
                continue;
            }
            let fits = match object {
                Some(object) if object.is_node_object() => records && object.is_shared_input(),
                Some(object) => matches!(object.register_class(), None | Some('u')),
                None => ty.is_error(self.db),
            };
            if !fits {
                let and = if records { " and on `RWDispatchNodeInputRecord`" } else { "" };
                let shown = ty.display(self.db);
                let message = format!("`{modifier}` belongs on writable resources{and}, not on `{shown}`");
                self.errors.push(Diagnostic::new(Code::BadModifier, self.place(span), message));
            }
        }
    }

    /// Returns a type that is defined at its use.
    fn defined_here(&mut self, id: TypeId) -> Ty<'db> {
        let decls = &item_tree(self.db, self.item).decls;
        // Types in bodies are separate items (`local_types`).
        if self.body.is_none() {
            if let Some(index) = decls.record_at(id) {
                let record = crate::db::def::RecordId { item: self.item, index };
                // Inside its own template it has the arguments of that template.
                let args = self.owner.map(|o| o.args(self.db).clone()).unwrap_or_default();
                let expected = crate::types::signature::record_template_params(self.db, record).len();
                let args = if args.len() == expected { args } else { Vec::new() };
                return Ty::new(self.db, TyKind::Record(crate::db::ty::RecordInst::new(self.db, record, args)));
            }
            if let Some(index) = decls.enum_at(id) {
                return Ty::new(
                    self.db,
                    TyKind::Enum(crate::db::def::EnumId { item: self.item, index, owner: self.owner }),
                );
            }
        }
        self.error(Code::UnsupportedType, self.ast.types[id].span, "a type cannot be defined here");
        Ty::error(self.db)
    }

    /// Returns `base` with a declarator's dimensions.
    pub fn declared_ty(&mut self, base: Ty<'db>, declarator: &Declarator) -> Ty<'db> {
        self.with_dims(base, &declarator.dims)
    }

    /// Returns `base` with dimensions, outermost first.
    pub fn with_dims(&mut self, base: Ty<'db>, dims: &[Option<ExprId>]) -> Ty<'db> {
        let mut ty = base;
        // Dimensions of aliases count as well, because code that walks types may recurse.
        let mut levels = dims.len();
        let mut inner = base;
        while let TyKind::Array(element, _) = *inner.kind(self.db) {
            (levels, inner) = (levels + 1, element);
        }
        if levels > MAX_DEPTH as usize {
            let span = dims.iter().flatten().next().map_or_else(Default::default, |dim| self.ast.exprs[*dim].span);
            self.error(
                Code::NestingTooDeep,
                span,
                format!("this array has {levels} dimensions; the limit is {MAX_DEPTH}"),
            );
            return Ty::error(self.db);
        }
        for dim in dims.iter().rev() {
            let len = match dim {
                None => None,
                Some(expr) => {
                    let span = self.ast.exprs[*expr].span;
                    match self.int(*expr) {
                        Some(n @ 1..=0x7fff_ffff) => Some(n as u32),
                        Some(n) => {
                            self.error(
                                Code::ArraySize,
                                span,
                                format!("an array can have 1 to 2,147,483,647 elements, not {}", signed(n)),
                            );
                            return Ty::error(self.db);
                        }
                        None => return Ty::error(self.db),
                    }
                }
            };
            if ty.is_error(self.db) {
                return ty;
            }
            ty = Ty::new(self.db, TyKind::Array(ty, len));
        }
        ty
    }

    /// Returns the type that a path names; reports an error if it is not a type.
    pub fn path_type(&mut self, path: &Path) -> Ty<'db> {
        self.path_type_as(path, Sought::Type)
    }

    pub(crate) fn path_type_as(&mut self, path: &Path, sought: Sought) -> Ty<'db> {
        let found = match self.resolve_as(path, sought) {
            // A name that is not a type at all is reported as such.
            PathTarget::Nothing(at) if sought == Sought::Scope => match self.resolve(path) {
                PathTarget::Nothing(_) => PathTarget::Nothing(at),
                found => found,
            },
            found => found,
        };
        let what = match found {
            PathTarget::Type(ty) => return ty,
            PathTarget::Error => return Ty::error(self.db),
            PathTarget::Nothing(at) => {
                self.unknown(path, at, NameKind::Type);
                return Ty::error(self.db);
            }
            PathTarget::Value(_) | PathTarget::Local(_) | PathTarget::Var(..) | PathTarget::Field(_) => "a variable",
            PathTarget::Functions(_) => "a function",
            PathTarget::EnumValue(..) => "an enum value",
            PathTarget::Namespace(_) => "a namespace",
        };
        let name = path.segments.last().map(|s| s.name.text.as_str()).unwrap_or_default();
        let message = format!("`{name}` is {what}, not a type");
        let diagnostic = Diagnostic::new(Code::NotAType, self.place(path.span), message);
        let hidden = self.hidden_tag(path);
        self.errors.push(match hidden {
            Some(tag) => diagnostic.note(format!("write `{tag} {name}` to name the hidden type")),
            None => diagnostic,
        });
        Ty::error(self.db)
    }

    /// Returns the keyword that makes a path name the type that a value hides.
    fn hidden_tag(&mut self, path: &Path) -> Option<&'static str> {
        let (errors, sink) = (self.errors.len(), self.sink.take());
        let hidden = self.resolve_as(path, Sought::Scope);
        self.errors.truncate(errors);
        self.sink = sink;
        let PathTarget::Type(ty) = hidden else { return None };
        match ty.kind(self.db) {
            TyKind::Record(_) => Some("struct"),
            TyKind::Enum(_) => Some("enum"),
            _ => None,
        }
    }

    /// Returns a type without a declaration: a scalar, vector or matrix.
    pub(crate) fn builtin_type(&mut self, segment: &Segment) -> Option<PathTarget<'db>> {
        let word = segment.name.text.as_str();
        match (word, segment.args.as_deref()) {
            ("vector", args) => {
                let (scalar, sizes) = self.shape_args(segment, args.unwrap_or_default(), &[("size", 4)])?;
                let kind = |scalar| match Shape::of_code(sizes[0]) {
                    Shape { rows: 0, width } => TyKind::Vector(scalar, width),
                    Shape { rows, width } => TyKind::Matrix { scalar, rows, columns: width, row_major: false },
                };
                Some(scalar.map_or(PathTarget::Error, |s| PathTarget::Type(Ty::new(self.db, kind(s)))))
            }
            ("matrix", args) => {
                let (scalar, sizes) =
                    self.shape_args(segment, args.unwrap_or_default(), &[("rows", 4), ("columns", 4)])?;
                let row_major = self.item.row_major(self.db);
                let kind = |s| TyKind::Matrix { scalar: s, rows: sizes[0], columns: sizes[1], row_major };
                Some(scalar.map_or(PathTarget::Error, |s| PathTarget::Type(Ty::new(self.db, kind(s)))))
            }
            (word, None) => {
                let native_16bit = self.item.program(self.db).options(self.db).enable_16bit_types;
                let mut kind = spelled(word, native_16bit)?;
                if let TyKind::Matrix { row_major, .. } = &mut kind {
                    *row_major = self.item.row_major(self.db);
                }
                Some(PathTarget::Type(Ty::new(self.db, kind)))
            }
            _ => None,
        }
    }

    /// Reads the arguments of `vector` and `matrix`: a scalar, then sizes from 1 to 4, each with its default. The
    /// scalar is `None` when an error was reported.
    #[allow(clippy::type_complexity, reason = "a tuple of the three parts is clearer than a type of its own")]
    fn shape_args(
        &mut self,
        segment: &Segment,
        args: &[TemplateArg],
        sizes: &[(&str, u8)],
    ) -> Option<(Option<Scalar>, Vec<u8>)> {
        let internal = name_is_vector(segment) && self.item.program(self.db).options(self.db).internal;
        let name = segment.name.text.as_str();
        let at = self.token(segment.name.at);
        let mut out: Vec<u8> = sizes.iter().map(|(_, default)| *default).collect();
        if args.len() > 1 + sizes.len() {
            let message = format!("`{name}` has {} template parameters", 1 + sizes.len());
            self.errors.push(Diagnostic::new(Code::TemplateArguments, at, message));
            return Some((None, out));
        }
        let scalar = match args.first() {
            None => Some(Ty::scalar_ty(self.db, Scalar::F32)),
            Some(TemplateArg::Type(ty)) => Some(self.ty(*ty)),
            Some(TemplateArg::Expr(expr)) => self.expr_as_type(*expr),
        };
        let scalar = match scalar.map(|ty| ty.kind(self.db)) {
            Some(TyKind::Scalar(scalar)) => Some(*scalar),
            // Built-in declarations use the components of a template argument.
            Some(TyKind::Vector(scalar, _)) if self.item.program(self.db).options(self.db).internal => Some(*scalar),
            None | Some(TyKind::Error) => None,
            Some(_) => {
                let message = format!("the component type of a `{name}` must be a scalar");
                self.errors.push(Diagnostic::new(Code::TemplateArguments, at, message));
                None
            }
        };
        for (i, (what, _)) in sizes.iter().enumerate() {
            match args.get(i + 1) {
                None => {}
                Some(TemplateArg::Expr(expr)) => match self.int(*expr) {
                    Some(n @ 1..=4) => out[i] = n as u8,
                    // A built-in declaration took this shape from an argument.
                    Some(n) if internal && Shape::is_code(n) => out[i] = n as u8,
                    Some(n) => {
                        let span = self.ast.exprs[*expr].span;
                        self.error(
                            Code::TemplateArguments,
                            span,
                            format!("{what} of `{name}` must be 1 to 4, not {n}"),
                        );
                        return Some((None, out));
                    }
                    None => return Some((None, out)),
                },
                Some(TemplateArg::Type(_)) => {
                    let message = format!("{what} of `{name}` must be a number");
                    self.errors.push(Diagnostic::new(Code::TemplateArguments, at, message));
                    return Some((None, out));
                }
            }
        }
        Some((scalar, out))
    }
}

/// Returns whether a word before a name marks a record or enum.
fn is_tag(word: &str) -> bool {
    matches!(word, "struct" | "class" | "interface" | "enum")
}

fn name_is_vector(segment: &Segment) -> bool {
    segment.name.text == "vector"
}

/// Returns the record without a body that a value of the type needs: the type, its element, or the record of a
/// built-in object.
fn undefined_record<'db>(db: &'db dyn Db, ty: Ty<'db>) -> Option<RecordId<'db>> {
    match ty.kind(db) {
        TyKind::Array(element, _) => undefined_record(db, *element),
        // For records of the prelude, a type argument of the program may be undefined.
        TyKind::Record(inst) if inst.record(db).item.program(db) == db.prelude() => {
            inst.args(db).iter().find_map(|arg| match arg {
                GenericArg::Ty(ty) => undefined_record(db, *ty),
                GenericArg::Value(_) => None,
            })
        }
        TyKind::Record(inst) => {
            let id = crate::types::definition::record(db, *inst).record;
            crate::db::items::record_node(db, id).is_some_and(|node| node.record.members.is_none()).then_some(id)
        }
        _ => None,
    }
}

/// Returns the name of the interface that is the type or an array's element.
fn interface<'db>(db: &'db dyn Db, ty: Ty<'db>) -> Option<String> {
    let TyKind::Record(inst) = crate::types::globals::element(db, ty).kind(db) else { return None };
    let node = crate::db::items::record_node(db, inst.record(db))?;
    (node.record.keyword == RecordKeyword::Interface)
        .then(|| crate::types::record::record_name(db, inst.record(db)).to_string())
}

/// Returns the target of a `typedef` or `using`, a member of `owner` if any, with the arguments written after its
/// name.
pub(crate) fn alias<'db>(
    cx: &mut Cx<'_, 'db>,
    alias: AliasId<'db>,
    owner: Option<RecordInst<'db>>,
    segment: &Segment,
) -> PathTarget<'db> {
    let params = alias_params(cx.db, alias.item, alias.index);
    let name = segment.name.text.as_str();
    let args = segment.args.as_deref();
    let outer = crate::types::record::env_of(cx.db, owner);
    let Some(args) = cx.template_args(params, args, alias.item, &outer, name, segment.name.at) else {
        return PathTarget::Error;
    };
    // Errors that depend on no argument are reported at the declaration.
    let depends = !args.is_empty() || !outer.is_empty();
    let (ty, errors) = alias_ty(cx.db, alias.item, alias.index, owner, args);
    if depends {
        cx.adopt(errors);
    }
    PathTarget::Type(*ty)
}

#[salsa::tracked(returns(ref))]
fn alias_params<'db>(db: &'db dyn Db, item: Item<'db>, index: u32) -> Vec<crate::types::signature::TemplateParam> {
    let tree = item_tree(db, item);
    let decl = tree.decls.aliases.get(index as usize);
    decl.map(|d| crate::types::signature::params_of(&tree.ast, &d.around.templates)).unwrap_or_default()
}

/// Returns the target of an alias, and its errors.
#[salsa::tracked(returns(ref), cycle_result = cyclic_alias)]
pub fn alias_ty<'db>(
    db: &'db dyn Db,
    item: Item<'db>,
    index: u32,
    owner: Option<RecordInst<'db>>,
    args: Vec<GenericArg<'db>>,
) -> (Ty<'db>, Vec<Diagnostic<'db>>) {
    let tree = item_tree(db, item);
    let Some(decl) = tree.decls.aliases.get(index as usize) else { return (Ty::error(db), Vec::new()) };
    let names = alias_params(db, item, index).iter().map(|p| p.name.clone());
    let mut env = crate::types::record::env_of(db, owner);
    env.extend(names.zip(args));
    let mut cx = Cx::head(db, item, &tree.ast, &env).with_owner(owner);
    let ty = match decl.parts(&tree.ast) {
        Some((_, written, dims)) => {
            let base = cx.ty(written);
            let ty = cx.with_dims(base, dims);
            // Targets that depend on arguments are checked at their uses.
            match env.is_empty()
                && crate::types::node_record::check_object(&mut cx, ty, tree.ast.types[written].span).is_err()
            {
                true => Ty::error(db),
                false => ty,
            }
        }
        None => Ty::error(db),
    };
    (ty, cx.errors)
}

fn cyclic_alias<'db>(
    db: &'db dyn Db,
    _: salsa::Id,
    item: Item<'db>,
    index: u32,
    _owner: Option<RecordInst<'db>>,
    _args: Vec<GenericArg<'db>>,
) -> (Ty<'db>, Vec<Diagnostic<'db>>) {
    let def = crate::db::def::Def::Alias(AliasId { item, index });
    let place = crate::types::names::def_place(db, def);
    let error = place.map(|p| Diagnostic::new(Code::CyclicDefinition, p, "this type is defined by itself"));
    (Ty::error(db), error.into_iter().collect())
}
