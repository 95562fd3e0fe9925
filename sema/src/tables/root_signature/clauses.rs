//! The clauses of root signatures with their parameters. Case does not matter in their words.

/// The kind of value that a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClauseValue {
    /// An unsigned integer in an inclusive range.
    Number(u32, u32),
    /// `numDescriptors`: at least 1, or `unbounded`.
    Count,
    /// A number, or `DESCRIPTOR_RANGE_OFFSET_APPEND`.
    Offset,
    Float,
    /// One word of a list.
    Word(&'static [&'static str]),
    /// Words of a list joined by `|`, or 0.
    Flags(&'static [&'static str]),
    /// `FILTER_*`
    Filter,
}

pub(super) struct Clause {
    pub name: &'static str,
    /// The class of the register in its first argument.
    pub register: Option<char>,
    /// The parameters inside descriptor tables; `None` where the clause is not allowed there.
    pub in_table: Option<&'static [(&'static str, ClauseValue)]>,
    /// The parameters outside tables; `None` where the clause is not allowed there.
    pub at_root: Option<&'static [(&'static str, ClauseValue)]>,
    /// Its size in 32-bit words of root arguments; root constants have one each.
    pub words: u32,
}

/// The largest register space; higher ones are reserved for the system.
const MAX_SPACE: u32 = 0xffff_ffef;

const VISIBILITY: ClauseValue = ClauseValue::Word(&[
    "SHADER_VISIBILITY_ALL",
    "SHADER_VISIBILITY_VERTEX",
    "SHADER_VISIBILITY_HULL",
    "SHADER_VISIBILITY_DOMAIN",
    "SHADER_VISIBILITY_GEOMETRY",
    "SHADER_VISIBILITY_PIXEL",
    "SHADER_VISIBILITY_AMPLIFICATION",
    "SHADER_VISIBILITY_MESH",
]);

const DATA_FLAGS: ClauseValue = ClauseValue::Flags(&[
    "DESCRIPTORS_VOLATILE",
    "DATA_VOLATILE",
    "DATA_STATIC",
    "DATA_STATIC_WHILE_SET_AT_EXECUTE",
    "DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS",
]);

const ADDRESS: ClauseValue = ClauseValue::Word(&[
    "TEXTURE_ADDRESS_WRAP",
    "TEXTURE_ADDRESS_MIRROR",
    "TEXTURE_ADDRESS_CLAMP",
    "TEXTURE_ADDRESS_BORDER",
    "TEXTURE_ADDRESS_MIRROR_ONCE",
]);

const DESCRIPTOR: &[(&str, ClauseValue)] =
    &[("space", ClauseValue::Number(0, MAX_SPACE)), ("visibility", VISIBILITY), ("flags", DATA_FLAGS)];

const RANGE: &[(&str, ClauseValue)] = &[
    ("numDescriptors", ClauseValue::Count),
    ("space", ClauseValue::Number(0, MAX_SPACE)),
    ("offset", ClauseValue::Offset),
    ("flags", DATA_FLAGS),
];

pub(super) const ROOT_FLAGS: ClauseValue = ClauseValue::Flags(&[
    "ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT",
    "DENY_VERTEX_SHADER_ROOT_ACCESS",
    "DENY_HULL_SHADER_ROOT_ACCESS",
    "DENY_DOMAIN_SHADER_ROOT_ACCESS",
    "DENY_GEOMETRY_SHADER_ROOT_ACCESS",
    "DENY_PIXEL_SHADER_ROOT_ACCESS",
    "DENY_AMPLIFICATION_SHADER_ROOT_ACCESS",
    "DENY_MESH_SHADER_ROOT_ACCESS",
    "ALLOW_STREAM_OUTPUT",
    "LOCAL_ROOT_SIGNATURE",
    "ALLOW_LOW_TIER_RESERVED_HW_CB_LIMIT",
    "CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED",
    "SAMPLER_HEAP_DIRECTLY_INDEXED",
]);

const fn descriptor(name: &'static str, class: char) -> Clause {
    Clause { name, register: Some(class), in_table: Some(RANGE), at_root: Some(DESCRIPTOR), words: 2 }
}

pub(super) const CLAUSES: &[Clause] = &[
    descriptor("CBV", 'b'),
    descriptor("SRV", 't'),
    descriptor("UAV", 'u'),
    Clause { name: "Sampler", register: Some('s'), in_table: Some(RANGE), at_root: None, words: 0 },
    Clause {
        name: "RootConstants",
        register: Some('b'),
        in_table: None,
        at_root: Some(&[
            ("num32BitConstants", ClauseValue::Number(1, 64)),
            ("space", ClauseValue::Number(0, MAX_SPACE)),
            ("visibility", VISIBILITY),
        ]),
        words: 0,
    },
    Clause {
        name: "DescriptorTable",
        register: None,
        in_table: None,
        at_root: Some(&[("visibility", VISIBILITY)]),
        words: 1,
    },
    Clause {
        name: "StaticSampler",
        register: Some('s'),
        in_table: None,
        at_root: Some(&[
            ("filter", ClauseValue::Filter),
            ("addressU", ADDRESS),
            ("addressV", ADDRESS),
            ("addressW", ADDRESS),
            ("mipLODBias", ClauseValue::Float),
            ("maxAnisotropy", ClauseValue::Number(0, 16)),
            (
                "comparisonFunc",
                ClauseValue::Word(&[
                    "COMPARISON_NEVER",
                    "COMPARISON_LESS",
                    "COMPARISON_EQUAL",
                    "COMPARISON_LESS_EQUAL",
                    "COMPARISON_GREATER",
                    "COMPARISON_NOT_EQUAL",
                    "COMPARISON_GREATER_EQUAL",
                    "COMPARISON_ALWAYS",
                ]),
            ),
            (
                "borderColor",
                ClauseValue::Word(&[
                    "STATIC_BORDER_COLOR_TRANSPARENT_BLACK",
                    "STATIC_BORDER_COLOR_OPAQUE_BLACK",
                    "STATIC_BORDER_COLOR_OPAQUE_WHITE",
                    "STATIC_BORDER_COLOR_OPAQUE_BLACK_UINT",
                    "STATIC_BORDER_COLOR_OPAQUE_WHITE_UINT",
                ]),
            ),
            ("minLOD", ClauseValue::Float),
            ("maxLOD", ClauseValue::Float),
            ("space", ClauseValue::Number(0, MAX_SPACE)),
            ("visibility", VISIBILITY),
            ("flags", ClauseValue::Flags(&["UINT_BORDER_COLOR", "NON_NORMALIZED_COORDINATES"])),
        ]),
        words: 0,
    },
];

/// Returns whether a word is one of `D3D12_FILTER`, without its prefix `D3D12_`.
pub(super) fn is_filter(word: &str) -> bool {
    const BASES: &[&str] = &[
        "MIN_MAG_MIP_POINT",
        "MIN_MAG_POINT_MIP_LINEAR",
        "MIN_POINT_MAG_LINEAR_MIP_POINT",
        "MIN_POINT_MAG_MIP_LINEAR",
        "MIN_LINEAR_MAG_MIP_POINT",
        "MIN_LINEAR_MAG_POINT_MIP_LINEAR",
        "MIN_MAG_LINEAR_MIP_POINT",
        "MIN_MAG_MIP_LINEAR",
        "MIN_MAG_ANISOTROPIC_MIP_POINT",
        "ANISOTROPIC",
    ];
    let upper = word.to_ascii_uppercase();
    let Some(name) = upper.strip_prefix("FILTER_") else { return false };
    let reductions = ["", "COMPARISON_", "MINIMUM_", "MAXIMUM_"];
    reductions.iter().any(|r| name.strip_prefix(r).is_some_and(|base| BASES.contains(&base)))
}
