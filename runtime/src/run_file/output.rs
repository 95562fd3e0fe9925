//! Results for people and other programs: files for `--out`, JSON for `--print`.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::error::RunError;
use super::plan::{Planned, Slot, SlotKind, texel_scalar};
use crate::device::ImageFormat;
use crate::image_io::{Picture, channels};
use crate::record_json;
use wgc_abi::replace::Staged;

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

/// The files of one run. They get their names when all are complete, so a run that fails leaves the old ones.
#[derive(Default)]
pub(super) struct StagedFiles {
    files: Vec<(PathBuf, Staged)>,
}

impl StagedFiles {
    /// Adds one resource. `confined`: a link is an error, because it may lead anywhere.
    ///
    /// # Errors
    /// A file cannot be written, or another resource has one of the same name.
    pub fn add(
        &mut self,
        dir: &Path,
        confined: bool,
        slot: &Slot,
        element: usize,
        planned: &Planned,
        bytes: &[u8],
    ) -> Result<(), RunError> {
        // A name of the language has no character that a file name cannot have but the scope's colons.
        let stem: String = element_name(slot, element)
            .chars()
            .map(|c| if c.is_alphanumeric() || "_-.[]".contains(c) { c } else { '_' })
            .collect();
        self.file(dir.join(format!("{stem}.bin")), confined, bytes)?;
        if let Planned::Image { desc, .. } = planned {
            let path = dir.join(format!("{stem}.png"));
            let png = Picture::from_texels(desc.format, desc.picture_size(), desc.picture_texels(bytes))
                .and_then(|picture| picture.to_png());
            let png = png.map_err(|message| RunError::Output { file: path.clone(), message })?;
            self.file(path, confined, &png)?;
        }
        Ok(())
    }

    fn file(&mut self, path: PathBuf, confined: bool, bytes: &[u8]) -> Result<(), RunError> {
        let failed = |message: String| RunError::Output { file: path.clone(), message };
        if confined && path.is_symlink() {
            return Err(failed("it is a link: with --include-root, results are not written to links".to_owned()));
        }
        if self.files.iter().any(|(other, _)| *other == path) {
            return Err(failed("two resources would have this file".to_owned()));
        }
        let staged = Staged::over(&path).and_then(|mut staged| staged.write_all(bytes).map(|()| staged));
        let staged = staged.map_err(|error| failed(error.to_string()))?;
        self.files.push((path, staged));
        Ok(())
    }

    /// Gives all files their names, and returns these.
    ///
    /// # Errors
    /// A file cannot be renamed.
    pub fn commit(self) -> Result<Vec<PathBuf>, RunError> {
        let failed =
            |file: &Path, error: std::io::Error| RunError::Output { file: file.to_owned(), message: error.to_string() };
        for (path, staged) in &self.files {
            staged.sync().map_err(|error| failed(path, error))?;
        }
        let commit = |(path, staged): (PathBuf, Staged)| {
            staged.commit().map_err(|error| failed(&path, error))?;
            Ok(path)
        };
        self.files.into_iter().map(commit).collect()
    }
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
