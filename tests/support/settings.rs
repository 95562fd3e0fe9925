//! The settings under which an emulated graph may be compiled and run, all with equal results. A table lists the axes.
//! A seed chooses one value of each axis; the product combines the values of some axes.
//!
//! The choices of neighbouring seeds cover all pairs of values. The first choices form a covering list. Later ones
//! repeat the list with the values of each axis shifted.

#![allow(dead_code, reason = "each test binary uses a part")]

use crate::random::Random;
use std::fmt;
use std::sync::OnceLock;
use wgc_backend_spirv::emulated::plan::{Schedule, Settings};
use wgc_ir::passes::fusion::FusionMode;
use wgc_runtime::emulated::{Allocator, EmulatedOptions, Memory, Preparation};
use wgc_runtime::run_file::DispatchMode;
use wgc_runtime::vulkan::{VulkanDevice, testing};

/// The settings that a value changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Setup {
    pub plan: Settings,
    pub host: EmulatedOptions,
    /// True if the device counts the inputs and then schedules.
    pub counted: bool,
}

type Change = fn(&mut Setup);

struct Axis {
    /// The product covers this many of the first values; the rest occur only in choices.
    of_product: usize,
    values: &'static [(&'static str, Change)],
}

const AXES: [Axis; 12] = [
    Axis {
        of_product: 4,
        values: &[
            ("least arena", |setup| setup.host.memory = Memory::Least(1)),
            ("arena 2x", |setup| setup.host.memory = Memory::Least(2)),
            ("arena 16x", |setup| setup.host.memory = Memory::Least(16)),
            ("arena 400x", |setup| setup.host.memory = Memory::Least(400)),
            ("one pass", |setup| setup.host.memory = Memory::Enough),
            ("tight pass", |setup| setup.host.memory = Memory::Tight),
        ],
    },
    Axis {
        of_product: 2,
        values: &[
            ("16 KiB", |setup| setup.plan.page_bytes = 16 << 10),
            ("64 KiB", |setup| setup.plan.page_bytes = 64 << 10),
            ("1 KiB", |setup| setup.plan.page_bytes = 1 << 10),
        ],
    },
    Axis {
        of_product: 2,
        values: &[
            ("lane", |setup| setup.host.allocator = Allocator::Lane),
            ("subgroup", |setup| setup.host.allocator = Allocator::Subgroup),
            ("group", |setup| setup.host.allocator = Allocator::Group),
        ],
    },
    Axis {
        of_product: 2,
        values: &[
            ("topological", |setup| setup.plan.schedule = Schedule::Topological),
            ("depth", |setup| setup.plan.schedule = Schedule::Depth),
            ("drained by level", |setup| setup.plan.schedule = Schedule::Drained(1)),
            ("drained by two levels", |setup| setup.plan.schedule = Schedule::Drained(2)),
        ],
    },
    Axis {
        of_product: 2,
        values: &[
            ("no segments", |setup| setup.plan.segment_bytes = 0),
            ("segments", |setup| setup.plan.segment_bytes = 64 << 10),
            ("long segments", |setup| setup.plan.segment_bytes = 1 << 20),
        ],
    },
    Axis {
        of_product: 2,
        values: &[
            ("admit all", |setup| setup.host.admit_one = false),
            ("admit one", |setup| setup.host.admit_one = true),
        ],
    },
    Axis {
        of_product: 1,
        values: &[
            ("4 direct targets", |setup| setup.plan.direct_targets = 4),
            ("1 direct target", |setup| setup.plan.direct_targets = 1),
            ("no direct targets", |setup| setup.plan.direct_targets = 0),
        ],
    },
    Axis {
        of_product: 1,
        values: &[
            ("spill some", |setup| setup.host.spill_all = false),
            ("spill all", |setup| setup.host.spill_all = true),
        ],
    },
    Axis {
        of_product: 1,
        values: &[
            ("host prepares", |setup| (setup.counted, setup.host.preparation) = (false, Preparation::Host)),
            ("device prepares", |setup| (setup.counted, setup.host.preparation) = (false, Preparation::Device)),
            ("device counts", |setup| (setup.counted, setup.host.preparation) = (true, Preparation::Device)),
        ],
    },
    Axis {
        of_product: 1,
        values: &[
            // A resident workgroup is chosen for small runs that the host prepares.
            ("64-bit atomics, resident", |setup| (setup.plan.atomics64, setup.plan.resident) = (true, true)),
            ("no 64-bit atomics", |setup| (setup.plan.atomics64, setup.plan.resident) = (false, false)),
        ],
    },
    Axis {
        of_product: 1,
        values: &[("apart", |setup| setup.plan.joint_dispatch = 0), ("joint", |setup| setup.plan.joint_dispatch = 2)],
    },
    Axis {
        of_product: 1,
        values: &[
            ("unfused", |setup| setup.plan.fusion = FusionMode::Off),
            ("fused in order", |setup| setup.plan.fusion = FusionMode::Safe),
            ("fused", |setup| setup.plan.fusion = FusionMode::Full),
        ],
    },
];

/// One value of each axis, by number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Choice([usize; AXES.len()]);

impl fmt::Debug for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

impl Choice {
    pub const AXES: usize = AXES.len();

    /// Returns the choice with the first value of an axis.
    pub fn with_first(mut self, axis: usize) -> Self {
        self.0[axis] = 0;
        self
    }

    /// Returns the choice of a seed.
    pub fn of(seed: u64) -> Self {
        let list = covering();
        // The first seed is 1.
        let number = seed.saturating_sub(1);
        let (turn, place) = (number / cycle(), number % cycle());
        let mut moved = Random::new(turn);
        let Choice(mut values) = list[place as usize];
        for (value, axis) in values.iter_mut().zip(&AXES) {
            // The list itself comes first.
            let by = if turn == 0 { 0 } else { moved.below(axis.values.len() as u32) as usize };
            *value = (*value + by) % axis.values.len();
        }
        Self(values)
    }

    /// Returns all choices of the product, with the other axes from the seed. Choices of one plan are neighbours.
    pub fn product(seed: u64) -> Vec<Self> {
        let mut all = vec![Self::of(seed)];
        for axis in (0..AXES.len()).filter(|axis| AXES[*axis].of_product > 1) {
            let with = |choice: Self| {
                (0..AXES[axis].of_product).map(move |value| {
                    let Choice(mut values) = choice;
                    values[axis] = value;
                    Self(values)
                })
            };
            all = all.into_iter().flat_map(with).collect();
        }
        let plan = |choice: &Self| choice.setup().plan;
        let key = |plan: Settings| (plan.page_bytes, plan.schedule == Schedule::Depth, plan.segment_bytes);
        all.sort_by_key(|choice| key(plan(choice)));
        all
    }

    pub fn setup(self) -> Setup {
        let mut setup = Setup::default();
        self.values().for_each(|(_, change)| change(&mut setup));
        setup
    }

    /// Subgroups allocate together if lanes reconverge, as on lavapipe; elsewhere each lane allocates separately.
    pub fn setup_on_vulkan(self, device: &VulkanDevice) -> Setup {
        let mut setup = self.setup();
        if setup.host.allocator == Allocator::Subgroup && !testing::lanes_reconverge(device) {
            setup.host.allocator = Allocator::Lane;
        }
        setup
    }

    fn names(self) -> impl Iterator<Item = &'static str> {
        self.values().map(|(name, _)| name)
    }

    fn values(self) -> impl Iterator<Item = (&'static str, Change)> {
        AXES.iter().zip(self.0).map(|(axis, value)| axis.values[value])
    }

    /// Returns two axes each, with the value of each.
    fn pairs(self) -> impl Iterator<Item = [(usize, usize); 2]> {
        let all = move |axis| (axis, self.0[axis]);
        (0..AXES.len()).flat_map(move |second| (0..second).map(move |first| [all(first), all(second)]))
    }
}

impl Setup {
    pub fn mode(&self) -> DispatchMode {
        if self.counted { DispatchMode::GpuCount } else { DispatchMode::Cpu }
    }
}

/// Returns all pairs of values of two axes.
fn all_pairs() -> Vec<[(usize, usize); 2]> {
    let values = |axis: usize| (0..AXES[axis].values.len()).map(move |value| (axis, value));
    let of = |first: usize, second: usize| values(first).flat_map(move |a| values(second).map(move |b| [a, b]));
    (0..AXES.len()).flat_map(|second| (0..second).flat_map(move |first| of(first, second))).collect()
}

/// Returns choices that cover all pairs, each the best of many random ones.
fn covering() -> &'static [Choice] {
    const DRAWN: usize = 200;
    static LIST: OnceLock<Vec<Choice>> = OnceLock::new();
    LIST.get_or_init(|| {
        let (mut left, mut list, mut random) = (all_pairs(), Vec::new(), Random::new(7));
        while let Some(&[a, b]) = left.first() {
            let draw = |_| {
                let mut values = AXES.map(|axis| random.below(axis.values.len() as u32) as usize);
                // Ensures that each covers a new pair.
                (values[a.0], values[b.0]) = (a.1, b.1);
                Choice(values)
            };
            let drawn: Vec<Choice> = (0..DRAWN).map(draw).collect();
            let gain = |choice: &&Choice| choice.pairs().filter(|pair| left.contains(pair)).count();
            let Some(&best) = drawn.iter().max_by_key(gain) else { break };
            left.retain(|pair| !best.pairs().any(|covered| covered == *pair));
            list.push(best);
        }
        list
    })
}

/// Returns the pairs of values that the choices of some seeds do not cover, by name.
pub fn left_out(seeds: impl Iterator<Item = u64>) -> Vec<[&'static str; 2]> {
    let mut left = all_pairs();
    for seed in seeds {
        let choice = Choice::of(seed);
        left.retain(|pair| !choice.pairs().any(|covered| covered == *pair));
    }
    let name = |(axis, value): (usize, usize)| AXES[axis].values[value].0;
    left.into_iter().map(|pair| pair.map(name)).collect()
}

/// Returns the number of consecutive seeds that cover all pairs, starting after any multiple of that number.
pub fn cycle() -> u64 {
    covering().len() as u64
}

/// Checks that every value of the table has an effect, and that the product is complete.
pub fn check() {
    for axis in &AXES {
        let with = |changes: &[Change]| {
            let mut setup = Setup::default();
            changes.iter().for_each(|change| change(&mut setup));
            setup
        };
        for (n, (name, change)) in axis.values.iter().enumerate() {
            for (m, (before, other)) in axis.values.iter().enumerate().filter(|(m, _)| *m != n) {
                assert!(with(&[*other]) != with(&[*change]), "`{name}` is the same as `{before}`, {m}");
                assert!(with(&[*other, *change]) == with(&[*change]), "`{name}` does not replace `{before}`");
            }
        }
    }
    for turn in [0, 1, 7, 30] {
        let left = left_out(turn * cycle() + 1..=(turn + 1) * cycle());
        assert!(left.is_empty(), "turn {turn}: {left:?}");
    }
    assert!(Choice::of(1) != Choice::of(1 + cycle()), "each turn has choices of its own");
    let product = Choice::product(3);
    let mut setups: Vec<Setup> = Vec::new();
    product.iter().map(|choice| choice.setup()).for_each(|setup| {
        if !setups.contains(&setup) {
            setups.push(setup);
        }
    });
    assert_eq!((product.len(), setups.len()), (128, 128));
}
