//! Variables of the source, whatever became of them: for debuggers.
//!
//! A [`Local`](crate::Local) is memory. The variable that it was declared as may lie in it for good, or pass through
//! several values once `passes::promote` has taken the memory away; [`Stmt::Holds`](crate::Stmt::Holds) then says
//! which. Like positions, variables change no code.

use crate::Symbol;
use crate::function::{Function, Op, ValueId};
use crate::position::{Position, ScopeId, SourceScope, SourceText};
use crate::types::Type;
use la_arena::{Arena, Idx};

pub type VariableId = Idx<Variable>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: Symbol,
    /// Of its value.
    pub ty: Type,
    /// The token that is its name, in the scope of the function that it belongs to: see [`Variable::text`].
    pub declared: Position,
    /// Of a parameter: its number, from 1.
    pub argument: Option<u32>,
}

impl Variable {
    /// The text that the token is counted in, given that of the scope: parameters stand in the head.
    pub fn text(&self, scope: &SourceScope) -> SourceText {
        if self.argument.is_some() { scope.head() } else { scope.text.clone() }
    }

    /// The scope of the function that declares it.
    pub fn scope(&self) -> ScopeId {
        self.declared.scope
    }
}

impl Function {
    /// The scope with this id, or `None` for an id of another function.
    pub fn scope(&self, id: ScopeId) -> Option<&SourceScope> {
        element(&self.scopes, id)
    }

    /// The variable with this id, or `None` for an id of another function.
    pub fn variable(&self, id: VariableId) -> Option<&Variable> {
        element(&self.variables, id)
    }

    /// Says that a variable of the source lies in a place, if that is a whole local or a parameter. Of several that are
    /// one place the first is known.
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

/// The element with this id, or `None` for an id of another arena.
pub(crate) fn element<T>(arena: &Arena<T>, id: Idx<T>) -> Option<&T> {
    ((id.into_raw().into_u32() as usize) < arena.len()).then(|| &arena[id])
}
