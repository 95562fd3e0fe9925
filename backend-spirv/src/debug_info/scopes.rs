//! The scopes that instructions belong to: functions, blocks inside them, and inlined calls.

use super::{Instruction, flag};
use crate::builder::{Line, Scoped};
use crate::emitter::Emitter;
use rspirv::spirv::Word;
use wgc_ir::declared::{FunctionDeclaration, SourceType};
use wgc_ir::{Function, Position, ScopeId, SourceScope, Symbol};

/// The operands of a DebugScope: a function or block, and the inlined call that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LexicalScope {
    pub scope: Word,
    pub inlined: Option<Word>,
}

impl<'m> Emitter<'m> {
    /// Returns the location and scope of instructions written at a position.
    pub fn scoped_line(&mut self, f: &Function, position: Position) -> Option<Line> {
        let LexicalScope { scope, inlined } = self.lexical_scope(f, position)?;
        let at = self.sources()?.locate(&f.scope(position.scope)?.text, position.token);
        let at = at.map(|at| self.place_operands(Some(at)));
        Some(Line::Scoped(Scoped { void: self.void(), scope, inlined, at }))
    }

    /// Returns the innermost scope around a position.
    pub(super) fn lexical_scope(&mut self, f: &Function, position: Position) -> Option<LexicalScope> {
        let scope = f.scope(position.scope)?;
        let inlined = self.inlined_at(f, position.scope);
        Some(LexicalScope { scope: self.block_around(scope, position.token), inlined })
    }

    /// Returns the function of a scope.
    pub(super) fn function_scope(&mut self, f: &Function, scope: ScopeId) -> Option<LexicalScope> {
        let inlined = self.inlined_at(f, scope);
        Some(LexicalScope { scope: self.debug_function(f.scope(scope)?), inlined })
    }

    /// Returns the DebugInlinedAt of an inlined scope. Each inlining has its own.
    fn inlined_at(&mut self, f: &Function, scope: ScopeId) -> Option<Word> {
        let call = f.scope(scope)?.inlined_at?;
        if let Some(&known) = self.declared.inlined.get(&scope) {
            return Some(known);
        }
        // The recursion ends, since scopes follow those that they are inlined into.
        let around = self.lexical_scope(f, call)?;
        let line = self.sources()?.locate(&f.scope(call.scope)?.text, call.token).map_or(0, |at| at.line);
        let mut operands = vec![self.u32_constant(line), around.scope];
        operands.extend(around.inlined);
        let inlined = self.declare(Instruction::InlinedAt, &operands);
        self.declared.inlined.insert(scope, inlined);
        Some(inlined)
    }

    /// Returns the DebugLexicalBlock of the innermost block around a token of a function's body, or the function.
    fn block_around(&mut self, scope: &SourceScope, token: u32) -> Word {
        let function = self.debug_function(scope);
        let mut inner = function;
        for range in self.declarations().into_iter().flat_map(|d| d.blocks_around(&scope.text, token)) {
            let key = (function, range.start);
            inner = match self.declared.blocks.get(&key) {
                Some(&known) => known,
                None => {
                    let at = self.sources().and_then(|map| map.locate(&scope.text, range.start));
                    let [source, line, column] = self.place_operands(at);
                    let block = self.declare(Instruction::LexicalBlock, &[source, line, column, inner]);
                    self.declared.blocks.insert(key, block);
                    block
                }
            };
        }
        inner
    }

    /// Returns the DebugFunction of a scope's function.
    fn debug_function(&mut self, scope: &SourceScope) -> Word {
        if let Some(&known) = self.declared.functions.get(&scope.function) {
            return known;
        }
        let undeclared = || FunctionDeclaration { name: plain_name(&scope.function), ..Default::default() };
        let decl = self.declarations().and_then(|d| d.functions.get(&scope.function)).cloned();
        let decl = decl.unwrap_or_else(undeclared);
        let ty = self.function_debug_type(&decl);
        let at = self.sources().and_then(|map| map.locate(&scope.head(), scope.name));
        let parent = match &decl.owner {
            Some(owner) => self.debug_type(owner),
            None => self.unit(at),
        };
        let (name, linkage) = (self.text(&decl.name), self.text(&scope.function));
        let opens = decl.opens.or(at).map_or(0, |at| at.line);
        let declaration = decl.declared.map(|at| {
            let [source, line, column] = self.place_operands(Some(at));
            let flags = self.u32_constant(flag::PUBLIC);
            let operands = [name, ty, source, line, column, parent, linkage, flags];
            self.declare(Instruction::FunctionDeclaration, &operands)
        });
        let [source, line, column] = self.place_operands(at);
        let [flags, scope_line] = self.numbers([flag::PUBLIC | flag::DEFINITION, opens]);
        let mut operands = vec![name, ty, source, line, column, parent, linkage, flags, scope_line];
        operands.extend(declaration);
        let word = self.declare(Instruction::Function, &operands);
        self.declared.functions.insert(scope.function.clone(), word);
        self.template(word, at, &decl.arguments);
        word
    }

    /// Returns a DebugTypeFunction. Output parameters have the type of their values, as in HLSL and in DXC's modules:
    /// they are copied.
    fn function_debug_type(&mut self, decl: &FunctionDeclaration) -> Word {
        let result = match &decl.result {
            SourceType { ty: None, spelled } if *spelled == Default::default() => self.void(),
            result => self.debug_type(result),
        };
        let mut operands = vec![self.u32_constant(flag::PUBLIC), result];
        for param in &decl.params {
            operands.push(self.debug_type(param));
        }
        self.declare(Instruction::TypeFunction, &operands)
    }

    // ---- definitions

    /// Emits DebugFunctionDefinition in the first block of the open function.
    pub fn define_function(&mut self, f: &Function, word: Word) {
        self.declared.inlined.clear();
        let Some(scope) = own_scope(f).filter(|_| self.debugs()) else { return };
        if let Some(at) = self.sources().and_then(|map| map.locate(&scope.head(), scope.name)) {
            self.declared.main.get_or_insert(at.file);
        }
        let mut function = self.debug_function(scope);
        if !self.declared.defined.insert(function) {
            // The function is emitted again for another node.
            self.declared.functions.remove(&scope.function);
            function = self.debug_function(scope);
            self.declared.defined.insert(function);
        }
        let void = self.void();
        self.b.debug_at_start(None, void, Instruction::FunctionDefinition, &[function, word]);
    }

    /// Emits DebugEntryPoint of the function that implements an entry point. It must be the last one defined.
    pub fn debug_entry_point(&mut self, f: &Function) {
        let Some(scope) = own_scope(f).filter(|_| self.debugs()) else { return };
        let at = self.sources().and_then(|map| map.locate(&scope.head(), scope.name));
        let (function, unit) = (self.debug_function(scope), self.unit(at));
        let compiler = self.text(crate::debug::COMPILER);
        let arguments = self.text(&self.options.command_line.clone());
        self.declare(Instruction::EntryPoint, &[function, unit, compiler, arguments]);
    }
}

/// Returns the scope that represents the function itself.
fn own_scope(f: &Function) -> Option<&SourceScope> {
    f.scopes.values().find(|scope| scope.inlined_at.is_none())
}

/// Returns the part of a name before parameters, template arguments and suffixes of lowering.
fn plain_name(symbol: &Symbol) -> Symbol {
    symbol.split(['(', '<', '@']).next().unwrap_or_default().into()
}
