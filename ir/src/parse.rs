//! Reads the text form that [`print`](mod@crate::print) writes: `parse(&print(&m)) == Ok(m)` for every valid module.
//!
//! Comments run from `//` to the end of the line. The value numbers of a hand-written text may have gaps; values are
//! then renumbered in the order of their definitions. The parser checks syntax, and declarations of values, locals and
//! structures. `verify` checks everything else.

mod function;
mod lexer;
mod module;

use crate::matrix::{MatrixLayout, MatrixType};
use crate::module::Module;
use crate::names::{Words, vector_word};
use crate::types::{ImageDim, ImageType, RecordsType, Space, StructType, Type};
use crate::{Symbol, function::ScalarConst, types::Scalar};
use lexer::{LexemeKind, Token};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A syntax error. Line and column count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    pub line: u32,
    pub column: u32,
    pub message: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

type Result<T> = std::result::Result<T, ParseError>;

/// The maximum nesting of blocks and types, so that no text exhausts the stack.
const MAX_DEPTH: u32 = 256;

/// Reads a whole module.
pub fn parse(text: &str) -> Result<Module> {
    let tokens = lexer::tokens(text)?;
    let mut parser = Parser { tokens, at: 0, depth: 0, structs: FxHashMap::default() };
    parser.module()
}

struct Parser<'a> {
    /// Ends with an `End` token.
    tokens: Vec<Token<'a>>,
    at: usize,
    depth: u32,
    /// Structures by their key in the text.
    structs: FxHashMap<&'a str, Arc<StructType>>,
}

impl<'a> Parser<'a> {
    // ---- tokens

    fn peek(&self) -> Token<'a> {
        let last = self.tokens.len().saturating_sub(1);
        self.tokens[self.at.min(last)]
    }

    fn next(&mut self) -> Token<'a> {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn error<T>(&self, token: Token<'_>, message: impl Into<String>) -> Result<T> {
        Err(ParseError { line: token.line, column: token.column, message: message.into() })
    }

    fn expected<T>(&self, token: Token<'_>, what: &str) -> Result<T> {
        self.error(token, format!("expected {what}, found {}", token.describe()))
    }

    fn is(&self, punctuation: &str) -> bool {
        self.peek().kind == LexemeKind::Punctuation && self.peek().text == punctuation
    }

    fn is_word(&self, word: &str) -> bool {
        self.peek().kind == LexemeKind::Word && self.peek().text == word
    }

    fn eat(&mut self, punctuation: &str) -> bool {
        let found = self.is(punctuation);
        self.at += usize::from(found);
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, punctuation: &str) -> Result<()> {
        if self.eat(punctuation) { Ok(()) } else { self.expected(self.peek(), &format!("`{punctuation}`")) }
    }

    fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) { Ok(()) } else { self.expected(self.peek(), &format!("`{word}`")) }
    }

    fn word(&mut self, what: &str) -> Result<Token<'a>> {
        let token = self.next();
        if token.kind == LexemeKind::Word { Ok(token) } else { self.expected(token, what) }
    }

    /// Reads a word or a quoted string.
    fn name(&mut self) -> Result<Symbol> {
        let token = self.next();
        match token.kind {
            LexemeKind::Word => Ok(Symbol::from(token.text)),
            LexemeKind::String => Ok(lexer::unquote(token.text)),
            _ => self.expected(token, "a name"),
        }
    }

    fn string(&mut self) -> Result<Symbol> {
        let token = self.next();
        if token.kind == LexemeKind::String { Ok(lexer::unquote(token.text)) } else { self.expected(token, "a string") }
    }

    /// Reads `@name`.
    fn symbol(&mut self) -> Result<Symbol> {
        self.expect("@")?;
        self.name()
    }

    fn number<T: TryFrom<u64>>(&mut self) -> Result<T> {
        let token = self.next();
        let value = if token.kind == LexemeKind::Word { parse_u64(token.text) } else { None };
        match value.map(T::try_from) {
            Some(Ok(n)) => Ok(n),
            Some(Err(_)) => self.error(token, format!("{} is out of range", token.text)),
            None => self.expected(token, "a number"),
        }
    }

    fn numbers3(&mut self) -> Result<[u32; 3]> {
        Ok([self.number()?, self.number()?, self.number()?])
    }

    /// Reads a word of an enumeration.
    fn one_of<T: Words>(&mut self, what: &str) -> Result<T> {
        let token = self.next();
        match T::from_word(token.text) {
            Some(value) if token.kind == LexemeKind::Word => Ok(value),
            _ => self.expected(token, what),
        }
    }

    /// Runs `f` one level deeper.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MAX_DEPTH {
            return self.error(self.peek(), format!("nested deeper than {MAX_DEPTH} levels"));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    // ---- types and constants

    fn ty(&mut self) -> Result<Type> {
        self.nested(Self::ty_inner)
    }

    fn ty_inner(&mut self) -> Result<Type> {
        if self.eat("[") {
            let element = Arc::new(self.ty()?);
            let len = if self.eat(";") { Some(self.number()?) } else { None };
            self.expect_word("stride")?;
            let stride = self.number()?;
            self.expect("]")?;
            return Ok(match len {
                Some(len) => Type::Array { element, len, stride },
                None => Type::RuntimeArray { element, stride },
            });
        }
        let token = self.word("a type")?;
        match token.text {
            "void" => Ok(Type::Void),
            "sampler" => Ok(Type::Sampler),
            "acceleration_structure" => Ok(Type::AccelerationStructure),
            "ray_query" => Ok(Type::RayQuery),
            "ref" => {
                self.expect("<")?;
                let space: Space = self.one_of("a space")?;
                self.expect(",")?;
                let pointee = self.ty()?;
                self.expect(">")?;
                Ok(Type::reference(space, pointee))
            }
            "records" => {
                self.expect("<")?;
                let scope = self.one_of("`thread` or `group`")?;
                self.expect(",")?;
                let record = Arc::new(self.ty()?);
                self.expect(">")?;
                Ok(Type::Records(RecordsType { scope, record }))
            }
            "descriptors" => {
                self.expect("<")?;
                let element = Arc::new(self.ty()?);
                let len = if self.eat(",") { Some(self.number()?) } else { None };
                self.expect(">")?;
                Ok(Type::Descriptors { element, len })
            }
            "matrix" => Ok(Type::Matrix(self.matrix()?)),
            "image" => Ok(Type::Image(self.image(false)?)),
            "rwimage" => Ok(Type::Image(self.image(true)?)),
            word => match (self.structs.get(word), vector_word(word)) {
                (Some(s), _) => Ok(Type::Struct(Arc::clone(s))),
                (None, Some((scalar, None))) => Ok(Type::Scalar(scalar)),
                (None, Some((scalar, Some(n)))) => Ok(Type::Vector(scalar, n)),
                (None, None) => self.error(token, format!("no type or structure `{word}`")),
            },
        }
    }

    fn matrix(&mut self) -> Result<MatrixType> {
        self.expect("<")?;
        let token = self.word("a scalar type")?;
        let Some((scalar, None)) = vector_word(token.text) else { return self.expected(token, "a scalar type") };
        self.expect(",")?;
        let rows = self.number()?;
        self.expect(",")?;
        let columns = self.number()?;
        self.expect(",")?;
        let token = self.word("`rows` or `columns`")?;
        let row_major = match token.text {
            "rows" => true,
            "columns" => false,
            _ => return self.expected(token, "`rows` or `columns`"),
        };
        self.expect_word("stride")?;
        let layout = MatrixLayout { row_major, stride: self.number()? };
        self.expect(">")?;
        Ok(MatrixType { scalar, rows, columns, layout })
    }

    fn image(&mut self, storage: bool) -> Result<ImageType> {
        self.expect("<")?;
        let token = self.word("a dimension")?;
        let without = |text: &'a str, suffix| text.strip_suffix(suffix).map_or((text, false), |rest| (rest, true));
        let (dim, multisampled) = without(token.text, ".ms");
        let (dim, arrayed) = without(dim, ".array");
        let Some(dim) = ImageDim::from_word(dim) else { return self.expected(token, "a dimension") };
        self.expect(",")?;
        let token = self.word("a texel type")?;
        let Some((texel, components)) = vector_word(token.text) else { return self.expected(token, "a texel type") };
        self.expect(">")?;
        Ok(ImageType { dim, arrayed, multisampled, texel, components: components.unwrap_or(1), storage })
    }

    /// Reads a scalar of the given type: decimal, `true`, or bits in hexadecimal.
    fn literal(&mut self, ty: Scalar) -> Result<ScalarConst> {
        let token = self.next();
        if token.kind != LexemeKind::Word {
            return self.expected(token, "a constant");
        }
        let bits = literal_bits(ty, token.text);
        match bits {
            Some(bits) => Ok(ScalarConst { ty, bits }),
            None => self.error(token, format!("`{}` is not a constant of type {}", token.text, ty.word())),
        }
    }
}

fn parse_u64(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn literal_bits(ty: Scalar, text: &str) -> Option<u64> {
    if text.starts_with("0x") {
        return parse_u64(text);
    }
    match ty {
        Scalar::Bool => text.parse::<bool>().ok().map(u64::from),
        Scalar::F32 => text.parse::<f32>().ok().map(|x| u64::from(x.to_bits())),
        Scalar::F64 => text.parse::<f64>().ok().map(f64::to_bits),
        Scalar::F16 => None,
        _ => {
            let value: i128 = text.parse().ok()?;
            let (low, high) = if ty.is_signed() {
                (-(1i128 << (ty.bits() - 1)), (1i128 << (ty.bits() - 1)) - 1)
            } else {
                (0, i128::from(ty.mask()))
            };
            (low..=high).contains(&value).then_some(value as u64 & ty.mask())
        }
    }
}
