//! The syntactic context at a location, from the words alone: a member, an attribute, a semantic, a path.
//!
//! The text may be incomplete, so no syntax tree is used. The surrounding function is also read from its words
//! ([`Head`]). The meaning of names is unknown here.

use super::keywords::is_modifier;
use super::source_tokens::{WordKind, Words};
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
    /// The word after `#`.
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
    /// A member after this word, a dot.
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
    /// The start of a declaration: its type or a word before it.
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
    /// A variable outside functions, by the first word of its type.
    Global(String),
    CBuffer,
    CBufferMember,
    /// The n-th argument of `register(..)`, by the first word of the type of the resource.
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

/// The head of a function, read from its words.
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
    /// The first word of its type; "" if not typed yet.
    pub object: String,
    pub name: String,
}

mod directive;

use directive::{directive, end_of_name};

/// The limit of words to inspect in template arguments.
const LONGEST_ARGUMENTS: usize = 64;

/// The limit of names to inspect in a path.
const MOST_OF_PATH: usize = 64;

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
pub fn typing(words: &Words, at: u32) -> CompletionContext {
    let nothing =
        |at: u32| CompletionContext { replace: at..at, prefix: String::new(), wanted: CompletionKind::Nothing };
    if words.in_comment(at) {
        return nothing(at);
    }
    // Use the word that contains the location or ends there.
    let mut n = words.first_after(at);
    if let Some(before) = n.checked_sub(1)
        && words.all[before].hi == at
        && matches!(
            words.all[before].kind,
            WordKind::Name | WordKind::Number | WordKind::Directive | WordKind::Text { closed: false }
        )
    {
        n = before;
    }
    let inside = words.get(n).filter(|word| word.lo < at);
    match inside.map(|word| (word.kind, word)) {
        Some((WordKind::Directive, word)) => directive(words, word.lo, word.hi, at),
        Some((WordKind::Text { closed }, word)) => {
            let end = if closed { word.hi - 1 } else { end_of_name(words.text, at) };
            let prefix = words.part(word.lo + 1..at).to_owned();
            let wanted = Reader { words, n, at: word.lo }.argument(true).unwrap_or(CompletionKind::Nothing);
            CompletionContext { replace: word.lo + 1..end.max(at), prefix, wanted }
        }
        Some((WordKind::Number, _)) => nothing(at),
        Some((WordKind::Name, word)) => {
            let prefix = words.part(word.lo..at).to_owned();
            CompletionContext { replace: word.lo..word.hi, prefix, wanted: Reader { words, n, at: word.lo }.wanted() }
        }
        _ => CompletionContext { wanted: Reader { words, n, at }.wanted(), ..nothing(at) },
    }
}

/// Reads the words before the n-th word.
struct Reader<'w, 't> {
    words: &'w Words<'t>,
    n: usize,
    /// The location, or the start of the word that contains it.
    at: u32,
}

impl Reader<'_, '_> {
    fn wanted(&self) -> CompletionKind {
        let words = self.words;
        if let Some(vulkan) = self.vulkan() {
            return vulkan;
        }
        let before = self.n.checked_sub(1);
        let kind = before.and_then(|n| words.get(n)).map(|word| word.kind);
        match kind {
            Some(WordKind::Sign(b'.')) => return CompletionKind::Member { dot: self.n - 1 },
            Some(WordKind::Scope) => {
                let path = self.path(self.n);
                let start = self.n - 2 * path.len();
                // In a long path, the first name does not help with the last.
                let of = words.get(start).filter(|_| !path.is_empty() && path.len() < MOST_OF_PATH);
                let of = of.map_or(CompletionKind::Nothing, |word| Reader { n: start, at: word.lo, ..*self }.wanted());
                return CompletionKind::Scoped { path, of: Box::new(of) };
            }
            _ => {}
        }
        if let Some(argument) = self.argument(false) {
            return argument;
        }
        let around = words.open_brackets(self.n);
        if let Some(bracket) = around.last().copied().filter(|n| words.is(*n, b'[') && self.is_attribute(*n)) {
            let is_name = self.n == bracket + 1 || before.is_some_and(|n| words.is(n, b','));
            // Attributes in double brackets have different names.
            let is_double =
                bracket.checked_sub(1).is_some_and(|n| words.is(n, b'[') && words.partner(n) != Some(bracket));
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
        if kind == Some(WordKind::Sign(b':')) {
            return self.behind_colon(level, params);
        }
        if let Some(name) = self.n.checked_sub(2).filter(|n| words.is(n + 1, b'<') && !words.name(*n).is_empty()) {
            let mut path = self.path(name);
            path.push(words.name(name).to_owned());
            return CompletionKind::TypeArgument { path, level };
        }
        let first = before.map_or("", |n| words.name(n));
        if first == "typedef" {
            return CompletionKind::Name(Level::Types);
        }
        if first == "namespace" && self.n >= 2 && words.name(self.n - 2) == "using" {
            return CompletionKind::Name(Level::Namespaces);
        }
        // `uint name`: this name does not exist yet.
        if let Some(n) = before
            && kind == Some(WordKind::Name)
            && !words.part(words.all[n].hi..self.at).contains('\n')
            && !leads(words.str(n))
        {
            return CompletionKind::Nothing;
        }
        // `NodeOutput<R> name` is also a new name.
        if before.is_some_and(|n| words.is(n, b'>') && self.is_type_before(n)) {
            return CompletionKind::Nothing;
        }
        if self.begins(level, params, &around) {
            CompletionKind::Declaration(level)
        } else {
            CompletionKind::Name(level)
        }
    }

    /// Returns whether a `>` ends the arguments of a built-in type, as in `Buffer<float>`. Other types are not known by
    /// their words.
    fn is_type_before(&self, close: usize) -> bool {
        let words = self.words;
        let mut depth = 1_usize;
        for n in (close.saturating_sub(LONGEST_ARGUMENTS)..close).rev() {
            match words.all[n].kind {
                WordKind::Sign(b'>') => depth += 1,
                WordKind::Sign(b'<') => depth -= 1,
                WordKind::Name | WordKind::Number | WordKind::Scope | WordKind::Sign(b',') => {}
                _ => return false,
            }
            if depth == 0 {
                let name = n.checked_sub(1).map_or("", |n| words.name(n));
                return wgc_stdlib::index::TYPES.binary_search(&name).is_ok();
            }
        }
        false
    }

    /// Returns whether a declaration starts here. Bodies are excluded, because statements start in the same way.
    fn begins(&self, level: Level, params: Option<usize>, around: &[usize]) -> bool {
        let words = self.words;
        let Some(before) = self.n.checked_sub(1) else { return level == Level::File };
        let inner = around.last().copied();
        let is_here = match level {
            Level::File | Level::Record | Level::CBuffer => inner.is_none_or(|n| words.is(n, b'{')),
            Level::Params => inner == params,
            _ => false,
        };
        let is_behind = match words.all[before].kind {
            WordKind::Directive => level != Level::Params,
            WordKind::Sign(b';' | b'{' | b'}') => level != Level::Params,
            WordKind::Sign(b',' | b'(') => level == Level::Params,
            // The bracket of an attribute; an array has a name before its bracket.
            WordKind::Sign(b']') => words.partner(before).is_some_and(|open| self.is_attribute(open)),
            WordKind::Name => is_modifier(words.name(before)),
            _ => false,
        };
        is_here && is_behind
    }

    /// Handles locations inside `: register(` or `: packoffset(`.
    fn binding(&self, around: &[usize]) -> Option<SemanticOf> {
        let words = self.words;
        let open = *around.last().filter(|n| words.is(**n, b'('))?;
        let colon = open.checked_sub(2).filter(|n| words.is(*n, b':'))?;
        match words.name(open - 1) {
            "register" => {
                let (_, start) = self.attributes(words.statement(colon), colon, None);
                let object = self.object(start, colon).to_owned();
                Some(SemanticOf::Register { object, nth: self.commas(open + 1, self.n) })
            }
            "packoffset" => Some(SemanticOf::Offset),
            _ => None,
        }
    }

    /// Returns the first word of the type of a declaration.
    fn object(&self, start: usize, end: usize) -> &str {
        let mut names = (start..end).map(|n| self.words.name(n));
        names.find(|word| !word.is_empty() && !is_modifier(word)).unwrap_or_default()
    }

    /// Handles the name of an attribute in double brackets, with or without `vk::`.
    fn vulkan(&self) -> Option<CompletionKind> {
        let words = self.words;
        let inner = words.open_brackets(self.n).last().copied().filter(|n| words.is(*n, b'['))?;
        let outer = inner.checked_sub(1).filter(|n| words.is(*n, b'[') && words.partner(*n) != Some(inner))?;
        if !self.is_attribute(outer) {
            return None;
        }
        let is_scoped = words.get(self.n - 1).is_some_and(|word| word.kind == WordKind::Scope);
        let is_qualified = is_scoped && words.name(self.n - 2) == "vk";
        let start = if is_qualified { self.n - 2 } else { self.n };
        if start != inner + 1 && !words.is(start - 1, b',') {
            return None;
        }
        let (on, _) = self.place_of_attribute(outer);
        Some(CompletionKind::Vulkan { on, is_qualified })
    }

    /// Returns the names before the `::` that precedes a word.
    fn path(&self, mut at: usize) -> Vec<String> {
        let mut path = Vec::new();
        while at >= 2 && self.words.get(at - 1).is_some_and(|word| word.kind == WordKind::Scope) {
            let name = self.words.name(at - 2);
            if name.is_empty() {
                break;
            }
            path.insert(0, name.to_owned());
            at -= 2;
        }
        path
    }

    /// Handles the n-th word as an argument of an attribute.
    fn argument(&self, is_quoted: bool) -> Option<CompletionKind> {
        let words = self.words;
        let around = words.open_brackets(self.n);
        let paren = around.iter().rev().copied().find(|n| !words.is(*n, b'['))?;
        if !words.is(paren, b'(') || *around.last()? != paren {
            return None;
        }
        let name = paren.checked_sub(1).filter(|n| !words.name(*n).is_empty())?;
        let bracket = *around.iter().rev().nth(1)?;
        if !words.is(bracket, b'[') || !self.is_attribute(bracket) {
            return None;
        }
        let nth = self.commas(paren + 1, self.n);
        let (on, head) = self.place_of_attribute(bracket);
        Some(CompletionKind::Argument { attribute: words.str(name).to_owned(), nth, is_quoted, on, head })
    }

    /// Counts commas between two words, except those in brackets.
    fn commas(&self, from: usize, to: usize) -> usize {
        let (mut count, mut at, mut angles) = (0, from, 0_usize);
        while at < to {
            match self.words.all[at].kind {
                WordKind::Sign(b'(' | b'[' | b'{') => at = self.words.partner(at).map_or(at, |partner| partner.min(to)),
                WordKind::Sign(b'<') => angles += 1,
                WordKind::Sign(b'>') => angles = angles.saturating_sub(1),
                WordKind::Sign(b',') if angles == 0 => count += 1,
                _ => {}
            }
            at += 1;
        }
        count
    }

    /// Returns whether a `[` starts an attribute, not an index.
    fn is_attribute(&self, bracket: usize) -> bool {
        let words = self.words;
        let Some(before) = bracket.checked_sub(1) else { return true };
        let word = words.all[before];
        match word.kind {
            WordKind::Directive => true,
            WordKind::Sign(b';' | b'{' | b'}') => true,
            WordKind::Sign(b'[') => self.is_attribute(before),
            WordKind::Sign(b']') => words.partner(before).is_some_and(|open| self.is_attribute(open)),
            WordKind::Sign(b'(' | b',') => self.level(&words.open_brackets(bracket)).0 == Level::Params,
            WordKind::Sign(b')') => {
                let keyword = words.partner(before).and_then(|open| open.checked_sub(1)).map(|n| words.str(n));
                matches!(keyword, Some("if" | "for" | "while" | "switch"))
            }
            WordKind::Sign(b'>') => words.str(words.statement(before)) == "template",
            WordKind::Sign(b':') => self.level(&words.open_brackets(bracket)).0 == Level::Body,
            WordKind::Name => matches!(words.str(before), "struct" | "class" | "interface" | "else" | "do"),
            // An unclosed construct ends at the margin.
            _ => words.all[bracket].at_margin,
        }
    }

    /// Returns the target of an attribute with this bracket, and its function.
    fn place_of_attribute(&self, bracket: usize) -> (Target, Head) {
        let words = self.words;
        let around = words.open_brackets(bracket);
        let (level, params) = self.level(&around);
        if let Some(n) = bracket.checked_sub(1)
            && matches!(words.str(n), "struct" | "class" | "interface")
        {
            return (Target::Record, Head::default());
        }
        match (level, params) {
            (Level::Params, Some(paren)) => (Target::Param, self.head(paren, Some(bracket))),
            (Level::Body, _) => (Target::Statement, Head::default()),
            (Level::Record | Level::CBuffer | Level::Enum, _) => (Target::Member, Head::default()),
            _ => {
                let start = words.statement(bracket);
                let (attributes, at) = self.attributes(start, words.all.len(), Some(bracket));
                let stop = |n: &usize| matches!(words.all[*n].kind, WordKind::Sign(b'(' | b';' | b'{' | b'}' | b'='));
                let paren = (at..words.all.len()).find(stop).filter(|n| words.is(*n, b'('));
                let head = match paren {
                    Some(paren) => Head { attributes, ..self.head(paren, None) },
                    None => Head { attributes, ..Head::default() },
                };
                (Target::Function, head)
            }
        }
    }

    /// Returns the attributes from a word on, without the one at bracket `without`, and the first word after them.
    fn attributes(&self, mut at: usize, end: usize, without: Option<usize>) -> (Vec<AttributeText>, usize) {
        let words = self.words;
        let mut out = Vec::new();
        while at < end && words.is(at, b'[') {
            let name = if words.is(at + 1, b'[') { at + 2 } else { at + 1 };
            if without != Some(at) && without != Some(at + 1) && !words.name(name).is_empty() {
                let mut args = Vec::new();
                if words.is(name + 1, b'(') {
                    let close = words.partner(name + 1).unwrap_or(name + 2);
                    let mut from = name + 2;
                    for n in name + 2..=close {
                        if n == close || words.is(n, b',') {
                            if from < n {
                                let text = words.part(words.all[from].lo..words.all[n - 1].hi);
                                args.push(text.trim_matches('"').to_owned());
                            }
                            from = n + 1;
                        }
                    }
                }
                out.push(AttributeText { name: words.str(name).to_owned(), args });
            }
            at = match words.partner(at) {
                Some(close) => close + 1,
                // The attribute is not closed: the next line is something else.
                None => {
                    let next = |n: &usize| words.all[*n].begins_line || words.is(*n, b'[');
                    (name..end).find(next).unwrap_or(end)
                }
            };
        }
        (out, at)
    }

    /// Returns the innermost construct; in a function's head, also the `(` of its parameters.
    fn level(&self, around: &[usize]) -> (Level, Option<usize>) {
        let words = self.words;
        let mut level = Level::File;
        for open in around {
            let start = words.statement(*open);
            match (words.all[*open].kind, level) {
                (WordKind::Sign(b'{'), Level::File | Level::Record | Level::CBuffer) => {
                    let (_, start) = self.attributes(start, *open, None);
                    level = self.declares(start, *open, level);
                }
                (WordKind::Sign(b'{'), Level::Body) => {
                    let is_record = (start..*open).any(|n| matches!(words.name(n), "struct" | "class" | "interface"));
                    level = if is_record { Level::Record } else { Level::Body };
                }
                (WordKind::Sign(b'('), Level::File | Level::Record) => {
                    let is_function = open.checked_sub(1).is_some_and(|n| {
                        let is_operator = (start..n).any(|n| words.name(n) == "operator");
                        is_operator || !words.name(n).is_empty() && n > start && words.str(n) != "register"
                    });
                    let (_, begin) = self.attributes(start, *open, None);
                    let has_value = (begin..*open).any(|n| words.is(n, b'=')) && words.name(begin) != "template";
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

    /// Returns the construct that a `{` outside functions opens, from the words before it.
    fn declares(&self, start: usize, brace: usize, outside: Level) -> Level {
        let words = self.words;
        let mut at = start;
        let mut found = None;
        while at < brace {
            match words.name(at) {
                "namespace" => return outside,
                "struct" | "class" | "interface" => found = Some(Level::Record),
                "enum" => return Level::Enum,
                "cbuffer" | "tbuffer" => return Level::CBuffer,
                _ => {}
            }
            match words.all[at].kind {
                // `struct S f()` is a function, like everything else with parentheses.
                WordKind::Sign(b'(') => {
                    let is_register = at.checked_sub(1).is_some_and(|n| words.name(n) == "register");
                    if !is_register {
                        return Level::Body;
                    }
                    at = words.partner(at).unwrap_or(at);
                }
                WordKind::Sign(b'=') => return Level::Body,
                WordKind::Sign(b'[') => at = words.partner(at).unwrap_or(at),
                _ => {}
            }
            at += 1;
        }
        found.unwrap_or(Level::Body)
    }

    /// Returns the function whose parameters start at a `(`. `at` is a word in one of them.
    fn head(&self, paren: usize, at: Option<usize>) -> Head {
        let words = self.words;
        let start = words.statement(paren);
        let (attributes, _) = self.attributes(start, paren, None);
        let stop = |n: &usize| matches!(words.all[*n].kind, WordKind::Sign(b'{' | b';'));
        let end = words.partner(paren).or_else(|| (paren..words.all.len()).find(stop)).unwrap_or(words.all.len());
        let mut params = Vec::new();
        let (mut from, mut n, mut angles) = (paren + 1, paren + 1, 0_usize);
        while n < end {
            match words.all[n].kind {
                WordKind::Sign(b'(' | b'[' | b'{') => n = words.partner(n).map_or(n, |close| close.min(end - 1)),
                WordKind::Sign(b'<') => angles += 1,
                WordKind::Sign(b'>') => angles = angles.saturating_sub(1),
                WordKind::Sign(b',') if angles == 0 => {
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
        let name = paren.checked_sub(1).map_or("", |n| words.name(n)).to_owned();
        let param = at.map(|at| self.commas(paren + 1, at));
        Head { name, attributes, params, param }
    }

    fn param(&self, from: usize, to: usize, without: Option<usize>) -> ParamText {
        let words = self.words;
        let (attributes, start) = self.attributes(from, to, without);
        let names = || (start..to).filter(|n| !words.name(*n).is_empty() && !is_modifier(words.str(*n)));
        let object = names().next().map_or("", |n| words.str(n));
        let ends = |n: &usize| matches!(words.all[*n].kind, WordKind::Sign(b':' | b'=' | b'['));
        let end = (start..to).find(ends).unwrap_or(to);
        let name = names().filter(|n| *n < end).skip(1).last().map_or("", |n| words.str(n));
        ParamText { attributes, object: object.to_owned(), name: name.to_owned() }
    }

    /// Handles locations after a single colon.
    fn behind_colon(&self, level: Level, params: Option<usize>) -> CompletionKind {
        let words = self.words;
        let colon = self.n - 1;
        let start = words.statement(colon);
        let (_, start) = self.attributes(start, colon, None);
        let mentions = |word: &[&str]| (start..colon).any(|n| word.contains(&words.name(n)));
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
                    && !(start..colon).any(|n| words.is(n, b'(')) =>
            {
                CompletionKind::Name(if mentions(&["enum"]) { Level::EnumBase } else { Level::Bases })
            }
            (_, _) if matches!(words.name(colon.saturating_sub(1)), "public" | "private" | "protected") => {
                CompletionKind::Name(level)
            }
            (Level::File | Level::Record, _) if colon.checked_sub(1).is_some_and(|n| words.is(n, b')')) => {
                CompletionKind::Semantic(SemanticOf::Result)
            }
            (Level::Record, _) => CompletionKind::Semantic(SemanticOf::Field),
            (Level::CBuffer, _) => CompletionKind::Semantic(SemanticOf::CBufferMember),
            (Level::File, _) => CompletionKind::Semantic(SemanticOf::Global(self.object(start, colon).to_owned())),
            _ => CompletionKind::Name(level),
        }
    }
}

/// Returns whether a word may precede an existing name.
fn leads(word: &str) -> bool {
    is_modifier(word) || matches!(word, "return" | "else" | "case" | "do" | "typedef" | "struct" | "class" | "typename")
}

#[cfg(test)]
mod tests;
