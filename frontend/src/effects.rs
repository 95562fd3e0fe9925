//! Effect-framework syntax: state blocks after variables, and techniques. They are skipped with a warning, as in DXC.
//!
//! Old headers still declare samplers with their state. The slicer omits all of it from the tree.

use crate::token::{Sym, Token, TokenKind};

/// Types whose variables may have a state block: those of the effect framework, and those with state in Direct3D 9 and
/// 10.
const WITH_STATE: &[&str] = &[
    "SamplerState",
    "SamplerComparisonState",
    "sampler",
    "sampler1D",
    "sampler2D",
    "sampler3D",
    "samplerCUBE",
    "texture",
    "BlendState",
    "DepthStencilState",
    "DepthStencilView",
    "RasterizerState",
    "RenderTargetView",
    "PixelShader",
    "VertexShader",
    "GeometryShader",
    "HullShader",
    "DomainShader",
    "ComputeShader",
    "stateblock",
];

/// Words that open a group of passes.
const TECHNIQUES: &[&str] = &["technique", "technique10", "technique11", "fxgroup"];

/// Words before the state of an initialiser, `= sampler_state { .. }`.
const STATE_WORDS: &[&str] = &["sampler_state", "stateblock_state"];

/// Returns the index of the `{` of `technique T {`, if one starts at `start`.
pub(crate) fn technique(tokens: &[Token], start: usize) -> Option<usize> {
    let word = tokens.get(start)?;
    if word.kind != TokenKind::Ident || !TECHNIQUES.iter().any(|t| t.eq_ignore_ascii_case(&word.text)) {
        return None;
    }
    let named = tokens.get(start + 1)?.kind == TokenKind::Ident;
    let brace = start + 1 + usize::from(named);
    tokens.get(brace)?.is(Sym::LBrace).then_some(brace)
}

/// Returns whether a `{` after these tokens of a declaration, including its name, opens a state block. A register may
/// come between: `SamplerState s : register(s0) { .. };`. A function has parameters after its name.
pub(crate) fn has_state(declaration: &[Token]) -> bool {
    let mut names = declaration.iter().filter(|token| token.kind != TokenKind::Modifier);
    names.next().is_some_and(|first| first.kind == TokenKind::Ident && WITH_STATE.contains(&first.text.as_str()))
        && names.next().is_some_and(|name| name.kind == TokenKind::Ident)
        && names.next().is_none_or(|next| next.is(Sym::Colon) || next.is(Sym::LBracket))
}

/// Returns whether the tokens of a declaration end in `= sampler_state`.
pub(crate) fn ends_in_state_word(declaration: &[Token]) -> bool {
    matches!(declaration, [.., eq, word] if eq.is(Sym::Eq) && STATE_WORDS.contains(&word.text.as_str()))
}

/// Returns the index after the annotations of a variable, `< string a = ""; >`, if they start at `start`.
pub(crate) fn annotations_end(tokens: &[Token], start: usize) -> Option<usize> {
    const LONGEST: usize = 256;
    let behind = tokens.get(start + 1..)?;
    let end = behind
        .iter()
        .take(LONGEST)
        .position(|token| token.is(Sym::Gt) || matches!(token.kind, TokenKind::Sym(Sym::LBrace | Sym::RBrace)))?;
    let closes = behind[end].is(Sym::Gt) && end.checked_sub(1).is_none_or(|last| behind[last].is(Sym::Semi));
    closes.then_some(start + 1 + end + 1)
}
