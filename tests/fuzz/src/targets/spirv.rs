//! The reader and the verifier of modules.

use super::holds;
use wgc_spirv_module::{Extent, Lines, Module, Part, Specialisation, asm, node_names, specialise, verify_set, words};

/// Returns the words of an input: bytes of a module, or text in the syntax of SPIRV-Tools.
pub fn words_of(input: &[u8]) -> Option<Vec<u32>> {
    if let Ok(words) = words::from_bytes(input)
        && words
            .first()
            .is_some_and(|first| [wgc_spirv_module::MAGIC, wgc_spirv_module::MAGIC.swap_bytes()].contains(first))
    {
        return Some(words);
    }
    let text = std::str::from_utf8(input).ok();
    text.and_then(|text| asm::assemble(text).ok())
}

/// Runs the target `spirv`.
pub fn spirv(input: &[u8]) -> Result<bool, String> {
    // The reader also receives bytes that are not a module, and refuses them.
    let _ = words::from_bytes(input).map(|words| Module::load(&words));
    let Some(words) = words_of(input) else { return Ok(false) };
    let Ok(module) = Module::load(&words) else { return Ok(false) };
    let names = node_names(&module, &[&module]);
    let mut valid = false;
    for extent in [Extent::All, Extent::Some] {
        let found = verify_set(&[Part { module: &module, names: &names }], extent);
        for violation in found.iter().flatten() {
            let text = violation.to_string();
            holds(!text.is_empty() && violation.word <= words.len(), || format!("{text} at word {}", violation.word))?;
        }
        valid = found.iter().flatten().all(|violation| !violation.is_error());
    }
    Lines::of(&module);
    let values: Specialisation = (0..8).map(|id| (id, u64::from(id) * 0x0101_0101)).collect();
    if let Ok(fixed) = specialise(&words, &values) {
        let _ = Module::load(&fixed);
    }
    let _ = Module::load_specialised(&words, &values);
    if let Ok(interface) = wgc_runtime::module_interface::of_words(&words, &values) {
        drop(interface);
    }
    // A loaded module is written unchanged.
    holds(module.words.len() == words.len(), || "the module has another length".to_owned())?;
    if valid {
        let again = Module::load(&module.words).map_err(|e| format!("its own words do not load: {e}"))?;
        holds(again.words == module.words, || "its own words are others".to_owned())?;
    }
    Ok(valid)
}
