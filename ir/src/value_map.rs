//! A table by value. The ids of a function are dense, so it is a list.

use crate::function::ValueId;

/// Facts about some values of a function. It grows to the highest id.
#[derive(Clone, Debug)]
pub(crate) struct ValueMap<T> {
    slots: Vec<Option<T>>,
}

impl<T> Default for ValueMap<T> {
    fn default() -> Self {
        ValueMap { slots: Vec::new() }
    }
}

impl<T> ValueMap<T> {
    pub fn get(&self, id: ValueId) -> Option<&T> {
        self.slots.get(index(id))?.as_ref()
    }

    pub fn contains(&self, id: ValueId) -> bool {
        self.get(id).is_some()
    }

    /// Returns the entry of a value, for changes.
    pub fn slot(&mut self, id: ValueId) -> &mut Option<T> {
        let index = index(id);
        if index >= self.slots.len() {
            self.slots.resize_with(index + 1, || None);
        }
        &mut self.slots[index]
    }

    pub fn insert(&mut self, id: ValueId, value: T) {
        *self.slot(id) = Some(value);
    }

    /// Keeps the entries for which `keep` returns true.
    pub fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        self.slots.iter_mut().for_each(|slot| *slot = slot.take().filter(|value| keep(value)));
    }

    /// Removes an entry, and returns it.
    pub fn take(&mut self, id: ValueId) -> Option<T> {
        self.slots.get_mut(index(id))?.take()
    }
}

impl ValueMap<ValueId> {
    /// Replaces a value by its entry, if it has one.
    pub fn replace(&self, id: &mut ValueId) {
        if let Some(new) = self.get(*id) {
            *id = *new;
        }
    }

    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }
}

impl<T> Extend<(ValueId, T)> for ValueMap<T> {
    fn extend<I: IntoIterator<Item = (ValueId, T)>>(&mut self, entries: I) {
        entries.into_iter().for_each(|(id, value)| self.insert(id, value));
    }
}

fn index(id: ValueId) -> usize {
    id.into_raw().into_u32() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use la_arena::RawIdx;

    #[test]
    fn an_entry_belongs_to_its_value_only() {
        let [a, b, c] = [3, 0, 9].map(|n| ValueId::from_raw(RawIdx::from_u32(n)));
        let mut map = ValueMap::default();
        map.insert(a, b);
        map.extend([(b, c)]);
        assert_eq!((map.get(a), map.get(b), map.get(c)), (Some(&b), Some(&c), None));
        let mut id = a;
        map.replace(&mut id);
        assert_eq!(id, b);
        assert_eq!(map.take(a), Some(b));
        assert!(!map.contains(a) && map.contains(b));
    }
}
