//! Declarations: enumerations, structures, functions, templates, resources and globals.

use super::stmt::Inside;
use super::tree::{Role, Tree, tree};
use super::types::{Enum, Function, Member, Mode, Param, Scalar as S, Struct, Ty};
use super::{Generator, Var};

impl Generator {
    pub fn enumeration(&mut self) -> Tree {
        let name = self.fresh("E");
        let scoped = self.random.one_in(2);
        let count = 2 + self.random.below(3);
        let mut text = format!("{} {name} {{ ", if scoped { "enum class" } else { "enum" });
        let mut enumerators = Vec::new();
        for _ in 0..count {
            let one = self.fresh("k");
            text += &one;
            if self.random.one_in(3) {
                text += &format!(" = {}", self.random.below(100));
            }
            text += ", ";
            enumerators.push(if scoped { format!("{name}::{one}") } else { one });
        }
        text.truncate(text.len() - 2);
        self.enums.push(Enum { name, enumerators });
        tree!(Role::Removable; text, " };\n")
    }

    /// Returns a type for a member.
    fn member_type(&mut self) -> Ty {
        match self.random.below(8) {
            0 if !self.structs.is_empty() => Ty::Struct(self.random.below(self.structs.len() as u32) as usize),
            1 => {
                let element = self.random_number();
                self.array_of(element)
            }
            2 => Ty::Matrix(S::F32, 2 + self.random.below(2), 2 + self.random.below(3)),
            _ => self.random_number(),
        }
    }

    pub fn structure_declaration(&mut self) -> Tree {
        let index = self.structs.len();
        let name = self.fresh("S");
        let template = self.random.one_in(4);
        let base = if template || index == 0 || self.random.one_in(2) {
            None
        } else {
            Some(self.random.below(index as u32) as usize).filter(|n| !self.structs[*n].name.contains('<'))
        };
        let interface = base.is_none() && !template && self.random.one_in(3);
        let mut members = Vec::new();
        let mut text = tree!(Role::Fixed;);
        let mut header = tree!(Role::Fixed;);
        if template {
            let (argument, n) = (self.random_number(), 2 + self.random.below(3));
            let array = self.array_of_count(argument.clone(), n);
            let spelled = self.spelled(&argument);
            header.add("template<typename T, uint N>\n");
            let (items, one) = (self.fresh("m"), self.fresh("m"));
            text.add(format!("T {items}[N];\nT {one};\n"));
            text.add(format!("T at(uint i) {{ return {items}[i % N]; }}\n"));
            members.push(Member { name: items, ty: array, bits: None, modifier: "" });
            members.push(Member { name: one, ty: argument.clone(), bits: None, modifier: "" });
            // The blank prevents `>>` at the end of a list of arguments.
            let spelled_name = format!("{name}<{spelled}, {n}> ");
            let at =
                Function { name: "at".into(), result: argument, params: vec![input(Ty::UINT)], pure: true, cost: 1 };
            self.structs.push(Struct {
                name: spelled_name,
                base: None,
                members,
                methods: vec![at],
                operators: Vec::new(),
                in_buffers: true,
            });
            return tree!(Role::Removable; header, format!("struct {name} {{\n"), text, "};\n");
        }
        let count = 1 + self.random.below(4);
        let bit_fields = self.random.one_in(5);
        for _ in 0..count {
            let name = self.fresh("m");
            let member = if bit_fields {
                let ty = self.random.pick(&[Ty::UINT, Ty::UINT, Ty::INT]);
                Member { name, ty, bits: Some(1 + self.random.below(17)), modifier: "" }
            } else {
                let ty = self.member_type();
                let modifier = match ty {
                    Ty::Matrix(..) => self.random.pick(&["", "row_major ", "column_major "]),
                    _ => "",
                };
                Member { name, ty, bits: None, modifier }
            };
            let bits = member.bits.map_or(String::new(), |bits| format!(" : {bits}"));
            text.add(tree!(Role::Removable; member.modifier, self.declarator(&member.ty, &member.name), bits, ";\n"));
            members.push(member);
        }
        self.structs.push(Struct {
            name: name.clone(),
            base,
            members: members.clone(),
            methods: Vec::new(),
            operators: Vec::new(),
            in_buffers: true,
        });
        let mut first = String::new();
        let mut colon = base.map_or(String::new(), |base| format!(" : {}", self.structs[base].name));
        for n in 0..self.random.below(3) {
            let result = self.random_number();
            let of_interface = interface && n == 0;
            let known = self.vars.len();
            let all = self.all_members(index);
            for member in &all {
                let prefix = if self.random.one_in(3) { "this." } else { "" };
                self.vars.push(Var {
                    name: format!("{prefix}{}", member.name),
                    ty: member.ty.clone(),
                    writable: false,
                    is_static: false,
                });
            }
            let (declared, function) = self.function_in("f", result.clone(), true);
            self.vars.truncate(known);
            // The interface comes before the structure, so it cannot name it.
            if of_interface && function.params.iter().all(|p| p.ty != Ty::Struct(index)) {
                let face = self.fresh("I");
                let params: Vec<String> =
                    function.params.iter().enumerate().map(|(n, p)| format!("{} p{n}", self.spelled_mode(p))).collect();
                first = format!(
                    "interface {face} {{ {} {}({}); }};\n",
                    self.spelled(&result),
                    function.name,
                    params.join(", ")
                );
                colon = format!(" : {face}");
            }
            text.add(declared);
            self.structs[index].methods.push(function);
        }
        if self.random.one_in(2) && !bit_fields {
            let operator = self.random.pick(&["+", "-", "*", "^"]);
            let mut body = format!("{name} operator{operator}({name} other) {{\n{name} r = other;\n");
            let mut any = false;
            for member in &members {
                if let Some(scalar) = member.ty.scalar().filter(|s| s.is_int()) {
                    let by = if scalar.bits() == 32 { operator } else { "+" };
                    body += &format!("r.{0} = this.{0} {by} other.{0};\n", member.name);
                    any = true;
                }
            }
            if any {
                text.add(tree!(Role::Fixed; body, "return r;\n}\n"));
                self.structs[index].operators.push(operator);
            }
        }
        tree!(Role::Removable; first, header, format!("struct {name}{colon} {{\n"), text, "};\n")
    }

    fn spelled_mode(&self, param: &Param) -> String {
        let mode = match param.mode {
            Mode::In => "",
            Mode::Out => "out ",
            Mode::InOut => "inout ",
        };
        format!("{mode}{}", self.spelled(&param.ty))
    }

    /// Returns the members of a structure and of its bases.
    pub fn all_members(&self, n: usize) -> Vec<Member> {
        let mut all = self.structs[n].members.clone();
        if let Some(base) = self.structs[n].base {
            all.extend(self.all_members(base));
        }
        all
    }

    pub fn function(&mut self) -> Tree {
        let result = if self.random.one_in(6) { self.any_type() } else { self.random_number() };
        let result = if matches!(result, Ty::Array(..)) { Ty::UINT } else { result };
        match self.random.below(6) {
            0 => return self.template_function(),
            1 => return self.namespaced(result),
            _ => {}
        }
        let known = self.vars.len();
        let pure = self.random.one_in(2);
        let (declared, function) = self.function_in("f", result, pure);
        self.vars.truncate(known);
        self.functions.push(function);
        declared
    }

    fn namespaced(&mut self, result: Ty) -> Tree {
        let space = self.fresh("N");
        let known = self.vars.len();
        let constant = self.fresh("n");
        let value = self.literal(&Ty::UINT).tree;
        self.vars.push(Var { name: constant.clone(), ty: Ty::UINT, writable: false, is_static: false });
        let (declared, mut function) = self.function_in("f", result, true);
        self.vars.truncate(known);
        function.name = format!("{space}::{}", function.name);
        self.functions.push(function);
        tree!(Role::Removable; format!("namespace {space} {{\nstatic const uint {constant} = "), value, ";\n", declared, "}\n")
    }

    /// Generates a template, with some of the arguments for calls.
    fn template_function(&mut self) -> Tree {
        let name = self.fresh("t");
        let kind = self.random.below(3);
        let mut all = tree!(Role::Removable;);
        match kind {
            0 => {
                let operator = self.random.pick(&["+", "-", "*", "&", "^"]);
                all.add(format!("template<typename T>\nT {name}(T a, T b) {{ T c = a {operator} b; c += a; return c; }}\n"));
            }
            1 => all.add(format!("template<typename T, uint N>\nT {name}(T a, T b) {{ T c = a; [unroll] for (uint i = 0; i < N; i++) c = c * 3 + b; return c; }}\n")),
            _ => all.add(format!("template<uint N, typename T>\nT {name}(T a, T b) {{ if (N > 2) return a ^ b; return a & b; }}\n")),
        }
        for _ in 0..2 {
            let scalar = self.random.pick(&[S::U32, S::I32, S::U32, S::I64]);
            let ty =
                if self.random.one_in(2) { Ty::Scalar(scalar) } else { Ty::Vector(scalar, 2 + self.random.below(3)) };
            let spelled = self.spelled(&ty);
            let n = 1 + self.random.below(4);
            let call = match kind {
                0 if self.random.one_in(2) => name.clone(),
                0 => format!("{name}<{spelled}>"),
                1 => format!("{name}<{spelled}, {n}>"),
                _ => format!("{name}<{n}>"),
            };
            self.functions.push(Function {
                name: call,
                result: ty.clone(),
                params: vec![input(ty.clone()), input(ty)],
                pure: true,
                cost: 4,
            });
        }
        all
    }

    /// Generates a function with a body. Its parameters stay in scope; the caller removes them.
    fn function_in(&mut self, prefix: &str, result: Ty, pure: bool) -> (Tree, Function) {
        let name = self.fresh(prefix);
        let saved = (self.cost, self.multiplier, self.limit, self.in_body, self.in_pure, self.nodes);
        (self.cost, self.multiplier, self.limit, self.in_body, self.in_pure) = (0, 1, 12, false, pure);
        self.nodes = 90;
        self.divergent += 1;
        let outer = self.vars.len();
        if pure {
            self.vars.iter_mut().for_each(|v| v.writable &= !v.is_static);
        }
        let mut params = Vec::new();
        let mut list = tree!(Role::Fixed;);
        let mut outs = tree!(Role::Fixed;);
        let count = self.random.below(4);
        let mut defaults = false;
        for n in 0..count {
            let ty = if self.random.one_in(5) { self.any_type() } else { self.random_number() };
            let mode = if pure || defaults {
                Mode::In
            } else {
                self.random.pick(&[Mode::In, Mode::In, Mode::Out, Mode::InOut])
            };
            let param = self.fresh("a");
            if n > 0 {
                list.add(", ");
            }
            let defaulted =
                mode == Mode::In && ty.scalar().is_some() && (defaults || (n + 1 == count && self.random.one_in(4)));
            defaults |= defaulted;
            list.add(match mode {
                Mode::In => self.random.pick(&["", "", "in "]),
                Mode::Out => "out ",
                Mode::InOut => "inout ",
            });
            list.add(self.declarator(&ty, &param));
            if defaulted {
                list.add(" = ");
                let value = self.literal(&ty).tree;
                list.add(value);
            }
            if mode == Mode::Out {
                outs.add(format!("{param} = "));
                let value = self.zero(&ty).tree;
                outs.add(value);
                outs.add(";\n");
            }
            self.vars.push(Var { name: param, ty: ty.clone(), writable: true, is_static: false });
            params.push(Param { ty, mode, defaulted });
        }
        let inside = Inside { result: Some(result.clone()), loops: 0, breakable: false, continuable: false };
        let mut body = tree!(Role::Fixed; outs);
        for _ in 0..1 + self.random.below(4) {
            let statement = self.statement(&inside);
            body.add(statement);
        }
        let value = self.value(&result, 3).tree;
        body.add("return ");
        body.add(value);
        body.add(";\n");
        self.divergent -= 1;
        if pure {
            self.vars.iter_mut().take(outer).for_each(|v| v.writable |= v.is_static);
        }
        let cost = 4 + self.cost;
        (self.cost, self.multiplier, self.limit, self.in_body, self.in_pure, self.nodes) = saved;
        let spelled = self.spelled(&result);
        let declared = tree!(Role::Removable; format!("{spelled} {name}("), list, ") {\n", body, "}\n");
        (declared, Function { name, result, params, pure, cost })
    }

    /// Generates globals of the whole group, or of each thread.
    pub fn globals(&mut self) -> Tree {
        let mut all = tree!(Role::Fixed;);
        for _ in 0..1 + self.random.below(2) {
            let ty = self.random_number();
            let name = self.fresh("c");
            if self.random.one_in(2) {
                let ty = self.array_of_count(ty, 4);
                let Ty::Array(element, _) = ty.clone() else { continue };
                let mut list = tree!(Role::Fixed; "{ ");
                for _ in 0..4 {
                    let value = self.literal(&element).tree;
                    list.add(value);
                    list.add(", ");
                }
                all.add(tree!(Role::Removable; "static const ", self.declarator(&ty, &name), " = ", list, "};\n"));
                self.vars.push(Var { name, ty, writable: false, is_static: false });
            } else {
                let value = self.literal(&ty).tree;
                all.add(tree!(Role::Removable; "static const ", self.declarator(&ty, &name), " = ", value, ";\n"));
                self.vars.push(Var { name, ty, writable: false, is_static: false });
            }
        }
        for _ in 0..1 + self.random.below(2) {
            let ty = self.any_type();
            let name = self.fresh("s");
            let value = if ty.scalar().is_some() { self.literal(&ty).tree } else { self.zero(&ty).tree };
            all.add(tree!(Role::Removable; "static ", self.declarator(&ty, &name), " = ", value, ";\n"));
            self.vars.push(Var { name, ty, writable: true, is_static: true });
        }
        all
    }

    /// Generates buffers, constants and groupshared arrays.
    pub fn resources(&mut self) -> Tree {
        let mut all = tree!(Role::Fixed;);
        all.add("[[vk::binding(0)]] RWByteAddressBuffer Out;\n[[vk::binding(4)]] RWStructuredBuffer<uint> Acc;\n[[vk::binding(6)]] RWByteAddressBuffer Own;\n[[vk::binding(7)]] RWByteAddressBuffer Bytes;\n[[vk::binding(8)]] RWStructuredBuffer<int> AccI;\n");
        let element = self.buffer_type();
        all.add(format!("[[vk::binding(1)]] StructuredBuffer<{}> In;\n", self.spelled(&element)));
        self.vars.push(Var {
            name: "In".into(),
            ty: Ty::Array(Box::new(element), 11),
            writable: false,
            is_static: false,
        });
        let element = self.buffer_type();
        all.add(format!("[[vk::binding(3)]] RWStructuredBuffer<{}> Work;\n", self.spelled(&element)));
        self.work = Some(element);
        let mut block = String::from("[[vk::binding(5)]] cbuffer Block {\nint4 CI;\n");
        self.vars.push(Var { name: "CI".into(), ty: Ty::Vector(S::I32, 4), writable: false, is_static: false });
        for _ in 0..1 + self.random.below(4) {
            let ty = match self.random.below(4) {
                0 if !self.structs.is_empty() => Ty::Struct(self.random.below(self.structs.len() as u32) as usize),
                1 => Ty::Matrix(S::F32, 2 + self.random.below(3), 2 + self.random.below(3)),
                2 => {
                    let element = self.random_number();
                    self.array_of(element)
                }
                _ => self.random_number(),
            };
            // In Direct3D's layout the last row of a matrix shares space with the next member, which is invalid SPIR-V:
            // there wgc differs on purpose (docs/language.md).
            let shares_rows = self.layout == super::Layout::Dx && self.has_matrix(&ty);
            let ty = if shares_rows { Ty::UINT } else { ty };
            let name = self.fresh("b");
            let modifier =
                if matches!(ty, Ty::Matrix(..)) { self.random.pick(&["", "row_major ", "column_major "]) } else { "" };
            block += &format!("{modifier}{};\n", self.declarator(&ty, &name));
            self.vars.push(Var { name, ty, writable: false, is_static: false });
        }
        all.add(block + "};\n");
        for _ in 0..2 {
            let ty = if self.random.one_in(4) { self.any_type() } else { self.random_number() };
            let ty = if matches!(ty, Ty::Array(..)) { Ty::UINT } else { ty };
            let name = self.fresh("G");
            all.add(format!("groupshared {};\n", self.declarator(&ty, &format!("{name}[THREADS]"))));
            self.shared.push((name, ty));
        }
        let mut at = 0;
        for _ in 0..3 {
            let ty = self.random_number();
            let ty = if ty.scalar() == Some(S::Bool) { Ty::UINT } else { ty };
            // No slot shares bytes with one of another type.
            self.own_slots.push((ty, at));
            at += 128;
        }
        self.own_bytes = at;
        all
    }

    fn buffer_type(&mut self) -> Ty {
        if !self.structs.is_empty() && !self.random.one_in(4) {
            return Ty::Struct(self.random.below(self.structs.len() as u32) as usize);
        }
        self.random_number()
    }
}

fn input(ty: Ty) -> Param {
    Param { ty, mode: Mode::In, defaulted: false }
}
