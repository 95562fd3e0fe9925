//! Compares the list with DXC's own, `utils/hct/gen_intrin_main.txt` of the tree that `WGC_DXC` names. Every name up to
//! shader model 6.8 is listed, or excluded below with a reason. Only names are compared; the rows define the overloads.

use crate::list::TEXT;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Namespaces of the file, and names in them (`*`: all), that the list may lack.
#[rustfmt::skip]
const LEFT_OUT: &[(&str, &str, &str)] = &[
    ("Intrinsics", "source_mark", "nothing that a program calls: it marks a place for DXC"),
    ("VkIntrinsics", "ext_execution_mode", "refused, see docs/differences.md"),
    ("VkIntrinsics", "ext_execution_mode_id", "refused, see docs/differences.md"),
    ("BufferPointerMethods", "GetBufferContents", "a program writes it `Get`, which is listed"),
    ("StreamMethods", "*", "geometry shaders alone have streams"),
    ("VkSampledTexture1DMethods", "*", "refused, see docs/differences.md"),
    ("VkSampledTexture1DArrayMethods", "*", "refused, see docs/differences.md"),
    ("VkSampledTexture2DMethods", "*", "refused, see docs/differences.md"),
    ("VkSampledTexture2DArrayMethods", "*", "refused, see docs/differences.md"),
    ("VkSampledTexture2DMSMethods", "*", "refused, see docs/differences.md"),
    ("VkSampledTexture2DMSArrayMethods", "*", "refused, see docs/differences.md"),
    ("VkSampledTexture3DMethods", "*", "refused, see docs/differences.md"),
    ("VkSampledTextureCUBEMethods", "*", "refused, see docs/differences.md"),
    ("VkSampledTextureCUBEArrayMethods", "*", "refused, see docs/differences.md"),
];

type Names = BTreeMap<String, BTreeSet<String>>;

/// Returns names by namespace: those available to programs up to shader model 6.8, and all.
fn of_dxc(text: &str) -> (Names, Names) {
    let (mut wanted, mut all) = (Names::new(), Names::new());
    let mut namespace = String::new();
    for line in text.lines().map(|line| line.split("//").next().unwrap_or_default().trim()) {
        if let Some(name) = line.strip_prefix("namespace ") {
            namespace = name.trim_end_matches(['{', ' ']).to_owned();
        }
        // `type [[attributes]] name(parameters)..;`
        let Some((front, rest)) = line.split_once("]]") else { continue };
        let Some((name, _)) = rest.split_once('(') else { continue };
        let attributes = front.split_once("[[").map_or("", |(_, attributes)| attributes);
        let least = attributes.split(',').find_map(|a| a.strip_prefix("min_sm=6.")).and_then(|n| n.parse().ok());
        if attributes.split(',').all(|a| a != "hidden") && least.unwrap_or(0u32) <= 8 {
            wanted.entry(namespace.clone()).or_default().insert(name.trim().to_owned());
        }
        all.entry(namespace.clone()).or_default().insert(name.trim().to_owned());
    }
    (wanted, all)
}

/// Returns names by the namespace that their rows cite.
fn of_the_list() -> Names {
    let mut out = Names::new();
    for cells in TEXT.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>()) {
        let references = cells.last().into_iter().flat_map(|cell| cell.split("; "));
        for namespace in references.filter_map(|r| r.strip_prefix("gen_intrin: ")) {
            out.entry(namespace.to_owned()).or_default().insert(cells[1].to_owned());
        }
    }
    out
}

fn is_left_out(namespace: &str, name: &str) -> bool {
    LEFT_OUT.iter().any(|(n, left_out, _)| *n == namespace && (*left_out == "*" || *left_out == name))
}

#[test]
fn every_dxc_intrinsic_is_listed() {
    let Some(root) = std::env::var_os("WGC_DXC") else { return };
    let file = Path::new(&root).join("utils/hct/gen_intrin_main.txt");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let ((wanted, all), listed) = (of_dxc(&text), of_the_list());
    let has = |names: &Names, namespace: &str, name: &str| names.get(namespace).is_some_and(|n| n.contains(name));
    let pairs = |names: &Names| -> Vec<(String, String)> {
        names.iter().flat_map(|(namespace, n)| n.iter().map(|name| (namespace.clone(), name.clone()))).collect()
    };
    assert!(pairs(&wanted).len() > 500, "{} has the names of no language", file.display());
    let missing: Vec<_> =
        pairs(&wanted).into_iter().filter(|(n, name)| !has(&listed, n, name) && !is_left_out(n, name)).collect();
    assert!(missing.is_empty(), "no rows: {missing:#?}");
    // `Get` of a pointer has another name there.
    let invented: Vec<_> = pairs(&listed)
        .into_iter()
        .filter(|(n, name)| !has(&all, n, name) && (n.as_str(), name.as_str()) != ("BufferPointerMethods", "Get"))
        .collect();
    assert!(invented.is_empty(), "rows that DXC does not have: {invented:#?}");
    for (namespace, name, _) in LEFT_OUT.iter().filter(|row| row.1 != "*") {
        assert!(has(&wanted, namespace, name), "{namespace}::{name} need not be left out");
        assert!(!has(&listed, namespace, name), "{namespace}::{name} is listed and left out");
    }
}
