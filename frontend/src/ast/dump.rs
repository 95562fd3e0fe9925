//! Prints trees as text, for `wgc --emit ast` and for tests. Each item, member, parameter and statement is on its own
//! line. Expressions have all their parentheses. People read the text and tests compare it; it is never parsed.
//!
//! Binary expressions are `(a + b)`, written parentheses `((a + b))`, casts `cast<T>(x)`, postfix `(x)++`,
//! conditions `(a ? b : c)`, errors `<error>`.

use std::fmt::Write;

use super::visit::Node;
use super::{
    Annotation, Ast, Attribute, Body, Declarator, Expr, ExprId, ExprKind, Function, ItemId, ItemKind, Modifier, Path,
    Record, RecordKeyword, StmtId, StmtKind, TemplateArg, TemplateParam, TypeId, TypeKind, VarDecl,
};

/// Returns the trees under `roots` as text. `body` returns the text of the item's n-th function body, already dumped,
/// without indentation.
pub fn dump(ast: &Ast, roots: &[Node], body: &dyn Fn(u32) -> String) -> String {
    let mut dump = Dump { ast, body, out: String::new(), indent: 0 };
    for root in roots {
        match *root {
            Node::Item(id) => dump.item(id),
            Node::Stmt(id) => dump.stmt(id),
            Node::Expr(id) => {
                let text = dump.expr(id);
                dump.line(&text);
            }
            Node::Type(id) => {
                let text = dump.ty(id);
                dump.line(&text);
            }
        }
    }
    dump.out
}

struct Dump<'a> {
    ast: &'a Ast,
    body: &'a dyn Fn(u32) -> String,
    out: String,
    indent: usize,
}

impl Dump<'_> {
    fn line(&mut self, text: &str) {
        for line in text.lines() {
            let _ = writeln!(self.out, "{:1$}{line}", "", self.indent * 2);
        }
    }

    fn nest(&mut self, inside: impl FnOnce(&mut Self)) {
        self.indent += 1;
        inside(self);
        self.indent -= 1;
    }

    // ---- items

    fn item(&mut self, id: ItemId) {
        let item = &self.ast.items[id];
        for attribute in &item.attributes {
            let text = self.attribute(attribute);
            self.line(&text);
        }
        match &item.kind {
            ItemKind::Empty => self.line("empty"),
            ItemKind::Error => self.line("<error>"),
            ItemKind::Var(var) => self.var(var),
            ItemKind::Type(ty) => self.type_definition(*ty, ""),
            ItemKind::Function(function) => self.function(function),
            ItemKind::CBuffer(buffer) => {
                let keyword = if buffer.texture { "tbuffer" } else { "cbuffer" };
                let annotations = self.annotations(&buffer.annotations);
                self.line(&format!("{keyword} {}{annotations}", buffer.name.text));
                self.nest(|this| buffer.members.iter().for_each(|&member| this.item(member)));
            }
            ItemKind::Typedef { ty, declarators } => {
                let names: Vec<String> = declarators.iter().map(|declarator| self.declarator(declarator)).collect();
                self.type_definition(*ty, &format!("typedef {} = ", names.join(", ")));
            }
            ItemKind::Using { name, attributes, ty, dims } => {
                let attributes: Vec<String> = attributes.iter().map(|a| self.attribute(a)).collect();
                attributes.iter().for_each(|a| self.line(a));
                let ty = self.ty(*ty);
                self.line(&format!("using {} = {ty}{}", name.text, self.dims(dims)));
            }
            ItemKind::UsingNamespace(path) => {
                let path = self.path(path);
                self.line(&format!("using namespace {path}"));
            }
            ItemKind::NamespaceAlias { name, path } => {
                let path = self.path(path);
                self.line(&format!("namespace {} = {path}", name.text));
            }
            ItemKind::UsingName(path) => {
                let path = self.path(path);
                self.line(&format!("using {path}"));
            }
            ItemKind::Instantiation(item) => {
                self.line("instantiate");
                self.nest(|this| this.item(*item));
            }
            ItemKind::Namespace { name, items } => {
                self.line(&format!("namespace {}", name.text));
                self.nest(|this| items.iter().for_each(|&item| this.item(item)));
            }
            ItemKind::Template { params, item } => {
                let params: Vec<String> = params.iter().map(|param| self.template_param(param)).collect();
                self.line(&format!("template<{}>", params.join(", ")));
                self.nest(|this| this.item(*item));
            }
            ItemKind::StaticAssert(args) => {
                let args = self.exprs(args);
                self.line(&format!("static_assert({args})"));
            }
            ItemKind::Import(path) => {
                let path = self.path(path);
                self.line(&format!("import {path}"));
            }
        }
    }

    fn template_param(&self, param: &TemplateParam) -> String {
        match param {
            TemplateParam::Type { name, default } => {
                let default = default.map_or(String::new(), |ty| format!(" = {}", self.ty(ty)));
                format!("typename {}{default}", name.text)
            }
            TemplateParam::Value { ty, name, default } => {
                let default = default.map_or(String::new(), |value| format!(" = {}", self.expr(value)));
                format!("{} {}{default}", self.ty(*ty), name.text)
            }
        }
    }

    /// Writes a type on its own line, followed by its members if it defines some.
    fn type_definition(&mut self, id: TypeId, prefix: &str) {
        let ty = &self.ast.types[id];
        let modifiers = modifiers(&ty.modifiers);
        match &ty.kind {
            TypeKind::Record(record) => {
                self.line(&format!("{prefix}{modifiers}{}", self.record_head(record)));
                self.nest(|this| record.members.iter().flatten().for_each(|&member| this.item(member)));
            }
            TypeKind::Enum(definition) => {
                let base = definition.base.map_or(String::new(), |base| format!(" : {}", self.ty(base)));
                let class = if definition.scoped { " class" } else { "" };
                let name = definition.name.as_ref().map_or("", |name| name.text.as_str());
                self.line(&format!("{prefix}{modifiers}enum{class} {name}{base}"));
                self.nest(|this| {
                    for (name, value) in &definition.values {
                        let value = value.map_or(String::new(), |value| format!(" = {}", this.expr(value)));
                        this.line(&format!("{}{value}", name.text));
                    }
                });
            }
            _ => {
                let text = self.ty(id);
                self.line(&format!("{prefix}{text}"));
            }
        }
    }

    fn record_head(&self, record: &Record) -> String {
        let keyword = match record.keyword {
            RecordKeyword::Struct => "struct",
            RecordKeyword::Class => "class",
            RecordKeyword::Interface => "interface",
            RecordKeyword::Variable => "variable",
        };
        let attributes: String = record.attributes.iter().map(|attribute| self.attribute(attribute) + " ").collect();
        let name = record.name.as_ref().map_or("", |name| name.text.as_str());
        let args = record.specialises.as_deref().map_or(String::new(), |args| self.template_args(args));
        let bases: Vec<String> = record.bases.iter().map(|base| self.path(base)).collect();
        let bases = if bases.is_empty() { String::new() } else { format!(" : {}", bases.join(", ")) };
        let forward = if record.members.is_none() { " (forward)" } else { "" };
        format!("{keyword} {attributes}{name}{args}{bases}{forward}")
    }

    fn function(&mut self, function: &Function) {
        let owner = function.owner.as_ref().map_or(String::new(), |owner| format!("{}::", self.path(owner)));
        let args = function.specialises.as_deref().map_or(String::new(), |args| self.template_args(args));
        let constant = if function.is_const { " const" } else { "" };
        let annotations = self.annotations(&function.annotations);
        let ret = self.ty(function.ret);
        let none = if function.body == Body::None { " (no body)" } else { "" };
        self.line(&format!("fn {owner}{}{args}{constant}{annotations} -> {ret}{none}", function.name.text));
        self.nest(|this| {
            for param in &function.params {
                let attributes: String =
                    param.attributes.iter().map(|attribute| this.attribute(attribute) + " ").collect();
                let declarator =
                    param.declarator.as_ref().map_or(String::new(), |d| format!(" {}", this.declarator(d)));
                let ty = this.ty(param.ty);
                this.line(&format!("param {attributes}{ty}{declarator}"));
            }
            if let Body::Sliced(number) = function.body {
                let text = (this.body)(number);
                this.line("body");
                this.nest(|this| this.line(&text));
            }
        });
    }

    fn var(&mut self, var: &VarDecl) {
        let defines = matches!(self.ast.types[var.ty].kind, TypeKind::Record(_) | TypeKind::Enum(_));
        if defines {
            self.type_definition(var.ty, "of ");
        }
        let ty = if defines { "above".to_owned() } else { self.ty(var.ty) };
        for declarator in &var.vars {
            let text = self.declarator(declarator);
            self.line(&format!("var {ty} {text}"));
        }
    }

    fn declarator(&self, declarator: &Declarator) -> String {
        let owner = declarator.owner.as_ref().map_or(String::new(), |owner| format!("{}::", self.path(owner)));
        let dims = self.dims(&declarator.dims);
        let annotations = self.annotations(&declarator.annotations);
        let init = declarator.init.map_or(String::new(), |init| format!(" = {}", self.expr(init)));
        format!("{owner}{}{dims}{annotations}{init}", name(&declarator.name.text))
    }

    fn dims(&self, dims: &[Option<ExprId>]) -> String {
        dims.iter().map(|dim| format!("[{}]", dim.map_or(String::new(), |dim| self.expr(dim)))).collect()
    }

    fn annotations(&self, annotations: &[Annotation]) -> String {
        annotations
            .iter()
            .map(|annotation| match annotation {
                Annotation::Semantic(name) => format!(" : {}", name.text),
                Annotation::Register(args, _) => format!(" : register({})", self.exprs(args)),
                Annotation::PackOffset(args, _) => format!(" : packoffset({})", self.exprs(args)),
                Annotation::Bits(width) => format!(" : {} bits", self.expr(*width)),
            })
            .collect()
    }

    fn attribute(&self, attribute: &Attribute) -> String {
        let args = attribute.args.as_deref().map_or(String::new(), |args| format!("({})", self.exprs(args)));
        let text = format!("[{}{args}]", self.path(&attribute.path));
        if attribute.double { format!("[{text}]") } else { text }
    }

    // ---- types

    fn ty(&self, id: TypeId) -> String {
        let ty = &self.ast.types[id];
        let kind = match &ty.kind {
            TypeKind::Path(path) => self.path(path),
            TypeKind::Unsigned(path) => format!("unsigned {}", self.path(path)),
            TypeKind::Inferred => "let".to_owned(),
            TypeKind::Record(record) => self.record_head(record),
            TypeKind::Enum(_) => "enum".to_owned(),
            TypeKind::Error => "<error>".to_owned(),
        };
        format!("{}{kind}{}", modifiers(&ty.modifiers), self.dims(&ty.dims))
    }

    fn path(&self, path: &Path) -> String {
        let segments: Vec<String> = path
            .segments
            .iter()
            .map(|segment| {
                let args = segment.args.as_deref().map_or(String::new(), |args| self.template_args(args));
                format!("{}{args}", name(&segment.name.text))
            })
            .collect();
        format!("{}{}", if path.global { "::" } else { "" }, segments.join("::"))
    }

    fn template_args(&self, args: &[TemplateArg]) -> String {
        let args: Vec<String> = args
            .iter()
            .map(|arg| match arg {
                TemplateArg::Expr(id) => self.expr(*id),
                TemplateArg::Type(id) => self.ty(*id),
            })
            .collect();
        format!("<{}>", args.join(", "))
    }

    // ---- statements

    fn stmt(&mut self, id: StmtId) {
        match &self.ast.stmts[id].kind {
            StmtKind::Empty => self.line("empty"),
            StmtKind::Error => self.line("<error>"),
            StmtKind::Expr(expr) => {
                let text = self.expr(*expr);
                self.line(&text);
            }
            StmtKind::Var(var) => self.var(var),
            StmtKind::Item(item) => self.item(*item),
            StmtKind::Block(stmts) => {
                self.line("block");
                self.nest(|this| stmts.iter().for_each(|&stmt| this.stmt(stmt)));
            }
            StmtKind::Attributed { attribute, stmt } => {
                let text = self.attribute(attribute);
                self.line(&text);
                self.stmt(*stmt);
            }
            StmtKind::If { decl, cond, then, otherwise } => {
                decl.iter().for_each(|&decl| self.stmt(decl));
                let cond = self.expr(*cond);
                self.line(&format!("if {cond}"));
                self.nest(|this| this.stmt(*then));
                if let Some(otherwise) = otherwise {
                    self.line("else");
                    self.nest(|this| this.stmt(*otherwise));
                }
            }
            StmtKind::While { decl, cond, body } => {
                decl.iter().for_each(|&decl| self.stmt(decl));
                let cond = self.expr(*cond);
                self.line(&format!("while {cond}"));
                self.nest(|this| this.stmt(*body));
            }
            StmtKind::DoWhile { body, cond } => {
                self.line("do");
                self.nest(|this| this.stmt(*body));
                let cond = self.expr(*cond);
                self.line(&format!("while {cond}"));
            }
            StmtKind::For { init, decl, cond, step, body } => {
                self.line("for");
                let part = |expr: &Option<ExprId>| expr.map_or("-".to_owned(), |expr| self.expr(expr));
                let (cond, step) = (part(cond), part(step));
                self.nest(|this| {
                    this.stmt(*init);
                    decl.iter().for_each(|&decl| this.stmt(decl));
                    this.line(&format!("while {cond} step {step}"));
                    this.stmt(*body);
                });
            }
            StmtKind::Switch { decl, selector, body } => {
                decl.iter().for_each(|&decl| self.stmt(decl));
                let selector = self.expr(*selector);
                self.line(&format!("switch {selector}"));
                self.nest(|this| body.iter().for_each(|&stmt| this.stmt(stmt)));
            }
            StmtKind::Case(value) => {
                let value = self.expr(*value);
                self.line(&format!("case {value}"));
            }
            StmtKind::Default => self.line("default"),
            StmtKind::Break => self.line("break"),
            StmtKind::Continue => self.line("continue"),
            StmtKind::Discard => self.line("discard"),
            StmtKind::Return(value) => {
                let value = value.map_or(String::new(), |value| format!(" {}", self.expr(value)));
                self.line(&format!("return{value}"));
            }
        }
    }

    // ---- expressions

    fn exprs(&self, ids: &[ExprId]) -> String {
        ids.iter().map(|&id| self.expr(id)).collect::<Vec<_>>().join(", ")
    }

    fn expr(&self, id: ExprId) -> String {
        let Expr { kind, .. } = &self.ast.exprs[id];
        let of = |id: &ExprId| self.expr(*id);
        match kind {
            ExprKind::Int(text) | ExprKind::Float(text) | ExprKind::Char(text) => text.to_string(),
            ExprKind::Str(parts) => parts.join(" "),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Path(path) => self.path(path),
            ExprKind::Unary { op, operand } => format!("({}{})", op.text(), of(operand)),
            ExprKind::Postfix { increment, operand } => {
                format!("({}){}", of(operand), if *increment { "++" } else { "--" })
            }
            ExprKind::Binary { op, lhs, rhs } => format!("({} {} {})", of(lhs), op.text(), of(rhs)),
            ExprKind::Assign { op, lhs, rhs } => {
                format!("({} {}= {})", of(lhs), op.map_or("", |op| op.text()), of(rhs))
            }
            ExprKind::Comma { lhs, rhs } => format!("({} , {})", of(lhs), of(rhs)),
            ExprKind::Cond { cond, then, otherwise } => {
                format!("({} ? {} : {})", of(cond), of(then), of(otherwise))
            }
            ExprKind::Cast { ty, operand } => format!("cast<{}>({})", self.ty(*ty), of(operand)),
            ExprKind::Call { callee, args } => format!("{}({})", of(callee), self.exprs(args)),
            ExprKind::Index { base, index } => format!("{}[{}]", of(base), of(index)),
            ExprKind::Member { base, name: member, args } => {
                let args = args.as_deref().map_or(String::new(), |args| self.template_args(args));
                format!("{}.{}{args}", of(base), name(&member.text))
            }
            ExprKind::Sizeof(inner) => format!("sizeof({})", of(inner)),
            ExprKind::Type(ty) => format!("type {}", self.ty(*ty)),
            ExprKind::List(items) => format!("{{{}}}", self.exprs(items)),
            ExprKind::Paren(inner) => format!("({})", of(inner)),
            ExprKind::Error => "<error>".to_owned(),
        }
    }
}

fn name(text: &str) -> &str {
    if text.is_empty() { "<missing>" } else { text }
}

fn modifiers(modifiers: &[Modifier]) -> String {
    modifiers.iter().map(|modifier| format!("{} ", modifier.text)).collect()
}
