//! Conditional groups: selects the branch to read and skips the others. `condition` evaluates the `#if`.

use super::Preprocessor;
use super::directive::Directive;
use crate::diagnostic::{Error, ErrorCode, Location, SpelledRange};
use crate::lex::Raw;

/// An open `#if`.
pub(super) struct Group {
    pub directive: Location,
    /// True if one of its branches was read or is being read.
    pub taken: bool,
    pub seen_else: bool,
}

impl Preprocessor<'_> {
    pub(super) fn unmatched(&mut self, name: &str, at: Location) {
        let message = match self.cursors.last().and_then(|cursor| cursor.groups.last()) {
            Some(group) => {
                let first = group.directive;
                let message = format!("`#{name}` after the `#else` of its group");
                return self.error(
                    Error::new(ErrorCode::UnmatchedConditional, message, at).note("the group starts here", first),
                );
            }
            None => format!("`#{name}` without `#if`"),
        };
        self.error(Error::new(ErrorCode::UnmatchedConditional, message, at));
    }

    pub(super) fn open_group(&mut self, directive: Location, taken: bool) {
        if let Some(cursor) = self.cursors.last_mut() {
            cursor.groups.push(Group { directive, taken, seen_else: false });
        }
        if !taken {
            self.skip(directive);
        }
    }

    /// Skips text up to the branch of the innermost group that is to be read, or to its end.
    pub(super) fn skip(&mut self, directive: Location) {
        let Some(cursor) = self.cursors.last() else { return };
        let (file, lexed) = (cursor.file, cursor.lexed.clone());
        let from = lexed.source.next_line_start(directive.place.hi);
        let mut nested = 0u32;
        let end = loop {
            let Some(cursor) = self.cursors.last_mut() else { return };
            let Some(lexeme) = lexed.tokens.get(cursor.next) else { break u32::MAX };
            if lexeme.raw != Raw::Hash || !lexeme.starts_line {
                cursor.next += 1;
                continue;
            }
            let kind = lexed
                .tokens
                .get(cursor.next + 1)
                .filter(|next| next.raw == Raw::Ident && !next.starts_line)
                .and_then(|next| Directive::named(lexed.text(next)));
            let before = lexed.source.line_start(lexeme.lo);
            match kind {
                Some(Directive::If | Directive::Ifdef { .. }) => nested += 1,
                Some(Directive::Endif) if nested > 0 => nested -= 1,
                Some(Directive::Endif) => {
                    cursor.groups.pop();
                    self.take_line();
                    break before;
                }
                Some(kind @ (Directive::Else | Directive::Elif | Directive::Elifdef { .. })) if nested == 0 => {
                    if self.begin_branch(kind) {
                        break before;
                    }
                    continue;
                }
                _ => {}
            }
            cursor.next += 1;
        };
        let size = lexed.tokens.last().map_or(0, |last| last.hi);
        if let Some(from) = from
            && from < end.min(size)
        {
            self.out.inactive.push((file, from..end.min(size)));
        }
    }

    /// Handles an `#elif` or `#else` of the innermost group while no branch is read. Returns whether this one is.
    fn begin_branch(&mut self, kind: Directive) -> bool {
        let Some((hash, line)) = self.take_line() else { return false };
        let Some((name, rest)) = line.split_first() else { return false };
        let at = Location { place: SpelledRange { hi: name.at.place.hi, ..hash.place }, ..hash };
        let Some(group) = self.cursors.last_mut().and_then(|cursor| cursor.groups.last_mut()) else { return false };
        if group.seen_else {
            self.unmatched(&name.text, at);
            return false;
        }
        let done = group.taken;
        group.seen_else = kind == Directive::Else;
        let value = !done
            && match kind {
                Directive::Elif => self.condition(rest.to_vec(), at),
                Directive::Elifdef { negated } => {
                    self.macro_name(rest, at).is_some_and(|name| self.macros.get(&name).is_some() != negated)
                }
                _ => true,
            };
        if value && let Some(group) = self.cursors.last_mut().and_then(|cursor| cursor.groups.last_mut()) {
            group.taken = true;
        }
        value
    }
}
