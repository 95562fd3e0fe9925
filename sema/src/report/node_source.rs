//! The attributes of a node as written in the source, for reports that show them next to the resolved values. Checks
//! and code do not use them.

use crate::contracts::node::function_attributes;
use crate::db::def::{Item, SourcePlace};
use crate::db::items::fn_node;
use crate::db::{Db, Program};
use crate::graph::graph;
use crate::report::diagnostics::source_text;
use crate::types::attribute_table::{self, Attr};
use wgc_frontend::ast;

/// An attribute as it is written, without its brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeText {
    pub attr: Attr,
    pub text: String,
}

/// The attributes of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeSource {
    function: Vec<AttributeText>,
    /// By the names of the parameters.
    params: Vec<(String, Vec<AttributeText>)>,
}

impl NodeSource {
    /// Returns the first of these attributes that the function has.
    pub fn function(&self, any: &[Attr]) -> Option<String> {
        first(&self.function, any)
    }

    /// Returns the first of these attributes that a parameter has.
    pub fn param(&self, name: &str, any: &[Attr]) -> Option<String> {
        first(&self.params.iter().find(|(param, _)| param == name)?.1, any)
    }
}

fn first(attributes: &[AttributeText], any: &[Attr]) -> Option<String> {
    attributes.iter().find(|attribute| any.contains(&attribute.attr)).map(|attribute| attribute.text.clone())
}

/// Returns the attributes of each node of a program, in declaration order.
pub fn of_nodes(db: &dyn Db, program: Program) -> Vec<NodeSource> {
    let of = |f: &crate::db::def::FnId<'_>| {
        let Some(syntax) = fn_node(db, *f) else { return NodeSource::default() };
        let attributes = function_attributes(&syntax);
        let params = syntax.function.params.iter().filter_map(|param| {
            let name = param.declarator.as_ref()?.name.text.to_string();
            Some((name, written(db, f.item, param.attributes.iter())))
        });
        NodeSource { function: written(db, f.item, attributes.into_iter()), params: params.collect() }
    };
    graph(db, program).functions.iter().map(of).collect()
}

fn written<'a, 'db>(
    db: &'db dyn Db,
    item: Item<'db>,
    attributes: impl Iterator<Item = &'a ast::Attribute>,
) -> Vec<AttributeText> {
    let attribute_text = |attribute: &ast::Attribute| {
        let [name] = attribute.path.segments.as_slice() else { return None };
        let attr = attribute_table::find(&name.name.text)?.attr;
        let text = source_text(db, SourcePlace::head(item, attribute.span))?;
        let bare = text.trim_start_matches('[').trim_end_matches(']');
        Some(AttributeText { attr, text: bare.split_whitespace().collect::<Vec<_>>().join(" ") })
    };
    attributes.filter_map(attribute_text).collect()
}
