//! Expectations, fitted to the resources that they speak of.

use super::super::compare::{StructRow, Test, counted};
use super::super::error::{Checked, Fault};
use super::super::layout;
use super::super::model::{Expectation, ExpectationKind, RunFile};
use super::super::names;
use super::{Check, Planned, Slot, SlotKind, read_file};
use crate::device::{ImageDesc, ImageFormat};
use crate::format::Component;
use crate::image_io::Picture;
use crate::numbers::Scalar;

pub(super) fn plan(file: &RunFile, slots: &[Slot]) -> Checked<Vec<Check>> {
    let mut checks = Vec::new();
    for expected in &file.expect {
        // `Buffers[1]` is one element of an array of resources.
        let (name, element) = match expected.name.strip_suffix(']').and_then(|n| n.rsplit_once('[')) {
            Some((name, index)) => match index.parse::<usize>() {
                Ok(index) => (name, Some(index)),
                Err(_) => return Err(Fault::new(expected.at, "write an element of an array as name[3]")),
            },
            None => (expected.name.as_str(), None),
        };
        let (slot, resource) =
            match slots.iter().position(|s| s.place.is_some_and(|(set, binding)| format!("{set}.{binding}") == name)) {
                Some(index) => (index, &slots[index]),
                None => names::find(slots, |s| &s.name, name, expected.at, "uses").map_err(|fault| {
                    match file.declares(name) {
                        true => Fault::new(expected.at, format!("the program declares {name} but does not use it")),
                        false => fault,
                    }
                })?,
            };
        if element.is_some_and(|index| !resource.is_array || index >= resource.elements.len()) {
            let message = format!("{name} has no element {}", expected.name);
            return Err(Fault::new(expected.at, message));
        }
        let mut add = |name: String, element: usize, expectation: &Expectation| -> Checked<()> {
            let Some(planned) = resource.elements.get(element) else { return Ok(()) };
            let test = test(file, resource, (element, planned), expectation)?;
            checks.push(Check { name, slot, element, test });
            Ok(())
        };
        match (&expected.value.kind, element) {
            (ExpectationKind::Array(elements), None) if resource.is_array => {
                if elements.len() != resource.elements.len() {
                    let message = format!(
                        "{name} is an array of {} resources, found {}",
                        resource.elements.len(),
                        elements.len()
                    );
                    return Err(Fault::new(expected.value.at, message));
                }
                for (index, expectation) in elements.iter().enumerate() {
                    add(format!("{name}[{index}]"), index, expectation)?;
                }
            }
            (ExpectationKind::Array(_), _) => {
                return Err(Fault::new(expected.value.at, format!("{} is one resource, not an array", expected.name)));
            }
            (_, None) if resource.is_array => {
                let message =
                    format!("{name} is an array of resources: write a list, or name one element as {name}[0]");
                return Err(Fault::new(expected.value.at, message));
            }
            (_, element) => add(expected.name.clone(), element.unwrap_or(0), &expected.value)?,
        }
    }
    Ok(checks)
}

fn test(
    file: &RunFile,
    slot: &Slot,
    (element, planned): (usize, &Planned),
    expectation: &Expectation,
) -> Checked<Test> {
    let at = expectation.at;
    let size = match planned {
        Planned::Buffer { bytes, .. } => *bytes,
        Planned::Image { desc, .. } => image_bytes(*desc),
        Planned::Texels { contents, .. } => contents.len() as u64,
        Planned::Sampler(_) => {
            return Err(Fault::new(at, format!("{} is a sampler, which has no contents", slot.name)));
        }
        Planned::Scene(_) => {
            let message = format!("{} is an acceleration structure, which cannot be read", slot.name);
            return Err(Fault::new(at, message));
        }
        Planned::Nothing => return Err(Fault::new(at, format!("index {element} of {} is empty", slot.name))),
    };
    match &expectation.kind {
        ExpectationKind::Numbers { scalar, numbers, any_order, tolerance } => {
            let holds = size / scalar.size() as u64;
            // A list that is appended to may have room for more.
            let fits = if *any_order { numbers.len() as u64 <= holds } else { numbers.len() as u64 == holds };
            if !fits {
                let hint = format!("; to check a part, use \"{}_at\"", scalar.name());
                let message = format!(
                    "{} has {} of {}, but the file expects {}{}",
                    slot.name,
                    counted(holds as usize, "value"),
                    scalar.name(),
                    numbers.len(),
                    if (numbers.len() as u64) < holds { hint.as_str() } else { "" }
                );
                return Err(Fault::new(at, message));
            }
            Ok(Test::Numbers {
                scalar: *scalar,
                numbers: numbers.clone(),
                any_order: *any_order,
                tolerance: *tolerance,
            })
        }
        ExpectationKind::At { scalar, numbers, tolerance } => {
            let holds = size / scalar.size() as u64;
            if let Some((at, index, _)) = numbers.iter().find(|(_, index, _)| *index >= holds) {
                let message = format!(
                    "{} has {} of {}, but no element {index}",
                    slot.name,
                    counted(holds as usize, "value"),
                    scalar.name()
                );
                return Err(Fault::new(*at, message));
            }
            Ok(Test::At {
                scalar: *scalar,
                numbers: numbers.iter().map(|(_, index, number)| (*index, *number)).collect(),
                tolerance: *tolerance,
            })
        }
        ExpectationKind::Structs { values, any_order, tolerance } => {
            let Some(SlotKind::Storage { element, stride, .. }) = slot.kind_of(element) else {
                return Err(Fault::new(at, format!("{} is not a buffer of structures", slot.name)));
            };
            let holds = size / u64::from((*stride).max(1));
            let fits = if *any_order { values.len() as u64 <= holds } else { values.len() as u64 == holds };
            if !fits {
                let message = format!(
                    "{} has {}, but the file expects {}",
                    slot.name,
                    counted(holds as usize, "element"),
                    values.len()
                );
                return Err(Fault::new(at, message));
            }
            let rows =
                values.iter().map(|value| layout::leaves(element, value)).collect::<Checked<Vec<StructRow>>>()?;
            Ok(Test::Structs { rows, stride: *stride as usize, any_order: *any_order, tolerance: *tolerance })
        }
        ExpectationKind::Png { file: name, max_channel_error, max_differing_pixels } => {
            let Planned::Image { desc, .. } = planned else {
                return Err(Fault::new(at, format!("{} is not a texture", slot.name)));
            };
            let bytes = read_file(file, name, at)?;
            let picture = Picture::from_png(&bytes).map_err(|error| Fault::new(at, format!("{name}: {error}")))?;
            let [width, rows, slices] = desc.size;
            let height = rows.saturating_mul(slices);
            if (picture.width, picture.height) != (width, height) {
                let message = format!(
                    "{name} has {} x {} texels, but {} has {width} x {height}",
                    picture.width, picture.height, slot.name
                );
                return Err(Fault::new(at, message));
            }
            Ok(Test::Picture {
                desc: *desc,
                picture,
                max_channel_error: *max_channel_error,
                max_differing_pixels: *max_differing_pixels,
            })
        }
        ExpectationKind::Array(_) => Err(Fault::new(at, "a nested list")),
    }
}

fn image_bytes(desc: ImageDesc) -> u64 {
    desc.bytes().unwrap_or(u64::MAX)
}

/// Returns the type in which an image's texels are printed.
pub(in crate::run_file) fn texel_scalar(format: ImageFormat) -> Scalar {
    match format.component() {
        Component::Unorm8 | Component::Uint8 | Component::Snorm8 | Component::Sint8 => Scalar::U8,
        Component::Unorm16 | Component::Uint16 => Scalar::U16,
        Component::Snorm16 | Component::Sint16 => Scalar::I16,
        Component::Float16 => Scalar::F16,
        Component::Float32 => Scalar::F32,
        Component::Uint32 => Scalar::U32,
        Component::Sint32 => Scalar::I32,
        Component::Uint64 => Scalar::U64,
        Component::Sint64 => Scalar::I64,
    }
}
