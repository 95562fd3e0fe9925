//! `stdlib/intrinsics.tsv`: every intrinsic and method of HLSL up to shader model 6.8, a row for each overload.
//!
//! The columns are the object (`-` for a function, `vk` for one of that namespace), the name, the result and the
//! parameters. Then come the kinds of its type variables, the minimum shader model, the stages, the tests that execute
//! it, and the source of the row. Types are HLSL's; `T`, `U`, `V` are component types, `T[]` has any shape, `T[n]` is a
//! vector of any length and `T[r,n]` a matrix. `E` is the object's element, `C` its component, `F` the argument of a
//! method template.
//!
//! Rows are compared with the declarations of `stdlib/prelude`. The front end checks a call for every component type
//! and length that a row allows, and its result must have the row's type. A row whose tests are `@area` belongs to work
//! in progress: it is listed and may fail.

#![allow(clippy::print_stdout, reason = "the rows that are owed are this test's report")]

use crate::harness::{Case, Place};
use crate::stages;
use crate::support::Scratch;
use crate::{TESTS, TESTS_BY_PLACE};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use wgc_compiler::Session;
use wgc_sema::db::Options;
use wgc_sema::tables::codes::Severity;

pub const TEXT: &str = include_str!("../../stdlib/intrinsics.tsv");

/// One overload.
#[derive(Debug)]
pub struct Row {
    /// Empty for a function.
    pub object: &'static str,
    pub name: &'static str,
    pub result: &'static str,
    pub parameters: Vec<&'static str>,
    /// Variable and kind.
    pub kinds: Vec<(&'static str, &'static str)>,
    pub shader_model: &'static str,
    pub legal: &'static str,
    pub tests: Vec<&'static str>,
}

/// Component types of each kind.
const KINDS: &[(&str, &[&str])] = &[
    ("float", &["float", "float16_t"]),
    ("any_float", &["float", "float16_t", "double"]),
    ("float32", &["float"]),
    ("double64", &["double"]),
    ("int", &["int", "uint", "int16_t", "uint16_t", "int64_t", "uint64_t"]),
    ("unsigned", &["uint"]),
    ("int32", &["int", "uint"]),
    ("int64", &["int64_t", "uint64_t"]),
    ("int16or32", &["int", "uint", "int16_t", "uint16_t"]),
    ("sint16or32", &["int", "int16_t"]),
    ("bits16", &["int16_t", "uint16_t", "float16_t"]),
    ("bits32", &["int", "uint", "float"]),
    ("number", &["float", "float16_t", "double", "int", "uint", "int16_t", "uint16_t", "int64_t", "uint64_t"]),
    ("any", &["bool", "float", "float16_t", "double", "int", "uint", "int16_t", "uint16_t", "int64_t", "uint64_t"]),
];

/// The arguments that test a method template.
const TEMPLATE_ARGUMENTS: &[&str] = &["uint", "float3", "double", "uint16_t", "Element"];

pub fn rows() -> Vec<Row> {
    let text = TEXT.lines().skip(1);
    text.map(|line| {
        let cells: Vec<&'static str> = line.split('\t').collect();
        let [object, name, result, parameters, kinds, shader_model, legal, tests, _] = cells[..] else {
            panic!("a row of nine columns: {line}");
        };
        let list = |text: &'static str| if text == "-" { Vec::new() } else { split(text) };
        let pair = |k: &'static str| k.split_once(": ").unwrap_or_else(|| panic!("`T: kind` in {line}"));
        Row {
            object: if object == "-" { "" } else { object },
            name,
            result,
            parameters: list(parameters),
            kinds: list(kinds).into_iter().map(pair).collect(),
            shader_model,
            legal,
            tests: list(tests),
        }
    })
    .collect()
}

/// Returns whether a type contains the argument of the method template.
fn names_template(text: &str) -> bool {
    text == "F" || text.contains("<F>")
}

/// Splits at commas followed by a space, which do not occur within brackets.
fn split(text: &'static str) -> Vec<&'static str> {
    text.split(", ").collect()
}

impl Row {
    /// Returns the row as a declaration, for messages and the page.
    pub fn show(&self) -> String {
        let owner = if self.object.is_empty() { String::new() } else { format!("{}::", self.object) };
        format!("{} {owner}{}({})", self.result, self.name, self.parameters.join(", "))
    }

    /// Returns the area with pending work for the row.
    pub fn owed(&self) -> Option<&'static str> {
        self.tests.iter().find_map(|t| t.strip_prefix('@'))
    }

    /// Returns whether compute or node shaders may use it.
    pub fn is_legal(&self) -> bool {
        self.legal.split(", ").any(|s| matches!(s, "compute" | "node"))
    }

    /// Returns calls of it for every type that the row allows.
    pub fn calls(&self, id: usize) -> Vec<Call> {
        let texts = || self.parameters.iter().copied().chain([self.result]);
        let of = |kind: &str| KINDS.iter().find(|k| k.0 == kind).unwrap_or_else(|| panic!("no kind {kind}")).1;
        let types = self.kinds.iter().map(|(_, kind)| of(kind).len()).max().unwrap_or(1);
        let lengths = if texts().any(|t| t.ends_with("[]") || t.ends_with("[n]")) { 1..=4 } else { 1..=1 };
        let templates = if texts().any(names_template) { TEMPLATE_ARGUMENTS } else { &[""] };
        let mut out = Vec::new();
        for n in lengths {
            for i in 0..types {
                for template in templates {
                    let component = |variable: &str| {
                        let kind = self.kinds.iter().find(|k| k.0 == variable)?.1;
                        Some(of(kind)[i % of(kind).len()])
                    };
                    let ty = |text: &str| self.ty(text, n, template, &component);
                    out.push(self.call(&format!("{id}_{}", out.len()), template, &ty));
                }
            }
        }
        out
    }

    /// Returns a type of the row with its variables replaced.
    fn ty<'t>(&self, text: &str, n: usize, template: &str, component: &dyn Fn(&str) -> Option<&'t str>) -> String {
        let structure = self.structure();
        let text = text.replace("<E>", &format!("<{structure}>")).replace("<F>", &format!("<{template}>"));
        let (head, shape) = text.split_once('[').unwrap_or((&text, ""));
        let word = match head {
            "E" => self.element(),
            "C4" => return "float4".to_owned(),
            "C" => "float",
            "F" => template,
            "struct" => structure,
            _ => component(head).unwrap_or(head),
        };
        let dimension = |d: &str| match d {
            "" | "n" => n,
            "r" | "k" => 2,
            "m" => 4,
            digits => digits.parse().unwrap_or(1),
        };
        match shape.strip_suffix(']') {
            None => word.to_owned(),
            Some(shape) => match shape.split_once(',') {
                // Matrices of 2 lines: `n` is 3 there.
                Some((r, c)) => format!("{word}{}x{}", dimension(r), if c == "n" { 3 } else { dimension(c) }),
                None if dimension(shape) == 1 => word.to_owned(),
                None => format!("{word}{}", dimension(shape)),
            },
        }
    }

    /// Returns the structure for `E`; groups that finish sharing a record need one that counts them.
    fn structure(&self) -> &'static str {
        if self.name == "FinishedCrossGroupSharing" { "Shared" } else { "Element" }
    }

    /// Returns the type of `E`.
    fn element(&self) -> &'static str {
        match () {
            () if self.is_buffer_of_structures() => self.structure(),
            () if self.object.starts_with("Feedback") => "SAMPLER_FEEDBACK_MIN_MIP",
            () => "float4",
        }
    }

    fn is_buffer_of_structures(&self) -> bool {
        self.object.contains("Structured") || self.object.contains("Node") || self.object.contains("Records")
    }

    /// Returns the object's type as in a declaration.
    fn object_type(&self, element: &str) -> String {
        let object = self.object;
        match object {
            "RayQuery" => format!("{object}<0>"),
            _ if object.contains('<') || object.ends_with("ByteAddressBuffer") || object.starts_with("Empty") => {
                object.to_owned()
            }
            _ => format!("{object}<{element}>"),
        }
    }

    /// Returns the name in a message about a use of it: for an operator, the object.
    pub fn named(&self) -> String {
        match self.name {
            "operator[]" => self.object_type(self.element()),
            name => name.to_owned(),
        }
    }

    fn call(&self, id: &str, template: &str, ty: &dyn Fn(&str) -> String) -> Call {
        let mut globals = String::new();
        let mut parameters = Vec::new();
        let mut arguments = Vec::new();
        for (n, text) in self.parameters.iter().enumerate() {
            let (direction, text) = text.split_once(' ').unwrap_or(("", text));
            match (direction, text) {
                ("constant", _) => {
                    arguments.push(format!("({})1", ty(text)));
                    continue;
                }
                ("ref", _) => {
                    let _ = write!(globals, "groupshared {} g{id}_{n}; ", ty(text));
                    arguments.push(format!("g{id}_{n}"));
                    continue;
                }
                (_, "string") => {
                    arguments.push("\"%d\"".to_owned());
                    continue;
                }
                (_, "...") => {
                    arguments.push("1, float2(2, 3), true".to_owned());
                    continue;
                }
                (_, "object") => {
                    let _ = write!(globals, "RWByteAddressBuffer g{id}_{n}; ");
                    arguments.push(format!("g{id}_{n}"));
                    continue;
                }
                _ => parameters.push((format!("{direction} "), format!("{} a{n}", ty(text)))),
            }
            arguments.push(format!("a{n}"));
        }
        let object = match self.object {
            "" | "vk" => String::new(),
            object => {
                let declared = self.object_type(&ty("E"));
                let is_passed = object.contains("Node") || object.contains("Records");
                if is_passed || matches!(object, "RayQuery" | "vk::BufferPointer") {
                    parameters.push((String::new(), format!("{declared} o")));
                    "o".to_owned()
                } else {
                    let _ = write!(globals, "{declared} o{id}; ");
                    format!("o{id}")
                }
            }
        };
        let arguments = arguments.join(", ");
        let scope = if self.object == "vk" { "vk::" } else { "" };
        let name = if template.is_empty() || !names_template(self.result) {
            format!("{scope}{}", self.name)
        } else {
            format!("{scope}{}<{template}>", self.name)
        };
        let call = match (object.as_str(), self.name) {
            ("", _) => format!("{name}({arguments})"),
            (object, "operator[]") => format!("{object}[{arguments}]"),
            (object, _) => format!("{object}.{name}({arguments})"),
        };
        let body = if self.result == "void" {
            call
        } else {
            parameters.push((String::new(), format!("{} r", ty(self.result))));
            format!("same({call}, r)")
        };
        Call { id: id.to_owned(), globals, parameters, body }
    }
}

/// One call, with its declarations.
pub struct Call {
    /// A unique part of its names.
    pub id: String,
    globals: String,
    /// Direction, then type and name.
    parameters: Vec<(String, String)>,
    body: String,
}

impl Call {
    /// Returns a function whose parameters are the call's arguments, in one line.
    fn function(&self) -> String {
        let Call { id, globals, parameters, body } = self;
        let parameters: Vec<String> = parameters.iter().map(|(direction, name)| format!("{direction}{name}")).collect();
        format!("{globals}void f{id}({}) {{ {body}; }}", parameters.join(", "))
    }

    /// Returns a function that declares them all, in one line.
    pub fn function_without_parameters(&self) -> String {
        let Call { id, globals, parameters, body } = self;
        let locals: String = parameters.iter().map(|(_, name)| format!("{name}; ")).collect();
        format!("{globals}void f{id}() {{ {locals}{body}; }}")
    }
}

/// `same` takes two values of one type: arguments of different types are an error.
pub const PREAMBLE: &str = "struct Element { float3 a; uint b; }; \
    struct [NodeTrackRWInputSharing] Shared { float3 a; uint b; }; template<typename T> void same(T a, T b) {}\n";

/// Returns messages by row: the first for each row that the front end refuses in some instance.
fn refused(rows: &[Row]) -> BTreeMap<usize, String> {
    let mut text = PREAMBLE.to_owned();
    let mut lines = vec![None];
    for (n, row) in rows.iter().enumerate().filter(|(_, row)| row.is_legal()) {
        for call in row.calls(n) {
            text += &call.function();
            text.push('\n');
            lines.push(Some(n));
        }
    }
    let scratch = Scratch::new().with("calls.hlsl", &text);
    let file = scratch.0.join("calls.hlsl");
    let options = Options { enable_16bit_types: true, library: true, ..Options::default() };
    let session = Session::new(&[&file.to_string_lossy()], options);
    let mut out = BTreeMap::new();
    for error in session.diagnostics().iter().filter(|d| d.severity == Severity::Error) {
        let lo = error.labels.first().map_or(0, |l| l.range.lo as usize);
        let line = text.get(..lo).map_or(0, |t| t.matches('\n').count());
        let shown = text.lines().nth(line).unwrap_or("");
        let message = format!("{}\n    {shown}", error.message);
        match lines.get(line).copied().flatten() {
            Some(row) => _ = out.entry(row).or_insert(message),
            None => panic!("not of a row: {message}"),
        }
    }
    out
}

#[test]
fn every_row_is_declared_with_its_types() {
    let rows = rows();
    let refused = refused(&rows);
    let (mut failures, mut owed) = (String::new(), BTreeMap::<&str, usize>::new());
    for (n, message) in &refused {
        match rows[*n].owed() {
            Some(area) => {
                *owed.entry(area).or_default() += 1;
                println!("{area}: {}: {message}", rows[*n].show());
            }
            None => _ = writeln!(failures, "{}: {message}", rows[*n].show()),
        }
    }
    for (area, count) in owed {
        println!("owed by {area}: {count} rows are not declared as listed");
    }
    assert!(failures.is_empty(), "\n{failures}");
}

fn cases_by_test() -> Vec<(&'static str, Vec<Case>)> {
    let plain = TESTS.iter().map(|(name, cases)| (*name, cases()));
    plain
        .chain(TESTS_BY_PLACE.iter().map(|(name, cases)| (*name, cases(Place { lanes: 32, thorough: true }))))
        .collect()
}

/// Returns the numbers of arguments of the calls of a name in statements.
fn arguments_of(text: &str, name: &str) -> BTreeSet<usize> {
    let calls = text.match_indices(name).filter_map(|(at, _)| {
        let is_whole = !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let after = &text[at + name.len()..];
        // The argument of a method template has no parentheses.
        let open = if after.starts_with('<') { after.find('(')? } else { 0 };
        is_whole.then_some(after.get(open..)?.strip_prefix('(')?)
    });
    let count = |arguments: &str| {
        let (mut depth, mut commas, mut is_empty) = (0_usize, 0, true);
        for c in arguments.chars() {
            match c {
                ')' | ']' | '}' if depth == 0 => break,
                ')' | ']' | '}' => depth -= 1,
                '(' | '[' | '{' => depth += 1,
                ',' if depth == 0 => commas += 1,
                _ => {}
            }
            is_empty &= c.is_whitespace();
        }
        if is_empty { 0 } else { commas + 1 }
    };
    calls.map(count).collect()
}

#[test]
fn every_row_names_tests_that_execute_it() {
    let covered: BTreeMap<&str, Vec<Case>> = cases_by_test().into_iter().collect();
    let mut owed = BTreeMap::<&str, usize>::new();
    for row in rows() {
        assert!(!row.tests.is_empty(), "{} names no test", row.show());
        let elsewhere = row.tests == [stages::TEST];
        assert_eq!(elsewhere, !row.is_legal(), "{}: rows of other stages name {}", row.show(), stages::TEST);
        for test in row.tests.iter().filter(|_| !elsewhere) {
            if let Some(area) = test.strip_prefix('@') {
                *owed.entry(area).or_default() += 1;
            } else if let Some(file) = test.strip_prefix("tests/") {
                let path = crate::support::root().join("tests").join(file);
                let text = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{}: no {test}", row.show()));
                // An operator is used as such, so the message names the object.
                let name = if row.name == "operator[]" { row.object } else { row.name };
                assert!(text.contains(name), "{test} does not use {}", row.show());
            } else {
                let cases = covered.get(test).unwrap_or_else(|| panic!("{}: no test {test}", row.show()));
                let mut cases = cases.iter().filter(|case| case.name == row.name);
                // Operators have no call.
                let is_called = !row.name.starts_with("operator");
                let count = row.parameters.len();
                let has_call = |case: &Case| !is_called || arguments_of(&case.text, row.name).contains(&count);
                assert!(cases.any(has_call), "{test} has no case of {}", row.show());
            }
        }
    }
    for (area, count) in owed {
        println!("owed by {area}: {count} rows have no test");
    }
}

/// Every case runs a listed intrinsic, and no row is duplicated.
#[test]
fn intrinsic_list_covers_all_cases_without_duplicates() {
    let rows = rows();
    let names: BTreeSet<&str> = rows.iter().map(|r| r.name).collect();
    for (test, cases) in cases_by_test() {
        for case in cases {
            assert!(names.contains(case.name.as_str()), "{test} has a case of {}, which is not listed", case.name);
        }
    }
    let mut seen = BTreeSet::new();
    for row in &rows {
        assert!(seen.insert(format!("{} {:?}", row.show(), row.kinds)), "duplicate {}", row.show());
    }
}
