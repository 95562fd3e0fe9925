//! Layouts of local root arguments: the data that a host writes for each node, and the views of resources in it.

use crate::contracts::node::NodeDecl;
use crate::contracts::root_signatures::{Declared, declared};
use crate::db::{Db, Program};
use crate::graph::local_roots::{indexes, of_node};
use crate::graph::model::Model;
use crate::tables::root_signature::Parameter;
use std::collections::BTreeMap;
use std::sync::Arc;
use wgc_ir::{Global, LocalRoot, LocalRootArgument, LocalRootKind, LocalRootLayout, Module};

/// Returns the local root arguments of each node of the module, in the order of the graph's nodes. A node without a
/// local root signature has `None`.
pub fn arguments(db: &dyn Db, program: Program, module: &Module) -> Vec<Option<LocalRoot>> {
    let signatures: Vec<Declared> = declared(db, program).into_iter().filter(|signature| signature.is_local).collect();
    let mut layouts: Vec<LocalRootLayout> = signatures.iter().map(layout).collect();
    let tables = layouts.iter().flat_map(|layout| &layout.arguments);
    let views = Arc::new(views(db, program, module, &tables.cloned().collect::<Vec<_>>()));
    layouts.iter_mut().for_each(|layout| layout.views = Arc::clone(&views));
    let layouts: Vec<Arc<LocalRootLayout>> = layouts.into_iter().map(Arc::new).collect();
    let model = Model::new(db, program);
    let of = |(node, index): (&&NodeDecl, Option<u32>)| {
        let signature = of_node(&signatures, node)?;
        let layout = &layouts[signatures.iter().position(|known| known == signature)?];
        Some(LocalRoot { index: index?, layout: Arc::clone(layout) })
    };
    model.nodes.iter().zip(indexes(db, program)).map(of).collect()
}

/// Lays out the parameters in order. Constants are at multiples of four bytes. Addresses and descriptor tables have
/// eight bytes and are at multiples of eight. Static samplers are not in the record.
fn layout(signature: &Declared) -> LocalRootLayout {
    let (mut end, mut arguments, mut samplers) = (0u32, Vec::new(), BTreeMap::new());
    for parameter in &signature.signature.parameters {
        let (align, bytes, kind) = match parameter.clause {
            "RootConstants" => {
                let words = constants(parameter);
                (4, words * 4, Some(LocalRootKind::Constants { words }))
            }
            "CBV" | "SRV" | "UAV" => (8, 8, Some(LocalRootKind::Address)),
            "DescriptorTable" => (8, 8, None),
            _ => {
                let registers = parameter.ranges.iter().map(|range| (range.space, range.first));
                samplers.extend(registers.map(|register| (register, sampler(parameter))));
                continue;
            }
        };
        let offset = end.next_multiple_of(align);
        end = offset + bytes;
        arguments.extend(parameter.ranges.iter().map(|range| {
            let count = (range.last != u32::MAX).then(|| range.last - range.first + 1);
            let register = (range.class, range.first, range.space);
            let kind = kind.unwrap_or(LocalRootKind::Descriptors { first: range.offset, count });
            LocalRootArgument { register, offset, kind }
        }));
    }
    let signature = signature.name.as_str().into();
    LocalRootLayout { signature, size: end, arguments, views: Arc::default(), samplers }
}

/// The default settings of a static sampler.
const SAMPLER: &[(&str, &str)] = &[
    ("filter", "FILTER_ANISOTROPIC"),
    ("addressU", "TEXTURE_ADDRESS_WRAP"),
    ("addressV", "TEXTURE_ADDRESS_WRAP"),
    ("addressW", "TEXTURE_ADDRESS_WRAP"),
    ("mipLODBias", "0"),
    ("maxAnisotropy", "16"),
    ("comparisonFunc", "COMPARISON_LESS_EQUAL"),
    ("borderColor", "STATIC_BORDER_COLOR_OPAQUE_WHITE"),
    ("minLOD", "0"),
    ("maxLOD", "3.402823466e+38"),
    ("flags", ""),
];

/// Returns all settings of a static sampler, with numbers in one spelling.
fn sampler(parameter: &Parameter) -> BTreeMap<&'static str, String> {
    let setting =
        |name: &str| parameter.settings.iter().find(|(setting, _)| *setting == name).map(|(_, value)| value.as_str());
    let value = |text: &str| text.parse::<f32>().map_or(text.to_owned(), |number| number.to_string());
    SAMPLER.iter().map(|(name, default)| (*name, value(setting(name).unwrap_or(default)))).collect()
}

/// Returns views of the heaps with the types of the module's variables in descriptor tables.
fn views(
    db: &dyn Db,
    program: Program,
    module: &Module,
    arguments: &[LocalRootArgument],
) -> BTreeMap<wgc_ir::Symbol, Global> {
    let is_in_table = |global: &&Global| {
        let register = global.binding().filter(|binding| binding.heap.is_none()).and_then(|binding| binding.register);
        let mut tables = arguments.iter().filter(|argument| matches!(argument.kind, LocalRootKind::Descriptors { .. }));
        register.is_some_and(|register| tables.any(|table| table.place_of(register).is_some()))
    };
    let variables: Vec<&Global> = module.globals.values().filter(is_in_table).collect();
    if variables.is_empty() {
        return BTreeMap::new();
    }
    let names = crate::link::bindings::type_names(db, program);
    let mut out = BTreeMap::new();
    for variable in variables {
        let name = names.get(&variable.name).map_or(variable.name.as_str(), String::as_str);
        let view = crate::lower::heaps::view_as(variable, name);
        if let (Some(counter), Some(_)) = (crate::types::resource_types::counter(&view), variable.counter()) {
            out.insert(counter.name.clone(), counter);
        }
        out.insert(variable.name.clone(), view);
    }
    crate::link::heaps::place_views(db, program, module, &mut out);
    out
}

/// Returns the number of words of root constants; the parser has checked it.
fn constants(parameter: &Parameter) -> u32 {
    let count = parameter.settings.iter().find(|(name, _)| *name == "num32BitConstants");
    count.and_then(|(_, words)| words.parse().ok()).unwrap_or(0)
}
