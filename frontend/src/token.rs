//! Tokens for the slicer, the parser and `sema`: preprocessed, cooked, owning their text, without positions.
//!
//! `lex` has the tokens in the text of a file, before macros. `Unit::origins` has their origins.

use compact_str::CompactString;

/// One token. Tokens are equal regardless of their position. Only a line break before them counts, because repair uses
/// it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    pub kind: TokenKind,
    /// True for the first of its line.
    pub line_start: bool,
    /// Spelling of names, modifiers and literals; empty for other tokens, see [`Token::spelling`].
    pub text: CompactString,
}

impl Token {
    pub fn spelling(&self) -> &str {
        match self.kind {
            TokenKind::Sym(sym) => sym.text(),
            TokenKind::TemplateOpen => "<",
            TokenKind::TemplateClose => ">",
            TokenKind::CastOpen => "(",
            TokenKind::Body => "{..}",
            _ => &self.text,
        }
    }

    pub fn is(&self, sym: Sym) -> bool {
        self.kind == TokenKind::Sym(sym)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    Ident,
    Int,
    Float,
    /// With its quotes.
    Str,
    /// With its quotes.
    Char,
    /// Storage class, parameter direction, interpolation and similar words; also `struct` in `struct S x;`.
    Modifier,
    /// `let` or `var` before a name.
    Inferred,
    /// A keyword or an operator.
    Sym(Sym),
    /// `<` and `>` around template arguments or parameters.
    TemplateOpen,
    TemplateClose,
    /// `(` of a C-style cast.
    CastOpen,
    /// A whole function body, including braces, which the slicer cut out.
    Body,
}

macro_rules! syms {
    (punctuation { $($p:ident $pt:literal),* $(,)? } keywords { $($k:ident $kt:literal),* $(,)? }) => {
        /// Operators, brackets and keywords.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Sym { $($p,)* $($k,)* }

        impl Sym {
            pub const ALL: &[Sym] = &[$(Sym::$p,)* $(Sym::$k,)*];

            pub const fn text(self) -> &'static str {
                match self { $(Sym::$p => $pt,)* $(Sym::$k => $kt,)* }
            }

            pub(crate) fn punctuation(text: &str) -> Option<Sym> {
                match text.as_bytes() {
                    [one] => PUNCTUATION.get(usize::from(*one)).copied().flatten(),
                    _ => match text { $($pt => Some(Sym::$p),)* _ => None },
                }
            }

            pub(crate) fn keyword(text: &str) -> Option<Sym> {
                if !may_be_special(text) {
                    return None;
                }
                match text { $($kt => Some(Sym::$k),)* "static_assert" => Some(Sym::StaticAssert), _ => None }
            }
        }
    };
}

syms! {
    punctuation {
        LParen "(", RParen ")", LBrace "{", RBrace "}", LBracket "[", RBracket "]", Semi ";", Comma ",", Dot ".",
        ColonColon "::", Colon ":", Question "?", PlusPlus "++", MinusMinus "--", Plus "+", Minus "-", Star "*",
        Slash "/", Percent "%", Bang "!", Tilde "~", Amp "&", Pipe "|", Caret "^", AmpAmp "&&", PipePipe "||",
        EqEq "==", NotEq "!=", LtEq "<=", GtEq ">=", Shl "<<", Shr ">>", ShlEq "<<=", ShrEq ">>=", Lt "<", Gt ">",
        Eq "=", PlusEq "+=", MinusEq "-=", StarEq "*=", SlashEq "/=", PercentEq "%=", AmpEq "&=", PipeEq "|=",
        CaretEq "^=",
    }
    keywords {
        If "if", Else "else", For "for", While "while", Do "do", Switch "switch", Case "case", Default "default",
        Break "break", Continue "continue", Return "return", Discard "discard", Struct "struct", Class "class",
        Interface "interface", Enum "enum", CBuffer "cbuffer", TBuffer "tbuffer", Typedef "typedef", Using "using",
        Namespace "namespace", Template "template", Typename "typename", Operator "operator", Sizeof "sizeof",
        True "true", False "false", Unsigned "unsigned", StaticAssert "_Static_assert", Import "import",
    }
}

/// Symbols of a single character, indexed by it.
const PUNCTUATION: [Option<Sym>; 128] = {
    let mut table = [None; 128];
    let mut n = 0;
    while n < Sym::ALL.len() {
        if let [one] = Sym::ALL[n].text().as_bytes() {
            table[*one as usize] = Some(Sym::ALL[n]);
        }
        n += 1;
    }
    table
};

/// Words that are always modifiers.
pub const MODIFIERS: &[&str] = &[
    "in",
    "out",
    "inout",
    "const",
    "static",
    "uniform",
    "volatile",
    "extern",
    "groupshared",
    "precise",
    "nointerpolation",
    "noperspective",
    "centroid",
    "row_major",
    "column_major",
    "snorm",
    "unorm",
    "globallycoherent",
    "reordercoherent",
    "inline",
    "export",
];

/// Words that are modifiers only before a type, and names elsewhere.
pub const CONTEXTUAL_MODIFIERS: &[&str] = &[
    "linear",
    "center",
    "sample",
    "point",
    "line",
    "triangle",
    "lineadj",
    "triangleadj",
    "vertices",
    "indices",
    "primitives",
    "payload",
    "constexpr",
    "shared",
];

/// Lengths of the special words, one bit each, by their first characters. Most words of a program are not special, and
/// this table rejects them quickly.
const SPECIAL: [u32; 128] = {
    let mut table = [0; 128];
    let mut n = 0;
    while n < Sym::ALL.len() {
        table = with_word(table, Sym::ALL[n].text());
        n += 1;
    }
    n = 0;
    while n < MODIFIERS.len() {
        table = with_word(table, MODIFIERS[n]);
        n += 1;
    }
    n = 0;
    while n < CONTEXTUAL_MODIFIERS.len() {
        table = with_word(table, CONTEXTUAL_MODIFIERS[n]);
        n += 1;
    }
    with_word(table, "static_assert")
};

const fn with_word(mut table: [u32; 128], word: &str) -> [u32; 128] {
    table[word.as_bytes()[0] as usize] |= 1 << word.len();
    table
}

/// Returns whether a word may be a keyword or a modifier, by its first character and length.
fn may_be_special(word: &str) -> bool {
    let lengths = word.as_bytes().first().and_then(|first| SPECIAL.get(usize::from(*first)));
    word.len() < 32 && lengths.is_some_and(|lengths| lengths >> word.len() & 1 == 1)
}

/// Returns whether a word is always a modifier.
pub(crate) fn is_modifier(word: &str) -> bool {
    may_be_special(word) && MODIFIERS.contains(&word)
}

/// Returns whether a word is a newer modifier that existing programs use as a name. It is still a name if nothing
/// follows that it could modify.
pub(crate) fn is_soft_modifier(word: &str) -> bool {
    matches!(word, "precise" | "globallycoherent" | "reordercoherent" | "centroid" | "snorm" | "unorm")
}

/// Returns whether a word is a modifier before a type.
pub(crate) fn is_contextual_modifier(word: &str) -> bool {
    may_be_special(word) && CONTEXTUAL_MODIFIERS.contains(&word)
}

/// Returns tokens as text for `--emit tokens`: one line for each line of the source, with a space between tokens. The
/// marks `<|`, `|>` and `(|` are the brackets that cooking identified.
pub fn dump(tokens: &[Token]) -> String {
    let mut out = String::new();
    for (i, token) in tokens.iter().enumerate() {
        if i > 0 {
            out.push(if token.line_start { '\n' } else { ' ' });
        }
        out.push_str(match token.kind {
            TokenKind::TemplateOpen => "<|",
            TokenKind::TemplateClose => "|>",
            TokenKind::CastOpen => "(|",
            _ => token.spelling(),
        });
    }
    if !tokens.is_empty() {
        out.push('\n');
    }
    out
}
