//! A program for a worker: its text, and the data for its host.

use crate::generate::{Layout, Program, Slot};
use std::fmt::Write;

/// A program with its host's part.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub text: String,
    pub threads: u32,
    pub groups: u32,
    pub sixteen: bool,
    pub row_major: bool,
    pub layout: Layout,
    pub own_bytes: u32,
    /// Also runs the body as a node.
    pub twins: bool,
    /// Replaces an operation of wgc's module, which the judge must notice.
    pub planted: bool,
    /// Skips Vulkan: enough for a difference on the CPU device.
    pub cpu_only: bool,
    pub slots: Vec<Slot>,
}

impl Case {
    pub fn of(program: &Program, twins: bool) -> Case {
        Case {
            text: program.text(),
            threads: program.all_threads(),
            groups: program.groups,
            sixteen: program.sixteen,
            row_major: program.row_major,
            layout: program.layout,
            own_bytes: program.own_bytes,
            twins,
            planted: false,
            cpu_only: false,
            slots: program.slots.clone(),
        }
    }

    /// Returns the case as bytes, for [`Case::decode`].
    pub fn encode(&self) -> Vec<u8> {
        let layout = match self.layout {
            Layout::Vulkan => 0,
            Layout::Dx => 1,
            Layout::Scalar => 2,
        };
        let flags = [self.sixteen, self.row_major, self.twins, self.planted, self.cpu_only].map(u32::from);
        let mut head = format!("{} {} {layout} {}", self.threads, self.groups, self.own_bytes);
        for flag in flags {
            let _ = write!(head, " {flag}");
        }
        for slot in &self.slots {
            let _ = match slot {
                Slot::Bits => write!(head, " b"),
                Slot::Float32(ulps) => write!(head, " f:{ulps}"),
                Slot::Absolute(by, ulps) => write!(head, " a:{by}:{ulps}"),
                Slot::Float64 => write!(head, " d"),
            };
        }
        format!("{head}\n{}", self.text).into_bytes()
    }

    /// Returns `None` when the bytes are not a case.
    pub fn decode(bytes: &[u8]) -> Option<Case> {
        let text = std::str::from_utf8(bytes).ok()?;
        let (head, text) = text.split_once('\n')?;
        let mut words = head.split(' ');
        let mut number = || words.next()?.parse::<u32>().ok();
        let (threads, groups, layout, own_bytes) = (number()?, number()?, number()?, number()?);
        let mut flag = || number().map(|n| n != 0);
        let (sixteen, row_major, twins, planted, cpu_only) = (flag()?, flag()?, flag()?, flag()?, flag()?);
        let layout = [Layout::Vulkan, Layout::Dx, Layout::Scalar].get(layout as usize).copied()?;
        let slots = words.map(|word| {
            let mut parts = word.split(':');
            let kind = parts.next()?;
            let mut number = || parts.next()?.parse::<f64>().ok();
            Some(match kind {
                "b" => Slot::Bits,
                "f" => Slot::Float32(number()?),
                "a" => Slot::Absolute(number()?, number()?),
                "d" => Slot::Float64,
                _ => return None,
            })
        });
        let slots = slots.collect::<Option<Vec<_>>>()?;
        Some(Case {
            text: text.to_owned(),
            threads,
            groups,
            sixteen,
            row_major,
            layout,
            own_bytes,
            twins,
            planted,
            cpu_only,
            slots,
        })
    }
}
