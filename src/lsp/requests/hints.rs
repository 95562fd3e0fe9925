//! `textDocument/inlayHint`.

use super::{Result, document, read};
use crate::lsp::features::hints::hints;
use crate::lsp::proto::{Client, Places};
use crate::lsp::world::Snapshot;
use gen_lsp_types as lsp;
use serde_json::{Value, json};
use wgc_ide::{Hint, HintKind};

pub fn in_range(world: &Snapshot, client: &Client, params: Value) -> Result<Value> {
    let path = document(world, &params)?;
    let range: lsp::Range = read(params.get("range").cloned().unwrap_or_default())?;
    let mut places = Places::new(world);
    let bytes = places.bytes(&path, range);
    let found = hints(world, &path, bytes, &|kind| wants(client, kind));
    let hint = |hint: &Hint| {
        let position = places.range(&path, hint.at..hint.at).start;
        match hint.kind {
            HintKind::Param => {
                json!({ "position": position, "label": hint.label, "kind": 2, "paddingRight": true })
            }
            _ => json!({ "position": position, "label": hint.label, "paddingLeft": true }),
        }
    };
    Ok(json!(found.iter().map(hint).collect::<Vec<_>>()))
}

fn wants(client: &Client, kind: HintKind) -> bool {
    let wanted = client.settings.inlay_hints;
    match kind {
        HintKind::Binding => wanted.bindings,
        HintKind::Launch => wanted.grids,
        HintKind::Records => wanted.records,
        HintKind::Param => wanted.parameters,
    }
}
