//! Source declarations for debuggers. They are rebuilt for each emission, like the lines of a
//! [`SourceMap`](crate::SourceMap).
//!
//! IR types have only sizes and offsets. They do not record that an integer is an enumeration, or the declaration and
//! template of a structure. A [`Spelled`] accompanies a [`Type`] and adds these facts.

use crate::Symbol;
use crate::position::{Location, SourceText};
use crate::types::Type;
use rustc_hash::FxHashMap;
use std::ops::Range;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declarations {
    /// The functions by their symbols in the module.
    pub functions: FxHashMap<Symbol, FunctionDeclaration>,
    pub globals: FxHashMap<Symbol, GlobalDeclaration>,
    /// The types behind [`Spelled::Named`], by full name.
    pub types: FxHashMap<Symbol, TypeDeclaration>,
    /// Blocks with their own declarations in function bodies, as token ranges, outer blocks first.
    pub blocks: FxHashMap<SourceText, Vec<Range<u32>>>,
}

/// The name of a type in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Spelled {
    /// The printed form of the IR type: numbers, vectors, matrices.
    #[default]
    Plain,
    Named(Symbol),
    /// An array of these elements.
    Array(Box<Spelled>),
}

/// An IR type, if there is one, and its name in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SourceType {
    /// `None` for language objects that are not values.
    pub ty: Option<Type>,
    pub spelled: Spelled,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionDeclaration {
    /// The name without scope, parameters and arguments.
    pub name: Symbol,
    /// The declaration, if it is separate from the definition.
    pub declared: Option<Location>,
    /// The start of its body.
    pub opens: Option<Location>,
    /// The structure that the method belongs to.
    pub owner: Option<SourceType>,
    pub result: SourceType,
    pub params: Vec<SourceType>,
    pub arguments: Vec<TemplateArgument>,
    /// Types of variables, unless plain, by the token of the name. For parameters it is a token of the head.
    pub variables: FxHashMap<(bool, u32), Spelled>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalDeclaration {
    pub name: Symbol,
    pub at: Option<Location>,
    pub spelled: Spelled,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeDeclaration {
    /// The name in diagnostics.
    pub name: Symbol,
    pub at: Option<Location>,
    pub kind: TypeDeclarationKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeDeclarationKind {
    /// A structure, with one member for each field.
    Record { members: Vec<MemberDeclaration>, arguments: Vec<TemplateArgument> },
    /// A language object without members, such as a texture or a handle.
    Object { arguments: Vec<TemplateArgument> },
    /// An enumeration, with names and values.
    Enum { values: Vec<(Symbol, i64)>, scoped: bool },
    /// An alias.
    Alias { of: Spelled },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberDeclaration {
    pub at: Option<Location>,
    pub spelled: Spelled,
}

/// A template parameter and its argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateArgument {
    pub name: Symbol,
    pub value: TemplateValue,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateValue {
    Type(SourceType),
    Int(i64),
}

impl Declarations {
    /// Returns whether there are no declarations.
    pub fn is_empty(&self) -> bool {
        let Declarations { functions, globals, types, blocks } = self;
        functions.is_empty() && globals.is_empty() && types.is_empty() && blocks.is_empty()
    }

    /// Returns the blocks around a token, outer ones first.
    pub fn blocks_around(&self, text: &SourceText, token: u32) -> impl Iterator<Item = &Range<u32>> {
        self.blocks.get(text).into_iter().flatten().filter(move |range| range.contains(&token))
    }

    /// Adds the declarations of another program. Its files get numbers from `first` on.
    pub(crate) fn extend(&mut self, mut other: Declarations, first: u32) {
        other.for_each_location(&mut |at| at.file += first);
        self.functions.extend(other.functions);
        self.globals.extend(other.globals);
        self.types.extend(other.types);
        self.blocks.extend(other.blocks);
    }

    fn for_each_location(&mut self, f: &mut impl FnMut(&mut Location)) {
        for function in self.functions.values_mut() {
            function.declared.iter_mut().chain(&mut function.opens).for_each(&mut *f);
        }
        for global in self.globals.values_mut() {
            global.at.iter_mut().for_each(&mut *f);
        }
        for ty in self.types.values_mut() {
            ty.at.iter_mut().for_each(&mut *f);
            if let TypeDeclarationKind::Record { members, .. } = &mut ty.kind {
                members.iter_mut().filter_map(|m| m.at.as_mut()).for_each(&mut *f);
            }
        }
    }
}
