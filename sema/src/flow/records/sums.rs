//! Sums of records as written in messages: `4 records x 3 iterations of the loop + 2 = 14 records`.

use wgc_ir::flow::SumTerm;

/// Maximum number of parts that are written individually.
const MAX_PARTS: usize = 8;

pub(super) fn records(count: u64) -> String {
    if count == 1 { "1 record".to_string() } else { format!("{count} records") }
}

/// Returns the total that calls request.
pub(super) fn total(parts: &[SumTerm]) -> u64 {
    parts.iter().map(of).fold(0, u64::saturating_add)
}

fn of(part: &SumTerm) -> u64 {
    let iterations = if part.is_even { part.iterations } else { 1 };
    part.count.saturating_mul(part.threads).saturating_mul(iterations)
}

/// Formats a part with its factors; the first part names the unit.
fn term(part: &SumTerm, is_first: bool) -> String {
    let count = if is_first { records(part.count) } else { part.count.to_string() };
    let threads = if part.threads > 1 { format!("{} threads x ", part.threads) } else { String::new() };
    let iterations = match part.iterations {
        0 | 1 => String::new(),
        iterations if part.is_even => format!(" x {iterations} iterations of the loop"),
        iterations => format!(" in {iterations} iterations of the loop"),
    };
    format!("{threads}{count}{iterations}")
}

/// Formats the request of one call.
pub(super) fn asked(part: &SumTerm) -> String {
    term(part, true)
}

/// Formats the sum without its result; in a long sum, consecutive equal calls become one factor.
pub(super) fn sum(parts: &[SumTerm]) -> String {
    if parts.len() <= MAX_PARTS {
        let terms = parts.iter().enumerate().map(|(n, part)| term(part, n == 0));
        return terms.collect::<Vec<_>>().join(" + ");
    }
    let alike: Vec<&[SumTerm]> =
        parts.chunk_by(|a, b| (a.count, a.threads, a.iterations) == (b.count, b.threads, b.iterations)).collect();
    let mut terms: Vec<String> = Vec::new();
    for (n, same) in alike.iter().enumerate() {
        let left = &alike[n..];
        if n + 1 == MAX_PARTS && left.len() > 1 {
            let calls: usize = left.iter().map(|same| same.len()).sum();
            let rest: u64 = left.iter().flat_map(|same| same.iter()).map(of).fold(0, u64::saturating_add);
            terms.push(format!("{rest} from {calls} more calls"));
            break;
        }
        let Some(part) = same.first() else { continue };
        let times = if same.len() > 1 { format!("{} calls x ", same.len()) } else { String::new() };
        terms.push(format!("{times}{}", term(part, n == 0)));
    }
    terms.join(" + ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(count: u64, threads: u64, iterations: u64) -> SumTerm {
        SumTerm { output: 0, count, threads, iterations, is_even: true }
    }

    #[test]
    fn record_sums_list_their_factors() {
        let parts = [part(4, 1, 3), part(2, 1, 1), part(1, 8, 1)];
        assert_eq!(sum(&parts), "4 records x 3 iterations of the loop + 2 + 8 threads x 1");
        assert_eq!(total(&parts), 22);
        let uneven = [SumTerm { is_even: false, ..part(6, 2, 3) }];
        assert_eq!(sum(&uneven), "2 threads x 6 records in 3 iterations of the loop");
        assert_eq!(total(&uneven), 12);
    }

    #[test]
    fn long_sums_are_abridged() {
        assert_eq!(sum(&[part(1, 1, 1); 9]), "9 calls x 1 record");
        let parts: Vec<SumTerm> = (1..=11).map(|count| part(count, 1, 1)).collect();
        assert_eq!(sum(&parts), "1 record + 2 + 3 + 4 + 5 + 6 + 7 + 38 from 4 more calls");
        assert_eq!(total(&parts), 66);
    }
}
