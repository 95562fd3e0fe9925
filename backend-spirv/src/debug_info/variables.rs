//! Debug information of variables: their memory or values.

use super::scopes::LexicalScope;
use super::{Instruction, flag};
use crate::builder::{Line, Scoped};
use crate::emitter::Emitter;
use rspirv::spirv::Word;
use wgc_ir::declared::{SourceType, Spelled};
use wgc_ir::{Function, GlobalKind, Position, Type, Variable, VariableId};

/// The value of a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DebugValue {
    Whole(Word),
    /// In memory, at this pointer.
    At(Word),
}

impl<'m> Emitter<'m> {
    /// Emits DebugDeclare at the start of the function, for a variable in an OpVariable or in memory that a parameter
    /// points to.
    pub fn debug_declare(&mut self, f: &Function, variable: VariableId, holder: Word) {
        let Some((local, scope)) = self.debug_local(f, variable) else { return };
        let (expression, void) = (self.no_expression(), self.void());
        let LexicalScope { scope, inlined } = scope;
        let scope = Scoped { void, scope, inlined, at: None };
        self.b.debug_at_start(Some(scope), void, Instruction::Declare, &[local, holder, expression]);
    }

    /// Emits DebugValue: the variable has this value from here on. `here` is the position of the code, and its line.
    pub fn debug_value(
        &mut self,
        f: &Function,
        variable: VariableId,
        value: DebugValue,
        here: (Option<Position>, Option<Line>),
    ) {
        let Some((local, LexicalScope { scope, inlined })) = self.debug_local(f, variable) else { return };
        let void = self.void();
        let (value, expression) = match value {
            DebugValue::Whole(value) => (value, self.no_expression()),
            DebugValue::At(pointer) => (pointer, self.dereference()),
        };
        let (position, line) = here;
        // Arguments are set at the call, but belong to the callee.
        let is_foreign = position.map(|p| p.scope) != f.variable(variable).map(Variable::scope);
        if is_foreign {
            let at = if let Some(Line::Scoped(Scoped { at, .. })) = line { at } else { None };
            self.b.set_line(Some(Line::Scoped(Scoped { void, scope, inlined, at })));
        }
        self.b.debug_here(void, Instruction::Value, &[local, value, expression]);
        self.b.set_line(line);
    }

    /// Declares a variable without a value that a program can see.
    pub fn debug_object(&mut self, f: &Function, variable: VariableId) {
        self.debug_local(f, variable);
    }

    /// Returns the DebugLocalVariable, and the scope that declares it.
    fn debug_local(&mut self, f: &Function, id: VariableId) -> Option<(Word, LexicalScope)> {
        let variable = f.variable(id)?;
        let scope = f.scope(variable.scope())?;
        let token = variable.declared.token;
        let around = match variable.argument {
            Some(_) => self.function_scope(f, variable.scope())?,
            None => self.lexical_scope(f, variable.declared)?,
        };
        let is_this = variable.argument == Some(1) && variable.name == "this";
        let function = self.declarations().and_then(|d| d.functions.get(&scope.function));
        let spelled = match function {
            Some(decl) if is_this => decl.owner.as_ref().map(|owner| owner.spelled.clone()),
            Some(decl) => decl.variables.get(&(variable.argument.is_some(), token)).cloned(),
            None => None,
        };
        // The output of a node is an object.
        let ty = (variable.ty != Type::Void).then(|| variable.ty.clone());
        let ty = SourceType { ty, spelled: spelled.unwrap_or_default() };
        let (name, ty) = (self.text(&variable.name), self.debug_type(&ty));
        let at = self.sources()?.locate(&variable.text(scope), token);
        let [source, line, column] = self.place_operands(at);
        let flags = if is_this { flag::ARTIFICIAL | flag::OBJECT_POINTER } else { flag::LOCAL };
        let mut operands = vec![name, ty, source, line, column, around.scope, self.u32_constant(flags)];
        operands.extend(variable.argument.map(|n| self.u32_constant(n)));
        let word = match self.declared.locals.get(&operands) {
            Some(&known) => known,
            None => {
                let word = self.declare(Instruction::LocalVariable, &operands);
                self.declared.locals.insert(operands, word);
                word
            }
        };
        Some((word, around))
    }

    /// Emits DebugGlobalVariable for every variable of the module.
    pub fn debug_globals(&mut self) {
        if !self.debugs() {
            return;
        }
        let module = self.module;
        for global in module.globals.values() {
            let Some(variable) = self.globals.get(&global.name).map(|g| g.variable()) else { continue };
            let decl = self.declarations().and_then(|d| d.globals.get(&global.name));
            let ty = match (decl, global.value_type()) {
                // An object keeps its type, regardless of the memory that it names.
                (Some(decl), ty) if decl.spelled != Spelled::Plain => {
                    SourceType { ty: Some(ty.pointee().cloned().unwrap_or(ty)), spelled: decl.spelled.clone() }
                }
                (_, ty) => SourceType { ty: Some(ty.pointee().cloned().unwrap_or(ty)), spelled: Spelled::Plain },
            };
            let ty = self.debug_type(&ty);
            let (name, linkage) = (decl.map_or(&global.name, |d| &d.name).as_str(), global.name.as_str());
            let (name, linkage) = (self.text(name), self.text(linkage));
            let [source, line, column] = self.place_operands(decl.and_then(|d| d.at));
            let parent = self.unit(decl.and_then(|d| d.at));
            // To SPIRV-Tools, a specialisation constant is neither a variable nor a constant.
            let variable = match global.kind {
                GlobalKind::SpecConstant { .. } => self.nothing(),
                _ => variable,
            };
            let flags = self.u32_constant(flag::DEFINITION);
            let operands = [name, ty, source, line, column, parent, linkage, variable, flags];
            self.declare(Instruction::GlobalVariable, &operands);
        }
        self.unit(None);
    }
}
