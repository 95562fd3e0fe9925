//! Limits of types: a type at a limit is accepted, one beyond it is one error. Types that contain themselves end
//! immediately, regardless of the traversal.

mod support;

use std::time::{Duration, Instant};
use support::with_options;
use wgc_sema::db::Options;
use wgc_sema::report::diagnostics::diagnostics;
use wgc_sema::tables::codes::Severity;

/// Maximum time for each program, on a loaded machine without optimisation.
const LONGEST: Duration = Duration::from_secs(60);

const ENTRY: &str = "RWStructuredBuffer<uint> Out : register(u0);\n[numthreads(1, 1, 1)] void main() { Out[0] = 1; }\n";

/// Returns the errors of a program, as code and message, on a stack as large as that of the command.
fn errors(text: &str) -> Vec<String> {
    let check = || {
        let options = Options { compute_entry: Some("main".into()), ..Options::default() };
        let (db, program) = with_options(text, options);
        let all = diagnostics(&db, program).iter().filter(|d| d.severity == Severity::Error);
        all.map(|d| format!("{}: {}", d.code.row().code, d.message)).collect()
    };
    let start = Instant::now();
    let found = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(512 << 20).spawn_scoped(scope, check);
        thread.expect("a thread can be started").join().expect("no panic")
    });
    assert!(start.elapsed() < LONGEST, "{:?}: {}", start.elapsed(), &text[..text.len().min(400)]);
    found
}

const MESH: &str = "[Shader(\"node\")] [NodeLaunch(\"mesh\")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(3, 1, 1)] [OutputTopology(\"triangle\")]\n";

/// Each program has one type that contains itself, and one error for it.
#[test]
fn types_that_contain_themselves_are_reported_once() {
    let position = "float4 position : SV_Position;";
    let programs = [
        ("twice", "struct Tree { Tree left, right; };".to_owned()),
        ("arrays", "struct Tree { Tree children[4]; };".to_owned()),
        ("resource", "struct Tree { Texture2D<float4> map; Tree left, right, middle; };".to_owned()),
        ("base", "struct Tree; struct Leaf { Tree a, b; }; struct Tree : Leaf { uint depth; };".to_owned()),
        ("typedef", "struct Tree; typedef Tree Branch; struct Tree { Branch a, b; };".to_owned()),
        ("template", "template <typename T> struct Pair { T a, b; }; struct Tree { Pair<Tree> both; };".to_owned()),
        ("buffer", "struct Tree { Tree a, b; };\ncbuffer Block { Tree tree; }".to_owned()),
        ("element", "struct Tree { Tree a, b; };\nStructuredBuffer<Tree> trees;".to_owned()),
        ("constants", "struct Tree { Tree a, b; };\nConstantBuffer<Tree> tree;".to_owned()),
        ("local", "struct Tree { Tree a, b; };\nuint f() { Tree t; return sizeof(Tree); }".to_owned()),
        ("cast", "struct Tree { Tree a, b; uint n; };\nuint f() { Tree t = (Tree)0; return t.a.b.n; }".to_owned()),
        (
            "record",
            "struct Tree { Tree a, b; uint n; };\n[Shader(\"node\")] [NodeLaunch(\"thread\")]\nvoid node(ThreadNodeInputRecord<Tree> i) { Out[0] = i.Get().a.n; }".to_owned(),
        ),
        (
            "vertices",
            format!("struct Vertex {{ {position} Vertex a, b, c; }};\n{MESH}void draw(out vertices Vertex v[3], out indices uint3 t[1]) {{ SetMeshOutputCounts(0, 0); }}"),
        ),
        (
            "primitives",
            format!("struct Vertex {{ {position} }}; struct Prim {{ Prim a, b, c; }};\n{MESH}void draw(out vertices Vertex v[3], out indices uint3 t[1], out primitives Prim p[1]) {{ SetMeshOutputCounts(0, 0); }}"),
        ),
    ];
    for (name, text) in programs {
        let found = errors(&format!("{ENTRY}{text}\n"));
        let of_cycle = found.iter().filter(|e| e.starts_with("WG0108")).count();
        assert_eq!(of_cycle, 1, "{name}: {found:#?}");
    }
    // Each of several types that contain each other is reported.
    let found =
        errors(&format!("{ENTRY}struct B; struct A {{ B b, c; }}; struct B {{ A a, d; }}; struct C {{ A a; }};\n"));
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found.iter().all(|e| e.starts_with("WG0108")), "{found:#?}");
}

/// A template that contains ever new instances of itself is not a cycle, but infinite.
#[test]
fn infinitely_recursive_templates_are_rejected() {
    let instance = "RWStructuredBuffer<uint> Out : register(u0);\n[numthreads(1, 1, 1)] void main() { S<0> s; Out[0] = s.last; }\n";
    for fields in
        ["S<N + 1> next;", "S<N + 1> a, b, c;", "S<N + 1> next[2];", "RWByteAddressBuffer data; S<N + 1> a, b;"]
    {
        let found = errors(&format!("template <uint N> struct S {{ {fields} uint last; }};\n{instance}"));
        assert!(!found.is_empty(), "{fields}");
    }
}

/// Generates a program with `count` declarations, whose `N` is their number and `P` the number before, and a use.
fn declared(first: &str, next: &str, count: usize, result: &str) -> String {
    let mut text = format!("{first}\n");
    for n in 1..count {
        text += &next.replace("#N", &n.to_string()).replace("#P", &(n - 1).to_string());
        text.push('\n');
    }
    let result = result.replace("#P", &(count - 1).to_string());
    text + &format!(
        "RWStructuredBuffer<uint> Out : register(u0);\n[numthreads(1, 1, 1)] void main() {{ Out[0] = {result}; }}\n"
    )
}

/// Defaults that use the one before once or several times: each is evaluated once.
#[test]
fn chains_of_template_defaults_are_limited() {
    let forms = [
        (
            "template <uint N = 1> struct T0 { static const uint V = N; };",
            "template <uint N = T#P<>::V> struct T#N { static const uint V = N; };",
            "T#P<>::V",
        ),
        (
            "template <uint N = 1, uint M = 2> struct T0 { static const uint V = N + M; };",
            "template <uint N = T#P<>::V % 7, uint M = T#P<>::V % 5> struct T#N { static const uint V = N + M; };",
            "T#P<>::V",
        ),
        (
            "template <uint N = 1> static const uint v0 = N;",
            "template <uint N = (v#P<> + v#P<>) % 7> static const uint v#N = N;",
            "v#P<>",
        ),
    ];
    let defaults = "WG0011: the default of the template parameter `N` needs more than 100 others in turn";
    // The last variable is an instance, too.
    let instances = "WG0011: `v0` depends on a chain of more than 100 other structures";
    for ((first, next, result), (most, one_more)) in
        forms.into_iter().zip([(100, defaults), (100, defaults), (99, instances)])
    {
        assert_eq!(errors(&declared(first, next, most, result)), [""; 0], "{next}");
        assert_eq!(errors(&declared(first, next, most + 1, result)), [one_more], "{next}");
    }
}

/// Errors of definitions that use the one before twice: the number of errors does not double at each step.
#[test]
fn shared_dependencies_do_not_multiply_errors() {
    let forms = [
        (
            "template <typename T> struct Q { static const uint V = 1; };\ntemplate <typename T> using A0 = Q<T>;",
            "template <typename T> using A#N = A#P<A#P<T> >;",
            "A#P<uint>::V",
        ),
        (
            "template <typename T> struct Q { };\ntemplate <typename T> using A0 = Q<T, T>;",
            "template <typename T> using A#N = Q<A#P<T>, A#P<T> >;",
            "sizeof(A#P<uint>)",
        ),
        (
            "template <typename T> struct S0 { T::type a; };",
            "template <typename T> struct S#N { S#P<T> a, b; };",
            "sizeof(S#P<uint>)",
        ),
        (
            "template <typename T> struct S0 { static const uint V = T::none; };",
            "template <typename T> struct S#N { static const uint V = S#P<T>::V + S#P<T>::V; };",
            "S#P<uint>::V",
        ),
        (
            "template <typename T, uint N = T::none> struct S0 { };",
            "template <typename T, uint N = sizeof(S#P<T>), uint M = sizeof(S#P<T>)> struct S#N { };",
            "sizeof(S#P<uint>)",
        ),
        (
            "template <typename T> struct S0 { enum E { a = T::none }; };",
            "template <typename T> struct S#N { enum E { a = S#P<T>::a + S#P<T>::a, b = S#P<T>::a }; };",
            "(uint)S#P<uint>::a",
        ),
    ];
    for (first, next, result) in forms {
        let found = errors(&declared(first, next, 40, result));
        assert!((1..=100).contains(&found.len()), "{next}: {}", found.len());
    }
}

/// Generates structures of one field, each with its predecessor as its base.
fn chain(bases: usize) -> String {
    let mut text = "struct S0 { uint f0; };\n".to_owned();
    for n in 1..=bases {
        text += &format!("struct S{n} : S{} {{ uint f{n}; }};\n", n - 1);
    }
    text + &format!(
        "RWStructuredBuffer<uint> Out : register(u0);\n[numthreads(1, 1, 1)] void main() {{ S{bases} s = (S{bases})0; Out[0] = s.f0; }}\n"
    )
}

#[test]
fn chains_of_base_structures_are_limited() {
    let most = wgc_sema::types::record::MAX_BASES;
    assert_eq!(errors(&chain(most)), [""; 0]);
    let one_more = [format!("WG0011: `S{}` has a chain of more than {most} bases", most + 1)];
    assert_eq!(errors(&chain(most + 1)), one_more);
    // Reported once, in linear time and memory.
    assert_eq!(errors(&chain(2000)), one_more);
    let template = "template <uint N> struct T : T<N - 1> { uint f; };\ntemplate <> struct T<0> { uint f; };\n";
    assert!(!errors(&format!("{template}struct Last : T<80> {{ }};\n{ENTRY}")).is_empty());
}

#[test]
fn structure_nesting_is_limited() {
    let nested = |levels: u32| {
        let mut text = "struct S1 { uint n; };\n".to_owned();
        for n in 2..=levels {
            text += &format!("struct S{n} {{ S{} inner; }};\n", n - 1);
        }
        errors(&(text + ENTRY))
    };
    let most = wgc_sema::types::extent::MAX_DEPTH;
    assert_eq!(nested(most), [""; 0]);
    let found = nested(most + 1);
    assert_eq!(found, [format!("WG0011: `S{}` nests arrays and structures more than {most} levels deep", most + 1)]);
}

#[test]
fn struct_field_counts_are_limited() {
    let fields = |count: u64| {
        let fields: String = (0..count).map(|n| format!("uint f{n};\n")).collect();
        errors(&format!("struct S {{ {fields} }};\n{ENTRY}"))
    };
    let most = wgc_sema::types::extent::MAX_PARTS;
    assert_eq!(fields(most), [""; 0]);
    assert_eq!(fields(most + 1), [format!("WG0116: `S` has {} fields in total; the limit is {most}", most + 1)]);
    // The fields of structures that contain each other twice double with each level.
    let mut text = "struct S0 { float4 position : SV_Position; uint n; };\n".to_owned();
    for n in 1..50 {
        text += &format!("struct S{n} {{ S{} a, b; }};\n", n - 1);
    }
    let draw = "void draw(out vertices S49 v[3], out indices uint3 t[1]) { SetMeshOutputCounts(0, 0); }\n";
    assert!(errors(&format!("{text}{MESH}{draw}{ENTRY}")).iter().any(|e| e.starts_with("WG0116")));
}

#[test]
fn dimensions_of_arrays_are_limited() {
    let most = wgc_sema::types::extent::MAX_DEPTH as usize;
    let array = |dims: usize| format!("static uint a{};\n{ENTRY}", "[1]".repeat(dims));
    assert_eq!(errors(&array(most)), [""; 0]);
    let found = errors(&array(most + 1));
    assert_eq!(found, [format!("WG0011: this array has {} dimensions; the limit is {most}", most + 1)]);
    let half = "[1]".repeat(most / 2 + 1);
    let found = errors(&format!("typedef uint Half{half};\nstatic Half a{half};\n{ENTRY}"));
    assert!(found.iter().all(|e| e.starts_with("WG0011")) && found.len() == 1, "{found:#?}");
}

#[test]
fn namespaces_are_limited() {
    let nested = |count: usize| {
        let open: String = (0..count).map(|n| format!("namespace n{n} {{ ")).collect();
        errors(&format!("{open} static const uint x = 1; {}\n{ENTRY}", "}".repeat(count)))
    };
    assert_eq!(nested(256), [""; 0]);
    assert_eq!(nested(257), ["WG0011: namespaces nest more than 256 levels deep"]);
    assert_eq!(nested(20_000), ["WG0011: namespaces nest more than 256 levels deep"]);
}

/// Bases that share bases are as many as there are paths to them.
#[test]
fn lookup_visits_shared_bases_once() {
    let mut text = "struct B0 { };\n".to_owned();
    for n in 1..30 {
        let last = n - 1;
        text += &format!("struct L{n} : B{last} {{ }}; struct R{n} : B{last} {{ }}; struct B{n} : L{n}, R{n} {{ }};\n");
    }
    let found = errors(&format!("{text}{ENTRY}uint f() {{ B29 b; b.nope(); return b.what; }}\n"));
    assert_eq!(found.len(), 2, "{found:#?}");
}

/// A construct, a program with this many nested levels of it, the number accepted, and the code of one more.
type Nesting<'a> = (&'a str, &'a dyn Fn(usize) -> String, usize, &'a str);

/// A program of `n` nested levels, the number accepted, and the error of one more.
#[test]
fn nesting_is_limited() {
    let main = |statements: String| {
        format!("RWStructuredBuffer<uint> Out : register(u0);\n[numthreads(1, 1, 1)] void main() {{ {statements} }}\n")
    };
    let constant = |n: usize| {
        let value = "template <uint N> struct W { static const uint V = W<N - 1>::V + 1; };\ntemplate <> struct W<0> { static const uint V = 0; };\n";
        value.to_owned() + &main(format!("Out[0] = W<{n}>::V;"))
    };
    let function = |n: usize| {
        let function = "template <uint N> uint f() { return f<N - 1>() + 1; }\ntemplate <> uint f<0>() { return 0; }\n";
        function.to_owned() + &main(format!("Out[0] = f<{n}>();"))
    };
    let arguments = |n: usize| {
        let text = "template <typename T> struct W { T t; };\n".to_owned();
        text + &main(format!("{}uint{} w; Out[0] = 1;", "W<".repeat(n), "> ".repeat(n)))
    };
    let defaults = |n: usize| {
        let of = |n: usize| format!("uint f{n}(uint a = f{}()) {{ return a; }}\n", n - 1);
        let all: String = (1..=n).map(of).collect();
        format!("uint f0() {{ return 1; }}\n{all}") + &main(format!("Out[0] = f{n}();"))
    };
    // Each condition is a block in the previous one, except for the last, which chooses between numbers.
    let conditions = |n: usize| {
        let chain = |n: usize, last: &str| format!("{}{last}", "q() ? 1 : ".repeat(n));
        let f =
            format!("uint q() {{ return Out[0]++; }}\nuint f(uint x = {}) {{ return x; }}\n", chain(n - 900 + 1, "7"));
        let g = format!("uint g(uint x = {}) {{ return x; }}\n", chain(450, "f()"));
        let buffer = "RWStructuredBuffer<uint> Out : register(u0);\n";
        format!("{buffer}{f}{g}[numthreads(1, 1, 1)] void main() {{ Out[1] = {}; }}\n", chain(450, "g()"))
    };
    // Each call has two expressions of its default argument: the number and its conversion.
    let added = |n: usize| format!("uint d(uint x = 1) {{ return x; }}\n{}", main("d(); ".repeat(n)));
    let programs: [Nesting<'_>; 10] = [
        ("brackets", &|n| main(format!("Out[0] = {}1{};", "(".repeat(n), ")".repeat(n))), 256, "WG0011"),
        ("sums", &|n| format!("static const uint x = {}1;\n{ENTRY}", "1 + ".repeat(n - 1)), 511, "WG0011"),
        ("blocks", &|n| main(format!("{}Out[0] = 1;{}", "{".repeat(n), "}".repeat(n))), 255, "WG0011"),
        (
            "bytes",
            &|n| {
                format!("struct S {{ uint a[{n}]; }};\nRWStructuredBuffer<S> all;\n") + &main("all[0].a[0] = 1;".into())
            },
            0x3fff_ffff,
            "WG0107",
        ),
        ("arguments", &arguments, 60, "WG0011"),
        ("constants", &constant, 99, "WG0011"),
        ("instances", &function, 1023, "WG0225"),
        ("default arguments", &defaults, 32, "WG0011"),
        ("expressions of default arguments", &added, 32_769, "WG0011"),
        ("conditions", &conditions, 1000, "WG0011"),
    ];
    let mut wrong = Vec::new();
    for (name, program, most, code) in programs {
        let (at, past) = (errors(&program(most)), errors(&program(most + 1)));
        if !at.is_empty() || past.len() != 1 || !past[0].starts_with(code) {
            wrong.push(format!("{name}: {at:#?} at the limit, {past:#?} past it"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

const BUFFER: &str = "RWStructuredBuffer<uint> Out : register(u0);\n";

/// Returns the errors of a compute shader.
fn errors_of(head: &str, body: &str) -> Vec<String> {
    errors(&format!("{head}{BUFFER}[numthreads(1, 1, 1)] void main() {{ {body} }}\n"))
}

/// One number that fills a structure or an array: a list in SPIR-V has this many parts.
#[test]
fn casts_of_one_number_are_limited() {
    let most = wgc_sema::types::extent::MAX_LISTED;
    let of = |n: usize| errors_of(&format!("struct S {{ uint a[{n}]; }};\n"), "S s = (S)Out[1]; Out[0] = s.a[Out[2]];");
    assert_eq!(of(most), [""; 0]);
    let found = of(most + 1);
    assert!(found.len() == 1 && found[0].starts_with("WG0220") && found[0].contains("65533"), "{found:#?}");
    // So do lists, and arrays that a load moves.
    let list = |n: usize| errors_of("", &format!("uint a[] = {{ {} }}; Out[0] = a[Out[1]];", "Out[2],".repeat(n)));
    assert_eq!(list(most), [""; 0]);
    assert!(list(most + 1).len() == 1, "{:#?}", list(most + 1));
    let load = |n: usize| {
        let head = format!("struct S {{ uint a[{n}]; }};\nRWByteAddressBuffer Bytes;\n");
        [
            errors_of(&head, "Out[0] = Bytes.Load<S>(0).a[Out[1]];"),
            errors_of(&head, "S s = (S)0; s.a[Out[1]] = 1; Bytes.Store<S>(0, s);"),
        ]
    };
    assert_eq!(load(most).concat(), [""; 0]);
    for found in load(most + 1) {
        assert!(found.len() == 1 && found[0].starts_with("WG0220"), "{found:#?}");
    }
}

/// Each level doubles the length of type names.
#[test]
fn template_arguments_are_limited_in_all() {
    let of = |levels: usize| {
        let next = |n: usize| format!("typedef P<T{n}, T{n}> T{};\n", n + 1);
        let types: String = (0..levels).map(next).collect();
        errors_of(
            &format!("template <typename A, typename B> struct P {{ }};\ntypedef uint T0;\n{types}"),
            "Out[0] = 1;",
        )
    };
    assert_eq!(of(10), [""; 0]);
    assert_eq!(of(11), ["WG0011: template arguments of `P` exceed 1024 types and values in total"]);
    let found = of(60);
    assert!(!found.is_empty() && found.len() < 60, "{found:#?}");
}

/// A load of a structure has several values for each scalar.
#[test]
fn values_of_functions_and_programs_are_limited() {
    let head = "struct S { uint a[50000]; };\nByteAddressBuffer Bytes;\n";
    let one = |loads: usize| {
        let loads: String = (0..loads).map(|n| format!("Out[{n}] = Bytes.Load<S>({}).a[Out[0]]; ", n * 4)).collect();
        errors_of(head, &loads)
    };
    assert_eq!(one(2), [""; 0]);
    assert_eq!(one(5), ["WG0560: `main` has more than 1048576 values"]);
    let several = |functions: usize| {
        let each = |n: usize| format!("uint f{n}() {{ return Bytes.Load<S>({}).a[Out[0]]; }}\n", n * 4);
        let all: String = (0..functions).map(each).collect();
        let calls: String = (0..functions).map(|n| format!("Out[{n}] = f{n}(); ")).collect();
        errors(&format!("{head}{BUFFER}{all}[numthreads(1, 1, 1)] void main() {{ {calls} }}\n"))
    };
    assert_eq!(several(2), [""; 0]);
    assert_eq!(several(6), ["WG0560: the program has more than 1048576 values"]);
}

/// Template instances are limited, whether they are used or not.
#[test]
fn large_template_instances_are_limited() {
    let body: String = (0..1500).map(|n| format!("x += N * {n};\n")).collect();
    let calls: String = (0..400).map(|n| format!("Out[{n}] = f<{n}>(Out[0]);\n")).collect();
    let head = format!("template <uint N> uint f(uint x) {{ {body} return x; }}\n");
    assert_eq!(errors_of(&head, &calls), ["WG0560: the program has more than 1048576 values"]);
    let found = errors(&format!(
        "{head}{BUFFER}void unused() {{ {calls} }}\n[numthreads(1, 1, 1)] void main() {{ Out[0] = 1; }}\n"
    ));
    assert_eq!(found, ["WG0560: the program has more than 1048576 values"]);
}

/// A constant that is not listed is computed at run time above the limit, and is then not a constant.
#[test]
fn repeated_constants_above_the_limit_are_not_folded() {
    let of = |n: usize| {
        errors_of(
            &format!("static const uint a[{n}] = (uint[{n}])3;\nstatic const uint length = a[5];\n"),
            "uint b[length]; b[0] = 1; Out[0] = b[Out[1]];",
        )
    };
    assert_eq!(of(4096 + 16), [""; 0]);
    let found = of(4096 + 17);
    assert!(found.len() == 1 && found[0].starts_with("WG0105"), "{found:#?}");
}

#[test]
fn resources_in_one_variable_are_limited() {
    let of = |n: usize| errors_of(&format!("struct A {{ Texture2D<float4> map; }};\nA all[{n}];\n"), "Out[0] = 1;");
    assert_eq!(of(4096), [""; 0]);
    let found = of(4097);
    assert!(
        found.len() == 1 && found[0].starts_with("WG0116") && found[0].contains("too many resources"),
        "{found:#?}"
    );
}

/// After a limit of the preprocessor the tokens differ from the author's, so nothing is reported about them.
#[test]
fn preprocessor_limits_are_reported_once() {
    let calls = |n: usize| {
        errors_of(
            &format!("#define F(x) x\nstatic const uint one = {}1{};\n", "F(".repeat(n), ")".repeat(n)),
            "Out[0] = one;",
        )
    };
    assert_eq!(calls(129), [""; 0]);
    assert_eq!(calls(130), ["WG0008: macro calls nest more than 128 levels deep in arguments"]);
    let chain = |n: usize| {
        let all: String = (1..n).map(|n| format!("#define A{n} A{}\n", n - 1)).collect();
        errors_of(&format!("#define A0 1\n{all}"), &format!("Out[0] = A{};", n - 1))
    };
    assert_eq!(chain(256), [""; 0]);
    assert_eq!(chain(257), ["WG0008: macro expansions nest more than 256 levels deep"]);
    let bomb: String = (1..40).map(|n| format!("#define A{n} A{0} A{0}\n", n - 1)).collect();
    assert_eq!(errors_of(&format!("#define A0 Out[0] = 1;\n{bomb}"), "A39").len(), 1);
}

#[test]
fn nodes_in_a_chain_are_limited() {
    let of = |n: usize| {
        let node = |k: usize| {
            let (output, body) = match k + 1 < n {
                true => (
                    format!(", [MaxRecords(1)] NodeOutput<R> n{}", k + 1),
                    format!("n{}.GetThreadNodeOutputRecords(1).OutputComplete();", k + 1),
                ),
                false => (String::new(), String::new()),
            };
            format!(
                "[Shader(\"node\")] [NodeLaunch(\"thread\")] void n{k}(ThreadNodeInputRecord<R> r{output}) {{ {body} }}\n"
            )
        };
        let text: String = (0..n).map(node).collect();
        let text = format!("struct R {{ uint a; }};\n{text}");
        let (db, program) = with_options(&text, Options::default());
        let all = diagnostics(&db, program).iter().filter(|d| d.severity == Severity::Error);
        all.map(|d| d.code.row().code.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(of(32), [""; 0]);
    assert_eq!(of(33), ["WG0408"]);
}

/// Array indexes count, as do recursion levels.
#[test]
fn nodes_are_limited() {
    let of = |last: u32| {
        let id = format!("[NodeID(\"only\", {last})]");
        let text = format!(
            "struct R {{ uint x; }};\n[Shader(\"node\")] [NodeLaunch(\"thread\")] {id} [NodeMaxRecursionDepth(1)]\n\
             void only(ThreadNodeInputRecord<R> i, [MaxRecords(1)] {id} NodeOutput<R> again) {{ }}\n"
        );
        let (db, program) = with_options(&text, Options::default());
        let all = diagnostics(&db, program).iter().filter(|d| d.severity == Severity::Error);
        all.map(|d| d.code.row().code.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(of(16_777_213), [""; 0]);
    assert_eq!(of(16_777_214), ["WG0409"]);
}
