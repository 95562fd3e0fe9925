//! Called by the actions of the grammar. Adds nodes to the arenas, maps positions of the repaired token list to the
//! piece, and cuts trees that get too deep. It makes no decisions about the language.

use compact_str::CompactString;
use lalrpop_util::{ErrorRecovery, ParseError};

use super::feed::Tok;
use crate::ast::visit::{Children, Node};
use crate::ast::{
    Annotation, Ast, Attribute, Body, Declarator, Expr, ExprId, ExprKind, Function, Ident, Item, ItemId, ItemKind,
    Modifier, Param, Path, Record, RecordKeyword, Segment, Span, Stmt, StmtId, StmtKind, TemplateArg, TemplateParam,
    TypeExpr, TypeId, TypeKind, VarDecl,
};
use crate::diagnostic::{ErrorCode, SyntaxError};

/// The maximum number of nodes from a root to a leaf, small enough for recursion on any thread. Brackets have a lower
/// limit (`feed`). This one is for long chains such as sums.
pub(super) const DEPTH: u32 = 512;

/// The result of the grammar's root.
#[derive(Debug)]
pub(super) enum Root {
    Item(ItemId),
    Body(Vec<StmtId>),
}

/// The part before a parameter's type.
#[derive(Debug)]
pub(super) enum Prefix {
    Attributes(Vec<Attribute>),
    Modifier(Modifier),
}

/// A function's parameters and the part between them and its body.
#[derive(Debug)]
pub(super) struct Signature {
    pub params: Vec<Param>,
    pub is_const: bool,
    pub dims: Vec<Option<ExprId>>,
    pub annotations: Vec<Annotation>,
}

/// The position at which the parser stopped: the index into the fed tokens, and the expected terminals.
#[derive(Clone, Debug)]
pub(super) struct Stop {
    pub at: usize,
    pub expected: Vec<String>,
}

pub(super) struct Builder {
    pub ast: Ast,
    pub stops: Vec<Stop>,
    /// The position at which a too deep tree was cut, and whether it was a chain of operators.
    pub too_deep: Option<(Span, bool)>,
    /// Constructs that the grammar accepts and the language does not.
    pub mistakes: Vec<SyntaxError>,
    /// The spans of the fed tokens in the piece; inserted ones are empty.
    spans: Vec<Span>,
    expr_depths: Vec<u32>,
    stmt_depths: Vec<u32>,
    type_depths: Vec<u32>,
    item_depths: Vec<u32>,
}

impl Builder {
    pub fn new(spans: Vec<Span>) -> Self {
        Builder {
            ast: Ast::default(),
            stops: Vec::new(),
            too_deep: None,
            mistakes: Vec::new(),
            spans,
            expr_depths: Vec::new(),
            stmt_depths: Vec::new(),
            type_depths: Vec::new(),
            item_depths: Vec::new(),
        }
    }

    /// Returns the piece's tokens from fed token `l` up to, but not including, `r`.
    pub fn span(&self, l: u32, r: u32) -> Span {
        let end = self.spans.last().map_or(0, |last| last.hi);
        let lo = self.spans.get(l as usize).map_or(end, |first| first.lo);
        let hi = match r.checked_sub(1) {
            Some(last) if r > l => self.spans.get(last as usize).map_or(end, |last| last.hi),
            _ => lo,
        };
        Span { lo, hi: hi.max(lo) }
    }

    pub fn stop(error: ParseError<u32, Tok<'_>, ()>, end: usize) -> Stop {
        match error {
            ParseError::UnrecognizedToken { token, expected } => Stop { at: token.0 as usize, expected },
            ParseError::ExtraToken { token } => Stop { at: token.0 as usize, expected: Vec::new() },
            ParseError::UnrecognizedEof { expected, .. } => Stop { at: end, expected },
            ParseError::InvalidToken { location } => Stop { at: location as usize, expected: Vec::new() },
            ParseError::User { .. } => Stop { at: end, expected: Vec::new() },
        }
    }

    pub fn recovered(&mut self, recovery: ErrorRecovery<u32, Tok<'_>, ()>) {
        let stop = Self::stop(recovery.error, self.spans.len());
        self.stops.push(stop);
    }

    // ---- names and types

    pub fn ident(&self, text: &str, l: u32) -> Ident {
        Ident { text: text.into(), at: self.span(l, l + 1).lo }
    }

    pub fn or_missing(&self, name: Option<Ident>, l: u32) -> Ident {
        name.unwrap_or_else(|| Ident { text: CompactString::default(), at: self.span(l, l + 1).lo })
    }

    pub fn modifier(&self, text: &str, l: u32) -> Modifier {
        Modifier { text: text.into(), at: self.span(l, l + 1).lo }
    }

    pub fn path(&self, global: bool, segment: Segment, l: u32, r: u32) -> Path {
        Path { global, segments: vec![segment], span: self.span(l, r) }
    }

    /// Builds `a::b`.
    pub fn path_of_two(&self, first: Segment, second: Segment, l: u32, r: u32) -> Path {
        Path { global: false, segments: vec![first, second], span: self.span(l, r) }
    }

    pub fn path_push(&self, mut path: Path, segment: Segment, r: u32) -> Path {
        path.segments.push(segment);
        path.span.hi = self.span(r.saturating_sub(1), r).hi.max(path.span.lo);
        path
    }

    /// Returns a path as a type, unless repair inserted it.
    pub fn type_path(&self, path: Path) -> TypeKind {
        if is_missing(&path) { TypeKind::Error } else { TypeKind::Path(path) }
    }

    pub fn ty(
        &mut self,
        modifiers: Vec<Modifier>,
        kind: TypeKind,
        dims: Vec<Option<ExprId>>,
        l: u32,
        r: u32,
    ) -> TypeId {
        let span = self.span(l, r);
        let mut ty = TypeExpr { modifiers, kind, dims, span };
        let mut children = Children(Vec::new());
        children.ty(&ty);
        let mut depth = self.depth(&children.0);
        if depth > DEPTH {
            self.cut(span);
            ty.kind = TypeKind::Error;
            ty.dims.clear();
            depth = 1;
        }
        self.type_depths.push(depth);
        self.ast.types.alloc(ty)
    }

    // ---- nodes

    pub fn expr(&mut self, kind: ExprKind, l: u32, r: u32) -> ExprId {
        let span = self.span(l, r);
        let mut expr = Expr { kind, span };
        let mut children = Children(Vec::new());
        children.expr(&expr);
        let mut depth = self.depth(&children.0);
        if depth > DEPTH {
            let is_chain = self.is_chain(&expr.kind);
            self.too_deep.get_or_insert((span, is_chain));
            expr.kind = ExprKind::Error;
            depth = 1;
        }
        self.expr_depths.push(depth);
        self.ast.exprs.alloc(expr)
    }

    pub fn path_expr(&mut self, path: Path, l: u32, r: u32) -> ExprId {
        let kind = if is_missing(&path) { ExprKind::Error } else { ExprKind::Path(path) };
        self.expr(kind, l, r)
    }

    /// Returns the contents of one pair of parentheses, or the expression itself.
    pub fn without_parentheses(&self, expr: ExprId) -> ExprId {
        match self.ast.exprs[expr].kind {
            ExprKind::Paren(inner) => inner,
            _ => expr,
        }
    }

    /// Builds the declaration of `int a = f()` in the parentheses of a statement, and the value that decides, which is
    /// `a`.
    pub fn condition(
        &mut self,
        ty: TypeId,
        path: Path,
        name: (u32, u32),
        init: ExprId,
        l: u32,
        r: u32,
    ) -> (Option<StmtId>, ExprId) {
        let value = self.path_expr(path.clone(), name.0, name.1);
        let declarator = self.declarator(path, (Vec::new(), Vec::new(), Some(init)), name.0, r);
        let decl = self.stmt(StmtKind::Var(VarDecl { ty, vars: vec![declarator] }), l, r);
        (Some(decl), value)
    }

    pub fn stmt(&mut self, kind: StmtKind, l: u32, r: u32) -> StmtId {
        let span = self.span(l, r);
        let mut stmt = Stmt { kind, span };
        let mut children = Children(Vec::new());
        children.stmt(&stmt);
        let mut depth = self.depth(&children.0);
        if depth > DEPTH {
            self.cut(span);
            stmt.kind = StmtKind::Error;
            depth = 1;
        }
        self.stmt_depths.push(depth);
        self.ast.stmts.alloc(stmt)
    }

    /// Wraps a statement once for each attribute, the first one outermost.
    pub fn attributed(&mut self, attributes: Vec<Attribute>, stmt: StmtId, l: u32, r: u32) -> StmtId {
        attributes
            .into_iter()
            .rev()
            .fold(stmt, |stmt, attribute| self.stmt(StmtKind::Attributed { attribute, stmt }, l, r))
    }

    pub fn item(&mut self, attributes: Vec<Attribute>, kind: ItemKind, l: u32, r: u32) -> ItemId {
        let span = self.span(l, r);
        let mut item = Item { attributes, kind, span };
        let mut children = Children(Vec::new());
        children.item(&item);
        let mut depth = self.depth(&children.0);
        if depth > DEPTH {
            self.cut(span);
            item.kind = ItemKind::Error;
            depth = 1;
        }
        self.item_depths.push(depth);
        self.ast.items.alloc(item)
    }

    /// Builds a template. A template of a `static` variable becomes one of records with the variable as a member.
    pub fn template(&mut self, params: Vec<TemplateParam>, item: ItemId, l: u32, r: u32) -> ItemKind {
        let Some((name, specialises)) = self.variable(item) else { return ItemKind::Template { params, item } };
        let record = Record {
            keyword: RecordKeyword::Variable,
            attributes: Vec::new(),
            name: Some(name),
            specialises,
            bases: Vec::new(),
            members: Some(vec![item]),
        };
        let ty = self.ty(Vec::new(), TypeKind::Record(Box::new(record)), Vec::new(), l, r);
        let item = self.item(Vec::new(), ItemKind::Type(ty), l, r);
        ItemKind::Template { params, item }
    }

    /// Returns the name and the arguments of the single `static` variable that an item declares.
    fn variable(&mut self, item: ItemId) -> Option<(Ident, Option<Vec<TemplateArg>>)> {
        let ItemKind::Var(var) = &mut self.ast.items[item].kind else { return None };
        let is_static = self.ast.types[var.ty].modifiers.iter().any(|m| m.text == "static");
        match var.vars.as_mut_slice() {
            [only] if is_static && only.owner.is_none() => Some((only.name.clone(), only.specialises.take())),
            _ => None,
        }
    }

    fn depth(&self, children: &[Node]) -> u32 {
        let of = |node: &Node| match *node {
            Node::Expr(id) => self.expr_depths.get(id.into_raw().into_u32() as usize),
            Node::Stmt(id) => self.stmt_depths.get(id.into_raw().into_u32() as usize),
            Node::Type(id) => self.type_depths.get(id.into_raw().into_u32() as usize),
            Node::Item(id) => self.item_depths.get(id.into_raw().into_u32() as usize),
        };
        1 + children.iter().filter_map(of).max().copied().unwrap_or(0)
    }

    fn cut(&mut self, span: Span) {
        self.too_deep.get_or_insert((span, false));
    }

    /// Returns whether an expression is mostly a chain of left operands: `a + b + c`.
    fn is_chain<'a>(&'a self, mut kind: &'a ExprKind) -> bool {
        let mut length = 0;
        while let ExprKind::Binary { lhs, .. } = kind {
            length += 1;
            kind = &self.ast.exprs[*lhs].kind;
        }
        length > DEPTH / 2
    }

    // ---- declarations

    pub fn annotation(&mut self, name: Ident, args: Option<Vec<ExprId>>, l: u32, r: u32) -> Annotation {
        let Some(args) = args else { return Annotation::Semantic(name) };
        let meant = match name.text.as_str() {
            "register" | "packoffset" => name.text.as_str(),
            // For ray payloads, recognised by the name alone.
            "read" | "write" => return Annotation::Semantic(name),
            other => {
                let meant = ["register", "packoffset"].into_iter().find(|word| other.starts_with(&word[..3]));
                let message = format!("unknown annotation `{other}(..)`");
                let mut error = SyntaxError::new(ErrorCode::UnexpectedToken, message, self.span(l, r));
                error.help = Some("expected `register(..)`, or `packoffset(..)` in a constant buffer");
                error.fix = meant.map(|word| (self.span(l, l + 1), word.to_owned()));
                error.harmless = true;
                self.mistakes.push(error);
                let Some(meant) = meant else { return Annotation::Semantic(name) };
                meant
            }
        };
        match meant {
            "register" => Annotation::Register(args, self.span(l, r)),
            _ => Annotation::PackOffset(args, self.span(l, r)),
        }
    }

    pub fn declarator(
        &self,
        path: Path,
        (dims, annotations, init): (Vec<Option<ExprId>>, Vec<Annotation>, Option<ExprId>),
        l: u32,
        r: u32,
    ) -> Declarator {
        let (owner, segment) = split(path);
        let Segment { name, args } = segment;
        Declarator { owner, name, specialises: args, dims, annotations, init, span: self.span(l, r) }
    }

    pub fn function(&mut self, ret: TypeId, path: Path, signature: Signature, body: Body, l: u32, r: u32) -> Function {
        let (owner, Segment { name, args }) = split(path);
        Function { specialises: args, ..self.operator(ret, owner, name, signature, body, l, r) }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one rule of the grammar")]
    pub fn operator(
        &mut self,
        ret: TypeId,
        owner: Option<Path>,
        name: Ident,
        Signature { params, is_const, dims, annotations }: Signature,
        body: Body,
        l: u32,
        r: u32,
    ) -> Function {
        self.ast.types[ret].dims.extend(dims);
        let span = self.span(l, r);
        Function { ret, owner, name, specialises: None, params, is_const, annotations, body, span }
    }

    /// Builds `int : 4;`.
    /// Builds a declaration of variables. In Slang's `let x : float = 1;` the type comes after the name.
    pub fn var_decl(&mut self, ty: TypeId, mut vars: Vec<Declarator>) -> VarDecl {
        if !matches!(self.ast.types[ty].kind, TypeKind::Inferred) {
            return VarDecl { ty, vars };
        }
        let typed = vars.iter_mut().find(|var| matches!(var.annotations.first(), Some(Annotation::Semantic(_))));
        let Some(Annotation::Semantic(name)) = typed.map(|var| var.annotations.remove(0)) else {
            return VarDecl { ty, vars };
        };
        let span = Span { lo: name.at, hi: name.at + 1 };
        if vars.len() > 1 {
            let message = format!("the type `{}` belongs to one variable, but {} are declared", name.text, vars.len());
            let mut error = SyntaxError::new(ErrorCode::UnexpectedToken, message, span);
            error.help = Some("declare each variable with its own `let`");
            self.mistakes.push(error);
        }
        // The keyword's node becomes that of the type, so that modifiers stay.
        self.ast.types[ty].kind =
            TypeKind::Path(Path { global: false, segments: vec![Segment { name, args: None }], span });
        VarDecl { ty, vars }
    }

    pub fn padding(&mut self, ty: TypeId, bits: &str, l: u32, r: u32) -> VarDecl {
        let bits = self.expr(ExprKind::Int(bits.into()), l, r);
        let span = self.span(l, r);
        let name = Ident { text: CompactString::default(), at: span.lo };
        let annotations = vec![Annotation::Bits(bits)];
        let dims = Vec::new();
        VarDecl {
            ty,
            vars: vec![Declarator { owner: None, name, specialises: None, dims, annotations, init: None, span }],
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one rule of the grammar")]
    pub fn param(
        &mut self,
        prefixes: Vec<Prefix>,
        kind: TypeKind,
        mut after: Vec<Modifier>,
        declarator: Option<Declarator>,
        l: u32,
        type_end: u32,
        r: u32,
    ) -> Param {
        let mut attributes = Vec::new();
        let mut modifiers = Vec::new();
        for prefix in prefixes {
            match prefix {
                Prefix::Attributes(mut more) => attributes.append(&mut more),
                Prefix::Modifier(modifier) => modifiers.push(modifier),
            }
        }
        modifiers.append(&mut after);
        let ty = self.ty(modifiers, kind, Vec::new(), l, type_end);
        Param { attributes, ty, declarator, span: self.span(l, r) }
    }
}

fn is_missing(path: &Path) -> bool {
    matches!(path.segments.as_slice(), [one] if one.name.text.is_empty())
}

/// Splits `A::B::c` into `A::B` and `c`.
fn split(mut path: Path) -> (Option<Path>, Segment) {
    let last = path
        .segments
        .pop()
        .unwrap_or_else(|| Segment { name: Ident { text: CompactString::default(), at: path.span.lo }, args: None });
    let owner = (!path.segments.is_empty()).then(|| {
        let hi = last.name.at.saturating_sub(1).max(path.span.lo);
        Path { span: Span { hi, ..path.span }, ..path }
    });
    (owner, last)
}

/// Returns whether the parameters are `(void)`.
pub(super) fn single_void(ast: &Ast, params: &[Param]) -> bool {
    let [Param { attributes, ty, declarator: None, .. }] = params else { return false };
    let ty = &ast.types[*ty];
    attributes.is_empty()
        && ty.modifiers.is_empty()
        && matches!(&ty.kind, TypeKind::Path(path) if path.segments.len() == 1 && path.segments[0].name.text == "void")
}
