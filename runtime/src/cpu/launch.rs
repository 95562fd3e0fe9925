//! Registers of an entry point, filled for a workgroup.

use super::exec::Bound;
use super::mask::MAX_LANES;
use super::memory::{Memory, RegionKind, UNBOUND, address_of, descriptor};
use super::program::Program;
use spirv::BuiltIn;

/// Registers for `width` lanes of one program, with the values that stay the same for all workgroups.
#[derive(Debug)]
pub struct Instance {
    pub registers: Vec<u64>,
    pub width: usize,
    private: Option<u32>,
    shared: Option<u32>,
    mesh: Option<u32>,
}

/// Bytes of local memory of all lanes together.
const MAX_PRIVATE: usize = 1 << 30;

/// The position of a workgroup in its dispatch.
#[derive(Clone, Copy, Debug, Default)]
pub struct WorkgroupPosition {
    pub group: [u32; 3],
    pub groups: [u32; 3],
    pub remaining_recursion: u32,
    pub shader_index: u32,
    /// The number of the first record that it runs with, among those that the node receives.
    pub first_record: u64,
}

impl Instance {
    /// Allocates registers and local memory. `width` lanes may be more than the workgroup has: single-thread workgroups
    /// run in batches.
    pub fn new(program: &Program, width: usize, subgroup_size: usize, memory: &mut Memory) -> Result<Instance, String> {
        let width = width.clamp(1, MAX_LANES);
        let full = || "not enough memory".to_string();
        let private = match program.private_bytes {
            0 => None,
            bytes => {
                let total = (bytes as usize).checked_mul(width).filter(|&t| t <= MAX_PRIVATE);
                let total = total.ok_or("the local variables of a workgroup need more than 1 GiB")?;
                Some(memory.create(total, RegionKind::Private).ok_or_else(full)?)
            }
        };
        let shared = match program.shared_bytes {
            0 => None,
            bytes => Some(memory.create(bytes as usize, RegionKind::Shared).ok_or_else(full)?),
        };
        let mesh = match &program.mesh {
            None => None,
            Some(mesh) => Some(memory.create(mesh.bytes as usize, RegionKind::Mesh).ok_or_else(full)?),
        };
        let registers = vec![0; program.rows as usize * width];
        let mut instance = Instance { registers, width, private, shared, mesh };
        for &(row, bits) in &program.constants {
            instance.fill(row, |_| bits);
        }
        for &(row, offset) in &program.private_pointers {
            let base = private.map_or(0, address_of);
            let stride = u64::from(program.private_bytes);
            instance.fill(row, |lane| base + lane as u64 * stride + u64::from(offset));
        }
        for &(row, offset) in &program.shared_pointers {
            instance.fill(row, |_| shared.map_or(0, address_of) + u64::from(offset));
        }
        for &(row, offset) in program.mesh.iter().flat_map(|mesh| &mesh.pointers) {
            instance.fill(row, |_| mesh.map_or(0, address_of) + u64::from(offset));
        }
        instance.fixed_builtins(program, subgroup_size);
        Ok(instance)
    }

    /// Releases its memory.
    pub fn release(&mut self, memory: &mut Memory) {
        for region in [self.private.take(), self.shared.take(), self.mesh.take()].into_iter().flatten() {
            memory.destroy(region);
        }
    }

    /// Returns the region of the workgroup's mesh.
    pub fn mesh(&self) -> Option<u32> {
        self.mesh
    }

    pub fn fill(&mut self, row: u32, value: impl Fn(usize) -> u64) {
        let start = row as usize * self.width;
        for (lane, slot) in self.registers.iter_mut().skip(start).take(self.width).enumerate() {
            *slot = value(lane);
        }
    }

    fn fixed_builtins(&mut self, program: &Program, subgroup_size: usize) {
        let [x, y, _] = program.local_size.map(|s| s.max(1) as usize);
        let threads = program.threads() as usize;
        let place = move |lane: usize, axis: u32| match axis {
            0 => lane % threads % x,
            1 => lane % threads / x % y,
            _ => lane % threads / (x * y),
        };
        for &(builtin, row, n) in &program.builtins {
            for axis in 0..n {
                let bits = |keep: fn(usize, usize) -> bool| {
                    move |lane: usize| {
                        let places = (axis as usize * 32..axis as usize * 32 + 32).take_while(|&p| p < subgroup_size);
                        places.filter(|&p| keep(p, lane % subgroup_size)).map(|p| 1u64 << (p % 32)).sum()
                    }
                };
                let row = row + axis;
                match builtin {
                    BuiltIn::WorkgroupSize => {
                        let size = program.local_size.get(axis as usize).copied().unwrap_or(1);
                        self.fill(row, |_| u64::from(size));
                    }
                    BuiltIn::LocalInvocationId => self.fill(row, |lane| place(lane, axis) as u64),
                    BuiltIn::LocalInvocationIndex => self.fill(row, |lane| (lane % threads) as u64),
                    BuiltIn::SubgroupSize => self.fill(row, |_| subgroup_size as u64),
                    BuiltIn::NumSubgroups => self.fill(row, |_| threads.div_ceil(subgroup_size) as u64),
                    BuiltIn::SubgroupId => self.fill(row, |lane| (lane / subgroup_size) as u64),
                    BuiltIn::SubgroupLocalInvocationId => self.fill(row, |lane| (lane % subgroup_size) as u64),
                    BuiltIn::SubgroupEqMask => self.fill(row, bits(|p, lane| p == lane)),
                    BuiltIn::SubgroupGeMask => self.fill(row, bits(|p, lane| p >= lane)),
                    BuiltIn::SubgroupGtMask => self.fill(row, bits(|p, lane| p > lane)),
                    BuiltIn::SubgroupLeMask => self.fill(row, bits(|p, lane| p <= lane)),
                    BuiltIn::SubgroupLtMask => self.fill(row, bits(|p, lane| p < lane)),
                    _ => {}
                }
            }
        }
    }

    /// Sets the pointers to resources and push constants.
    pub fn bind(&mut self, program: &Program, slots: &[Vec<Bound>], push: u64) {
        for (index, slot) in program.slots.iter().enumerate() {
            let pointer = match (slot.direct, slots.get(index).and_then(|s| s.first())) {
                (true, Some(Bound::Buffer(address))) => *address,
                (true, _) => UNBOUND,
                (false, _) => descriptor(index, 0),
            };
            self.fill(slot.row, |_| pointer);
        }
        for row in &program.push_pointers {
            self.fill(*row, |_| push);
        }
    }

    /// Resets everything that a workgroup may have changed, and sets its built-in values.
    pub fn start(&mut self, program: &Program, place: &WorkgroupPosition, memory: &mut Memory) {
        for region in [self.private, self.shared, self.mesh].into_iter().flatten() {
            memory.bytes_mut(region).fill(0);
            memory.undefine(region);
        }
        for &(row, n) in &program.zeroed {
            let (start, end) = (row as usize * self.width, (row + n) as usize * self.width);
            if let Some(slots) = self.registers.get_mut(start..end) {
                slots.fill(0);
            }
        }
        for &(row, n) in &program.shadows {
            let (start, end) = (row as usize * self.width, (row + n) as usize * self.width);
            if let Some(slots) = self.registers.get_mut(start..end) {
                slots.fill(u64::MAX);
            }
        }
        let [x, y, _] = program.local_size.map(|s| s.max(1) as usize);
        let threads = program.threads() as usize;
        for &(builtin, row, n) in &program.builtins {
            for axis in 0..n as usize {
                let row = row + axis as u32;
                let of = |list: [u32; 3]| u64::from(list.get(axis).copied().unwrap_or(0));
                match builtin {
                    BuiltIn::WorkgroupId => self.fill(row, |_| of(place.group)),
                    BuiltIn::NumWorkgroups => self.fill(row, |_| of(place.groups)),
                    BuiltIn::GlobalInvocationId => {
                        let first = of(place.group).wrapping_mul(of(program.local_size));
                        self.fill(row, |lane| {
                            let lane = lane % threads;
                            let local = [lane % x, lane / x % y, lane / (x * y)];
                            (first + local.get(axis).copied().unwrap_or(0) as u64) & 0xffff_ffff
                        });
                    }
                    BuiltIn::RemainingRecursionLevelsAMDX => {
                        self.fill(row, |_| u64::from(place.remaining_recursion));
                    }
                    BuiltIn::ShaderIndexAMDX => self.fill(row, |_| u64::from(place.shader_index)),
                    _ => {}
                }
            }
        }
    }
}
