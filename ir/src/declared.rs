//! What the source declares, in its own words: for debuggers, and made anew for each emission like the lines of a
//! [`SourceMap`](crate::SourceMap).
//!
//! Types of the IR know sizes and offsets; they do not know that an integer is of an enumeration, where a structure is
//! declared, or what it is a template of. A [`Spelled`] goes along with a [`Type`] and says that.

use crate::Symbol;
use crate::position::{Location, SourceText};
use crate::types::Type;
use rustc_hash::FxHashMap;
use std::ops::Range;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declarations {
    /// By their symbols in the module.
    pub functions: FxHashMap<Symbol, FunctionDeclaration>,
    pub globals: FxHashMap<Symbol, GlobalDeclaration>,
    /// What [`Spelled::Named`] means, by full names.
    pub types: FxHashMap<Symbol, TypeDeclaration>,
    /// Blocks with declarations of their own in the body of a function, as ranges of its tokens; outer ones first.
    pub blocks: FxHashMap<SourceText, Vec<Range<u32>>>,
}

/// How the source calls a type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Spelled {
    /// As the type of the IR is printed: numbers, vectors, matrices.
    #[default]
    Plain,
    Named(Symbol),
    /// An array of such elements.
    Array(Box<Spelled>),
}

/// A type of the IR, if it has one, and what the source calls it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SourceType {
    /// `None` for objects of the language that are no values.
    pub ty: Option<Type>,
    pub spelled: Spelled,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionDeclaration {
    /// Without scope, parameters and arguments.
    pub name: Symbol,
    /// The declaration apart from the definition, if there is one.
    pub declared: Option<Location>,
    /// Where its body opens.
    pub opens: Option<Location>,
    /// The structure that it is a method of.
    pub owner: Option<SourceType>,
    pub result: SourceType,
    pub params: Vec<ParamDeclaration>,
    pub arguments: Vec<TemplateArgument>,
    /// Types of variables that are more than plain: by the token of the name, which for parameters is one of the head.
    pub variables: FxHashMap<(bool, u32), Spelled>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamDeclaration {
    pub ty: SourceType,
    /// `out` or `inout`.
    pub by_reference: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalDeclaration {
    pub name: Symbol,
    pub at: Option<Location>,
    pub spelled: Spelled,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeDeclaration {
    /// As messages call it.
    pub name: Symbol,
    pub at: Option<Location>,
    pub kind: TypeDeclarationKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeDeclarationKind {
    /// One member for each field of the structure.
    Record { members: Vec<MemberDeclaration>, arguments: Vec<TemplateArgument> },
    /// Something of the language without members: a texture, a handle.
    Object { arguments: Vec<TemplateArgument> },
    /// Names and values.
    Enum { values: Vec<(Symbol, i64)>, scoped: bool },
    /// Another name.
    Alias { of: Spelled },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberDeclaration {
    pub at: Option<Location>,
    pub spelled: Spelled,
}

/// A parameter of a template, and what it stands for.
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
    /// The blocks around a token, outer ones first.
    pub fn blocks_around(&self, text: &SourceText, token: u32) -> impl Iterator<Item = &Range<u32>> {
        self.blocks.get(text).into_iter().flatten().filter(move |range| range.contains(&token))
    }

    /// Adds another program's declarations, whose files come behind `first` others.
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
