//! Runs a plan: creates the resources, dispatches, reads back and judges.

use std::collections::BTreeMap;

use wgc_abi::{Interface, NodeName};

use super::compare::counted;
use super::error::{Checked, Fault, FileError, RunError};
use super::executor::{Executor, Finding};
use super::meshes;
use super::model::{ExpectedMessages, RunFile};
use super::output::{self, Outputs};
use super::plan::{Plan, Planned, PlannedRoots, PlannedWork, RootContents, SlotKind};
use super::report::{Outcome, Report, Verdict};
use crate::device::{Descriptor, Device, DeviceError, ResourceBinding, Resources, Result as DeviceResult};
use crate::emulated::LocalRootTable;
use crate::mesh::Meshes;

/// Checks a run file against a program without running anything. Returns warnings.
///
/// # Errors
/// The first thing that does not fit the program, or that this version cannot do, with its place in the file.
pub fn check(file: &RunFile, interface: &Interface) -> Result<Vec<FileError>, FileError> {
    let plan = Plan::new(file, interface).map_err(|fault| file.source.error(fault))?;
    Ok(plan.warnings.into_iter().map(|fault| file.source.error(fault)).collect())
}

/// Runs a file on `graph`, which executes the program that `interface` describes.
///
/// # Errors
/// The file does not fit the program (then nothing was run), the device failed, or a result could not be written. A
/// failed expectation is not an error: see [`Report::passed`].
pub fn execute(
    file: &RunFile,
    interface: &Interface,
    graph: &mut dyn Executor,
    outputs: &Outputs,
) -> Result<Report, RunError> {
    let plan = Plan::new(file, interface).map_err(|fault| file.source.error(fault))?;
    if let Some((at, _)) = plan.dispatches.iter().filter_map(|d| d.mode).find(|(_, mode)| !graph.takes(*mode)) {
        let what = "only native graphs support records in device memory";
        return Err(file.source.error(Fault { unsupported: true, ..Fault::new(at, what) }).into());
    }
    let shapes = graph.mesh_shapes();
    let mesh_tests =
        plan.mesh_checks.iter().map(|check| meshes::Test::new(check, &shapes)).collect::<Checked<Vec<_>>>();
    let mesh_tests = mesh_tests.map_err(|fault| file.source.error(fault))?;
    let is_mesh = |name: &String| shapes.iter().any(|(node, _)| node.to_string() == **name);
    let (print_meshes, print): (Vec<&String>, Vec<&String>) = outputs.print.iter().partition(|name| is_mesh(name));
    let printed = print.into_iter().map(|name| find_printed(file, &plan, name)).collect::<Result<Vec<_>, _>>()?;
    if let Some(dir) = &outputs.out_dir {
        std::fs::create_dir_all(dir)
            .map_err(|error| RunError::Output { file: dir.clone(), message: error.to_string() })?;
    }

    let made = make_resources(&plan, graph.device())?;
    let bindings: Vec<ResourceBinding> =
        plan.slots.iter().zip(&made).filter_map(|(slot, made)| bind(slot, made)).collect();
    graph.bind(&bindings, &plan.push)?;
    if let Some(roots) = &plan.roots {
        let table = local_roots(roots, &made, graph.device())?;
        graph.set_local_roots(table)?;
    }
    let totals = dispatch(&plan, graph)?;

    let mut report = Report {
        device: graph.device().name(),
        findings: totals.findings.clone().unwrap_or_default(),
        messages: totals.messages.clone().unwrap_or_default(),
        ..Report::default()
    };
    let mut contents = Contents { plan: &plan, made: &made, read: BTreeMap::new() };
    for check in &plan.checks {
        let bytes = contents.get(graph.device(), check.slot, check.element)?;
        let verdict = match check.test.check(bytes) {
            Ok(()) => Verdict::Pass(check.test.describe()),
            Err(difference) => Verdict::Fail(difference),
        };
        report.outcomes.push(Outcome { subject: check.name.clone(), verdict });
    }
    judge_records(&plan, &totals, &mut report);
    judge_meshes(&mesh_tests, &totals, &mut report);
    judge_findings(&plan, &totals, &mut report);
    judge_messages(file, &totals, &mut report);

    for (name, slot, element) in printed {
        let bytes = contents.get(graph.device(), slot, element)?;
        if let Some(planned) = plan.slots.get(slot).and_then(|s| s.elements.get(element)) {
            report.printed.push((name, output::to_json(&plan.slots[slot], element, planned, bytes)));
        }
    }
    let all = totals.meshes.as_deref().unwrap_or_default();
    report.meshes = all.iter().map(|(node, meshes)| meshes::summary(node, meshes)).collect();
    for (node, meshes) in all.iter().filter(|(node, _)| print_meshes.iter().any(|name| **name == node.to_string())) {
        report.printed.push((node.to_string(), meshes::to_json(meshes)));
    }
    if let Some(dir) = &outputs.out_dir {
        let confined = !file.roots.is_empty();
        let mut staged = output::StagedFiles::default();
        for (index, slot) in plan.slots.iter().enumerate() {
            for (element, planned) in slot.elements.iter().enumerate() {
                if !output::is_writable(slot, element) {
                    continue;
                }
                let bytes = contents.get(graph.device(), index, element)?;
                staged.add(dir, confined, slot, element, planned, bytes)?;
            }
        }
        report.written = staged.commit()?;
    }
    Ok(report)
}

/// Finds the resources for `--print NAME`: one, or all elements of an array.
fn find_printed(file: &RunFile, plan: &Plan, name: &str) -> Result<(String, usize, usize), RunError> {
    for (index, slot) in plan.slots.iter().enumerate() {
        for (element, planned) in slot.elements.iter().enumerate() {
            let full = output::element_name(slot, element);
            let matches = full == name || full.strip_suffix(name).is_some_and(|scope| scope.ends_with("::"));
            if matches && !matches!(planned, Planned::Sampler(_) | Planned::Scene(_) | Planned::Nothing) {
                return Ok((full, index, element));
            }
        }
    }
    let known: Vec<String> = plan
        .slots
        .iter()
        .filter(|slot| !matches!(slot.kind, SlotKind::Sampler | SlotKind::AccelerationStructure))
        .flat_map(|slot| (0..slot.elements.len()).map(|element| output::element_name(slot, element)))
        .collect();
    let message = format!("cannot print {name:?}: the shader has no such resource; it has: {}", known.join(", "));
    Err(file.source.error(Fault::new(file.source.root.at, message)).into())
}

/// Creates the descriptors of every slot's elements.
fn make_resources(plan: &Plan, device: &mut dyn Device) -> DeviceResult<Vec<Vec<Descriptor>>> {
    let mut all = Vec::with_capacity(plan.slots.len());
    for slot in &plan.slots {
        let mut made = Vec::with_capacity(slot.elements.len());
        for (element, planned) in slot.elements.iter().enumerate() {
            made.push(make(device, slot.kind_of(element), planned)?);
        }
        all.push(made);
    }
    Ok(all)
}

fn make(device: &mut dyn Device, kind: Option<&SlotKind>, planned: &Planned) -> DeviceResult<Descriptor> {
    Ok(match planned {
        Planned::Nothing => Descriptor::Nothing,
        Planned::Buffer { bytes, contents } => {
            let buffer = device.create_buffer(*bytes)?;
            if !contents.is_empty() {
                device.write_buffer(buffer, 0, contents)?;
            }
            match kind {
                Some(SlotKind::Uniform) => Descriptor::UniformBuffer(buffer),
                _ => Descriptor::StorageBuffer(buffer),
            }
        }
        Planned::Image { desc, texels } => {
            let image = device.create_image(*desc)?;
            if let Some(texels) = texels {
                device.write_image(image, texels)?;
            }
            match kind {
                Some(SlotKind::SampledImage) => Descriptor::SampledImage(image),
                _ => Descriptor::StorageImage(image),
            }
        }
        Planned::Texels { format, contents } => {
            let buffer = device.create_buffer(contents.len() as u64)?;
            device.write_buffer(buffer, 0, contents)?;
            match kind {
                Some(SlotKind::Texels { writable: true }) => Descriptor::StorageTexels(buffer, *format),
                _ => Descriptor::SampledTexels(buffer, *format),
            }
        }
        Planned::Sampler(desc) => Descriptor::Sampler(device.create_sampler(*desc)?),
        Planned::Scene(desc) => Descriptor::AccelerationStructure(device.create_acceleration_structure(desc)?),
    })
}

fn bind(slot: &super::plan::Slot, made: &[Descriptor]) -> Option<ResourceBinding> {
    let (set, binding) = slot.place?;
    Some(ResourceBinding { set, binding, resources: resources(&slot.kind, made) })
}

/// Creates the table of local root arguments, on the device.
fn local_roots(
    roots: &PlannedRoots,
    made: &[Vec<Descriptor>],
    device: &mut dyn Device,
) -> DeviceResult<LocalRootTable> {
    let mut table = vec![0; roots.records as usize * roots.stride as usize];
    for argument in &roots.arguments {
        let bytes = match &argument.contents {
            RootContents::Constants(bytes) => bytes.clone(),
            RootContents::Table(first) => first.to_le_bytes().to_vec(),
            RootContents::Slot(slot) => match made.get(*slot).and_then(|made| made.first()) {
                Some(Descriptor::StorageBuffer(buffer) | Descriptor::UniformBuffer(buffer)) => {
                    device.buffer_address(*buffer).to_le_bytes().to_vec()
                }
                _ => continue,
            },
        };
        if let Some(place) = table.get_mut(argument.offset..argument.offset + bytes.len()) {
            place.copy_from_slice(&bytes);
        }
    }
    let buffer = device.create_buffer(table.len().max(1) as u64)?;
    device.write_buffer(buffer, 0, &table)?;
    Ok(LocalRootTable { address: device.buffer_address(buffer), stride: roots.stride, records: roots.records })
}

/// Descriptors of one kind, or those of a heap.
fn resources(kind: &SlotKind, made: &[Descriptor]) -> Resources {
    use Descriptor as D;
    let buffers = || {
        let id = |d: &D| if let D::StorageBuffer(id) | D::UniformBuffer(id) = d { Some(*id) } else { None };
        made.iter().filter_map(id).collect()
    };
    let images = || {
        let id = |d: &D| if let D::StorageImage(id) | D::SampledImage(id) = d { Some(*id) } else { None };
        made.iter().filter_map(id).collect()
    };
    let texels = || {
        let id = |d: &D| if let D::StorageTexels(b, f) | D::SampledTexels(b, f) = d { Some((*b, *f)) } else { None };
        made.iter().filter_map(id).collect()
    };
    match kind {
        SlotKind::Storage { .. } => Resources::StorageBuffers(buffers()),
        SlotKind::Uniform => Resources::UniformBuffers(buffers()),
        SlotKind::StorageImage => Resources::StorageImages(images()),
        SlotKind::SampledImage => Resources::SampledImages(images()),
        SlotKind::Texels { writable: true } => Resources::StorageTexels(texels()),
        SlotKind::Texels { writable: false } => Resources::SampledTexels(texels()),
        SlotKind::Sampler => {
            let id = |d: &D| if let D::Sampler(id) = d { Some(*id) } else { None };
            Resources::Samplers(made.iter().filter_map(id).collect())
        }
        SlotKind::AccelerationStructure => {
            let id = |d: &D| if let D::AccelerationStructure(id) = d { Some(*id) } else { None };
            Resources::AccelerationStructures(made.iter().filter_map(id).collect())
        }
        SlotKind::Heap(_) => Resources::Heap(made.to_vec()),
    }
}

/// Sums over all dispatches; `None` if the device does not report them.
struct Totals {
    records: Option<Vec<(NodeName, u64)>>,
    uncounted: Vec<NodeName>,
    findings: Option<Vec<Finding>>,
    messages: Option<Vec<String>>,
    /// One of each mesh node.
    meshes: Option<Vec<(NodeName, Meshes)>>,
}

impl Totals {
    /// Meshes of one more dispatch.
    fn add_meshes(&mut self, more: Option<Vec<(NodeName, Meshes)>>) {
        let (Some(all), Some(more)) = (&mut self.meshes, more) else {
            self.meshes = None;
            return;
        };
        for (node, meshes) in more {
            match all.iter_mut().find(|(known, _)| *known == node) {
                Some((_, known)) => known.append(meshes),
                None => all.push((node, meshes)),
            }
        }
    }
}

/// Adds the output of one dispatch; the total is unknown once one dispatch has none.
fn add<T>(all: &mut Option<Vec<T>>, more: Option<Vec<T>>) {
    match (all.as_mut(), more) {
        (Some(all), Some(more)) => all.extend(more),
        _ => *all = None,
    }
}

fn dispatch(plan: &Plan, graph: &mut dyn Executor) -> Result<Totals, RunError> {
    let mut totals = Totals {
        records: Some(Vec::new()),
        uncounted: Vec::new(),
        findings: Some(Vec::new()),
        messages: Some(Vec::new()),
        meshes: Some(Vec::new()),
    };
    for dispatch in &plan.dispatches {
        for _ in 0..dispatch.repeat {
            let done = match &dispatch.work {
                PlannedWork::Graph(inputs) => {
                    graph.dispatch(dispatch.mode.map(|(_, mode)| mode).unwrap_or_default(), inputs)?
                }
                PlannedWork::Groups(entry, groups) => graph.dispatch_groups(entry, *groups)?,
            };
            add(&mut totals.records, done.records);
            totals.uncounted = done.uncounted;
            add(&mut totals.findings, done.findings);
            add(&mut totals.messages, done.messages);
            totals.add_meshes(done.meshes);
        }
    }
    Ok(totals)
}

/// Contents of resources after the run, each read once.
struct Contents<'p> {
    plan: &'p Plan,
    made: &'p [Vec<Descriptor>],
    read: BTreeMap<(usize, usize), Vec<u8>>,
}

impl Contents<'_> {
    fn get(&mut self, device: &mut dyn Device, slot: usize, element: usize) -> Result<&[u8], RunError> {
        if !self.read.contains_key(&(slot, element)) {
            let bytes = self.fetch(device, slot, element)?;
            self.read.insert((slot, element), bytes);
        }
        Ok(self.read.get(&(slot, element)).map_or(&[], Vec::as_slice))
    }

    fn fetch(&self, device: &mut dyn Device, slot: usize, element: usize) -> DeviceResult<Vec<u8>> {
        let planned = self.plan.slots.get(slot).and_then(|s| s.elements.get(element));
        let Some(made) = self.made.get(slot).and_then(|made| made.get(element)) else { return Ok(Vec::new()) };
        let (buffer, bytes) = match (made, planned) {
            (Descriptor::StorageImage(image) | Descriptor::SampledImage(image), _) => return device.read_image(*image),
            (
                Descriptor::StorageBuffer(buffer) | Descriptor::UniformBuffer(buffer),
                Some(Planned::Buffer { bytes, .. }),
            ) => (*buffer, *bytes),
            (
                Descriptor::StorageTexels(buffer, _) | Descriptor::SampledTexels(buffer, _),
                Some(Planned::Texels { contents, .. }),
            ) => (*buffer, contents.len() as u64),
            _ => return Ok(Vec::new()),
        };
        let size = usize::try_from(bytes).map_err(|_| DeviceError::new("a buffer too large to read"))?;
        let mut contents = vec![0; size];
        device.read_buffer(buffer, 0, &mut contents)?;
        Ok(contents)
    }
}

fn judge_records(plan: &Plan, totals: &Totals, report: &mut Report) {
    for check in &plan.record_checks {
        let counted = |name: &NodeName| name.name == check.node && check.index.is_none_or(|index| name.index == index);
        let verdict = match &totals.records {
            None => Verdict::Skipped("this device does not count records".to_owned()),
            Some(_) if totals.uncounted.iter().any(counted) => {
                Verdict::Skipped("the node runs inside its producers, so its records are not counted".to_owned())
            }
            Some(records) => {
                let found: u64 = records.iter().filter(|(name, _)| counted(name)).map(|(_, count)| count).sum();
                if found == check.expected {
                    Verdict::Pass(format!("{found} consumed"))
                } else {
                    Verdict::Fail(format!("expected {} consumed, found {found}", check.expected))
                }
            }
        };
        report.outcomes.push(Outcome { subject: format!("records of {}", check.name), verdict });
    }
}

fn judge_meshes(tests: &[meshes::Test<'_>], totals: &Totals, report: &mut Report) {
    for test in tests {
        let verdict = match totals.meshes.as_deref().map(|all| test.judge(all)) {
            None => Verdict::Skipped("this device does not report the output of mesh nodes".to_owned()),
            Some(Ok(what)) => Verdict::Pass(what),
            Some(Err(difference)) => Verdict::Fail(difference),
        };
        report.outcomes.push(Outcome { subject: format!("meshes of {}", test.name()), verdict });
    }
}

/// Messages are lines: whether the shader ends them does not count.
fn judge_messages(file: &RunFile, totals: &Totals, report: &mut Report) {
    let Some(ExpectedMessages { texts, any_order }) = &file.expect_messages else { return };
    let lines = |texts: &[String]| {
        let mut lines: Vec<String> = texts.iter().map(|text| text.trim_end_matches('\n').to_owned()).collect();
        if *any_order {
            lines.sort();
        }
        lines
    };
    let verdict = match totals.messages.as_deref().map(lines) {
        None => Verdict::Skipped("this device does not collect messages".to_owned()),
        Some(found) => {
            let expected = lines(texts);
            let first = (0..expected.len().max(found.len())).find(|&n| expected.get(n) != found.get(n));
            let show = |text: Option<&String>| text.map_or_else(|| "none".to_owned(), |text| format!("{text:?}"));
            match first {
                None => Verdict::Pass(counted(found.len(), "message")),
                Some(n) => {
                    let order = if *any_order { " of the sorted ones" } else { "" };
                    let (wanted, got) = (show(expected.get(n)), show(found.get(n)));
                    let sizes = format!("{} expected, {} found", expected.len(), found.len());
                    Verdict::Fail(format!("number {}{order}: expected {wanted}, found {got} ({sizes})", n + 1))
                }
            }
        }
    };
    report.outcomes.push(Outcome { subject: "messages".to_owned(), verdict });
}

/// Compares the set of findings, regardless of their number.
fn judge_findings(plan: &Plan, totals: &Totals, report: &mut Report) {
    let Some(expected) = &plan.findings else { return };
    let verdict = match &totals.findings {
        None => Verdict::Skipped("this device reports only findings of graphs".to_owned()),
        Some(findings) => {
            let mut found: Vec<String> = findings.iter().map(|f| f.code.clone()).collect();
            found.sort();
            found.dedup();
            let show = |codes: &[String]| if codes.is_empty() { "none".to_owned() } else { codes.join(", ") };
            if found == *expected {
                Verdict::Pass(show(&found))
            } else {
                Verdict::Fail(format!("expected {}, found {}", show(expected), show(&found)))
            }
        }
    };
    report.outcomes.push(Outcome { subject: "findings".to_owned(), verdict });
}
