//! Allocations that may fail: those with a size that the user gives, such as buffers of the CPU device.
//!
//! If any other allocation fails, the command `wgc` ends with a message, since no caller can recover. Its allocator
//! calls [`may_fail`].

use std::cell::Cell;

thread_local! {
    static MAY_FAIL: Cell<bool> = const { Cell::new(false) };
}

/// Reserves room for exactly `count` more elements; `false`: out of memory.
pub fn reserve<T>(vec: &mut Vec<T>, count: usize) -> bool {
    MAY_FAIL.set(true);
    let reserved = vec.try_reserve_exact(count);
    MAY_FAIL.set(false);
    reserved.is_ok()
}

/// Returns whether this thread can handle a failed allocation. Allocators call it, so it allocates nothing.
pub fn may_fail() -> bool {
    MAY_FAIL.try_with(Cell::get).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_reservations_do_not_panic() {
        let mut bytes = Vec::<u8>::new();
        assert!(reserve(&mut bytes, 16) && bytes.capacity() >= 16);
        assert!(!reserve(&mut bytes, usize::MAX >> 1));
        assert!(!may_fail());
    }
}
