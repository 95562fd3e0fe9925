//! Effect-framework syntax, which DXC skips with a warning and so do we: state blocks behind variables, and techniques.
//!
//! Old headers still declare samplers with their state. Nothing of it reaches the tree: the slicer leaves it out.

use crate::token::{Kind, Sym, Token};

/// Types whose variables may have a state block: those of the effect framework, and what Direct3D 9 and 10 gave state.
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

/// Words in front of the state of an initialiser, `= sampler_state { .. }`.
const STATE_WORDS: &[&str] = &["sampler_state", "stateblock_state"];

/// The index of the `{` of `technique T {`, when one begins at `start`.
pub(crate) fn technique(tokens: &[Token], start: usize) -> Option<usize> {
    let word = tokens.get(start)?;
    if word.kind != Kind::Ident || !TECHNIQUES.iter().any(|t| t.eq_ignore_ascii_case(&word.text)) {
        return None;
    }
    let named = tokens.get(start + 1)?.kind == Kind::Ident;
    let brace = start + 1 + usize::from(named);
    tokens.get(brace)?.is(Sym::LBrace).then_some(brace)
}

/// Whether a `{` behind these tokens of a declaration, its name among them, opens a state block. A register may stand
/// between: `SamplerState s : register(s0) { .. };`. A function has its parameters behind its name.
pub(crate) fn has_state(declaration: &[Token]) -> bool {
    let mut names = declaration.iter().filter(|token| token.kind != Kind::Modifier);
    names.next().is_some_and(|first| first.kind == Kind::Ident && WITH_STATE.contains(&first.text.as_str()))
        && names.next().is_some_and(|name| name.kind == Kind::Ident)
        && names.next().is_none_or(|next| next.is(Sym::Colon) || next.is(Sym::LBracket))
}

/// Whether a declaration's tokens end in `= sampler_state`.
pub(crate) fn ends_in_state_word(declaration: &[Token]) -> bool {
    matches!(declaration, [.., eq, word] if eq.is(Sym::Eq) && STATE_WORDS.contains(&word.text.as_str()))
}

/// The index behind `< string a = ""; >`, annotations of a variable, when they begin at `start`.
pub(crate) fn annotations_end(tokens: &[Token], start: usize) -> Option<usize> {
    const LONGEST: usize = 256;
    let behind = tokens.get(start + 1..)?;
    let end = behind
        .iter()
        .take(LONGEST)
        .position(|token| token.is(Sym::Gt) || matches!(token.kind, Kind::Sym(Sym::LBrace | Sym::RBrace)))?;
    let closes = behind[end].is(Sym::Gt) && end.checked_sub(1).is_none_or(|last| behind[last].is(Sym::Semi));
    closes.then_some(start + 1 + end + 1)
}
