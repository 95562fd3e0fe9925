//! Compiles everything that the front end accepts: every listed intrinsic for every type that its row allows, and methods of
//! typed buffers and textures for texels of every type.

use crate::list::{Row, rows};
use crate::support::{Scratch, in_parallel};
use wgc_compiler::Session;
use wgc_sema::db::Options;
use wgc_sema::tables::codes::Severity;

const TEXELS: &[&str] = &[
    "float",
    "float2",
    "unorm float4",
    "float16_t",
    "float16_t4",
    "min16float3",
    "double",
    "double2",
    "int",
    "int3",
    "uint",
    "uint2",
    "int16_t",
    "uint16_t4",
    "int64_t",
    "uint64_t",
    "bool",
    "bool4",
];

/// Declares `same` for values of any two types: a result has the type of the texel, which the calls do not know.
const PREAMBLE: &str = "struct Element { float3 a; uint b; }; \
    SamplerState gSamplerState; SamplerComparisonState gSamplerComparisonState; \
    RaytracingAccelerationStructure gRaytracingAccelerationStructure; \
    template<typename T, typename U> void same(T a, U b) {}\n";

/// Sets locals of the resources that calls get.
fn with_resources(function: String) -> String {
    ["SamplerState", "SamplerComparisonState", "RaytracingAccelerationStructure"].iter().fold(function, |text, ty| {
        (0..3).fold(text, |text, n| text.replace(&format!(" {ty} a{n};"), &format!(" {ty} a{n} = g{ty};")))
    })
}

/// Returns a function for each call of a method of a typed buffer or texture.
fn functions(texel: &str) -> Vec<String> {
    let rows = rows();
    let typed =
        |object: &str| object.contains("Texture") && !object.contains("Feedback") || object.ends_with("WBuffer");
    let listed =
        rows.iter().enumerate().filter(|(_, row)| row.is_legal() && (typed(row.object) || row.object == "Buffer"));
    let calls = listed.flat_map(|(n, row)| row.calls(n));
    let texts = calls
        .map(|call| with_resources(call.function_without_parameters()).replace("<float4> o", &format!("<{texel}> o")));
    texts.collect()
}

/// Compiles a compute shader that calls functions, and returns the numbers of those with errors.
fn refused(functions: &[String]) -> Result<Vec<usize>, String> {
    let calls = |line: &String| line.split_once("void f")?.1.split_once("()").map(|(id, _)| format!("f{id}(); "));
    let calls: String = functions.iter().filter_map(calls).collect();
    let body = format!("[shader(\"compute\")] [numthreads(8, 8, 1)] void main() {{ {calls}}}\n");
    let text = PREAMBLE.to_owned() + &functions.iter().map(|f| format!("{f}\n")).collect::<String>() + &body;
    let scratch = Scratch::new().with("calls.hlsl", &text);
    let options = Options { enable_16bit_types: true, ..Options::default() };
    let session = Session::new(&[&scratch.0.join("calls.hlsl").to_string_lossy()], options);
    let mut wrong = Vec::new();
    for error in session.diagnostics().iter().filter(|d| d.severity == Severity::Error) {
        let lo = error.labels.first().map_or(0, |l| l.range.lo as usize);
        match text[..lo].matches('\n').count().checked_sub(1) {
            Some(line) if line < functions.len() => wrong.push(line),
            _ => return Err(format!("not of a call: {}", error.message)),
        }
    }
    if wrong.is_empty() {
        session.compute().map_err(|e| format!("{e:?}"))?;
    }
    Ok(wrong)
}

#[test]
fn texels_compile_or_are_refused() {
    in_parallel(TEXELS, |texel| {
        let all = functions(texel);
        assert!(all.len() > 300, "{} calls", all.len());
        let wrong = match refused(&all) {
            Ok(wrong) => wrong,
            Err(message) => return Some(format!("{texel}: {message}")),
        };
        let right: Vec<String> = (0..all.len()).filter(|n| !wrong.contains(n)).map(|n| all[n].clone()).collect();
        let has_format = !texel.contains("bool") && !texel.contains("double");
        assert!(!has_format || right.len() > 200, "{texel}: {} of {} calls are right", right.len(), all.len());
        match refused(&right) {
            Ok(wrong) if wrong.is_empty() => None,
            Ok(wrong) => Some(format!("{texel}: refused alone: {}", right[wrong[0]])),
            Err(message) => Some(format!("{texel}: {message}")),
        }
    });
}

#[test]
fn all_types_of_rows_compile() {
    let rows = rows();
    let is_object_of_node = |row: &Row| ["Node", "Records"].iter().any(|part| row.object.contains(part));
    let listed = rows.iter().enumerate().filter(|(_, row)| row.legal.contains("compute") && !is_object_of_node(row));
    let calls: Vec<_> = listed
        .flat_map(|(n, row)| row.calls(n))
        .map(|call| with_resources(call.function_without_parameters()))
        .collect();
    let parts: Vec<&[String]> = calls.chunks(200).collect();
    in_parallel(&parts, |part| match refused(part) {
        Ok(wrong) => wrong.first().map(|n| format!("{}\n", part[*n])),
        Err(message) => Some(message),
    });
}
