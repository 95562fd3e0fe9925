//! Source variables for debuggers, regardless of the transformations of their storage.
//!
//! A [`Local`](crate::Local) is memory. The variable that it was declared as may stay in it, or move through several
//! values once `passes::promote` has removed the memory. [`Stmt::Holds`](crate::Stmt::Holds) then names the value. Like
//! positions, variables change no code.

use crate::Symbol;
use crate::function::{Function, Op, ValueId};
use crate::position::{Position, ScopeId, SourceScope, SourceText};
use crate::types::Type;
use la_arena::{Arena, Idx};

pub type VariableId = Idx<Variable>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: Symbol,
    /// The type of its value.
    pub ty: Type,
    /// The token of its name, in the scope of its function: see [`Variable::text`].
    pub declared: Position,
    /// For a parameter: its number, from 1.
    pub argument: Option<u32>,
}

impl Variable {
    /// Returns the text that contains the token, given the scope. Parameters are in the head.
    pub fn text(&self, scope: &SourceScope) -> SourceText {
        if self.argument.is_some() { scope.head() } else { scope.text.clone() }
    }

    /// Returns the scope of the function that declares it.
    pub fn scope(&self) -> ScopeId {
        self.declared.scope
    }
}

impl Function {
    /// Returns the scope with this id, or `None` for an id of another function.
    pub fn scope(&self, id: ScopeId) -> Option<&SourceScope> {
        element(&self.scopes, id)
    }

    /// Returns the variable with this id, or `None` for an id of another function.
    pub fn variable(&self, id: VariableId) -> Option<&Variable> {
        element(&self.variables, id)
    }

    /// Records that a place holds a source variable, if it is a whole local or a parameter. If several variables share
    /// a place, only the first is recorded.
    pub fn declare(&mut self, place: ValueId, variable: Variable) {
        let holder = match self.value(place).map(|v| v.op.clone()) {
            Some(Op::Local(local)) if self.local(local).is_some() => Some(&mut self.locals[local].variable),
            Some(Op::Param(n)) => self.params.get_mut(n as usize).map(|p| &mut p.variable),
            _ => None,
        };
        if let Some(holder @ None) = holder {
            *holder = Some(self.variables.alloc(variable));
        }
    }
}

/// Returns the element with this id, or `None` for an id of another arena.
pub(crate) fn element<T>(arena: &Arena<T>, id: Idx<T>) -> Option<&T> {
    ((id.into_raw().into_u32() as usize) < arena.len()).then(|| &arena[id])
}
