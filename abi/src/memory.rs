//! Allocations that may fail: those of a size that a user gives, such as buffers of the CPU device.
//!
//! All others end the command `wgc` with a message, since nobody can go on without them. Its allocator asks here.

use std::cell::Cell;

thread_local! {
    static MAY_FAIL: Cell<bool> = const { Cell::new(false) };
}

/// Makes room for exactly `count` more elements; `false`: there is not so much memory.
pub fn reserve<T>(vec: &mut Vec<T>, count: usize) -> bool {
    MAY_FAIL.set(true);
    let reserved = vec.try_reserve_exact(count);
    MAY_FAIL.set(false);
    reserved.is_ok()
}

/// Whether this thread has an answer to an allocation that fails. Allocators ask, so it allocates nothing.
pub fn may_fail() -> bool {
    MAY_FAIL.try_with(Cell::get).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_reserved_is_no_panic() {
        let mut bytes = Vec::<u8>::new();
        assert!(reserve(&mut bytes, 16) && bytes.capacity() >= 16);
        assert!(!reserve(&mut bytes, usize::MAX >> 1));
        assert!(!may_fail());
    }
}
