//! Target profiles (`-T`): the kind of program in the files.

/// The compiled part of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// All its nodes, or all its compute shaders.
    Library,
    /// The single compute shader that `-E` names.
    Compute,
}

/// Stages of DXC's other profiles.
const OTHER_STAGES: &[(&str, &str)] = &[
    ("ps", "pixel"),
    ("vs", "vertex"),
    ("gs", "geometry"),
    ("hs", "hull"),
    ("ds", "domain"),
    ("ms", "mesh"),
    ("as", "amplification"),
];

/// The last minor version of shader model 6 in DXC. Everything after 6.9 is a preview.
const LAST_MINOR: u32 = 10;

/// The newest shader model that is not a preview.
pub const NEWEST: (u32, u32) = (6, 9);

/// Shader models before 6 that compute shaders may name. The language stays that of shader model 6.
const BEFORE_6: &[(u32, u32)] = &[(4, 0), (4, 1), (5, 0), (5, 1)];

impl Profile {
    /// Parses `lib_6_8`, `cs_6_0` and so on, with the shader model. DXC's `cs_6_x` and `lib_6_x` mean the last one.
    ///
    /// # Errors
    /// A message for the user.
    pub fn parse(text: &str) -> Result<(Profile, (u32, u32)), String> {
        let mut parts = text.split('_');
        let (kind, major, minor) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
        if let Some((_, stage)) = OTHER_STAGES.iter().find(|s| s.0 == kind) {
            return Err(format!("-T {text}: wgc compiles nodes and compute shaders, not {stage} shaders"));
        }
        let minor = match minor {
            Some("x") => Some(LAST_MINOR),
            Some(minor) => minor.parse().ok(),
            None => None,
        };
        let version = match (major.and_then(|m| m.parse::<u32>().ok()), minor) {
            (Some(major), Some(minor)) if parts.next().is_none() => Some((major, minor)),
            _ => None,
        };
        let (profile, first) = match kind {
            "lib" => (Profile::Library, 1),
            "cs" => (Profile::Compute, 0),
            _ => return Err(format!("unknown profile `{text}`; use lib_6_8, cs_6_0 or later")),
        };
        match version {
            None => Err(format!("unknown profile `{text}`; use {kind}_6_{first} to {kind}_6_{LAST_MINOR}")),
            // Build scripts name them, and DXC compiles them to SPIR-V too.
            Some(model) if profile == Profile::Compute && BEFORE_6.contains(&model) => Ok((profile, model)),
            Some((major, _)) if major < 6 => {
                Err(format!("-T {text}: shader models before 6 use another language; use {kind}_6_{first} or later"))
            }
            Some((6, minor)) if (first..=LAST_MINOR).contains(&minor) => Ok((profile, (6, minor))),
            Some(_) => Err(format!("-T {text}: wgc supports {kind}_6_{first} to {kind}_6_{LAST_MINOR}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_and_compute_shaders_are_taken() {
        assert_eq!(Profile::parse("lib_6_8"), Ok((Profile::Library, (6, 8))));
        assert_eq!(Profile::parse("lib_6_x"), Ok((Profile::Library, (6, 10))));
        assert_eq!(Profile::parse("lib_6_3"), Ok((Profile::Library, (6, 3))));
        assert_eq!(Profile::parse("cs_6_0"), Ok((Profile::Compute, (6, 0))));
        assert_eq!(Profile::parse("cs_6_9"), Ok((Profile::Compute, (6, 9))));
        assert_eq!(Profile::parse("cs_5_1"), Ok((Profile::Compute, (5, 1))));
    }

    #[test]
    fn unsupported_profiles_are_rejected_with_a_reason() {
        let error = |text: &str| Profile::parse(text).expect_err(text);
        assert!(error("ps_6_0").contains("not pixel shaders"));
        assert!(error("as_6_5").contains("not amplification shaders"));
        assert!(error("lib_5_1").contains("before 6"));
        assert!(error("cs_3_0").contains("before 6"));
        assert!(error("cs_6_11").contains("to cs_6_10"));
        assert!(error("lib_7_0").contains("to lib_6_10"));
        for text in ["", "cs", "cs_6", "cs_6_", "cs_6_0_1", "cs_a_b", "lib_6_0", "node_6_8", "CS_6_0"] {
            assert!(Profile::parse(text).is_err(), "{text}");
        }
    }
}
