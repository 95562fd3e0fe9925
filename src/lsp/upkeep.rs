//! Renewal of the database. It keeps values of closed files and of names that no longer exist. When it has grown too
//! much since its start, it is replaced.

/// Events before the first check and between checks: a check takes milliseconds in a large program.
const FIRST_LOOK: u32 = 16;
const BETWEEN_LOOKS: u32 = 128;
/// The allowed growth in values since the first check; one value takes about two kilobytes.
pub const MAX_GROWTH: usize = 40_000;

#[derive(Debug)]
pub struct Upkeep {
    most_growth: usize,
    /// Events since the database was created.
    events: u32,
    /// Values at the first check.
    young: Option<usize>,
}

impl Upkeep {
    pub fn new(most_growth: usize) -> Upkeep {
        Upkeep { most_growth, events: 0, young: None }
    }

    /// Counts an event, and returns whether a new database is due. `stored_values` returns the number of values in the database.
    pub fn is_due(&mut self, stored_values: impl FnOnce() -> usize) -> bool {
        self.events += 1;
        if self.events != FIRST_LOOK && !self.events.is_multiple_of(BETWEEN_LOOKS) {
            return false;
        }
        let now = stored_values();
        let young = *self.young.get_or_insert(now);
        let is_due = now > young.saturating_add(self.most_growth);
        if is_due {
            *self = Upkeep::new(self.most_growth);
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upkeep_is_triggered_by_growth_not_by_size() {
        let mut upkeep = Upkeep::new(MAX_GROWTH);
        let mut due = |count: u32, stored_values: usize| (0..count).filter(|_| upkeep.is_due(|| stored_values)).count();
        assert_eq!(due(1000, 50_000_000), 0);
        assert_eq!(due(128, 50_040_000), 0);
        // The check at event 1152.
        assert_eq!(due(24, 50_040_001), 1);
        // The next database starts at this size.
        assert_eq!(due(1000, 70_000_000), 0);
        assert_eq!(due(1000, 1), 0);
    }

    #[test]
    fn memory_checks_run_on_few_events() {
        let looks = std::cell::Cell::new(0);
        let mut upkeep = Upkeep::new(MAX_GROWTH);
        for _ in 0..1280 {
            upkeep.is_due(|| {
                looks.set(looks.get() + 1);
                0
            });
        }
        assert_eq!(looks.get(), 11);
    }
}
