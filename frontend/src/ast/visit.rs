//! Direct children of nodes, for walks that do not depend on the meaning of nodes.

use super::{
    Annotation, Ast, Attribute, Declarator, Expr, ExprId, ExprKind, Function, Item, ItemId, ItemKind, Path, Record,
    Span, Stmt, StmtId, StmtKind, TemplateArg, TemplateParam, TypeExpr, TypeId, TypeKind, VarDecl,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Expr(ExprId),
    Stmt(StmtId),
    Type(TypeId),
    Item(ItemId),
}

impl Ast {
    pub fn span(&self, node: Node) -> Span {
        match node {
            Node::Expr(id) => self.exprs[id].span,
            Node::Stmt(id) => self.stmts[id].span,
            Node::Type(id) => self.types[id].span,
            Node::Item(id) => self.items[id].span,
        }
    }

    /// Returns the children in source order, except that attributes come first.
    pub fn children(&self, node: Node) -> Vec<Node> {
        let mut out = Children(Vec::new());
        match node {
            Node::Expr(id) => out.expr(&self.exprs[id]),
            Node::Stmt(id) => out.stmt(&self.stmts[id]),
            Node::Type(id) => out.ty(&self.types[id]),
            Node::Item(id) => out.item(&self.items[id]),
        }
        out.0
    }
}

pub(crate) struct Children(pub Vec<Node>);

impl Children {
    fn push_expr(&mut self, id: ExprId) {
        self.0.push(Node::Expr(id));
    }

    fn exprs(&mut self, ids: &[ExprId]) {
        self.0.extend(ids.iter().map(|&id| Node::Expr(id)));
    }

    fn path(&mut self, path: &Path) {
        for segment in &path.segments {
            self.args(segment.args.as_deref());
        }
    }

    fn args(&mut self, args: Option<&[TemplateArg]>) {
        for arg in args.unwrap_or_default() {
            self.0.push(match *arg {
                TemplateArg::Expr(id) => Node::Expr(id),
                TemplateArg::Type(id) => Node::Type(id),
            });
        }
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            self.path(&attribute.path);
            self.exprs(attribute.args.as_deref().unwrap_or_default());
        }
    }

    fn annotations(&mut self, annotations: &[Annotation]) {
        for annotation in annotations {
            match annotation {
                Annotation::Semantic(_) => {}
                Annotation::Register(args, _) | Annotation::PackOffset(args, _) => self.exprs(args),
                Annotation::Bits(width) => self.push_expr(*width),
            }
        }
    }

    fn declarator(&mut self, declarator: &Declarator) {
        if let Some(owner) = &declarator.owner {
            self.path(owner);
        }
        self.args(declarator.specialises.as_deref());
        self.0.extend(declarator.dims.iter().flatten().map(|&id| Node::Expr(id)));
        self.annotations(&declarator.annotations);
        self.0.extend(declarator.init.map(Node::Expr));
    }

    fn var(&mut self, var: &VarDecl) {
        self.0.push(Node::Type(var.ty));
        for declarator in &var.vars {
            self.declarator(declarator);
        }
    }

    pub fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::Str(_)
            | ExprKind::Bool(_)
            | ExprKind::Error => {}
            ExprKind::Path(path) => self.path(path),
            ExprKind::Unary { operand, .. } | ExprKind::Postfix { operand, .. } => self.push_expr(*operand),
            ExprKind::Binary { lhs, rhs, .. } | ExprKind::Assign { lhs, rhs, .. } | ExprKind::Comma { lhs, rhs } => {
                self.exprs(&[*lhs, *rhs])
            }
            ExprKind::Cond { cond, then, otherwise } => self.exprs(&[*cond, *then, *otherwise]),
            ExprKind::Cast { ty, operand } => {
                self.0.push(Node::Type(*ty));
                self.push_expr(*operand);
            }
            ExprKind::Call { callee, args } => {
                self.push_expr(*callee);
                self.exprs(args);
            }
            ExprKind::Index { base, index } => self.exprs(&[*base, *index]),
            ExprKind::Member { base, args, .. } => {
                self.push_expr(*base);
                self.args(args.as_deref());
            }
            ExprKind::Sizeof(inner) | ExprKind::Paren(inner) => self.push_expr(*inner),
            ExprKind::Type(ty) => self.0.push(Node::Type(*ty)),
            ExprKind::List(items) => self.exprs(items),
        }
    }

    pub fn ty(&mut self, ty: &TypeExpr) {
        match &ty.kind {
            TypeKind::Path(path) | TypeKind::Unsigned(path) => self.path(path),
            TypeKind::Inferred | TypeKind::Error => {}
            TypeKind::Record(record) => self.record(record),
            TypeKind::Enum(definition) => {
                self.0.extend(definition.base.map(Node::Type));
                self.0.extend(definition.values.iter().filter_map(|(_, value)| *value).map(Node::Expr));
            }
        }
        self.0.extend(ty.dims.iter().flatten().map(|&id| Node::Expr(id)));
    }

    fn record(&mut self, record: &Record) {
        self.attributes(&record.attributes);
        self.args(record.specialises.as_deref());
        for base in &record.bases {
            self.path(base);
        }
        self.0.extend(record.members.iter().flatten().map(|&id| Node::Item(id)));
    }

    fn function(&mut self, function: &Function) {
        self.0.push(Node::Type(function.ret));
        if let Some(owner) = &function.owner {
            self.path(owner);
        }
        self.args(function.specialises.as_deref());
        for param in &function.params {
            self.attributes(&param.attributes);
            self.0.push(Node::Type(param.ty));
            if let Some(declarator) = &param.declarator {
                self.declarator(declarator);
            }
        }
        self.annotations(&function.annotations);
    }

    pub fn item(&mut self, item: &Item) {
        self.attributes(&item.attributes);
        match &item.kind {
            ItemKind::Empty | ItemKind::Error => {}
            ItemKind::Var(var) => self.var(var),
            ItemKind::Type(ty) => self.0.push(Node::Type(*ty)),
            ItemKind::Using { attributes, ty, dims, .. } => {
                self.attributes(attributes);
                self.0.push(Node::Type(*ty));
                self.0.extend(dims.iter().flatten().map(|&id| Node::Expr(id)));
            }
            ItemKind::Function(function) => self.function(function),
            ItemKind::CBuffer(buffer) => {
                self.annotations(&buffer.annotations);
                self.0.extend(buffer.members.iter().map(|&id| Node::Item(id)));
            }
            ItemKind::Typedef { ty, declarators } => {
                self.0.push(Node::Type(*ty));
                declarators.iter().for_each(|declarator| self.declarator(declarator));
            }
            ItemKind::UsingNamespace(path)
            | ItemKind::NamespaceAlias { path, .. }
            | ItemKind::UsingName(path)
            | ItemKind::Import(path) => self.path(path),
            ItemKind::Instantiation(item) => self.0.push(Node::Item(*item)),
            ItemKind::Namespace { items, .. } => self.0.extend(items.iter().map(|&id| Node::Item(id))),
            ItemKind::Template { params, item } => {
                for param in params {
                    match param {
                        TemplateParam::Type { default, .. } => self.0.extend(default.map(Node::Type)),
                        TemplateParam::Value { ty, default, .. } => {
                            self.0.push(Node::Type(*ty));
                            self.0.extend(default.map(Node::Expr));
                        }
                    }
                }
                self.0.push(Node::Item(*item));
            }
            ItemKind::StaticAssert(args) => self.exprs(args),
        }
    }

    pub fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Empty
            | StmtKind::Default
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Discard
            | StmtKind::Error => {}
            StmtKind::Expr(expr) | StmtKind::Case(expr) => self.push_expr(*expr),
            StmtKind::Return(expr) => self.0.extend(expr.map(Node::Expr)),
            StmtKind::Var(var) => self.var(var),
            StmtKind::Item(item) => self.0.push(Node::Item(*item)),
            StmtKind::Block(stmts) => self.0.extend(stmts.iter().map(|&id| Node::Stmt(id))),
            StmtKind::Attributed { attribute, stmt } => {
                self.attributes(std::slice::from_ref(attribute));
                self.0.push(Node::Stmt(*stmt));
            }
            StmtKind::If { decl, cond, then, otherwise } => {
                self.0.extend(decl.map(Node::Stmt));
                self.push_expr(*cond);
                self.0.push(Node::Stmt(*then));
                self.0.extend(otherwise.map(Node::Stmt));
            }
            StmtKind::While { decl, cond, body } => {
                self.0.extend(decl.map(Node::Stmt));
                self.push_expr(*cond);
                self.0.push(Node::Stmt(*body));
            }
            StmtKind::DoWhile { body, cond } => {
                self.0.push(Node::Stmt(*body));
                self.push_expr(*cond);
            }
            StmtKind::For { init, decl, cond, step, body } => {
                self.0.push(Node::Stmt(*init));
                self.0.extend(decl.map(Node::Stmt));
                self.0.extend(cond.map(Node::Expr));
                self.0.extend(step.map(Node::Expr));
                self.0.push(Node::Stmt(*body));
            }
            StmtKind::Switch { decl, selector, body } => {
                self.0.extend(decl.map(Node::Stmt));
                self.push_expr(*selector);
                self.0.extend(body.iter().map(|&id| Node::Stmt(id)));
            }
        }
    }
}
