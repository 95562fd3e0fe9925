//! Tests that the header equals the output of cbindgen.

use std::path::Path;

#[test]
fn the_header_is_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    let bindings = cbindgen::Builder::new().with_config(config).with_src(folder.join("src/lib.rs")).generate().unwrap();
    let mut text = Vec::new();
    bindings.write(&mut text);
    let text = String::from_utf8(text).unwrap();
    let path = folder.join("include/wgc_graph.h");
    if std::env::var_os("WGC_UPDATE_HEADER").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == text, "include/wgc_graph.h is stale: WGC_UPDATE_HEADER=1 cargo test -p wgc-capi writes it");
}
