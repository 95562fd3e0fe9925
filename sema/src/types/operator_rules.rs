//! Operators that a program may define. They must be methods and in the table.

use crate::db::Db;
use crate::db::def::{FnId, Item, SourcePlace};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::{fn_node, item_tree};
use crate::tables::codes::Code;

/// Operators that a record may define in HLSL 2021, each with its valid numbers of parameters.
const OPERATORS: &[(&str, &[usize])] = &[
    ("+", &[0, 1]),
    ("-", &[0, 1]),
    ("*", &[1]),
    ("/", &[1]),
    ("%", &[1]),
    ("==", &[1]),
    ("!=", &[1]),
    ("<", &[1]),
    (">", &[1]),
    ("<=", &[1]),
    (">=", &[1]),
    ("&", &[1]),
    ("|", &[1]),
    ("^", &[1]),
    ("&&", &[1]),
    ("||", &[1]),
    ("!", &[0]),
    ("~", &[0]),
    ("[]", &[1]),
    (",", &[1]),
];

/// Returns the errors in the operators that an item defines.
pub fn diagnostics<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Diagnostic<'db>> {
    let functions = 0..item_tree(db, item).decls.functions.len() as u32;
    functions.filter_map(|index| diagnostic(db, FnId { item, index })).collect()
}

fn diagnostic<'db>(db: &'db dyn Db, f: FnId<'db>) -> Option<Diagnostic<'db>> {
    let node = fn_node(db, f)?;
    let symbol = node.function.name.text.strip_prefix("operator").filter(|s| !s.starts_with(is_word))?;
    let at = SourcePlace::token(f.item, node.function.name.at);
    if node.decl.around.owner.is_none() && node.function.owner.is_none() {
        let message = format!("`operator{symbol}` is defined outside of a structure");
        let note = "define an operator as a method of the structure of its left operand";
        return Some(Diagnostic::new(Code::BadOperator, at, message).note(note));
    }
    if symbol == "()" {
        return None; // with any number of parameters
    }
    let Some((_, counts)) = OPERATORS.iter().find(|(s, _)| *s == symbol) else {
        let message = format!("`operator{symbol}` cannot be defined");
        return Some(Diagnostic::new(Code::BadOperator, at, message));
    };
    let given = node.function.params.len();
    (!counts.contains(&given)).then(|| {
        let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
        let message =
            format!("`operator{symbol}` has {given} parameters besides its object; expected {}", counts.join(" or "));
        Diagnostic::new(Code::BadOperator, at, message)
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
