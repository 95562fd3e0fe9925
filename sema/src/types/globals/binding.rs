//! Explicit bindings of resources: `register`, `vk::binding`, and the format of an image. [`crate::link::bindings`]
//! assigns the numbers that the source leaves open.

use super::GlobalKind;
use crate::tables::builtin::Builtin;
use crate::tables::codes::Code;
use crate::types::attributes;
use crate::types::cx::Cx;
use wgc_frontend::ast::{Annotation, Attribute, ExprId, ExprKind, Span};
use wgc_ir::TexelFormat;

/// The explicit binding of a resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DeclaredBinding {
    /// Class, number and space of `register(u0, space1)`.
    pub register: Option<(char, u32, u32)>,
    /// `[[vk::binding(binding, set)]]`
    pub vulkan: Option<(u32, u32)>,
    /// `register(space1)`: only the set.
    pub space: Option<u32>,
    /// `[[vk::counter_binding(n)]]`
    pub counter: Option<u32>,
}

/// Reads `register(..)` and `[[vk::binding(..)]]`, and checks them against the class of the resource.
pub(crate) fn declared_binding<'db>(
    cx: &mut Cx<'_, 'db>,
    attributes: &[&Attribute],
    annotations: &[Annotation],
    class: Option<char>,
    name: &str,
) -> DeclaredBinding {
    let mut out = DeclaredBinding::default();
    for annotation in annotations {
        if let Annotation::Register(args, span) = annotation {
            match register(cx, args, *span, class, name) {
                Some(Register::Number(register)) => out.register = Some(register),
                Some(Register::Space(space)) => out.space = Some(space),
                None => {}
            }
        }
    }
    if let Some(attribute) = attributes.iter().find(|a| attributes::is_vulkan(a, "binding")) {
        let before = cx.errors.len();
        let args: Vec<Option<u32>> =
            attribute.args.iter().flatten().map(|e| cx.int(*e).and_then(|n| u32::try_from(n).ok())).collect();
        match args.as_slice() {
            [Some(binding)] => out.vulkan = Some((*binding, 0)),
            [Some(binding), Some(set)] => out.vulkan = Some((*binding, *set)),
            [_] | [_, _] if cx.errors.len() > before => {}
            _ => cx.error(Code::BadRegister, attribute.span, "`vk::binding` expects a binding and optionally a set"),
        }
    }
    if let Some(attribute) = attributes.iter().find(|a| attributes::is_vulkan(a, "counter_binding")) {
        let before = cx.errors.len();
        let args: Vec<Option<u32>> =
            attribute.args.iter().flatten().map(|e| cx.int(*e).and_then(|n| u32::try_from(n).ok())).collect();
        match args.as_slice() {
            [Some(binding)] => out.counter = Some(*binding),
            [_] if cx.errors.len() > before => {}
            _ => cx.error(Code::BadRegister, attribute.span, "`vk::counter_binding` expects a binding"),
        }
    }
    out
}

/// Reports a register of a resource on a variable of another type. The registers of constants have no effect.
pub(crate) fn register_of_number<'db>(cx: &mut Cx<'_, 'db>, annotations: &[Annotation], name: &str) {
    for annotation in annotations {
        if let Annotation::Register(args, span) = annotation
            && let Some(Register::Number((letter @ ('t' | 'u' | 's'), number, _))) =
                register(cx, args, *span, None, name)
        {
            let message = format!("`{name}` is not a resource, so it cannot have the register `{letter}{number}`");
            cx.error(Code::BadRegister, *span, message);
        }
    }
}

/// Reads `[[vk::image_format("..")]]`, which is valid on writable images.
pub(super) fn image_format<'db>(
    cx: &mut Cx<'_, 'db>,
    attributes: &[&Attribute],
    kind: GlobalKind,
) -> Option<TexelFormat> {
    let attribute = attributes.iter().find(|a| attributes::is_vulkan(a, "image_format"))?;
    let is_image = matches!(kind, GlobalKind::Resource(Builtin::Texture { .. } | Builtin::TypedBuffer { .. }));
    let name = match attribute.args.as_deref() {
        Some([only]) => match &cx.ast.exprs[*only].kind {
            ExprKind::Str(parts) => attributes::unquote(parts),
            _ => String::new(),
        },
        _ => String::new(),
    };
    let format = TexelFormat::from_name(&name);
    let message = if !is_image && kind != GlobalKind::Unsupported {
        "`vk::image_format` belongs on textures and formatted buffers".to_string()
    } else if format.is_none() {
        "`vk::image_format` expects the name of a format, such as \"rgba8\"".to_string()
    } else {
        return format;
    };
    cx.error(Code::AttributeArguments, attribute.span, message);
    None
}

/// The contents of `register(..)`.
pub(crate) enum Register {
    /// Class, number, space.
    Number((char, u32, u32)),
    Space(u32),
}

/// Returns the stage of a shader profile, with or without its version: `ps`, `cs_6_0`.
fn stage(word: &str) -> Option<&str> {
    const STAGES: &[&str] = &["vs", "hs", "ds", "gs", "ps", "cs", "as", "ms", "lib"];
    let (stage, version) = word.split_once('_').unwrap_or((word, ""));
    let is_version = version.chars().all(|c| c.is_ascii_digit() || matches!(c, '_' | 'x'));
    (STAGES.contains(&stage) && is_version).then_some(stage)
}

pub(crate) fn register<'db>(
    cx: &mut Cx<'_, 'db>,
    args: &[ExprId],
    span: Span,
    class: Option<char>,
    name: &str,
) -> Option<Register> {
    let ast = cx.ast;
    let words: Vec<&str> = args
        .iter()
        .filter_map(|e| match &ast.exprs[*e].kind {
            ExprKind::Path(path) => path.segments.first().map(|s| s.name.text.as_str()),
            _ => None,
        })
        .collect();
    // `register(ps, t0)` applies only to that stage.
    let (words, args) = match words.first().and_then(|word| stage(word)) {
        Some(stage) => {
            let own = if cx.item.program(cx.db).options(cx.db).compute_entry.is_some() { "cs" } else { "lib" };
            if stage != own {
                return None;
            }
            (&words[1..], &args[1..])
        }
        None => (words.as_slice(), args),
    };
    let number = |text: &str| text.parse::<u32>().ok();
    let space = |word: &&str| word.strip_prefix("space").and_then(number);
    let mut letters = words.first().unwrap_or(&"").chars();
    let letter = letters.next().map(|c| c.to_ascii_lowercase());
    let parsed = match (letter, words.len() == args.len(), words) {
        // `register(space1)`: the number is assigned later.
        (Some('s'), true, [only]) if space(only).is_some() => return space(only).map(Register::Space),
        (Some(letter @ ('t' | 'u' | 'b' | 's' | 'c' | 'i')), true, [_]) => {
            number(letters.as_str()).map(|n| (letter, n, 0))
        }
        (Some(letter @ ('t' | 'u' | 'b' | 's')), true, [_, second]) => {
            number(letters.as_str()).zip(space(second)).map(|(n, s)| (letter, n, s))
        }
        _ => None,
    };
    let Some((letter, number, space)) = parsed else {
        cx.error(Code::BadRegister, span, "expected a register such as `u0`, and optionally `space1`");
        return None;
    };
    if let Some(class) = class
        && class != letter
    {
        cx.error(Code::BadRegister, span, format!("`{name}` needs a register `{class}..`, not `{letter}{number}`"));
        return None;
    }
    Some(Register::Number((letter, number, space)))
}
