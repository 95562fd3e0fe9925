//! Other views of memory: floats as words, buffers of words as word pairs.

use crate::{ENTRY, body_of_f, lines, read};
use wgc_ir::{GlobalKind, Scalar, Type, passes};

const GLOBALS: &str = "struct S size 12 align 4 { v: f32x2 @0, n: u32 @8 }
    global @shared: workgroup [S; 4 stride 12]
    global @words: buffer<u32 stride 4> writable set 0 binding 1
    global @pages: buffer<u32 stride 4> writable coherent set 0 binding 2 count 2
";

#[test]
fn memory_with_bit_compare_exchange_is_stored_as_words() {
    let text = format!(
        "{GLOBALS}{ENTRY}fn @f() -> void {{
            %0: ref<workgroup, [S; 4 stride 12]> = global @shared
            %1: u32 = 1
            %2: ref<workgroup, S> = index %0, %1
            %3: ref<workgroup, f32x2> = field %2, 0
            %4: ref<workgroup, f32> = index %3, %1
            %5: ref<workgroup, u32> = bits %4
            %6: u32 = atomic.compare_exchange %5, %1, %1 workgroup relaxed
            %7: S = load %2
            store %2, %7
            %8: f32 = load %4
            %9: u32 = bitcast %8
            %10: ref<workgroup, u32> = bits %4
            %11: u32 = atomic.exchange %10, %9 workgroup relaxed
        }}"
    );
    let mut module = read(&text);
    passes::float_atomics(&mut module).unwrap();
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    let expected = "%0: ref<workgroup, [S; 4 stride 12]> = global @shared
        %1: u32 = 1
        %2: ref<workgroup, S> = index %0, %1
        %3: ref<workgroup, u32x2> = field %2, 0
        %4: ref<workgroup, u32> = index %3, %1
        %5: ref<workgroup, u32> = index %3, %1
        %6: u32 = atomic.compare_exchange %5, %1, %1 workgroup relaxed
        %7: S = load %2
        %8: u32x2 = extract %7, 0
        %9: f32x2 = bitcast %8
        %10: u32 = extract %7, 1
        %11: S.1 = compose %9, %10
        %12: f32x2 = extract %11, 0
        %13: u32x2 = bitcast %12
        %14: u32 = extract %11, 1
        %15: S = compose %13, %14
        store %2, %15
        %16: u32 = load %4
        %17: f32 = bitcast %16
        %18: u32 = bitcast %17
        %19: ref<workgroup, u32> = index %3, %1
        %20: u32 = atomic.exchange %19, %18 workgroup relaxed";
    assert_eq!(body_of_f(&module), lines(expected));
    let GlobalKind::Workgroup { ty: Type::Array { element, .. } } = &module.globals["shared"].kind else {
        panic!("{:?}", module.globals["shared"])
    };
    let Type::Struct(s) = &**element else { panic!("{element}") };
    assert_eq!(s.fields[0].ty, Type::Vector(Scalar::U32, 2));
    assert_eq!((s.size, s.fields[1].offset), (12, 8));
}

#[test]
fn bit_views_of_addresses_affect_only_their_access() {
    let text = format!(
        "{GLOBALS}{ENTRY}fn @f() -> void {{
            %0: u64 = 64
            %1: ref<physical, S> = address %0
            %2: ref<physical, f32x2> = field %1, 0
            %3: u32 = 1
            %4: ref<physical, f32> = index %2, %3
            %5: ref<physical, u32> = bits %4
            %6: u32 = atomic.compare_exchange %5, %3, %3 device relaxed
            %7: f32 = load %4
            store %4, %7
        }}"
    );
    let mut module = read(&text);
    passes::float_atomics(&mut module).unwrap();
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    let expected = "%0: u64 = 64
        %1: ref<physical, S> = address %0
        %2: ref<physical, f32x2> = field %1, 0
        %3: u32 = 1
        %4: ref<physical, f32> = index %2, %3
        %5: ref<physical, S.1> = address %0
        %6: ref<physical, u32x2> = field %5, 0
        %7: ref<physical, u32> = index %6, %3
        %8: u32 = atomic.compare_exchange %7, %3, %3 device relaxed
        %9: f32 = load %4
        store %4, %9";
    assert_eq!(body_of_f(&module), lines(expected));
}

#[test]
fn u64_views_share_the_binding_of_their_u32_buffer() {
    let text = format!(
        "{GLOBALS}{ENTRY}fn @f() -> void {{
            %0: u32 = 1
            %1: ref<storage, [u32 stride 4]> = global @words
            %2: ref<storage, [u64 stride 8]> = wide %1
            %3: ref<storage, u64> = index %2, %0
            %4: u64 = 5
            %5: u64 = atomic.add %3, %4 device relaxed
            %6: descriptors<ref<storage.coherent, [u32 stride 4]>, 2> = global @pages
            %7: ref<storage.coherent, [u32 stride 4]> = descriptor %6, %0
            %8: ref<storage.coherent, [u64 stride 8]> = wide %7
            %9: ref<storage.coherent, u64> = index %8, %0
            %10: u64 = atomic.add %9, %4 device relaxed
        }}"
    );
    let mut module = read(&text);
    passes::wide_atomics(&mut module).unwrap();
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    let expected = "%0: u32 = 1
        %1: ref<storage, [u64 stride 8]> = global @words.wide
        %2: ref<storage, u64> = index %1, %0
        %3: u64 = 5
        %4: u64 = atomic.add %2, %3 device relaxed
        %5: descriptors<ref<storage.coherent, [u64 stride 8]>, 2> = global @pages.wide
        %6: ref<storage.coherent, [u64 stride 8]> = descriptor %5, %0
        %7: ref<storage.coherent, u64> = index %6, %0
        %8: u64 = atomic.add %7, %3 device relaxed";
    assert_eq!(body_of_f(&module), lines(expected));
    let at = |name: &str| module.globals[name].binding().map(|b| (b.set, b.binding, b.count));
    assert_eq!(at("pages.wide"), Some((0, 2, wgc_ir::Count::Array(2))));
    assert_eq!(at("words.wide").map(|b| b.1), Some(1));
}

#[test]
fn float_atomics_retype_record_fields_in_all_nodes() {
    let text = "struct R size 4 align 4 { f: f32 @0 }
        node \"a\"[0] = @f {
          launch thread threads 1 1 1 entry
          input in: R max 1
          output out: R -> \"b\"[0] max 1
        }
        node \"b\"[0] = @n {
          launch thread threads 1 1 1
          input in: R read_write max 1
        }
        fn @f() -> void {
            %0: u32 = 0
            %1: u32 = 1
            %2: ref<node_input, R> = input_record %0
            %3: R = load %2
            %4: records<thread, R> = allocate thread 0[%0], %1
            %5: ref<node_output, R> = output_record %4, %0
            store %5, %3
            complete %4
        }
        fn @n() -> void {
            %0: u32 = 0
            %1: ref<node_input, R> = input_record %0
            %2: ref<node_input, f32> = field %1, 0
            %3: ref<node_input, u32> = bits %2
            %4: u32 = atomic.compare_exchange %3, %0, %0 device relaxed
        }";
    let mut module = read(text);
    passes::float_atomics(&mut module).unwrap();
    let words = |ty: &Type| matches!(ty, Type::Struct(s) if s.fields[0].ty == Type::U32);
    for node in &module.graph.nodes {
        let all = node.input.iter().map(|i| &i.record).chain(node.outputs.iter().map(|o| &o.record));
        assert!(all.flatten().all(|record| words(&record.ty)), "{node:?}");
    }
    let body = body_of_f(&module);
    assert!(body.contains("f32 = bitcast") && body.contains("u32 = bitcast"), "{body}");
}
