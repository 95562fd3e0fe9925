//! Small inputs that campaigns have found, by their target.

use wgc_fuzz::{find, with_stack};

const FOUND: &[(&str, &str)] = &[
    // -P joined a dot and a digit into one number.
    ("preprocess", "float x = a . 5;"),
    ("preprocess", "#define DOT .\nfloat x = DOT 5 + DOT DOT 3;"),
    // -P joined `:` and `::` into `::` and `:`.
    ("preprocess", "template<typename T: ::"),
    ("preprocess", "a . . . b; .5 .x; 1 .x; a : :: b; a :: : b; a : : b;"),
];

#[test]
fn fixed_fuzz_findings_stay_fixed() {
    with_stack(|| {
        for (name, input) in FOUND {
            let target = find(name).expect("there is such a target");
            if let Err(broken) = (target.body)(input.as_bytes()) {
                panic!("{name}: it is not so that {}: {broken}\n{input}", target.promise);
            }
        }
    });
}
