//! The members of payloads by byte, and differences between a sent and a received payload. `layout` has the sizes.

use super::super::layout;
use super::facts::Facts;
use crate::module::Id;
use crate::types::Type;
use rustc_hash::FxHashMap;
use spirv::Decoration as D;
use std::collections::BTreeMap;

/// The most structures that a search through a payload's members visits; it gives up without a finding after that.
const MAX_STRUCTURES: usize = 4096;

/// Decorations that define the meaning of a member.
const MEANING: &[D] = &[D::PayloadDispatchIndirectAMDX, D::RowMajor, D::ColMajor, D::MatrixStride];

/// A difference between a sent and a received payload.
pub(super) enum Difference {
    Decoration {
        kind: String,
        offset: u64,
    },
    /// A description of a received member.
    NotSent {
        member: String,
        offset: u64,
    },
}

/// Returns the first difference between a sent and a received payload, each in its module.
///
/// VK 3.1.1 requires that both "specify members with the same decorations at the same offsets", and 3.1.3 that they
/// need not match in anything else. So types are not compared, and the sent payload may have more members. A received
/// member may be part of a larger sent one: a component of a vector, an element of an array.
pub(super) fn difference(f: &Facts, record: Id, to: &Facts, input: Id) -> Option<Difference> {
    let end = to.sizes.get(&input).map_or(u64::MAX, |e| e.size);
    let (sent, taken) = (decorated(f, record, MEANING), decorated(to, input, MEANING));
    let differs = sent.iter().filter(|(k, _)| k.0 < end).find(|(k, v)| taken.get(k) != Some(v));
    if let Some((&(offset, kind), _)) = differs.or_else(|| taken.iter().find(|(k, v)| sent.get(k) != Some(v))) {
        let kind = D::from_u32(kind).map_or_else(String::new, |d| format!("{d:?}"));
        return Some(Difference::Decoration { kind, offset });
    }
    // Another rule reports members after the end of the sent payload, since the received payload is too large.
    let end = f.sizes.get(&record)?.size;
    let mut payload = Payload { f, leaves: FxHashMap::default() };
    let mut taken = leaves(to, input, true)?.into_iter().take_while(|leaf| leaf.at < end);
    taken.find(|leaf| !payload.has(record, leaf.at)).map(|leaf| Difference::NotSent {
        member: match to.m.member_names.get(&(leaf.of, leaf.n)) {
            Some(name) if !name.is_empty() => format!("a member `{name}`"),
            _ => format!("member {} of {}", leaf.n, to.m.describe(leaf.of)),
        },
        offset: leaf.at,
    })
}

/// Returns the offsets of the grids in a record.
pub(super) fn grids(f: &Facts, record: Id) -> Vec<u64> {
    decorated(f, record, &[D::PayloadDispatchIndirectAMDX]).into_keys().map(|k| k.0).collect()
}

/// Returns the decorations of members, by offset and kind.
fn decorated(f: &Facts, record: Id, wanted: &[D]) -> BTreeMap<(u64, u32), Vec<u32>> {
    let mut out = BTreeMap::new();
    let mut work = vec![(record, 0u64)];
    for _ in 0..MAX_STRUCTURES {
        let Some((ty, at)) = work.pop() else { break };
        let Some(Type::Struct { members }) = f.m.ty(ty) else { continue };
        for (n, member) in (0u32..).zip(members) {
            let offset = f.m.decoration_word(ty, Some(n), D::Offset).unwrap_or(0);
            let offset = at.saturating_add(u64::from(offset));
            for d in f.m.decorations_of(ty, Some(n)).filter(|d| wanted.iter().any(|w| *w as u32 == d.kind)) {
                out.insert((offset, d.kind), f.m.decoration_operands(d).to_vec());
            }
            work.push((*member, offset));
        }
    }
    out
}

/// A member that is not a structure.
struct Leaf {
    at: u64,
    /// The byte after its last one.
    end: u64,
    ty: Id,
    /// The structure, and the member's number in it.
    of: Id,
    n: u32,
}

/// Returns the leaves of a structure and of nested structures, by offset. An array of structures counts as the members
/// of its first element, or as the array. `None`: there are too many, or one has no size.
fn leaves(f: &Facts, record: Id, into_arrays: bool) -> Option<Vec<Leaf>> {
    // Types with a size contain no cycle.
    f.sizes.get(&record)?;
    let mut out = Vec::new();
    let mut work = vec![(record, 0u64)];
    for _ in 0..MAX_STRUCTURES {
        let Some((ty, at)) = work.pop() else {
            out.sort_by_key(|leaf: &Leaf| leaf.at);
            return Some(out);
        };
        let Some(Type::Struct { members }) = f.m.ty(ty) else { continue };
        for (n, &member) in (0u32..).zip(members) {
            let at = at.saturating_add(u64::from(f.m.decoration_word(ty, Some(n), D::Offset)?));
            let mut inner = member;
            while let (true, Some(Type::Array { element, .. })) = (into_arrays, f.m.ty(inner)) {
                inner = *element;
            }
            if matches!(f.m.ty(inner), Some(Type::Struct { .. })) {
                work.push((inner, at));
                continue;
            }
            let size = layout::member_extent(f.m, ty, n, member, &f.sizes)?.size;
            out.push(Leaf { at, end: at.saturating_add(size), ty: member, of: ty, n });
        }
    }
    None
}

/// A sent payload.
struct Payload<'f, 'm> {
    f: &'f Facts<'m>,
    leaves: FxHashMap<Id, Option<Vec<Leaf>>>,
}

impl Payload<'_, '_> {
    /// Returns whether a byte of a value belongs to a member and not to padding. In an unknown type, every byte does.
    fn has(&mut self, ty: Id, at: u64) -> bool {
        let f = self.f;
        let (mut ty, mut at) = (ty, at);
        loop {
            match f.m.ty(ty) {
                Some(Type::Struct { .. }) => {
                    let Some(all) = self.leaves.entry(ty).or_insert_with(|| leaves(f, ty, false)) else { return true };
                    let before = all.partition_point(|leaf| leaf.at <= at);
                    let Some(leaf) = before.checked_sub(1).and_then(|n| all.get(n)).filter(|leaf| at < leaf.end) else {
                        return false;
                    };
                    (ty, at) = (leaf.ty, at - leaf.at);
                }
                Some(Type::Array { element, .. }) => {
                    let stride = f.m.decoration_word(ty, None, D::ArrayStride).map_or(0, u64::from);
                    (ty, at) = (*element, at.checked_rem(stride).unwrap_or(0));
                }
                // The stride of a matrix is in the decorations of its member.
                Some(Type::Matrix { .. }) | None => return true,
                Some(_) => return f.sizes.get(&ty).is_none_or(|e| at < e.size),
            }
        }
    }
}
