//! Root signatures of a program as its source has them. SPIR-V knows none: they tell a host of Direct3D's kind which root
//! arguments the nodes expect.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootSignature {
    /// The variable, or the function with the attribute.
    pub name: String,
    pub scope: RootScope,
    /// Functions that it is associated with; without any it is for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exports: Vec<String>,
    /// Of `RootFlags`, in upper case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// In the order of the text: the n-th is root parameter n, static samplers apart.
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
    /// One, but for tables.
    pub ranges: Vec<RegisterRange>,
    /// What the source sets by name, words in upper case: `num32BitConstants`, `visibility`, `filter` ..
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisterRange {
    /// `b`, `t`, `u` or `s`.
    pub class: char,
    pub first: u32,
    /// Registers of the range; `None` has no end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    pub space: u32,
}
