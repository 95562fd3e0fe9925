//! When to begin anew: a database keeps what it has once computed of files that are closed and of names that are not there any
//! more. It is thrown away when it holds much more than when it was young.

/// Events until the first look, and between two of them: a look takes milliseconds in a large program.
const FIRST_LOOK: u32 = 16;
const BETWEEN_LOOKS: u32 = 128;
/// Values more than at the first look; one takes about two kilobytes.
pub const MOST_GROWTH: usize = 40_000;

#[derive(Debug)]
pub struct Upkeep {
    most_growth: usize,
    /// Since the last database.
    events: u32,
    /// Values at the first look.
    young: Option<usize>,
}

impl Upkeep {
    pub fn new(most_growth: usize) -> Upkeep {
        Upkeep { most_growth, events: 0, young: None }
    }

    /// Counts an event; says whether it is time for another database. `held`: how many values this one has.
    pub fn is_due(&mut self, held: impl FnOnce() -> usize) -> bool {
        self.events += 1;
        if self.events != FIRST_LOOK && !self.events.is_multiple_of(BETWEEN_LOOKS) {
            return false;
        }
        let now = held();
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
    fn growth_counts_and_size_does_not() {
        let mut upkeep = Upkeep::new(MOST_GROWTH);
        let mut due = |count: u32, held: usize| (0..count).filter(|_| upkeep.is_due(|| held)).count();
        assert_eq!(due(1000, 50_000_000), 0);
        assert_eq!(due(128, 50_040_000), 0);
        // The look at event 1152.
        assert_eq!(due(24, 50_040_001), 1);
        // The next one is young as it is.
        assert_eq!(due(1000, 70_000_000), 0);
        assert_eq!(due(1000, 1), 0);
    }

    #[test]
    fn most_events_cost_nothing() {
        let looks = std::cell::Cell::new(0);
        let mut upkeep = Upkeep::new(MOST_GROWTH);
        for _ in 0..1280 {
            upkeep.is_due(|| {
                looks.set(looks.get() + 1);
                0
            });
        }
        assert_eq!(looks.get(), 11);
    }
}
