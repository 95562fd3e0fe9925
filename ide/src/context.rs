//! The syntactic context at a location, from the tokens alone: a member, an attribute, a semantic, a path.
//!
//! The text may be incomplete, so no syntax tree is used. The surrounding function is also read from its tokens
//! ([`Head`]). The meaning of names is unknown here.

use super::keywords::is_modifier;
use super::source_tokens::{SourceTokenKind, SourceTokens};
use std::ops::Range;
use wgc_ir::Launch;
use wgc_sema::types::attribute_table::Target;
use wgc_sema::types::system_values::launch_name;

/// The kind of completion, and the range that it replaces.
#[derive(Clone, Debug, PartialEq)]
pub struct CompletionContext {
    pub replace: Range<u32>,
    /// The part of the range before the location.
    pub prefix: String,
    pub wanted: CompletionKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum CompletionKind {
    Nothing,
    /// The token after `#`.
    Directive,
    Pragma,
    /// A part of a path, inside a folder of the search paths.
    Include {
        angled: bool,
        folder: String,
    },
    Macro,
    Attribute {
        on: Target,
        head: Head,
    },
    /// An attribute of `vk::`, with or without its namespace.
    Vulkan {
        on: Target,
        is_qualified: bool,
    },
    /// An argument of an attribute, by number.
    Argument {
        attribute: String,
        nth: usize,
        /// Inside quotes.
        is_quoted: bool,
        on: Target,
        head: Head,
    },
    /// A member after this token, a dot.
    Member {
        dot: usize,
    },
    /// A name after `a::b::`. `of` is the request at the start of the path.
    Scoped {
        path: Vec<String>,
        of: Box<CompletionKind>,
    },
    Semantic(SemanticOf),
    Name(Level),
    /// The start of a declaration: its type or a token before it.
    Declaration(Level),
    /// An argument after `a::b<`, if that is a type.
    TypeArgument {
        path: Vec<String>,
        level: Level,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum SemanticOf {
    /// The n-th parameter of a function.
    Param(Head, usize),
    /// A field of a structure.
    Field,
    /// The return value of a function.
    Result,
    /// A variable outside functions, by the first token of its type.
    Global(String),
    CBuffer,
    CBufferMember,
    /// The n-th argument of `register(..)`, by the first token of the type of the resource.
    Register {
        object: String,
        nth: usize,
    },
    /// Inside `packoffset(..)`.
    Offset,
}

/// The construct directly around a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The file, or a namespace.
    File,
    Record,
    Enum,
    CBuffer,
    Params,
    Body,
    /// The bases of a record.
    Bases,
    /// After the colon of an `enum`.
    EnumBase,
    /// After `typedef`.
    Types,
    /// After `using namespace`.
    Namespaces,
}

/// The head of a function, read from its tokens.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head {
    pub name: String,
    pub attributes: Vec<AttributeText>,
    pub params: Vec<ParamText>,
    /// The parameter that contains the location.
    pub param: Option<usize>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttributeText {
    pub name: String,
    /// The arguments as written, strings without quotes.
    pub args: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParamText {
    pub attributes: Vec<AttributeText>,
    /// The first token of its type; "" if not typed yet.
    pub object: String,
    pub name: String,
}

mod directive;

use directive::{directive, end_of_name};

/// The limit of tokens to inspect in template arguments.
const LONGEST_ARGUMENTS: usize = 64;

/// The limit of names to inspect in a path.
const MAX_OF_PATH: usize = 64;

const LAUNCHES: [Launch; 4] = [Launch::Broadcasting, Launch::Coalescing, Launch::Thread, Launch::Mesh];

impl Head {
    /// Returns the first argument of an attribute.
    pub fn argument(&self, attribute: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|a| a.name.eq_ignore_ascii_case(attribute))?;
        Some(found.args.first().map_or("", String::as_str))
    }

    pub fn launch(&self) -> Option<Launch> {
        let mode = self.argument("NodeLaunch")?;
        LAUNCHES.into_iter().find(|launch| launch_name(*launch) == mode)
    }
}

/// Returns the context at a byte of a text.
pub fn typing(tokens: &SourceTokens, at: u32) -> CompletionContext {
    let nothing =
        |at: u32| CompletionContext { replace: at..at, prefix: String::new(), wanted: CompletionKind::Nothing };
    if tokens.in_comment(at) {
        return nothing(at);
    }
    // Use the token that contains the location or ends there.
    let mut n = tokens.first_after(at);
    if let Some(before) = n.checked_sub(1)
        && tokens.all[before].hi == at
        && matches!(
            tokens.all[before].kind,
            SourceTokenKind::Name
                | SourceTokenKind::Number
                | SourceTokenKind::Directive
                | SourceTokenKind::Text { closed: false }
        )
    {
        n = before;
    }
    let inside = tokens.get(n).filter(|token| token.lo < at);
    match inside.map(|token| (token.kind, token)) {
        Some((SourceTokenKind::Directive, token)) => directive(tokens, token.lo, token.hi, at),
        Some((SourceTokenKind::Text { closed }, token)) => {
            let end = if closed { token.hi - 1 } else { end_of_name(tokens.text, at) };
            let prefix = tokens.part(token.lo + 1..at).to_owned();
            let wanted = Reader { tokens, n, at: token.lo }.argument(true).unwrap_or(CompletionKind::Nothing);
            CompletionContext { replace: token.lo + 1..end.max(at), prefix, wanted }
        }
        Some((SourceTokenKind::Number, _)) => nothing(at),
        Some((SourceTokenKind::Name, token)) => {
            let prefix = tokens.part(token.lo..at).to_owned();
            CompletionContext {
                replace: token.lo..token.hi,
                prefix,
                wanted: Reader { tokens, n, at: token.lo }.wanted(),
            }
        }
        _ => CompletionContext { wanted: Reader { tokens, n, at }.wanted(), ..nothing(at) },
    }
}

/// Reads the tokens before the n-th token.
struct Reader<'w, 't> {
    tokens: &'w SourceTokens<'t>,
    n: usize,
    /// The location, or the start of the token that contains it.
    at: u32,
}

impl Reader<'_, '_> {
    fn wanted(&self) -> CompletionKind {
        let tokens = self.tokens;
        if let Some(vulkan) = self.vulkan() {
            return vulkan;
        }
        let before = self.n.checked_sub(1);
        let kind = before.and_then(|n| tokens.get(n)).map(|token| token.kind);
        match kind {
            Some(SourceTokenKind::Sign(b'.')) => return CompletionKind::Member { dot: self.n - 1 },
            Some(SourceTokenKind::Scope) => {
                let path = self.path(self.n);
                let start = self.n - 2 * path.len();
                // In a long path, the first name does not help with the last.
                let of = tokens.get(start).filter(|_| !path.is_empty() && path.len() < MAX_OF_PATH);
                let of =
                    of.map_or(CompletionKind::Nothing, |token| Reader { n: start, at: token.lo, ..*self }.wanted());
                return CompletionKind::Scoped { path, of: Box::new(of) };
            }
            _ => {}
        }
        if let Some(argument) = self.argument(false) {
            return argument;
        }
        let around = tokens.open_brackets(self.n);
        if let Some(bracket) = around.last().copied().filter(|n| tokens.is(*n, b'[') && self.is_attribute(*n)) {
            let is_name = self.n == bracket + 1 || before.is_some_and(|n| tokens.is(n, b','));
            // Attributes in double brackets have different names.
            let is_double =
                bracket.checked_sub(1).is_some_and(|n| tokens.is(n, b'[') && tokens.partner(n) != Some(bracket));
            return match is_name && !is_double {
                true => {
                    let (on, head) = self.place_of_attribute(bracket);
                    CompletionKind::Attribute { on, head }
                }
                false => CompletionKind::Nothing,
            };
        }
        if let Some(binding) = self.binding(&around) {
            return CompletionKind::Semantic(binding);
        }
        let (level, params) = self.level(&around);
        if kind == Some(SourceTokenKind::Sign(b':')) {
            return self.behind_colon(level, params);
        }
        if let Some(name) = self.n.checked_sub(2).filter(|n| tokens.is(n + 1, b'<') && !tokens.name(*n).is_empty()) {
            let mut path = self.path(name);
            path.push(tokens.name(name).to_owned());
            return CompletionKind::TypeArgument { path, level };
        }
        let first = before.map_or("", |n| tokens.name(n));
        if first == "typedef" {
            return CompletionKind::Name(Level::Types);
        }
        if first == "namespace" && self.n >= 2 && tokens.name(self.n - 2) == "using" {
            return CompletionKind::Name(Level::Namespaces);
        }
        // `uint name`: this name does not exist yet.
        if let Some(n) = before
            && kind == Some(SourceTokenKind::Name)
            && !tokens.part(tokens.all[n].hi..self.at).contains('\n')
            && !leads(tokens.str(n))
        {
            return CompletionKind::Nothing;
        }
        // `NodeOutput<R> name` is also a new name.
        if before.is_some_and(|n| tokens.is(n, b'>') && self.is_type_before(n)) {
            return CompletionKind::Nothing;
        }
        if self.begins(level, params, &around) {
            CompletionKind::Declaration(level)
        } else {
            CompletionKind::Name(level)
        }
    }

    /// Returns whether a `>` ends the arguments of a built-in type, as in `Buffer<float>`. Other types are not known by
    /// their tokens.
    fn is_type_before(&self, close: usize) -> bool {
        let tokens = self.tokens;
        let mut depth = 1_usize;
        for n in (close.saturating_sub(LONGEST_ARGUMENTS)..close).rev() {
            match tokens.all[n].kind {
                SourceTokenKind::Sign(b'>') => depth += 1,
                SourceTokenKind::Sign(b'<') => depth -= 1,
                SourceTokenKind::Name
                | SourceTokenKind::Number
                | SourceTokenKind::Scope
                | SourceTokenKind::Sign(b',') => {}
                _ => return false,
            }
            if depth == 0 {
                let name = n.checked_sub(1).map_or("", |n| tokens.name(n));
                return wgc_stdlib::index::TYPES.binary_search(&name).is_ok();
            }
        }
        false
    }

    /// Returns whether a declaration starts here. Bodies are excluded, because statements start in the same way.
    fn begins(&self, level: Level, params: Option<usize>, around: &[usize]) -> bool {
        let tokens = self.tokens;
        let Some(before) = self.n.checked_sub(1) else { return level == Level::File };
        let inner = around.last().copied();
        let is_here = match level {
            Level::File | Level::Record | Level::CBuffer => inner.is_none_or(|n| tokens.is(n, b'{')),
            Level::Params => inner == params,
            _ => false,
        };
        let is_behind = match tokens.all[before].kind {
            SourceTokenKind::Directive => level != Level::Params,
            SourceTokenKind::Sign(b';' | b'{' | b'}') => level != Level::Params,
            SourceTokenKind::Sign(b',' | b'(') => level == Level::Params,
            // The bracket of an attribute; an array has a name before its bracket.
            SourceTokenKind::Sign(b']') => tokens.partner(before).is_some_and(|open| self.is_attribute(open)),
            SourceTokenKind::Name => is_modifier(tokens.name(before)),
            _ => false,
        };
        is_here && is_behind
    }

    /// Handles locations inside `: register(` or `: packoffset(`.
    fn binding(&self, around: &[usize]) -> Option<SemanticOf> {
        let tokens = self.tokens;
        let open = *around.last().filter(|n| tokens.is(**n, b'('))?;
        let colon = open.checked_sub(2).filter(|n| tokens.is(*n, b':'))?;
        match tokens.name(open - 1) {
            "register" => {
                let (_, start) = self.attributes(tokens.statement(colon), colon, None);
                let object = self.object(start, colon).to_owned();
                Some(SemanticOf::Register { object, nth: self.commas(open + 1, self.n) })
            }
            "packoffset" => Some(SemanticOf::Offset),
            _ => None,
        }
    }

    /// Returns the first token of the type of a declaration.
    fn object(&self, start: usize, end: usize) -> &str {
        let mut names = (start..end).map(|n| self.tokens.name(n));
        names.find(|token| !token.is_empty() && !is_modifier(token)).unwrap_or_default()
    }

    /// Handles the name of an attribute in double brackets, with or without `vk::`.
    fn vulkan(&self) -> Option<CompletionKind> {
        let tokens = self.tokens;
        let inner = tokens.open_brackets(self.n).last().copied().filter(|n| tokens.is(*n, b'['))?;
        let outer = inner.checked_sub(1).filter(|n| tokens.is(*n, b'[') && tokens.partner(*n) != Some(inner))?;
        if !self.is_attribute(outer) {
            return None;
        }
        let is_scoped = tokens.get(self.n - 1).is_some_and(|token| token.kind == SourceTokenKind::Scope);
        let is_qualified = is_scoped && tokens.name(self.n - 2) == "vk";
        let start = if is_qualified { self.n - 2 } else { self.n };
        if start != inner + 1 && !tokens.is(start - 1, b',') {
            return None;
        }
        let (on, _) = self.place_of_attribute(outer);
        Some(CompletionKind::Vulkan { on, is_qualified })
    }

    /// Returns the names before the `::` that precedes a token.
    fn path(&self, mut at: usize) -> Vec<String> {
        let mut path = Vec::new();
        while at >= 2 && self.tokens.get(at - 1).is_some_and(|token| token.kind == SourceTokenKind::Scope) {
            let name = self.tokens.name(at - 2);
            if name.is_empty() {
                break;
            }
            path.insert(0, name.to_owned());
            at -= 2;
        }
        path
    }

    /// Handles the n-th token as an argument of an attribute.
    fn argument(&self, is_quoted: bool) -> Option<CompletionKind> {
        let tokens = self.tokens;
        let around = tokens.open_brackets(self.n);
        let paren = around.iter().rev().copied().find(|n| !tokens.is(*n, b'['))?;
        if !tokens.is(paren, b'(') || *around.last()? != paren {
            return None;
        }
        let name = paren.checked_sub(1).filter(|n| !tokens.name(*n).is_empty())?;
        let bracket = *around.iter().rev().nth(1)?;
        if !tokens.is(bracket, b'[') || !self.is_attribute(bracket) {
            return None;
        }
        let nth = self.commas(paren + 1, self.n);
        let (on, head) = self.place_of_attribute(bracket);
        Some(CompletionKind::Argument { attribute: tokens.str(name).to_owned(), nth, is_quoted, on, head })
    }

    /// Counts commas between two tokens, except those in brackets.
    fn commas(&self, from: usize, to: usize) -> usize {
        let (mut count, mut at, mut angles) = (0, from, 0_usize);
        while at < to {
            match self.tokens.all[at].kind {
                SourceTokenKind::Sign(b'(' | b'[' | b'{') => {
                    at = self.tokens.partner(at).map_or(at, |partner| partner.min(to))
                }
                SourceTokenKind::Sign(b'<') => angles += 1,
                SourceTokenKind::Sign(b'>') => angles = angles.saturating_sub(1),
                SourceTokenKind::Sign(b',') if angles == 0 => count += 1,
                _ => {}
            }
            at += 1;
        }
        count
    }

    /// Returns whether a `[` starts an attribute, not an index.
    fn is_attribute(&self, bracket: usize) -> bool {
        let tokens = self.tokens;
        let Some(before) = bracket.checked_sub(1) else { return true };
        let token = tokens.all[before];
        match token.kind {
            SourceTokenKind::Directive => true,
            SourceTokenKind::Sign(b';' | b'{' | b'}') => true,
            SourceTokenKind::Sign(b'[') => self.is_attribute(before),
            SourceTokenKind::Sign(b']') => tokens.partner(before).is_some_and(|open| self.is_attribute(open)),
            SourceTokenKind::Sign(b'(' | b',') => self.level(&tokens.open_brackets(bracket)).0 == Level::Params,
            SourceTokenKind::Sign(b')') => {
                let keyword = tokens.partner(before).and_then(|open| open.checked_sub(1)).map(|n| tokens.str(n));
                matches!(keyword, Some("if" | "for" | "while" | "switch"))
            }
            SourceTokenKind::Sign(b'>') => tokens.str(tokens.statement(before)) == "template",
            SourceTokenKind::Sign(b':') => self.level(&tokens.open_brackets(bracket)).0 == Level::Body,
            SourceTokenKind::Name => matches!(tokens.str(before), "struct" | "class" | "interface" | "else" | "do"),
            // An unclosed construct ends at the margin.
            _ => tokens.all[bracket].at_margin,
        }
    }

    /// Returns the target of an attribute with this bracket, and its function.
    fn place_of_attribute(&self, bracket: usize) -> (Target, Head) {
        let tokens = self.tokens;
        let around = tokens.open_brackets(bracket);
        let (level, params) = self.level(&around);
        if let Some(n) = bracket.checked_sub(1)
            && matches!(tokens.str(n), "struct" | "class" | "interface")
        {
            return (Target::Record, Head::default());
        }
        match (level, params) {
            (Level::Params, Some(paren)) => (Target::Param, self.head(paren, Some(bracket))),
            (Level::Body, _) => (Target::Statement, Head::default()),
            (Level::Record | Level::CBuffer | Level::Enum, _) => (Target::Member, Head::default()),
            _ => {
                let start = tokens.statement(bracket);
                let (attributes, at) = self.attributes(start, tokens.all.len(), Some(bracket));
                let stop =
                    |n: &usize| matches!(tokens.all[*n].kind, SourceTokenKind::Sign(b'(' | b';' | b'{' | b'}' | b'='));
                let paren = (at..tokens.all.len()).find(stop).filter(|n| tokens.is(*n, b'('));
                let head = match paren {
                    Some(paren) => Head { attributes, ..self.head(paren, None) },
                    None => Head { attributes, ..Head::default() },
                };
                (Target::Function, head)
            }
        }
    }

    /// Returns the attributes from a token on, without the one at bracket `without`, and the first token after them.
    fn attributes(&self, mut at: usize, end: usize, without: Option<usize>) -> (Vec<AttributeText>, usize) {
        let tokens = self.tokens;
        let mut out = Vec::new();
        while at < end && tokens.is(at, b'[') {
            let name = if tokens.is(at + 1, b'[') { at + 2 } else { at + 1 };
            if without != Some(at) && without != Some(at + 1) && !tokens.name(name).is_empty() {
                let mut args = Vec::new();
                if tokens.is(name + 1, b'(') {
                    let close = tokens.partner(name + 1).unwrap_or(name + 2);
                    let mut from = name + 2;
                    for n in name + 2..=close {
                        if n == close || tokens.is(n, b',') {
                            if from < n {
                                let text = tokens.part(tokens.all[from].lo..tokens.all[n - 1].hi);
                                args.push(text.trim_matches('"').to_owned());
                            }
                            from = n + 1;
                        }
                    }
                }
                out.push(AttributeText { name: tokens.str(name).to_owned(), args });
            }
            at = match tokens.partner(at) {
                Some(close) => close + 1,
                // The attribute is not closed: the next line is something else.
                None => {
                    let next = |n: &usize| tokens.all[*n].begins_line || tokens.is(*n, b'[');
                    (name..end).find(next).unwrap_or(end)
                }
            };
        }
        (out, at)
    }

    /// Returns the innermost construct; in a function's head, also the `(` of its parameters.
    fn level(&self, around: &[usize]) -> (Level, Option<usize>) {
        let tokens = self.tokens;
        let mut level = Level::File;
        for open in around {
            let start = tokens.statement(*open);
            match (tokens.all[*open].kind, level) {
                (SourceTokenKind::Sign(b'{'), Level::File | Level::Record | Level::CBuffer) => {
                    let (_, start) = self.attributes(start, *open, None);
                    level = self.declares(start, *open, level);
                }
                (SourceTokenKind::Sign(b'{'), Level::Body) => {
                    let is_record = (start..*open).any(|n| matches!(tokens.name(n), "struct" | "class" | "interface"));
                    level = if is_record { Level::Record } else { Level::Body };
                }
                (SourceTokenKind::Sign(b'('), Level::File | Level::Record) => {
                    let is_function = open.checked_sub(1).is_some_and(|n| {
                        let is_operator = (start..n).any(|n| tokens.name(n) == "operator");
                        is_operator || !tokens.name(n).is_empty() && n > start && tokens.str(n) != "register"
                    });
                    let (_, begin) = self.attributes(start, *open, None);
                    let has_value = (begin..*open).any(|n| tokens.is(n, b'=')) && tokens.name(begin) != "template";
                    if is_function && !has_value {
                        return (Level::Params, Some(*open));
                    }
                    level = Level::Body;
                }
                _ => {}
            }
        }
        (level, None)
    }

    /// Returns the construct that a `{` outside functions opens, from the tokens before it.
    fn declares(&self, start: usize, brace: usize, outside: Level) -> Level {
        let tokens = self.tokens;
        let mut at = start;
        let mut found = None;
        while at < brace {
            match tokens.name(at) {
                "namespace" => return outside,
                "struct" | "class" | "interface" => found = Some(Level::Record),
                "enum" => return Level::Enum,
                "cbuffer" | "tbuffer" => return Level::CBuffer,
                _ => {}
            }
            match tokens.all[at].kind {
                // `struct S f()` is a function, like everything else with parentheses.
                SourceTokenKind::Sign(b'(') => {
                    let is_register = at.checked_sub(1).is_some_and(|n| tokens.name(n) == "register");
                    if !is_register {
                        return Level::Body;
                    }
                    at = tokens.partner(at).unwrap_or(at);
                }
                SourceTokenKind::Sign(b'=') => return Level::Body,
                SourceTokenKind::Sign(b'[') => at = tokens.partner(at).unwrap_or(at),
                _ => {}
            }
            at += 1;
        }
        found.unwrap_or(Level::Body)
    }

    /// Returns the function whose parameters start at a `(`. `at` is a token in one of them.
    fn head(&self, paren: usize, at: Option<usize>) -> Head {
        let tokens = self.tokens;
        let start = tokens.statement(paren);
        let (attributes, _) = self.attributes(start, paren, None);
        let stop = |n: &usize| matches!(tokens.all[*n].kind, SourceTokenKind::Sign(b'{' | b';'));
        let end = tokens.partner(paren).or_else(|| (paren..tokens.all.len()).find(stop)).unwrap_or(tokens.all.len());
        let mut params = Vec::new();
        let (mut from, mut n, mut angles) = (paren + 1, paren + 1, 0_usize);
        while n < end {
            match tokens.all[n].kind {
                SourceTokenKind::Sign(b'(' | b'[' | b'{') => {
                    n = tokens.partner(n).map_or(n, |close| close.min(end - 1))
                }
                SourceTokenKind::Sign(b'<') => angles += 1,
                SourceTokenKind::Sign(b'>') => angles = angles.saturating_sub(1),
                SourceTokenKind::Sign(b',') if angles == 0 => {
                    params.push(self.param(from, n, at));
                    from = n + 1;
                }
                _ => {}
            }
            n += 1;
        }
        if from < end || !params.is_empty() {
            params.push(self.param(from, end, at));
        }
        let name = paren.checked_sub(1).map_or("", |n| tokens.name(n)).to_owned();
        let param = at.map(|at| self.commas(paren + 1, at));
        Head { name, attributes, params, param }
    }

    fn param(&self, from: usize, to: usize, without: Option<usize>) -> ParamText {
        let tokens = self.tokens;
        let (attributes, start) = self.attributes(from, to, without);
        let names = || (start..to).filter(|n| !tokens.name(*n).is_empty() && !is_modifier(tokens.str(*n)));
        let object = names().next().map_or("", |n| tokens.str(n));
        let ends = |n: &usize| matches!(tokens.all[*n].kind, SourceTokenKind::Sign(b':' | b'=' | b'['));
        let end = (start..to).find(ends).unwrap_or(to);
        let name = names().filter(|n| *n < end).skip(1).last().map_or("", |n| tokens.str(n));
        ParamText { attributes, object: object.to_owned(), name: name.to_owned() }
    }

    /// Handles locations after a single colon.
    fn behind_colon(&self, level: Level, params: Option<usize>) -> CompletionKind {
        let tokens = self.tokens;
        let colon = self.n - 1;
        let start = tokens.statement(colon);
        let (_, start) = self.attributes(start, colon, None);
        let mentions = |token: &[&str]| (start..colon).any(|n| token.contains(&tokens.name(n)));
        match (level, params) {
            (Level::Params, Some(paren)) => {
                let head = self.head(paren, Some(self.n));
                let nth = head.param.unwrap_or(0);
                CompletionKind::Semantic(SemanticOf::Param(head, nth))
            }
            (Level::File | Level::Record, _) if mentions(&["cbuffer", "tbuffer"]) => {
                CompletionKind::Semantic(SemanticOf::CBuffer)
            }
            (Level::File | Level::Record, _)
                if mentions(&["struct", "class", "interface", "enum"])
                    && !(start..colon).any(|n| tokens.is(n, b'(')) =>
            {
                CompletionKind::Name(if mentions(&["enum"]) { Level::EnumBase } else { Level::Bases })
            }
            (_, _) if matches!(tokens.name(colon.saturating_sub(1)), "public" | "private" | "protected") => {
                CompletionKind::Name(level)
            }
            (Level::File | Level::Record, _) if colon.checked_sub(1).is_some_and(|n| tokens.is(n, b')')) => {
                CompletionKind::Semantic(SemanticOf::Result)
            }
            (Level::Record, _) => CompletionKind::Semantic(SemanticOf::Field),
            (Level::CBuffer, _) => CompletionKind::Semantic(SemanticOf::CBufferMember),
            (Level::File, _) => CompletionKind::Semantic(SemanticOf::Global(self.object(start, colon).to_owned())),
            _ => CompletionKind::Name(level),
        }
    }
}

/// Returns whether a token may precede an existing name.
fn leads(token: &str) -> bool {
    is_modifier(token)
        || matches!(token, "return" | "else" | "case" | "do" | "typedef" | "struct" | "class" | "typename")
}

#[cfg(test)]
mod tests;
