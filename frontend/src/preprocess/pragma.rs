//! Pragmas: `#pragma words`, and the operator `_Pragma("words")`, which macro expansions may contain (C11 6.10.9).

use super::Pragma;
use super::driver::{Preprocessor, text_of, token};
use crate::diagnostic::{Error, ErrorCode, Location};
use crate::lex::{Lexed, PpToken, Raw};
use crate::token::Sym;

/// The name of the operator.
pub(super) const OPERATOR: &str = "_Pragma";

impl Preprocessor<'_> {
    /// Records a pragma, given the tokens after the word.
    pub(super) fn pragma(&mut self, rest: &[PpToken]) {
        let index = self.out.tokens.len() as u32;
        let words: Vec<&str> = rest.iter().map(|token| token.text.as_str()).collect();
        let pragma = match words.as_slice() {
            ["once"] => {
                return self.read_once();
            }
            ["pack_matrix", "(", "row_major", ")"] => Pragma::PackMatrix { row_major: true },
            ["pack_matrix", "(", "column_major", ")"] => Pragma::PackMatrix { row_major: false },
            _ => Pragma::Other(text_of(rest).into()),
        };
        self.out.pragmas.push((index, pragma));
    }

    /// Processes the operand of the operator `name`. Its words are not expanded, like those of `#pragma`.
    pub(super) fn pragma_operator(&mut self, name: &PpToken) {
        match self.pragma_operand() {
            Some(text) => {
                let lexed = Lexed::new(text.as_bytes());
                let at = |lexeme| PpToken { at: name.at, ..token(name.at.place.file, &lexed, lexeme) };
                let words: Vec<PpToken> = lexed.tokens.iter().map(at).collect();
                self.pragma(&words);
            }
            None => self.malformed_operator(name.at),
        }
    }

    fn malformed_operator(&mut self, at: Location) {
        let message = "`_Pragma` expects a string in parentheses, for example `_Pragma(\"pack_matrix(row_major)\")`";
        self.error(Error::new(ErrorCode::MalformedDirective, message, at));
    }

    /// Reads `("words")`. Returns the words with quotes and backslashes unescaped. Other tokens are left unread.
    fn pragma_operand(&mut self) -> Option<String> {
        let mut wanted = |is: fn(&PpToken) -> bool| {
            let token = self.pull()?;
            if is(&token) {
                return Some(token);
            }
            self.pending.push(token);
            None
        };
        wanted(|token| token.is(Sym::LParen))?;
        let text = wanted(|token| token.raw == Raw::Str)?.text;
        wanted(|token| token.is(Sym::RParen))?;
        let inner = text.strip_prefix('"')?.strip_suffix('"')?;
        Some(inner.replace("\\\"", "\"").replace("\\\\", "\\"))
    }
}
