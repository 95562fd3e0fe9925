//! The directives by name. [`super`] implements them, and [`super::groups`] the conditional ones.

/// The directives, by name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Directive {
    Define,
    Undef,
    If,
    Ifdef { negated: bool },
    Elif,
    Elifdef { negated: bool },
    Else,
    Endif,
    Include,
    Pragma,
    Ident,
    Error,
    Warning,
    Line,
}

const DIRECTIVES: &[(&str, Directive)] = &[
    ("define", Directive::Define),
    ("undef", Directive::Undef),
    ("if", Directive::If),
    ("ifdef", Directive::Ifdef { negated: false }),
    ("ifndef", Directive::Ifdef { negated: true }),
    ("elif", Directive::Elif),
    ("elifdef", Directive::Elifdef { negated: false }),
    ("elifndef", Directive::Elifdef { negated: true }),
    ("else", Directive::Else),
    ("endif", Directive::Endif),
    ("include", Directive::Include),
    ("pragma", Directive::Pragma),
    ("error", Directive::Error),
    ("warning", Directive::Warning),
    ("line", Directive::Line),
    ("ident", Directive::Ident),
];

impl Directive {
    pub(super) fn named(name: &str) -> Option<Directive> {
        DIRECTIVES.iter().find(|(known, _)| *known == name).map(|(_, directive)| *directive)
    }
}

/// Returns the nearest directive, at most two edits away from a misspelled one.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    let (_, known) = DIRECTIVES
        .iter()
        .map(|(known, _)| (distance(name.as_bytes(), known.as_bytes()), *known))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, known)| *distance <= 2 && *distance < known.len() / 2 + 1)?;
    Some(known)
}

/// Returns the Levenshtein distance.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
