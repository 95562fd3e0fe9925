//! What payloads hold at which byte, and where what is sent and what is taken differ. Sizes are `layout`'s.

use super::super::layout;
use super::facts::Facts;
use crate::module::Id;
use crate::types::Type;
use rustc_hash::FxHashMap;
use spirv::Decoration as D;
use std::collections::BTreeMap;

/// Structures that a search through a payload's members visits at most; beyond, nobody is accused.
const MAX_STRUCTURES: usize = 4096;

/// Decorations that say what a member means.
const MEANING: &[D] = &[D::PayloadDispatchIndirectAMDX, D::RowMajor, D::ColMajor, D::MatrixStride];

/// Where what is sent and what is taken differ.
pub(super) enum Difference {
    Decoration {
        kind: String,
        offset: u64,
    },
    /// A member that is taken, in words.
    NotSent {
        member: String,
        offset: u64,
    },
}

/// The first difference between a payload that is sent and one that is taken, each of its module.
///
/// VK 3.1.1 asks that both "specify members with the same decorations at the same offsets", and 3.1.3 that they need not
/// match in anything else. So types are not compared, what is sent may have more, and a member may lie in a larger one
/// that is sent: a component of a vector, an element of an array.
pub(super) fn difference(f: &Facts, record: Id, to: &Facts, input: Id) -> Option<Difference> {
    let end = to.sizes.get(&input).map_or(u64::MAX, |e| e.size);
    let (sent, taken) = (decorated(f, record, MEANING), decorated(to, input, MEANING));
    let differs = sent.iter().filter(|(k, _)| k.0 < end).find(|(k, v)| taken.get(k) != Some(v));
    if let Some((&(offset, kind), _)) = differs.or_else(|| taken.iter().find(|(k, v)| sent.get(k) != Some(v))) {
        let kind = D::from_u32(kind).map_or_else(String::new, |d| format!("{d:?}"));
        return Some(Difference::Decoration { kind, offset });
    }
    // What begins behind the end of what is sent is too large as a whole, which another rule says.
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

/// Offsets of the grids in a record.
pub(super) fn grids(f: &Facts, record: Id) -> Vec<u64> {
    decorated(f, record, &[D::PayloadDispatchIndirectAMDX]).into_keys().map(|k| k.0).collect()
}

/// The decorations of members, by offset and kind.
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

/// A member that is no structure.
struct Leaf {
    at: u64,
    /// Behind its last byte.
    end: u64,
    ty: Id,
    /// The structure and the member's number there.
    of: Id,
    n: u32,
}

/// Those of a structure and of the structures in it, by offset; of arrays of structures the members of the first
/// element, or the array. `None` when there are too many, or one has no size.
fn leaves(f: &Facts, record: Id, into_arrays: bool) -> Option<Vec<Leaf>> {
    // Types with a size have an end.
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

/// What is sent.
struct Payload<'f, 'm> {
    f: &'f Facts<'m>,
    leaves: FxHashMap<Id, Option<Vec<Leaf>>>,
}

impl Payload<'_, '_> {
    /// Whether a byte of a value is a member's and no padding; of what is not known, every byte is.
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
                // The stride of a matrix is its member's.
                Some(Type::Matrix { .. }) | None => return true,
                Some(_) => return f.sizes.get(&ty).is_none_or(|e| at < e.size),
            }
        }
    }
}
