//! The verifiers between the steps: IR before a back end reads it, modules before they are written.

use crate::internal_error::InternalError;
use crate::{Failure, Result};
use wgc_backend_spirv::SpirvModule;
use wgc_ir as ir;
use wgc_sema::db::diagnostic::Rendered;
use wgc_spirv_module::{Extent, Module, NodeName, Part, verify_set};

/// Passes IR through its verifier, because back ends rely on its guarantees.
pub(crate) fn verified_ir(module: ir::Module) -> Result<ir::Module> {
    match ir::verify(&module) {
        Ok(()) => Ok(module),
        Err(errors) => {
            let first = errors.first().map_or_else(String::new, ToString::to_string);
            Err(internal(&format!("invalid IR: {first}")))
        }
    }
}

pub(crate) fn internal(what: &str) -> Failure {
    Failure::Internal(InternalError(what.to_owned()))
}

/// The purpose of compiling a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The modules are discarded after the check.
    Check,
    Product,
}

/// The origin of a module's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WordOrigin {
    /// All words come from this compiler, so an invalid module is its bug.
    Own,
    /// Some words are the program's own inline SPIR-V, so an invalid module may be its error. The diagnostic has the
    /// location of the first.
    Programs(Box<Rendered>),
}

impl WordOrigin {
    /// Returns whether to verify: always for products, and in checks only if the verifier may find an error of the
    /// program.
    pub(crate) fn may_be_refused(&self, purpose: Purpose) -> bool {
        purpose == Purpose::Product || *self != WordOrigin::Own
    }

    /// Passes words through the verifier: an invalid module is never written.
    pub(crate) fn verified(&self, name: &str, words: &[u32]) -> Result<()> {
        self.verified_set(&[(name, words, Vec::new())], None)
    }

    /// Verifies the modules of a graph together, with one rule that may be violated.
    pub(crate) fn verified_graph(&self, modules: &[(&str, &SpirvModule)], allowed: Option<&str>) -> Result<()> {
        let named = modules.iter().map(|(name, module)| (*name, module.words.as_slice(), module.node_names()));
        self.verified_set(&named.collect::<Vec<_>>(), allowed)
    }

    fn verified_set(&self, modules: &[(&str, &[u32], Vec<NodeName>)], allowed: Option<&str>) -> Result<()> {
        let fail = |name: &str, what: String| match self {
            WordOrigin::Own => internal(&format!("wgc created an invalid module ({name}): {what}")),
            WordOrigin::Programs(at) => {
                let message = format!("the inline SPIR-V makes {name} invalid: {what}");
                Failure::Source(Box::new(Rendered { message, ..(**at).clone() }))
            }
        };
        let load = |&(name, words, _): &(&str, &[u32], _)| Module::load(words).map_err(|e| fail(name, e.to_string()));
        let loaded = modules.iter().map(load).collect::<Result<Vec<_>>>()?;
        let parts = loaded.iter().zip(modules).map(|(module, (_, _, names))| Part { module, names });
        // A library may be only a part of its graph.
        let found = verify_set(&parts.collect::<Vec<_>>(), Extent::Some);
        let broken = modules.iter().zip(&found).flat_map(|((name, ..), found)| found.iter().map(move |v| (name, v)));
        match broken.into_iter().find(|(_, v)| v.is_error() && allowed != Some(v.rule)) {
            None => Ok(()),
            Some((name, violation)) => Err(fail(name, violation.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgc_sema::tables::codes::{Code, Severity};

    fn is_internal<T>(result: Result<T>, part: &str) -> bool {
        matches!(result, Err(Failure::Internal(e)) if e.0.contains(part))
    }

    #[test]
    fn invalid_generated_modules_are_internal_errors() {
        let text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n\
                    OpExecutionMode %main LocalSize 1 1 1\n%void = OpTypeVoid\n%f = OpTypeFunction %void\n\
                    %main = OpFunction %void None %f\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n";
        let words = wgc_spirv_module::asm::assemble(text).expect("it assembles");
        assert!(WordOrigin::Own.verified("good", &words).is_ok());
        let undefined = text.replace("OpFunction %void None %f", "OpFunction %void None %void");
        let words = wgc_spirv_module::asm::assemble(&undefined).expect("it assembles");
        assert!(is_internal(WordOrigin::Own.verified("bad.spv", &words), "wgc created an invalid module (bad.spv)"));
        assert!(is_internal(WordOrigin::Own.verified("bad.spv", &words[..words.len() - 1]), "bad.spv"));
        let at = Rendered {
            code: Code::TargetRefusal,
            severity: Severity::Error,
            message: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
            fix: None,
        };
        let theirs = WordOrigin::Programs(Box::new(at)).verified("bad.spv", &words);
        assert!(matches!(theirs, Err(Failure::Source(d)) if d.message.contains("inline SPIR-V makes bad.spv invalid")));
    }

    #[test]
    fn wrong_ir_is_an_internal_error() {
        let good = "fn @f() -> u32 {\n  %0: u32 = 1\n  return %0\n}\n";
        assert!(verified_ir(ir::parse(good).expect("it parses")).is_ok());
        let bad = good.replace("-> u32", "-> f32");
        assert!(is_internal(verified_ir(ir::parse(&bad).expect("it parses")), "invalid IR"));
    }
}
