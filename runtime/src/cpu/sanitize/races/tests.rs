//! Orders of accesses, one by one.

use super::*;
use crate::cpu::memory::address_of;

const ALL: Fence = Fence { group: true, device: true, far: true, release: true, acquire: true };
const BUFFER: Space = Space::Device { coherent: true };

fn at(word: u64) -> u64 {
    address_of(5) + word * 4
}

fn races() -> Races {
    let mut races = Races::new();
    races.start(0, 4, false, &[]);
    races
}

fn touch(races: &mut Races, lane: usize, word: u64, access: Access) -> bool {
    let event = races.event(1);
    races.touch(event, lane, at(word), 4, access, BUFFER).is_some()
}

#[test]
fn a_barrier_orders_the_threads_of_a_workgroup() {
    use Access::{Atomic, AtomicRead, CompareExchange, Read, Write};
    for (first, then, race) in [
        (Write, Read, true),
        (Read, Write, true),
        (Write, Write, true),
        (Read, Read, false),
        (Atomic, Atomic, false),
        (Atomic, Write, true),
        (Atomic, Read, true),
        (AtomicRead, Write, true),
        (AtomicRead, Read, false),
        (Read, CompareExchange, false),
        (Write, CompareExchange, true),
        (CompareExchange, Atomic, false),
    ] {
        let mut races = races();
        assert!(!touch(&mut races, 0, 0, first));
        assert!(!touch(&mut races, 0, 0, then), "one thread");
        let mut races = self::races();
        touch(&mut races, 0, 0, first);
        assert!(!touch(&mut races, 1, 1, then), "other bytes");
        assert_eq!(touch(&mut races, 1, 0, then), race, "{first:?} {then:?}");
        let mut races = self::races();
        touch(&mut races, 0, 0, first);
        let event = races.event(2);
        races.fence(event, 0..4, ALL, true);
        assert!(!touch(&mut races, 1, 0, then), "{first:?} {then:?}");
    }
}

#[test]
fn a_write_after_the_reads_of_many_races_with_one_of_them() {
    let mut races = races();
    touch(&mut races, 0, 0, Access::Read);
    touch(&mut races, 1, 0, Access::Read);
    assert!(touch(&mut races, 1, 0, Access::Write));
}

#[test]
fn disjoint_bytes_of_one_word_do_not_race() {
    let touch = |races: &mut Races, lane, byte, bytes, access| {
        let event = races.event(1);
        races.touch(event, lane, at(0) + byte, bytes, access, BUFFER).is_some()
    };
    use Access::{Read, Write};
    // Each thread reads its half, then writes it.
    let mut races = races();
    assert!(!touch(&mut races, 0, 0, 2, Read));
    assert!(!touch(&mut races, 1, 2, 2, Read));
    assert!(!touch(&mut races, 0, 0, 2, Write) && !touch(&mut races, 1, 2, 2, Write));
    // The other half.
    let mut races = self::races();
    touch(&mut races, 0, 0, 2, Read);
    touch(&mut races, 1, 2, 2, Read);
    assert!(touch(&mut races, 1, 0, 2, Write));
    // The upper half is read by one alone, the lower by two.
    for (lane, byte, race) in [(0, 2, false), (0, 0, true), (1, 0, true)] {
        let mut races = self::races();
        touch(&mut races, 0, 0, 4, Read);
        touch(&mut races, 1, 0, 2, Read);
        assert_eq!(touch(&mut races, lane, byte, 2, Write), race, "{lane} {byte}");
    }
}

#[test]
fn records_and_fenced_atomics_order_workgroups() {
    let pair = |release: bool, acquire: bool, parents: bool| {
        let mut races = races();
        touch(&mut races, 3, 0, Access::Write);
        if release {
            let event = races.event(2);
            races.fence(event, 0..4, ALL, false);
        }
        let event = races.event(3);
        races.atomic(event, 3, BUFFER, false);
        let parent = races.complete(event, 3, true);
        races.start(0, 4, false, if parents { std::slice::from_ref(&parent) } else { &[] });
        let event = races.event(4);
        races.atomic(event, 2, BUFFER, false);
        if acquire {
            let event = races.event(5);
            races.fence(event, 0..4, ALL, false);
        }
        touch(&mut races, 2, 0, Access::Read)
    };
    assert!(!pair(true, true, false) && !pair(true, false, true));
    assert!(pair(false, false, true) && pair(false, true, true), "nothing made the write available before the record");
    assert!(pair(true, false, false) && pair(false, true, false) && pair(false, false, false));
}

/// A workgroup sends two records, and accesses memory before, between and after them.
#[test]
fn completing_a_record_orders_earlier_accesses() {
    let send = |races: &mut Races| {
        let event = races.event(8);
        races.fence(event, 0..4, ALL, false);
        let completed = races.event(9);
        races.complete(completed, 0, true)
    };
    // `both`: the current workgroup gets both records. `far`: its own record goes to another, which reads.
    let races_at = |both: bool, far: bool| {
        [0, 1, 2].map(|word| {
            let mut races = races();
            touch(&mut races, 0, 0, Access::Write);
            let first = send(&mut races);
            touch(&mut races, 0, 1, Access::Write);
            let second = send(&mut races);
            touch(&mut races, 0, 2, Access::Write);
            races.start(1, 4, false, &[first, second][..if both { 2 } else { 1 }]);
            if far {
                let third = send(&mut races);
                races.start(2, 4, false, &[third]);
            }
            touch(&mut races, 0, word, Access::Read)
        })
    };
    for far in [false, true] {
        assert_eq!(races_at(false, far), [false, true, true]);
        assert_eq!(races_at(true, far), [false, false, true]);
    }
    // Workgroups of one thread that run together complete at one instruction.
    for word in [0, 1] {
        let mut races = Races::new();
        races.start(0, 4, true, &[]);
        touch(&mut races, 3, 0, Access::Write);
        let event = races.event(8);
        races.fence(event, 0..4, ALL, false);
        let completed = races.event(9);
        touch(&mut races, 3, 1, Access::Write);
        let sent: Vec<Parent> = (0..4).map(|lane| races.complete(completed, lane, true)).collect();
        races.start(1, 4, true, &sent);
        assert_eq!(touch(&mut races, 3, word, Access::Write), word == 1);
    }
}

/// One thread's atomic operation counts for others if a barrier of the workgroup is between.
#[test]
fn atomics_order_other_threads_across_a_barrier() {
    const NEAR: Fence = Fence { device: false, far: false, ..ALL };
    const DEVICE: Fence = Fence { group: false, far: false, ..ALL };
    // Fences of thread 0 after its write, and of thread 3 before its atomic operation; then the reverse.
    let pair = |writer: &[(Fence, bool)], publisher: &[(Fence, bool)], reader: &[(Fence, bool)]| {
        let mut races = races();
        touch(&mut races, 0, 0, Access::Write);
        for (fences, lanes) in [(writer, 0..4), (publisher, 3..4)] {
            for &(fence, control) in fences {
                let event = races.event(2);
                races.fence(event, if control { 0..4 } else { lanes.clone() }, fence, control);
            }
        }
        let event = races.event(3);
        races.atomic(event, 3, BUFFER, false);
        races.start(0, 4, false, &[]);
        let event = races.event(4);
        races.atomic(event, 2, BUFFER, false);
        for &(fence, control) in reader {
            let event = races.event(5);
            races.fence(event, 0..4, fence, control);
        }
        touch(&mut races, 1, 0, Access::Read)
    };
    let (fence, sync) = ((ALL, false), (ALL, true));
    assert!(!pair(&[sync], &[], &[sync]));
    assert!(!pair(&[fence, (NEAR, true)], &[], &[fence, (NEAR, true)]));
    // The barrier orders the write before the fence of the thread that publishes.
    assert!(!pair(&[(DEVICE, true)], &[fence], &[(NEAR, true), fence]));
    assert!(pair(&[fence], &[], &[sync]), "nothing orders thread 0 before the atomic operation");
    assert!(pair(&[fence], &[fence], &[sync]));
    assert!(pair(&[sync], &[], &[fence]), "nothing orders the atomic operation before thread 1");
    assert!(pair(&[(NEAR, true)], &[fence], &[sync]), "the barrier is for other memory");
    assert!(pair(&[(DEVICE, true)], &[], &[sync]), "the barrier is for the workgroup");
}

#[test]
fn last_finisher_sees_published_writes() {
    let pair = |publish: bool| {
        let mut races = races();
        touch(&mut races, 0, 0, Access::Write);
        if publish {
            let event = races.event(2);
            races.fence(event, 0..4, ALL, true);
        }
        for round in 0..2 {
            let event = races.event(3);
            (0..4).for_each(|lane| races.finish(event, lane));
            if round == 0 {
                races.start(0, 4, false, &[]);
            }
        }
        touch(&mut races, 1, 0, Access::Read)
    };
    assert!(!pair(true) && pair(false));
}

#[test]
fn race_detection_distinguishes_bytes_of_a_word() {
    let mut races = races();
    let event = races.event(1);
    assert!(races.touch(event, 0, at(0), 1, Access::Write, BUFFER).is_none());
    assert!(races.touch(event, 1, at(0) + 1, 1, Access::Write, BUFFER).is_none());
    assert!(races.touch(event, 2, at(0) + 1, 4, Access::Write, BUFFER).is_some());
}

#[test]
fn freed_memory_has_no_race_history() {
    let mut races = races();
    touch(&mut races, 0, 0, Access::Write);
    races.forget(5, 4);
    assert!(!touch(&mut races, 1, 0, Access::Write));
}

/// Accesses of thread 1 reach the consumer of a record only after a fence and, if thread 0 completes the record, after
/// a barrier. The consumer of a workgroup's record waits for all threads.
#[test]
fn records_publish_accesses_released_before_completion() {
    const NEAR: Fence = Fence { far: false, ..ALL };
    const ACQUIRE: Fence = Fence { release: false, ..ALL };
    let race = |first: Access, fences: &[(std::ops::Range<usize>, Fence, bool)], of_lane: bool, then: Access| {
        let mut races = races();
        touch(&mut races, 1, 0, first);
        for (lanes, fence, control) in fences {
            let event = races.event(2);
            races.fence(event, lanes.clone(), *fence, *control);
        }
        let event = races.event(3);
        let sent = races.complete(event, 0, of_lane);
        races.start(1, 4, false, &[sent]);
        touch(&mut races, 2, 0, then)
    };
    use Access::{Atomic, Read, Write};
    let (fence, sync, near) = ((0..4, ALL, false), (0..4, ALL, true), (0..4, NEAR, true));
    for of_lane in [false, true] {
        assert!(
            race(Write, &[], of_lane, Read) && race(Write, &[], of_lane, Write) && race(Atomic, &[], of_lane, Read)
        );
        assert!(race(Write, std::slice::from_ref(&near), of_lane, Read), "other workgroups do not see it");
        assert!(race(Write, &[(0..4, ACQUIRE, true)], of_lane, Read), "it makes nothing available");
        assert!(!race(Read, &[], of_lane, Write) && !race(Atomic, &[], of_lane, Atomic), "nothing need be available");
        for then in [Read, Write] {
            assert!(!race(Write, std::slice::from_ref(&sync), of_lane, then));
            assert!(!race(Write, &[fence.clone(), near.clone()], of_lane, then));
            assert!(!race(Write, &[near.clone(), (0..1, ALL, false)], of_lane, then));
        }
        assert!(race(Write, &[(0..1, ALL, false)], of_lane, Read), "the fence of another thread");
    }
    assert!(race(Write, std::slice::from_ref(&fence), true, Read), "thread 0 may have completed it before");
    assert!(!race(Write, std::slice::from_ref(&fence), false, Read));
    assert!(!race(Write, &[(1..2, ALL, false)], false, Read));
}

/// The last workgroup of several sends the record: it needs no fence of its own after the atomic operation.
#[test]
fn records_propagate_order_acquired_by_their_producer() {
    let race = |fence: bool, knows: bool| {
        let mut races = races();
        touch(&mut races, 1, 0, Access::Write);
        if fence {
            let event = races.event(2);
            races.fence(event, 0..4, ALL, true);
        }
        let event = races.event(3);
        races.atomic(event, 0, BUFFER, false);
        races.start(0, 4, false, &[]);
        let ask = |races: &mut Races| {
            let event = races.event(3);
            races.atomic(event, 0, BUFFER, false);
        };
        if knows {
            ask(&mut races);
        }
        let event = races.event(4);
        let sent = races.complete(event, 0, false);
        ask(&mut races);
        races.start(1, 4, false, &[sent]);
        touch(&mut races, 2, 0, Access::Read)
    };
    assert!(!race(true, true) && race(false, true) && race(true, false));
}

/// The last thread of several sends, each after its atomic operation: no barrier of the workgroup is between them.
#[test]
fn atomics_in_a_workgroup_order_accesses_before_a_record() {
    let race = |fence: bool, both_threads: bool| {
        let mut races = races();
        touch(&mut races, 1, 0, Access::Write);
        if fence {
            let event = races.event(2);
            races.fence(event, 1..2, ALL, false);
        }
        for lane in if both_threads { &[1, 0][..] } else { &[1] } {
            let event = races.event(3);
            races.atomic(event, *lane, BUFFER, false);
        }
        let event = races.event(4);
        let sent = races.complete(event, 0, true);
        races.start(1, 4, false, &[sent]);
        touch(&mut races, 2, 0, Access::Read)
    };
    assert!(!race(true, true) && race(false, true) && race(true, false));
}

#[test]
fn non_coherent_accesses_are_visible_only_in_one_workgroup() {
    const PLAIN: Space = Space::Device { coherent: false };
    let at_word = |races: &mut Races, lane, access, space| {
        let event = races.event(1);
        races.touch(event, lane, at(0), 4, access, space)
    };
    for (first, then, [wrote, reads], unseen) in [
        (Access::Write, Access::Read, [BUFFER, BUFFER], false),
        (Access::Write, Access::Read, [PLAIN, BUFFER], true),
        (Access::Write, Access::Read, [BUFFER, PLAIN], true),
        (Access::Write, Access::Write, [PLAIN, BUFFER], true),
        (Access::Atomic, Access::Read, [PLAIN, BUFFER], false),
        (Access::Atomic, Access::Read, [PLAIN, PLAIN], true),
        (Access::Write, Access::Atomic, [BUFFER, PLAIN], false),
        (Access::Write, Access::Atomic, [PLAIN, PLAIN], true),
        (Access::Read, Access::Write, [PLAIN, PLAIN], false),
    ] {
        let mut races = races();
        at_word(&mut races, 0, first, wrote);
        let event = races.event(2);
        races.fence(event, 0..4, ALL, true);
        assert!(at_word(&mut races, 1, Access::Read, reads).is_none(), "the same workgroup");
        let event = races.event(4);
        let sent = races.complete(event, 0, true);
        races.start(1, 4, false, &[sent]);
        let found = at_word(&mut races, 2, then, reads);
        assert_eq!(
            found.map(|conflict| conflict.unseen),
            unseen.then_some(true),
            "{first:?} {then:?} {wrote:?} {reads:?}"
        );
    }
}
