//! Programs of declarations that name each other at random: a few names, each in all roles, often in a cycle.
//!
//! Mutants of valid programs seldom refer to themselves. These often do, in constants, types, templates, bases, enums
//! and constant buffers.

use crate::random::Random;

/// The names of all declarations.
const NAMES: &[&str] = &["a", "b", "S", "Q", "f", "E", "n", "T", "N", "C"];

/// Productions. `$n` is a name, `$e` an expression, `$t` a type, `$d` declarations, `$p` parameters of a template, `$v` a
/// variable. The first ones of a table end the recursion.
const EXPRESSIONS: &[&str] = &[
    "1",
    "$n",
    "$n",
    "$n.$n",
    "$n::$n",
    "this.$n",
    "$n[$e]",
    "sizeof($e)",
    "sizeof($t)",
    "$n($e)",
    "$e + $e",
    "($t)$e",
    "$n<$e>::$n",
    "$n<>::$n",
    "$n<$t>($e)",
    "{ $e }",
    "$e ? $e : $e",
    "$n.$n($e)",
];
const TYPES: &[&str] = &[
    "uint",
    "float4",
    "int",
    "bool",
    "$n",
    "$n",
    "$n",
    "vector<float, $e>",
    "matrix<$t, 2, $e>",
    "$n<$t>",
    "$n<$e>",
    "$n<>",
    "$n::$n",
    "RWStructuredBuffer<$t>",
    "ConstantBuffer<$t>",
    "NodeOutput<$t>",
    "auto",
    "decltype($e)",
];
const VARIABLES: &[&str] = &[
    "$t $n;",
    "static const $t $n = $e;",
    "const $t $n = $e;",
    "static $t $n[$e];",
    "$t $n[$e];",
    "groupshared $t $n;",
    "static $t $n[$e] = $e;",
];
const PARAMETERS: &[&str] =
    &["typename $n", "uint $n", "typename $n = $t", "uint $n = $e", "$t $n", "typename $n, uint $n = $e"];
const DECLARATIONS: &[&str] = &[
    "$v",
    "$v",
    "typedef $t $n[$e];",
    "using $n = $t;",
    "using namespace $n;",
    "using $n::$n;",
    "$t $n($t $n) { $v return $e; }",
    "$t $n($t $n = $e, inout $t $n);",
    "struct $n { $d };",
    "struct $n : $t { $d };",
    "struct { $d } $n;",
    "template<$p> struct $n { $d };",
    "template<$p> struct $n : $t { $d };",
    "template<$p> $t $n($t $n) { return $e; }",
    "template<$p> $v",
    "template<$p> using $n = $t;",
    "cbuffer $n { $d }",
    "enum $n { $n = $e, $n = $e };",
    "enum class $n : $t { $n = $e };",
    "namespace $n { $d }",
    "interface $n { $t $n($t $n); };",
    "[Shader(\"node\")] [NodeLaunch(\"thread\")] void $n(ThreadNodeInputRecord<$t> $n, [MaxRecords($e)] \
     [NodeID(\"$n\", $e)] NodeOutput<$t> $n) { $e; }",
    "[Shader(\"node\")] [NodeLaunch(\"broadcasting\")] [NumThreads($e, 1, 1)] [NodeDispatchGrid($e, 1, 1)] void \
     $n(DispatchNodeInputRecord<$t> $n) { $v $e; }",
];

/// Depth of nested productions; deeper ones use only productions that end the recursion.
const DEPTH: u32 = 4;

/// Returns a program of up to eight declarations.
pub fn program(random: &mut Random) -> String {
    let mut out = String::new();
    for _ in 0..2 + random.below(7) {
        add('d', 0, random, &mut out);
        out.push('\n');
    }
    out
}

fn add(symbol: char, depth: u32, random: &mut Random, out: &mut String) {
    let (table, ends) = match symbol {
        'n' => return out.push_str(random.pick(NAMES)),
        'e' => (EXPRESSIONS, 6),
        't' => (TYPES, 7),
        'v' => (VARIABLES, 2),
        'p' => (PARAMETERS, 2),
        _ => (DECLARATIONS, 2),
    };
    let of = if depth < DEPTH { table.len() } else { ends };
    let mut parts = table[random.below(of)].split('$');
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let mut rest = part.chars();
        add(rest.next().unwrap_or('n'), depth + 1, random, out);
        out.push_str(rest.as_str());
    }
}
