//! Results for people and other programs: files for `--out`, JSON for `--print`.

use std::path::{Path, PathBuf};

use super::error::RunError;
use super::plan::{Planned, Slot, SlotKind, texel_scalar};
use crate::device::ImageFormat;
use crate::image_io::{Picture, channels};
use crate::record_json;

/// The uses of the results besides judging them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// The folder for every writable resource as `NAME.bin`, and for images as `NAME.png` too. Created if missing.
    pub out_dir: Option<PathBuf>,
    /// Resources to print as JSON.
    pub print: Vec<String>,
}

/// Returns `Out`, or `Buffers[1]` for an element of an array of resources.
pub(super) fn element_name(slot: &Slot, element: usize) -> String {
    if slot.is_array { format!("{}[{element}]", slot.name) } else { slot.name.clone() }
}

pub(super) fn is_writable(slot: &Slot, element: usize) -> bool {
    matches!(
        slot.kind_of(element),
        Some(SlotKind::Storage { writable: true, .. } | SlotKind::StorageImage | SlotKind::Texels { writable: true })
    )
}

/// Writes one resource; returns the files. `confined`: a link is an error, because it may lead anywhere.
pub(super) fn write(
    dir: &Path,
    confined: bool,
    slot: &Slot,
    element: usize,
    planned: &Planned,
    bytes: &[u8],
) -> Result<Vec<PathBuf>, RunError> {
    // A name of the language has no character that a file name cannot have but the scope's colons.
    let stem: String = element_name(slot, element)
        .chars()
        .map(|c| if c.is_alphanumeric() || "_-.[]".contains(c) { c } else { '_' })
        .collect();
    let mut files = vec![(dir.join(format!("{stem}.bin")), bytes.to_vec())];
    if let Planned::Image { desc, .. } = planned {
        let path = dir.join(format!("{stem}.png"));
        let png = Picture::from_texels(desc.format, desc.picture_size(), desc.picture_texels(bytes))
            .and_then(|picture| picture.to_png());
        files.push((path.clone(), png.map_err(|message| RunError::Output { file: path, message })?));
    }
    let mut written = Vec::new();
    for (path, contents) in files {
        if confined && path.is_symlink() {
            let message = "it is a link: with --include-root, results are not written to links".to_owned();
            return Err(RunError::Output { file: path, message });
        }
        wgc_abi::replace::write(&path, &contents)
            .map_err(|error| RunError::Output { file: path.clone(), message: error.to_string() })?;
        written.push(path);
    }
    Ok(written)
}

/// Writes one resource as JSON: elements of a buffer by field name, texels of an image in rows of the file format.
pub(super) fn to_json(slot: &Slot, element: usize, planned: &Planned, bytes: &[u8]) -> String {
    let list = |items: Vec<String>| format!("[{}]", items.join(", "));
    match (slot.kind_of(element), planned) {
        (Some(SlotKind::Storage { element, stride, .. }), _) => {
            list(bytes.chunks((*stride).max(1) as usize).map(|item| record_json::to_json(element, item)).collect())
        }
        (_, Planned::Image { desc, .. }) => {
            let mut levels = Vec::new();
            let mut rest = bytes;
            for level in 0..desc.levels {
                let rows = desc.level_texels(level) * u64::from(desc.layers) * u64::from(desc.samples);
                let (these, others) =
                    rest.split_at_checked(rows as usize * desc.format.texel_bytes() as usize).unwrap_or((rest, &[]));
                let texels = texels_to_json(desc.format, these);
                let width = desc.level_size(level)[0].max(1) as usize * desc.samples as usize;
                levels.push(list(texels.chunks(width).map(|row| list(row.to_vec())).collect()));
                rest = others;
            }
            if levels.len() == 1 { levels.concat() } else { list(levels) }
        }
        (_, Planned::Texels { format, .. }) => list(texels_to_json(*format, bytes)),
        _ => list(bytes.iter().map(u8::to_string).collect()),
    }
}

/// Writes each texel as a number, or a list of its components.
fn texels_to_json(format: ImageFormat, bytes: &[u8]) -> Vec<String> {
    let scalar = texel_scalar(format);
    let texels = bytes.chunks_exact(format.texel_bytes() as usize).map(|texel| {
        let numbers: Vec<String> =
            texel.chunks_exact(scalar.size()).map(|bytes| scalar.load(bytes).to_json()).collect();
        if channels(format) == 1 { numbers.concat() } else { format!("[{}]", numbers.join(", ")) }
    });
    texels.collect()
}
