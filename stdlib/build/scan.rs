//! Cuts a file of the prelude into declarations and finds their names, by brackets and keywords.
//!
//! It supports only the syntax of the prelude: no directives, no macros, one declarator in each declaration. A test of
//! `sema` compares its results with those of the front end.

/// One declaration. A namespace is not one, but the scope of its contents.
pub struct Declaration<'t> {
    /// The enclosing namespace, or "". Preludes do not nest namespaces.
    pub scope: &'t str,
    /// Its range in the file, in bytes.
    pub lo: usize,
    pub hi: usize,
    /// The names that it declares. The values of an enum follow its name.
    pub names: Vec<&'t str>,
    pub is_type: bool,
    /// The names of templates: the declaration itself or its methods.
    pub templates: Vec<&'t str>,
}

/// A word, a string, or one character of punctuation, at an offset.
type Token<'t> = (usize, &'t str);

/// Returns the declarations of a file, in text order.
pub fn declarations(text: &str) -> Vec<Declaration<'_>> {
    let tokens = tokens(text);
    let (mut out, mut scope, mut at) = (Vec::new(), "", 0);
    while at < tokens.len() {
        match tokens[at].1 {
            "namespace" => {
                scope = tokens[at + 1].1;
                at += 3;
            }
            "}" => {
                scope = "";
                at += 1;
            }
            _ => {
                let end = end(&tokens, at);
                out.push(declaration(&tokens[at..end], scope));
                at = end;
            }
        }
    }
    out
}

fn declaration<'t>(tokens: &[Token<'t>], scope: &'t str) -> Declaration<'t> {
    let (start, keyword) = head(tokens, 0);
    let mut names = vec![name(tokens, 0)];
    if keyword == "enum" {
        let open = position(tokens, start, |t| t == "{");
        let values = tokens[open..].windows(2).filter(|pair| matches!(pair[0].1, "{" | ",") && is_word(pair[1].1));
        names.extend(values.map(|pair| pair[1].1));
    }
    let templates = (0..tokens.len()).filter(|at| tokens[*at].1 == "template").map(|at| name(tokens, at));
    let last = tokens[tokens.len() - 1];
    Declaration {
        scope,
        lo: tokens[0].0,
        hi: last.0 + last.1.len(),
        names,
        is_type: matches!(keyword, "struct" | "enum" | "typedef" | "using"),
        templates: templates.collect(),
    }
}

/// Returns the name of the declaration at a token.
fn name<'t>(tokens: &[Token<'t>], at: usize) -> &'t str {
    let (start, keyword) = head(tokens, at);
    if matches!(keyword, "struct" | "enum" | "using") {
        return tokens[head(tokens, start + 1).0].1;
    }
    let end = position(tokens, start, |t| matches!(t, "(" | "=" | ";" | "["));
    tokens[end - 1].1
}

/// Returns the first token after attributes and template parameters.
fn head<'t>(tokens: &[Token<'t>], mut at: usize) -> (usize, &'t str) {
    loop {
        at = match tokens[at].1 {
            "[" => close(tokens, at) + 1,
            "template" => position(tokens, at, |t| t == ">") + 1,
            keyword => return (at, keyword),
        };
    }
}

/// Returns the index after a declaration: after its `;` or its function body.
fn end(tokens: &[Token], start: usize) -> usize {
    let (mut at, mut parameters) = (start, false);
    loop {
        let token = tokens[at].1;
        at = match token {
            ";" => return at + 1,
            "(" | "[" | "{" => close(tokens, at) + 1,
            _ => at + 1,
        };
        parameters |= token == "(";
        if token == "{" && parameters {
            return at;
        }
    }
}

/// Returns the index of the closing bracket for the one at `open`.
fn close(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    position(tokens, open, |token| {
        match token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

fn position(tokens: &[Token], from: usize, mut is_it: impl FnMut(&str) -> bool) -> usize {
    let found = tokens[from..].iter().position(|token| is_it(token.1));
    from + found.unwrap_or_else(|| panic!("a declaration without end: {:?}", &tokens[from..]))
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let until = |end: &str| rest.find(end).map_or(rest.len(), |found| found + end.len());
        let length = match c {
            _ if rest.starts_with("//") => until("\n"),
            _ if rest.starts_with("/*") => until("*/"),
            '"' => 2 + rest[1..].find('"').unwrap_or(0),
            _ if c.is_alphanumeric() || c == '_' => {
                rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())
            }
            _ => c.len_utf8(),
        };
        if !c.is_whitespace() && !rest.starts_with("//") && !rest.starts_with("/*") {
            out.push((at, &rest[..length]));
        }
        at += length;
    }
    out
}
