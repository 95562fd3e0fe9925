//! Debug types: the source's names with the sizes and offsets of the IR.

use super::{Instruction, flag};
use crate::emitter::Emitter;
use crate::types::storage_class;
use rspirv::spirv::Word;
use wgc_ir::declared::{SourceType, Spelled, TemplateArgument, TemplateValue, TypeDeclaration, TypeDeclarationKind};
use wgc_ir::{Location, MatrixType, Scalar, Space, StructType, Type};

/// A tag of DebugCompositeType: objects of the language are classes.
const CLASS: u32 = 0;
const STRUCTURE: u32 = 1;

impl<'m> Emitter<'m> {
    /// Returns the debug type of an IR type without a spelling of its own in the source.
    pub(super) fn plain_debug_type(&mut self, ty: &Type) -> Word {
        self.debug_type(&SourceType { ty: Some(ty.clone()), spelled: Spelled::Plain })
    }

    /// Returns the instruction that describes a type; OpTypeVoid if there is none.
    pub(super) fn debug_type(&mut self, ty: &SourceType) -> Word {
        if let Some(&known) = self.declared.types.get(ty) {
            return known;
        }
        let named = match &ty.spelled {
            Spelled::Named(name) => self.declarations().and_then(|d| Some((name.as_str(), d.types.get(name)?))),
            _ => None,
        };
        let word = match (&ty.ty, named) {
            (_, Some((full, decl @ TypeDeclaration { kind: TypeDeclarationKind::Object { arguments }, .. }))) => {
                self.object(&decl.name, full, decl.at, arguments)
            }
            (Some(Type::Struct(s)), named) => self.structure(s, named),
            (Some(plain), Some((_, decl))) => match &decl.kind {
                TypeDeclarationKind::Enum { values, scoped } => self.enumeration(plain, decl, values, *scoped),
                TypeDeclarationKind::Alias { of } => self.alias(plain, decl, of),
                _ => self.plain(plain, &Spelled::Plain),
            },
            (Some(plain), None) => self.plain(plain, &ty.spelled),
            (None, Some((full, decl))) => self.object(&decl.name, full, decl.at, &[]),
            (None, None) => self.object("", "", None, &[]),
        };
        self.declared.types.insert(ty.clone(), word);
        word
    }

    fn plain(&mut self, ty: &Type, spelled: &Spelled) -> Word {
        match ty {
            Type::Void => self.void(),
            Type::Scalar(scalar) => {
                let (name, encoding) = basic(*scalar);
                let name = self.text(name);
                let [size, encoding, flags] = self.numbers([8 * scalar.size(), encoding, 0]);
                self.declare(Instruction::TypeBasic, &[name, size, encoding, flags])
            }
            Type::Vector(scalar, count) => self.vector(*scalar, u32::from(*count)),
            Type::Matrix(matrix) => self.matrix_debug_type(*matrix),
            Type::Array { .. } | Type::RuntimeArray { .. } => self.array(ty, spelled),
            Type::Ref(space, pointee) => {
                let base = self.debug_type(&SourceType { ty: Some((**pointee).clone()), spelled: spelled.clone() });
                self.pointer_to(base, *space)
            }
            other => self.object(&other.to_string(), &other.to_string(), None, &[]),
        }
    }

    fn pointer_to(&mut self, base: Word, space: Space) -> Word {
        let [class, flags] = self.numbers([storage_class(space) as u32, 0]);
        self.declare(Instruction::TypePointer, &[base, class, flags])
    }

    fn vector(&mut self, scalar: Scalar, count: u32) -> Word {
        let base = self.plain_debug_type(&Type::Scalar(scalar));
        if count == 1 {
            return base;
        }
        let count = self.u32_constant(count);
        self.declare(Instruction::TypeVector, &[base, count])
    }

    /// Describes a matrix by its layout in memory; a value consists of its rows.
    fn matrix_debug_type(&mut self, matrix: MatrixType) -> Word {
        let (vectors, components) = matrix.stored();
        // SPIRV-Tools support no matrix of scalars.
        if components == 1 {
            return self.vector(matrix.scalar, vectors);
        }
        let vector = self.plain_debug_type(&Type::vector_of(matrix.scalar, components));
        let (count, columns) = (self.u32_constant(vectors), self.bool_constant(!matrix.layout.row_major));
        self.declare(Instruction::TypeMatrix, &[vector, count, columns])
    }

    /// Describes all dimensions of an array; length 0 means that only the host knows it.
    fn array(&mut self, ty: &Type, spelled: &Spelled) -> Word {
        let (mut element, mut spelled, mut counts) = (ty, spelled, Vec::new());
        loop {
            let len = match element {
                Type::Array { element: inner, len, .. } => {
                    element = inner;
                    *len
                }
                Type::RuntimeArray { element: inner, .. } => {
                    element = inner;
                    0
                }
                _ => break,
            };
            counts.push(len);
            match spelled {
                Spelled::Array(inner) => spelled = inner,
                // The name of the element type may contain further dimensions.
                Spelled::Named(_) => break,
                Spelled::Plain => {}
            }
        }
        let base = self.debug_type(&SourceType { ty: Some(element.clone()), spelled: spelled.clone() });
        let counts = counts.into_iter().map(|n| self.u32_constant(n)).collect::<Vec<_>>();
        let operands: Vec<Word> = std::iter::once(base).chain(counts).collect();
        self.declare(Instruction::TypeArray, &operands)
    }

    fn structure(&mut self, s: &StructType, named: Option<(&str, &TypeDeclaration)>) -> Word {
        let (members, arguments) = match named.map(|(_, decl)| &decl.kind) {
            Some(TypeDeclarationKind::Record { members, arguments }) => (members.as_slice(), arguments.as_slice()),
            _ => (&[][..], &[][..]),
        };
        let mut words = Vec::with_capacity(s.fields.len());
        for (n, field) in s.fields.iter().enumerate() {
            let decl = members.get(n);
            let spelled = decl.map(|m| m.spelled.clone()).unwrap_or_default();
            let ty = self.debug_type(&SourceType { ty: Some(field.ty.clone()), spelled });
            let name = self.text(&field.name);
            let [source, line, column] = self.place_operands(decl.and_then(|m| m.at));
            let size = field.ty.size().unwrap_or(0);
            let numbers = [field.offset.saturating_mul(8), size.saturating_mul(8), flag::PUBLIC];
            let [offset, size, flags] = self.numbers(numbers);
            let operands = [name, ty, source, line, column, offset, size, flags];
            words.push(self.declare(Instruction::TypeMember, &operands));
        }
        let size = self.u32_constant(s.size.saturating_mul(8));
        let (full, name, at) = match named {
            Some((full, decl)) => (full, decl.name.as_str(), decl.at),
            None => (s.name.as_str(), s.name.as_str(), None),
        };
        let composite = self.composite([name, full], STRUCTURE, at, size, &words);
        self.template(composite, at, arguments);
        composite
    }

    /// Describes an object without size and members that a program can see.
    fn object(&mut self, name: &str, full: &str, at: Option<Location>, arguments: &[TemplateArgument]) -> Word {
        let size = self.nothing();
        // No type of a program can have this name.
        let composite = self.composite([name, &format!("@{full}")], CLASS, at, size, &[]);
        self.template(composite, at, arguments);
        composite
    }

    /// Declares a composite type; `names` are the source's name and the full name.
    fn composite(&mut self, names: [&str; 2], tag: u32, at: Option<Location>, size: Word, members: &[Word]) -> Word {
        let [name, linkage] = names.map(|name| self.text(name));
        let [source, line, column] = self.place_operands(at);
        let ([tag, flags], parent) = (self.numbers([tag, flag::PUBLIC]), self.unit(at));
        let mut operands = vec![name, tag, source, line, column, parent, linkage, size, flags];
        operands.extend(members);
        self.declare(Instruction::TypeComposite, &operands)
    }

    /// Declares DebugTypeTemplate of a template's instance: a structure or a function.
    pub(super) fn template(&mut self, target: Word, at: Option<Location>, arguments: &[TemplateArgument]) {
        if arguments.is_empty() {
            return;
        }
        let mut operands = vec![target];
        for argument in arguments {
            let name = self.text(&argument.name);
            let (ty, value) = match &argument.value {
                TemplateValue::Type(ty) => (self.debug_type(ty), self.nothing()),
                TemplateValue::Int(n) => (self.plain_debug_type(&Type::I32), self.u32_constant(*n as u32)),
            };
            let [source, line, column] = self.place_operands(at);
            let parameter = [name, ty, value, source, line, column];
            operands.push(self.declare(Instruction::TypeTemplateParameter, &parameter));
        }
        self.declare(Instruction::TypeTemplate, &operands);
    }

    /// Describes an enumeration. Values are 32-bit constants, so one with a larger type is shown as numbers.
    fn enumeration(
        &mut self,
        ty: &Type,
        decl: &TypeDeclaration,
        values: &[(wgc_ir::Symbol, i64)],
        scoped: bool,
    ) -> Word {
        let size = ty.size().unwrap_or(0);
        let underlying = self.plain_debug_type(ty);
        if size > 4 {
            return underlying;
        }
        let name = self.text(&decl.name);
        let [source, line, column] = self.place_operands(decl.at);
        let parent = self.unit(decl.at);
        let flags = flag::PUBLIC | if scoped { flag::ENUM_CLASS } else { 0 };
        let [size, flags] = self.numbers([8 * size, flags]);
        let mut operands = vec![name, underlying, source, line, column, parent, size, flags];
        for (name, value) in values {
            operands.extend([self.u32_constant(*value as u32), self.text(name)]);
        }
        self.declare(Instruction::TypeEnum, &operands)
    }

    /// Describes a type alias. SPIRV-Tools accept only numbers in DebugTypedef, so other types keep their own name.
    fn alias(&mut self, ty: &Type, decl: &TypeDeclaration, of: &Spelled) -> Word {
        let base = self.debug_type(&SourceType { ty: Some(ty.clone()), spelled: of.clone() });
        if !matches!((ty, of), (Type::Scalar(_), Spelled::Plain)) {
            return base;
        }
        let name = self.text(&decl.name);
        let [source, line, column] = self.place_operands(decl.at);
        let parent = self.unit(decl.at);
        self.declare(Instruction::Typedef, &[name, base, source, line, column, parent])
    }
}

/// Returns the name and the DebugBaseTypeAttributeEncoding.
fn basic(scalar: Scalar) -> (&'static str, u32) {
    const BOOLEAN: u32 = 2;
    const FLOAT: u32 = 3;
    const SIGNED: u32 = 4;
    const UNSIGNED: u32 = 6;
    match scalar {
        Scalar::Bool => ("bool", BOOLEAN),
        Scalar::I16 => ("int16_t", SIGNED),
        Scalar::U16 => ("uint16_t", UNSIGNED),
        Scalar::I32 => ("int", SIGNED),
        Scalar::U32 => ("uint", UNSIGNED),
        Scalar::I64 => ("int64_t", SIGNED),
        Scalar::U64 => ("uint64_t", UNSIGNED),
        Scalar::F16 => ("half", FLOAT),
        Scalar::F32 => ("float", FLOAT),
        Scalar::F64 => ("double", FLOAT),
    }
}
