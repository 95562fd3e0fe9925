//! Handles: numbers that look like pointers to C, and that are never dereferenced.
//!
//! A handle has the index of its object in a table, the number of earlier uses of that index, and the kind of the
//! object. A handle that was destroyed, is of another kind, or never was a handle is reported as such. Calls for one
//! handle run one after another, from any threads.

use crate::error::Failure;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

/// Bits of the kind: addresses of memory have zeros there.
const KIND_BITS: u32 = 4;
const PLACE_BITS: u32 = 28;
const PLACES: usize = 1 << PLACE_BITS;

/// Something that C has handles of.
pub trait Object: Sized + Send + 'static {
    const KIND: HandleKind;

    fn table() -> &'static Table<Self>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandleKind {
    Package = 5,
    Graph = 11,
}

impl HandleKind {
    fn of(handle: usize) -> Option<Self> {
        [Self::Package, Self::Graph].into_iter().find(|kind| handle & ((1 << KIND_BITS) - 1) == *kind as usize)
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Package => "package",
            Self::Graph => "graph",
        }
    }
}

/// A slot for objects, one after another.
struct Slot<T> {
    /// The generation of the present object, or of the next one.
    generation: u32,
    object: Option<Box<T>>,
}

/// Objects of one kind. Slots are kept and reused.
pub struct Table<T: 'static> {
    places: RwLock<Vec<&'static Mutex<Slot<T>>>>,
    free: Mutex<Vec<usize>>,
}

impl<T: Object> Table<T> {
    pub const fn new() -> Self {
        Self { places: RwLock::new(Vec::new()), free: Mutex::new(Vec::new()) }
    }

    /// Keeps an object, and returns its handle.
    ///
    /// # Errors
    /// There are too many handles.
    pub fn insert(&self, object: T) -> Result<*mut T, Failure> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let (at, place) = match free.and_then(|at| Some((at, self.place(at)?))) {
            Some(found) => found,
            None => {
                let mut places = self.places.write().unwrap_or_else(PoisonError::into_inner);
                if places.len() >= PLACES {
                    return Err(Failure::internal("there are too many handles"));
                }
                let place: &'static _ = Box::leak(Box::new(Mutex::new(Slot { generation: 1, object: None })));
                places.push(place);
                (places.len() - 1, place)
            }
        };
        let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
        place.object = Some(Box::new(object));
        let handle = (place.generation as usize) << (KIND_BITS + PLACE_BITS) | at << KIND_BITS | T::KIND as usize;
        Ok(std::ptr::without_provenance_mut(handle))
    }

    fn place(&self, at: usize) -> Option<&'static Mutex<Slot<T>>> {
        self.places.read().unwrap_or_else(PoisonError::into_inner).get(at).copied()
    }

    /// Returns the object of a handle, for one call. `what` is the name of the argument.
    ///
    /// # Errors
    /// The handle is null, invalid, of another kind, or its object was destroyed. Or an earlier call with it panicked.
    pub fn get(&self, handle: *const T, what: &'static str) -> Result<Held<T>, Failure> {
        let (place, generation, _) = self.find(handle.addr(), what)?;
        let slot = match place.lock() {
            Ok(slot) => slot,
            Err(_) => return Err(Failure::internal("an earlier call with this object panicked: destroy the object")),
        };
        match slot.generation == generation && slot.object.is_some() {
            true => Ok(Held { place: slot }),
            false => Err(Failure::destroyed(what)),
        }
    }

    /// Removes and returns the object of a handle, when no other call uses it any more.
    ///
    /// # Errors
    /// The errors of [`Table::get`], except for that of an earlier panic.
    pub fn remove(&self, handle: *mut T, what: &'static str) -> Result<Box<T>, Failure> {
        let (place, generation, at) = self.find(handle.addr(), what)?;
        let mut slot = place.lock().unwrap_or_else(PoisonError::into_inner);
        let object = match slot.generation == generation {
            true => slot.object.take(),
            false => None,
        };
        let object = object.ok_or_else(|| Failure::destroyed(what))?;
        // After the last generation the slot is retired: no handle ever repeats.
        if let Some(next) = slot.generation.checked_add(1) {
            slot.generation = next;
            place.clear_poison();
            self.free.lock().unwrap_or_else(PoisonError::into_inner).push(at);
        }
        Ok(object)
    }

    fn find(&self, handle: usize, what: &'static str) -> Result<(&'static Mutex<Slot<T>>, u32, usize), Failure> {
        if handle == 0 {
            return Err(Failure::argument(what));
        }
        match HandleKind::of(handle) {
            Some(kind) if kind == T::KIND => {}
            Some(kind) => return Err(Failure::kind(what, Some(kind))),
            None => return Err(Failure::kind(what, None)),
        }
        let at = handle >> KIND_BITS & (PLACES - 1);
        let generation = (handle >> (KIND_BITS + PLACE_BITS)) as u32;
        let place = self.place(at).filter(|_| generation != 0);
        place.map(|place| (place, generation, at)).ok_or_else(|| Failure::kind(what, None))
    }
}

/// An object in exclusive use by one call.
pub struct Held<T: 'static> {
    place: MutexGuard<'static, Slot<T>>,
}

impl<T> Deref for Held<T> {
    type Target = T;

    #[expect(
        clippy::expect_used,
        reason = "the object was there when the slot was locked, and the guard keeps it locked"
    )]
    fn deref(&self) -> &T {
        self.place.object.as_deref().expect("the object was there when the slot was locked")
    }
}

impl<T> DerefMut for Held<T> {
    #[expect(clippy::expect_used, reason = "as in `deref`")]
    fn deref_mut(&mut self) -> &mut T {
        self.place.object.as_deref_mut().expect("the object was there when the slot was locked")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Thing(u32);

    static THINGS: Table<Thing> = Table::new();

    impl Object for Thing {
        const KIND: HandleKind = HandleKind::Graph;

        fn table() -> &'static Table<Self> {
            &THINGS
        }
    }

    #[test]
    fn handles_are_unique_and_slots_are_reused() {
        let table = Thing::table();
        let first = table.insert(Thing(1)).ok().unwrap();
        let second = table.insert(Thing(2)).ok().unwrap();
        assert_eq!(table.get(first, "thing").ok().unwrap().0, 1);
        assert_eq!(table.remove(first, "thing").ok().unwrap().0, 1);
        assert!(table.get(first, "thing").is_err() && table.remove(first, "thing").is_err());
        for n in 0..100 {
            let next = table.insert(Thing(n)).ok().unwrap();
            assert!(next != first && table.get(first, "thing").is_err());
            table.remove(next, "thing").ok().unwrap();
        }
        assert_eq!(table.places.read().unwrap().len(), 2);
        assert_eq!(table.get(second, "thing").ok().unwrap().0, 2);
    }
}
