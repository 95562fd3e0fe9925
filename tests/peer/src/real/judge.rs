//! The verdict about one real shader: both compilers accept it, and both modules have the same results.

use super::compare::{Words, difference, is_unchanged};
use super::inputs::{push_constants, resources};
use super::{Peer, Shader};
use crate::counts::Counts;
use crate::dxc::Dxc;
use crate::execute::{Launch, Ran, Resource, run};
use crate::isolate::Stages;
use crate::judge::without_partitions;
use crate::ours::{Ours, Refusal};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use wgc_abi::interface::Interface;
use wgc_ir::passes::OptLevel;
use wgc_runtime::cpu::{CpuDevice, CpuSettings};
use wgc_runtime::device::DeviceError;
use wgc_runtime::vulkan::{VulkanDevice, testing};
use wgc_sema::db::Options;

/// Number of programs that share a Vulkan device, because it keeps the pipelines of all of them.
const PROGRAMS_OF_A_DEVICE: u32 = 25;
/// Separates the registers of the four classes, which DXC otherwise maps to the same bindings.
const SHIFTS: [(&str, &[&str]); 4] = [
    ("-fvk-t-shift", &["64", "all"]),
    ("-fvk-u-shift", &["128", "all"]),
    ("-fvk-s-shift", &["192", "all"]),
    ("-fvk-bind-globals", &["250", "0"]),
];

/// DXC's options for its unoptimised module, which its validator may refuse.
const UNOPTIMISED: [&str; 2] = ["-Od", "-Vd"];

/// The verdict if the modules agree only on the CPU device.
pub const DEVICE: &str = "device";

/// The verdict if DXC's unoptimised module agrees on the CPU device.
pub const OPTIMISER: &str = "optimiser";
/// Both modules change none of their resources: they ran, but there was nothing to compare.
pub const IDLE: &str = "idle";
/// Untyped words differ like close floats, on the Vulkan device and on the CPU device.
pub const WORDS: &str = "words";

/// The result of a shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// `ok`, or DXC's message.
    pub dxc: String,
    /// `ok`, or the code of the error.
    pub wgc: String,
    /// The message with the code.
    pub message: String,
    /// `agree`, `undefined CODE`, `differs`, or `-` if it was not executed.
    pub run: String,
    /// The difference, or the reason for not executing it.
    pub why: String,
    /// The counts of wgc's module and of DXC's, if both compile it to SPIR-V.
    pub counts: Option<[Counts; 2]>,
}

impl Verdict {
    pub fn encode(&self) -> Vec<u8> {
        let [ours, theirs] = self.counts.as_ref().map(|both| both.each_ref().map(Counts::encode)).unwrap_or_default();
        [&self.dxc, &self.wgc, &self.message, &self.run, &self.why, &ours, &theirs]
            .map(|text| text.replace('\0', ""))
            .join("\0")
            .into_bytes()
    }

    pub fn decode(bytes: &[u8]) -> Verdict {
        let text = String::from_utf8_lossy(bytes);
        let mut parts = text.split('\0').map(str::to_owned);
        let mut next = || parts.next().unwrap_or_default();
        Verdict {
            dxc: next(),
            wgc: next(),
            message: next(),
            run: next(),
            why: next(),
            counts: Counts::decode(&next()).zip(Counts::decode(&next())).map(<[Counts; 2]>::from),
        }
    }

    fn ran(mut self, run: impl Into<String>, why: impl Into<String>) -> Verdict {
        (self.run, self.why) = (run.into(), why.into());
        self
    }
}

/// The last step to perform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    Compile,
    Run,
    /// Only the CPU device, because the shader crashed the Vulkan device.
    Findings,
}

/// The level of wgc, and the directories for modules.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Receives wgc's modules.
    pub modules: Option<PathBuf>,
    /// Receives DXC's modules.
    pub peer_modules: Option<PathBuf>,
    pub level: OptLevel,
}

/// Judges shaders, one after the other.
pub struct Judge {
    sources: PathBuf,
    settings: Settings,
    dxc: Option<Dxc>,
    ours: Ours,
    vulkan: Option<VulkanDevice>,
    used: u32,
}

/// Returns sets and bindings of the variables of each name.
pub fn slots(words: &[u32]) -> BTreeMap<String, BTreeSet<(u32, u32)>> {
    const NAME: u32 = 5;
    const DECORATE: u32 = 71;
    const BINDING: u32 = 33;
    const SET: u32 = 34;
    let (mut names, mut sets, mut bindings) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let mut rest = words.get(5..).unwrap_or_default();
    while let Some(&head) = rest.first() {
        let length = (head >> 16).max(1) as usize;
        let Some((instruction, after)) = rest.split_at_checked(length) else { break };
        match (head & 0xffff, instruction) {
            (NAME, [_, id, text @ ..]) => {
                let bytes: Vec<u8> =
                    text.iter().flat_map(|word| word.to_le_bytes()).take_while(|byte| *byte != 0).collect();
                names.insert(*id, String::from_utf8_lossy(&bytes).into_owned());
            }
            (DECORATE, [_, id, SET, set]) => _ = sets.insert(*id, *set),
            (DECORATE, [_, id, BINDING, binding]) => _ = bindings.insert(*id, *binding),
            _ => {}
        }
        rest = after;
    }
    let mut slots: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for (id, name) in names {
        if let (Some(set), Some(binding)) = (sets.get(&id), bindings.get(&id)) {
            slots.entry(name).or_default().insert((*set, *binding));
        }
    }
    slots
}

/// Returns a resource with different bindings in the two modules.
fn moved(interface: &Interface, theirs: &BTreeMap<String, BTreeSet<(u32, u32)>>) -> Option<String> {
    let known = interface.bindings.iter().filter(|binding| binding.heap.is_none());
    known.filter_map(|binding| Some((binding, theirs.get(&binding.name)?))).find_map(|(binding, there)| {
        let here = (binding.set, binding.binding);
        (!there.contains(&here)).then(|| format!("{} is bound to {here:?}, by DXC to {there:?}", binding.name))
    })
}

impl Judge {
    /// # Errors
    /// DXC cannot be loaded.
    pub fn new(sources: &Path, library: Option<&Path>, settings: Settings) -> Result<Judge, String> {
        let dxc = library.map(Dxc::load).transpose()?;
        let ours = Ours::at(settings.level);
        Ok(Judge { sources: sources.to_owned(), settings, dxc, ours, vulkan: None, used: 0 })
    }

    fn device(&mut self) -> Option<VulkanDevice> {
        self.used += 1;
        if self.used.is_multiple_of(PROGRAMS_OF_A_DEVICE) {
            self.vulkan = None;
        }
        self.vulkan.take().or_else(testing::device)
    }

    /// Returns DXC's object, or its message.
    fn theirs(&self, shader: &Shader, more: &[String]) -> Option<Result<Vec<u32>, String>> {
        let dxc = self.dxc.as_ref()?;
        let file = shader.file(&self.sources);
        let compiled = std::fs::read(&file).map_err(|e| format!("{file}: {e}")).and_then(|source| {
            let mut arguments = shader.dxc_arguments(&self.sources);
            arguments.extend(more.iter().cloned());
            dxc.compile(&file, &plain(&source), &arguments)
        });
        Some(compiled.and_then(|compiled| compiled.words().ok_or(compiled.messages)))
    }

    pub fn judge(&mut self, number: usize, shader: &Shader, depth: Depth, stages: &mut Stages) -> Verdict {
        let [dxc, wgc, message, run, why] = ["ok", "ok", "", "-", ""].map(str::to_owned);
        let mut verdict = Verdict { dxc, wgc, message, run, why, counts: None };
        let mut theirs = None;
        if depth == Depth::Compile {
            stages.enter("DXC");
            match self.theirs(shader, &[]) {
                Some(Ok(words)) if shader.peer == Peer::Spirv => theirs = Some(words),
                Some(Err(message)) => verdict.dxc = message,
                _ => {}
            }
        }
        stages.enter("wgc");
        let options = match shader.options(&self.sources) {
            Ok(options) => options,
            Err(error) => return Verdict { wgc: error, ..verdict },
        };
        let file = shader.file(&self.sources);
        let made = if options.library {
            self.ours.program(&file, options.clone(), |_| Ok(())).map(|()| None)
        } else if shader.is_library() {
            self.ours.graph(&file, options.clone()).map(|(native, _)| Some(native))
        } else {
            self.ours.compute(&file, options.clone()).map(|(module, _)| Some(module))
        };
        match made {
            Err(refusal) => {
                verdict.wgc = match &refusal {
                    Refusal::Source { code, .. } => code.clone(),
                    Refusal::Target(_) => "target".to_owned(),
                    Refusal::Broken(_) => "internal".to_owned(),
                };
                verdict.message = refusal.to_string();
                return verdict;
            }
            Ok(module) => {
                let ours = module.map(|module| module.words);
                for (to, words) in [(&self.settings.modules, &ours), (&self.settings.peer_modules, &theirs)] {
                    let Some((to, words)) = to.as_ref().zip(words.as_ref()) else { continue };
                    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                    if let Err(error) = std::fs::write(to.join(format!("{number:04}.spv")), bytes) {
                        verdict.message = error.to_string();
                    }
                }
                if let Some((ours, theirs)) = ours.zip(theirs) {
                    stages.enter("counts");
                    match (Counts::of(&ours), Counts::of(&theirs)) {
                        (Ok(ours), Ok(theirs)) => verdict.counts = Some([ours, theirs]),
                        (Err(error), _) | (_, Err(error)) => verdict.message = format!("not counted: {error}"),
                    }
                }
            }
        }
        if depth == Depth::Compile || shader.is_library() || shader.peer == Peer::Dxil {
            return verdict;
        }
        self.executed(shader, options, depth, stages, verdict)
    }

    fn executed(
        &mut self,
        shader: &Shader,
        mut options: Options,
        depth: Depth,
        stages: &mut Stages,
        verdict: Verdict,
    ) -> Verdict {
        let mut more = Vec::new();
        for (option, words) in SHIFTS {
            if let Err(error) = options.bindings.set(option, words) {
                return verdict.ran("-", error);
            }
            more.push(option.to_owned());
            more.extend(words.iter().map(|word| (*word).to_owned()));
        }
        stages.enter("both compilers");
        let (module, interface) = match self.ours.compute(&shader.file(&self.sources), options) {
            Ok(made) => made,
            Err(refusal) => return verdict.ran("-", format!("with shifted bindings: {refusal}")),
        };
        let seed = shader.line().bytes().fold(7, |h: u64, b| h.wrapping_mul(31).wrapping_add(u64::from(b)));
        let resources = match resources(&interface, seed) {
            Ok(resources) => resources,
            Err(why) => return verdict.ran("-", why),
        };
        let launch = Launch { push: push_constants(&interface, seed), ..Launch::new(&shader.entry, [2, 1, 1]) };
        if depth == Depth::Findings {
            stages.enter("wgc's module on the CPU device");
            let what = "the Vulkan device died of it";
            let ours = match on_the_cpu_device(&module.words, &launch, &resources) {
                Ok(ran) => ran,
                Err(error) => return verdict.ran("-", format!("{what}; on the CPU device: {error}")),
            };
            let found = |found| verdict.clone().ran(found, what);
            return self
                .undefined(shader, &more, &ours, (&launch, &resources))
                .map_or_else(|| found("-".to_owned()), found);
        }
        let theirs = match self.theirs(shader, &more) {
            None => return verdict.ran("-", "there is no DXC"),
            Some(Err(message)) => return verdict.ran("-", format!("DXC, with shifted bindings: {message}")),
            Some(Ok(words)) => without_partitions(words),
        };
        if let Some(moved) = moved(&interface, &slots(&theirs)) {
            return verdict.ran("differs", moved);
        }
        let Some(mut device) = self.device() else { return verdict.ran("-", "there is no Vulkan device") };
        stages.enter("wgc's module on Vulkan");
        let ours = run(&mut device, &module.words, &launch, &resources);
        stages.enter("DXC's module on Vulkan");
        let peer = run(&mut device, &theirs, &launch, &resources);
        let (ours, peer) = match (ours, peer) {
            (Ok(ours), Ok(peer)) => (ours, peer),
            (Ok(_), Err(error)) => return verdict.ran("-", format!("DXC's module: {error}")),
            (Err(error), Err(_)) => return verdict.ran("-", error.to_string()),
            (Err(error), Ok(_)) => return verdict.ran("differs", format!("wgc's module fails: {error}")),
        };
        self.vulkan = Some(device);
        let differ = |words, ours: &Ran, peer: &Ran| difference(&interface, &resources, words, (ours, peer));
        let Some(what) = differ(Words::Integers, &ours, &peer) else {
            let idle = is_unchanged(&resources, &ours);
            return verdict.ran(if idle { IDLE } else { "agree" }, "");
        };
        let may_be_floats = differ(Words::MayBeFloats, &ours, &peer).is_none();
        stages.enter("wgc's module on the CPU device");
        let ours = match on_the_cpu_device(&module.words, &launch, &resources) {
            Ok(ran) => ran,
            Err(error) => return verdict.ran("differs", format!("{what}; on the CPU device: {error}")),
        };
        if let Some(found) = self.undefined(shader, &more, &ours, (&launch, &resources)) {
            return verdict.ran(found, what);
        }
        // The CPU device rounds every operation once and runs threads in one order. Equal results mean that both
        // modules are equivalent. Then the Vulkan device contracts, approximates, or uses another order.
        stages.enter("DXC's module on the CPU device");
        match on_the_cpu_device(&theirs, &launch, &resources) {
            Ok(peer) if differ(Words::Integers, &ours, &peer).is_none() => return verdict.ran(DEVICE, what),
            Ok(_) => {}
            Err(error) => return verdict.ran("differs", format!("{what}; DXC's module on the CPU device: {error}")),
        }
        // Reciprocals for divisions and similar changes: DXC contradicts itself, and wgc rounds as in the source.
        more.extend(UNOPTIMISED.map(str::to_owned));
        let Some(Ok(unoptimised)) = self.theirs(shader, &more) else { return verdict.ran("differs", what) };
        match on_the_cpu_device(&unoptimised, &launch, &resources) {
            Ok(peer) if differ(Words::Integers, &ours, &peer).is_none() => verdict.ran(OPTIMISER, what),
            // Different rounding, typical of floats.
            _ if may_be_floats => verdict.ran(WORDS, what),
            _ => verdict.ran("differs", what),
        }
    }

    /// Returns the verdict if the CPU device finds undefined behaviour in both modules. Behaviour that DXC's optimiser
    /// has removed is looked up in its unoptimised module, because a finding in wgc's module alone proves nothing.
    fn undefined(
        &self,
        shader: &Shader,
        options: &[String],
        ours: &Ran,
        (launch, resources): (&Launch, &[Resource]),
    ) -> Option<String> {
        let finding = ours.findings.first()?;
        let unoptimised = [options, &UNOPTIMISED.map(str::to_owned)].concat();
        let finds = |options: &[String]| {
            let words = without_partitions(self.theirs(shader, options)?.ok()?);
            on_the_cpu_device(&words, launch, resources).ok().filter(|ran| !ran.findings.is_empty())
        };
        finds(options).or_else(|| finds(&unoptimised)).map(|_| format!("undefined {}", finding.code))
    }
}

fn on_the_cpu_device(words: &[u32], launch: &Launch, resources: &[Resource]) -> Result<Ran, DeviceError> {
    let mut device = CpuDevice::new(CpuSettings { subgroup_size: 8, ..CpuSettings::default() });
    run(&mut device, words, launch, resources)
}

/// Returns UTF-8 without a byte order mark, from UTF-16 too.
fn plain(source: &[u8]) -> Vec<u8> {
    let wide = |bytes: &[u8], read: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| read([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units).into_bytes()
    };
    match source {
        [0xef, 0xbb, 0xbf, rest @ ..] => rest.to_vec(),
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ => source.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_read_for_named_variables_only() {
        let name = |id: u32| [(3 << 16) | 5, id, u32::from_le_bytes(*b"abc\0")];
        let decorate = |id: u32, what: u32, value: u32| [(4 << 16) | 71, id, what, value];
        let mut words = vec![0; 5];
        words.extend(name(3));
        words.extend(decorate(3, 34, 1));
        words.extend(decorate(3, 33, 66));
        words.extend(decorate(4, 33, 67));
        assert_eq!(slots(&words), BTreeMap::from([("abc".to_owned(), BTreeSet::from([(1, 66)]))]));
    }

    #[test]
    fn sources_in_other_encodings_are_read() {
        assert_eq!(plain(b"\xef\xbb\xbfa"), b"a");
        assert_eq!(plain(b"\xff\xfea\0b\0"), b"ab");
        assert_eq!(plain(b"\xfe\xff\0a"), b"a");
        assert_eq!(plain(b"a"), b"a");
    }
}
