//! Bindings of the parts of structures of resources. The expected numbers are those of DXC's tests.

use wgc_sema::Compiler;
use wgc_sema::db::{FileLoader, Options};
use wgc_sema::link::bindings::bindings;
use wgc_sema::link::link;
use wgc_sema::report::diagnostics::diagnostics;

struct Nothing;

impl FileLoader for Nothing {
    fn load(&self, _: &str) -> Option<Vec<u8>> {
        None
    }
}

/// Returns the sets and bindings of a compute shader's declarations, and those that the module has.
fn bound(declarations: &str, body: &str) -> (Vec<(String, u32, u32)>, Vec<String>) {
    let text = format!("{declarations}\n[Shader(\"compute\")] [NumThreads(1, 1, 1)]\nvoid main() {{ {body} }}");
    let mut db = Compiler::new(Box::new(Nothing));
    db.set_text("test.hlsl", Some(text.as_bytes()));
    let program = db.add_program(&["test.hlsl"], Options::default());
    let errors: Vec<_> = diagnostics(&db, program).iter().map(|d| format!("{} {}", d.code, d.message)).collect();
    assert_eq!(errors, [""; 0]);
    let module = link(&db, program).module.clone().unwrap();
    wgc_ir::verify::verify(&module).unwrap();
    for global in module.globals.values() {
        let slot = bindings(&db, program).of.get(global.name.as_str()).copied();
        assert_eq!(global.binding().map(|b| (b.set, b.binding)), slot, "{}", global.name);
    }
    let mut all: Vec<(String, u32, u32)> =
        bindings(&db, program).of.iter().map(|(name, slot)| (name.clone(), slot.0, slot.1)).collect();
    all.sort_by_key(|b| (b.1, b.2));
    (all, module.globals.keys().map(ToString::to_string).collect())
}

fn expected(list: &[(&str, u32, u32)]) -> Vec<(String, u32, u32)> {
    list.iter().map(|(name, set, binding)| (name.to_string(), *set, *binding)).collect()
}

const S: &str = "struct S { Texture2D t; SamplerState s; };\n";

#[test]
fn resource_parts_are_bound_in_source_order() {
    let (found, used) = bound(
        &format!("{S} S globalS[2][3]; float gCounter; Texture2D globalTexture; RWStructuredBuffer<float4> Out;"),
        "Out[0] = globalS[1][0].t.SampleLevel(globalS[0][2].s, 0, 0) * gCounter;",
    );
    assert_eq!(
        found,
        expected(&[
            ("globalS[0][0].t", 0, 0),
            ("globalS[0][0].s", 0, 1),
            ("globalS[0][1].t", 0, 2),
            ("globalS[0][1].s", 0, 3),
            ("globalS[0][2].t", 0, 4),
            ("globalS[0][2].s", 0, 5),
            ("globalS[1][0].t", 0, 6),
            ("globalS[1][0].s", 0, 7),
            ("globalS[1][1].t", 0, 8),
            ("globalS[1][1].s", 0, 9),
            ("globalS[1][2].t", 0, 10),
            ("globalS[1][2].s", 0, 11),
            ("$Globals", 0, 12),
            ("globalTexture", 0, 13),
            ("Out", 0, 14),
            ("counter.var.Out", 0, 15),
        ])
    );
    // Resources that are not mentioned are not in the module.
    let mut parts: Vec<_> = used.into_iter().filter(|name| name.starts_with("globalS")).collect();
    parts.sort();
    assert_eq!(parts, ["globalS[0][2].s", "globalS[1][0].t"]);
}

#[test]
fn arrays_in_structures_take_one_binding_per_element() {
    let (found, _) = bound(
        "struct T { SamplerState s[3]; }; struct S { Texture2D t[2]; T tt[2]; };
         S first[2]; S second; Texture2D after;",
        "",
    );
    assert_eq!(
        found,
        expected(&[
            ("first[0].t", 0, 0),
            ("first[0].tt[0].s", 0, 2),
            ("first[0].tt[1].s", 0, 5),
            ("first[1].t", 0, 8),
            ("first[1].tt[0].s", 0, 10),
            ("first[1].tt[1].s", 0, 13),
            ("second.t", 0, 16),
            ("second.tt[0].s", 0, 18),
            ("second.tt[1].s", 0, 21),
            ("after", 0, 24),
        ])
    );
    // So do the elements of other arrays in the program. Without such a structure, no elements count separately.
    let (found, _) = bound(&format!("Texture2D Textures[10]; {S} S TheStruct;"), "");
    assert_eq!(found, expected(&[("Textures", 0, 0), ("TheStruct.t", 0, 10), ("TheStruct.s", 0, 11)]));
    let (found, _) = bound("Texture2D Textures[10]; Texture2D Last;", "");
    assert_eq!(found, expected(&[("Textures", 0, 0), ("Last", 0, 1)]));
}

#[test]
fn explicit_bindings_place_resource_members() {
    let (found, _) = bound(
        &format!("{S} S pair[2] : register(t3, space1) : register(s10, space1); [[vk::binding(5, 2)]] S at[2];"),
        "",
    );
    assert_eq!(
        found,
        expected(&[
            ("pair[0].t", 1, 3),
            ("pair[1].t", 1, 4),
            ("pair[0].s", 1, 10),
            ("pair[1].s", 1, 11),
            ("at[0].t", 2, 5),
            ("at[0].s", 2, 6),
            ("at[1].t", 2, 7),
            ("at[1].s", 2, 8),
        ])
    );
}

#[test]
fn constant_buffer_resources_get_separate_bindings() {
    let (found, used) = bound(
        "cbuffer buf0 : register(b0) { float4 foo; };
         cbuffer buf1 : register(b4) { float4 bar; };
         cbuffer buf2 { float4 x; Texture2D y; SamplerState z; float4 last; };
         cbuffer buf3 : register(b2) { SamplerState w; }
         [[vk::binding(9)]] RWStructuredBuffer<float4> Out;",
        "Out[0] = x + last + y.SampleLevel(z, 0, 0) + y.SampleLevel(w, 0, 0);",
    );
    assert_eq!(
        found,
        expected(&[
            ("buf0", 0, 0),
            ("y", 0, 1),
            ("z", 0, 2),
            ("buf2", 0, 3),
            ("buf1", 0, 4),
            ("w", 0, 5),
            ("counter.var.Out", 0, 6),
            ("Out", 0, 9),
        ])
    );
    assert!(used.iter().any(|name| name == "buf2") && !used.iter().any(|name| name == "buf3"), "{used:?}");
}
