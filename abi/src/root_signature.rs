//! Root signatures of a program as written in its source. SPIR-V has none. They show a host like Direct3D the root
//! arguments that the nodes expect.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootSignature {
    /// The name of the variable, or of the function with the attribute.
    pub name: String,
    pub scope: RootScope,
    /// Functions that it is associated with; if empty, it applies to all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exports: Vec<String>,
    /// Values of `RootFlags`, in upper case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// The parameters in source order: the n-th is root parameter n, not counting static samplers.
    pub parameters: Vec<RootParameter>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RootScope {
    Global,
    Local,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootParameter {
    /// `CBV`, `SRV`, `UAV`, `RootConstants`, `DescriptorTable` or `StaticSampler`.
    pub clause: String,
    /// One range, except for tables.
    pub ranges: Vec<RegisterRange>,
    /// The named settings of the source, with words in upper case: `num32BitConstants`, `visibility`, `filter` ..
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisterRange {
    /// `b`, `t`, `u` or `s`.
    pub class: char,
    pub first: u32,
    /// Registers of the range; `None`: unbounded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    pub space: u32,
}
