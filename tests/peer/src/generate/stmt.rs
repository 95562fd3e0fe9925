//! Statements. Loops are bounded, operations across threads are in uniform control flow, and every variable is
//! initialised.

use super::tree::{Role, Tree, tree};
use super::types::{Function, Mode, Scalar as S, Ty};
use super::{Generator, Slot, Var};

/// A sample point, on the buffer [`MARKS`](crate::variables::MARKS).
const MARK: &str = "InterlockedAdd(Marks[0], 1u);\n";

/// The function that contains a statement.
#[derive(Clone, Debug)]
pub struct Inside {
    /// `None`: it returns no value, and never early.
    pub result: Option<Ty>,
    pub loops: u32,
    /// `break` and `continue` are allowed.
    pub breakable: bool,
    pub continuable: bool,
}

impl Generator {
    /// Generates some statements in a separate scope.
    pub fn block(&mut self, inside: &Inside, count: u32) -> Tree {
        let known = self.vars.len();
        let mut all = tree!(Role::Fixed; "{\n");
        for _ in 0..count {
            let statement = self.statement(inside);
            all.add(statement);
        }
        self.vars.truncate(known);
        all.add("}\n");
        all
    }

    pub fn statement(&mut self, inside: &Inside) -> Tree {
        let mut all = self.unmarked_statement(inside);
        if self.features.marks {
            all.add(MARK);
        }
        all
    }

    fn unmarked_statement(&mut self, inside: &Inside) -> Tree {
        let deep = inside.loops >= 2 || self.nodes < 40;
        match self.random.below(34) {
            0..=7 => self.declaration(),
            8..=13 => self.assignment(),
            14 | 15 => self.increment(),
            16..=18 if !deep => self.branch(inside),
            19 | 20 if !deep => self.bounded_loop(inside),
            21 if !deep => self.switch(inside),
            22 | 23 if inside.breakable => self.leave(inside),
            22 | 23 => self.call_statement().unwrap_or_else(|| self.assignment()),
            24 | 25 => self.call_statement().unwrap_or_else(|| self.assignment()),
            26 if inside.result.is_some() => self.early_return(inside),
            26 | 27 => self.chained(),
            28 if self.in_body => self.memory(),
            28 => self.short_circuit().unwrap_or_else(|| self.assignment()),
            29 if self.uniform() => self.exchange(),
            30 if self.in_body => self.atomic(),
            31 if self.features.less_than => self.comparisons(),
            32 if self.features.hiding => self.hidden_type(),
            33 => self.macro_use(),
            _ => self.assignment(),
        }
    }

    /// Declares a new variable, which is in scope from here on.
    pub fn declaration(&mut self) -> Tree {
        let ty = self.any_type();
        let value = if self.random.one_in(6) { self.loosely(&ty) } else { self.value(&ty, 3).tree };
        // An inner name may hide an outer one, but not one of its own scope.
        let name = self.fresh("v");
        self.declared(&ty, name, value)
    }

    pub fn declared(&mut self, ty: &Ty, name: String, value: Tree) -> Tree {
        let prefix = if self.random.one_in(12) { "const " } else { "" };
        let writable = prefix.is_empty();
        let declared = tree!(Role::Removable; prefix, self.declarator(ty, &name), " = ", value, ";\n");
        self.vars.push(Var { name, ty: ty.clone(), writable, is_static: false });
        declared
    }

    /// Generates a value of another type, converted at its use.
    pub fn loosely(&mut self, ty: &Ty) -> Tree {
        let other = match *ty {
            Ty::Scalar(S::U32) => Ty::INT,
            Ty::Scalar(S::I32) => self.random.pick(&[Ty::UINT, Ty::BOOL]),
            Ty::Scalar(S::U64) => self.random.pick(&[Ty::UINT, Ty::INT]),
            Ty::Scalar(S::I64) => self.random.pick(&[Ty::UINT, Ty::INT]),
            Ty::Scalar(S::F32) => Ty::BOOL,
            Ty::Vector(s, n) => self.random.pick(&[Ty::Scalar(s), Ty::Vector(s, 4.max(n))]),
            Ty::Matrix(s, ..) => Ty::Scalar(s),
            ref other => other.clone(),
        };
        self.typed(&other, 2).tree
    }

    fn assignment(&mut self) -> Tree {
        let ty = if self.random.one_in(8) { self.any_type() } else { self.random_number() };
        let Some((target, _)) = self.path_of(&ty, true, None) else { return self.declaration() };
        let number = ty.scalar().is_some_and(|s| s.is_int());
        if number && self.random.one_in(2) {
            let operator = self.random.pick(&[" += ", " -= ", " *= ", " &= ", " |= ", " ^= "]);
            let value = self.value(&ty, 3).tree;
            return tree!(Role::Removable; target, operator, value, ";\n");
        }
        if number && self.random.one_in(6) {
            let bits = ty.scalar().map_or(32, S::bits);
            let value = self.typed(&ty, 2).tree;
            let operator = self.random.pick(&[" <<= ", " >>= "]);
            return tree!(Role::Removable; target, operator, "(", value, format!(" & {});\n", bits - 1));
        }
        let value = if number && self.random.one_in(8) { self.loosely(&ty) } else { self.value(&ty, 3).tree };
        tree!(Role::Removable; target, " = ", value, ";\n")
    }

    fn increment(&mut self) -> Tree {
        let scalar = self.random.pick(&[S::U32, S::I32]);
        let ty = if self.random.one_in(4) { Ty::Vector(scalar, 2 + self.random.below(3)) } else { Ty::Scalar(scalar) };
        let Some((target, n)) = self.path_of(&ty, true, None) else { return self.declaration() };
        let operator = self.random.pick(&["++", "--"]);
        // The value of one, in another variable.
        if self.random.one_in(2)
            && let Some((other, _)) = self.path_of(&ty, true, Some(&[n]))
        {
            return match self.random.below(2) {
                0 => tree!(Role::Removable; other, " = ", target, operator, ";\n"),
                _ => tree!(Role::Removable; other, " = ", operator, target, ";\n"),
            };
        }
        match self.random.below(2) {
            0 => tree!(Role::Removable; target, operator, ";\n"),
            _ => tree!(Role::Removable; operator, target, ";\n"),
        }
    }

    /// Generates `a = b = value`, of different variables.
    fn chained(&mut self) -> Tree {
        let ty = self.random_number();
        let Some((first, n)) = self.path_of(&ty, true, None) else { return self.declaration() };
        // DXC returns the value before the bits are truncated (dxc_faults.tsv: bit-field-value).
        self.no_bits = true;
        let second = self.path_of(&ty, true, Some(&[n]));
        self.no_bits = false;
        let Some((second, _)) = second else { return self.assignment() };
        let value = self.value(&ty, 2).tree;
        tree!(Role::Removable; first, " = ", second, " = ", value, ";\n")
    }

    fn branch(&mut self, inside: &Inside) -> Tree {
        let attribute = self.random.pick(&["", "", "[branch] ", "[flatten] "]);
        // Threads do not diverge if the condition is equal for all of them.
        let together = self.in_body && self.random.one_in(3);
        let condition = if together {
            tree!(Role::Fixed; self.random.pick(&["(gid.x & 1u) == 0u", "gid.x < 1u", "true", "CI.x > 3"]))
        } else {
            self.any_condition()
        };
        self.divergent += u32::from(!together);
        let attribute = if attribute == "[flatten] " && (together || inside.breakable || inside.result.is_some()) {
            ""
        } else {
            attribute
        };
        let count = 1 + self.random.below(3);
        let inner = self.block(inside, count);
        let mut all = tree!(Role::Removable; attribute, "if (", condition, ") ", inner);
        if self.random.one_in(2) {
            let count = 1 + self.random.below(2);
            let other = self.block(inside, count);
            all.add(tree!(Role::Fixed; "else ", other));
        }
        self.divergent -= u32::from(!together);
        all
    }

    fn any_condition(&mut self) -> Tree {
        self.value(&Ty::BOOL, 3).tree
    }

    fn bounded_loop(&mut self, inside: &Inside) -> Tree {
        let n = 2 + self.random.below(3);
        let name = self.fresh("i");
        let within = Inside { loops: inside.loops + 1, breakable: true, continuable: true, ..inside.clone() };
        let before = self.multiplier;
        self.multiplier *= n;
        self.divergent += 1;
        let attribute = self.random.pick(&["", "", "[loop] ", "[unroll] ", "[fastopt] "]);
        let kind = self.random.below(4);
        // A counter that the body does not change.
        let of = self.random.pick(&[Ty::UINT, Ty::INT]);
        let counter = |name: &str| Var { name: name.to_owned(), ty: of.clone(), writable: false, is_static: false };
        let ty = self.spelled(&of);
        let known = self.vars.len();
        let tree = match kind {
            0 | 1 => {
                self.vars.push(counter(&name));
                let (start, bound) = (self.random.below(4), n);
                let condition = match self.random.below(3) {
                    0 => format!("{name} < {}", start + bound),
                    1 => format!("{name} != {}", start + bound),
                    _ => format!("{name} <= {}", start + bound - 1),
                };
                let count = 1 + self.random.below(3);
                let body = self.block(&within, count);
                let step = self.random.pick(&["++", " += 1"]);
                tree!(Role::Removable; attribute, format!("for ({ty} {name} = {start}; {condition}; {name}{step}) "), body)
            }
            2 => {
                // The condition may end it earlier.
                let condition = self.any_condition();
                self.vars.push(counter(&name));
                let count = 1 + self.random.below(2);
                let body = self.block(&within, count);
                let attribute = if attribute == "[unroll] " { "" } else { attribute };
                tree!(Role::Removable; format!("{{ {ty} {name} = 0; {attribute}while ({name}++ < {n} && "), condition, ") ", body, "}\n")
            }
            _ => {
                self.vars.push(counter(&name));
                let count = 1 + self.random.below(2);
                let body = self.block(&within, count);
                self.vars.truncate(known);
                let condition = self.any_condition();
                tree!(Role::Removable; format!("{{ {ty} {name} = 0; do "), body, format!(" while (++{name} < {n} && "), condition, "); }\n")
            }
        };
        self.vars.truncate(known);
        self.divergent -= 1;
        self.multiplier = before;
        tree
    }

    fn leave(&mut self, inside: &Inside) -> Tree {
        let condition = self.any_condition();
        let how = if inside.continuable && self.random.one_in(2) { "continue" } else { "break" };
        tree!(Role::Removable; "if (", condition, format!(") {how};\n"))
    }

    fn early_return(&mut self, inside: &Inside) -> Tree {
        let condition = self.any_condition();
        let Some(result) = &inside.result else { return tree!(Role::Removable;) };
        let value = self.value(result, 2).tree;
        tree!(Role::Removable; "if (", condition, ") return ", value, ";\n")
    }

    fn switch(&mut self, inside: &Inside) -> Tree {
        let n = 2 + self.random.below(3);
        let selector = self.typed(&Ty::UINT, 2).tree;
        let of = self.random.below(3);
        let within = Inside { breakable: false, continuable: inside.continuable, ..inside.clone() };
        self.divergent += 1;
        let attribute = self.random.pick(&["", "", "[branch] ", "[forcecase] ", "[call] "]);
        let attribute = if self.features.switch_attributes { attribute } else { "" };
        // With some attributes DXC evaluates the selector for each case (dxc_faults.tsv: switch-selector), so it is a
        // variable.
        let (declared, selector) = if attribute.is_empty() {
            (tree!(Role::Fixed;), selector)
        } else {
            let name = self.fresh("w");
            (tree!(Role::Fixed; format!("uint {name} = "), selector, ";\n"), tree!(Role::Fixed; name))
        };
        let mut all = match of {
            0 => {
                tree!(Role::Removable; declared, attribute, "switch ((int)", selector, format!(" & {}) {{\n", 2 * n - 1))
            }
            _ => tree!(Role::Removable; declared, attribute, "switch (", selector, format!(" % {}u) {{\n", n + 1)),
        };
        let default = self.random.below(n + 2);
        for case in 0..n {
            if case == default && self.random.one_in(2) {
                all.add("default:\n");
            }
            all.add(format!("case {case}:\n"));
            if self.random.one_in(5) {
                continue;
            }
            let count = 1 + self.random.below(2);
            let body = self.block(&within, count);
            all.add(body);
            if self.random.one_in(6) && inside.continuable {
                all.add("continue;\n");
            } else if !(self.features.fall_through && self.random.one_in(3)) {
                all.add("break;\n");
            }
        }
        if default >= n {
            let body = self.block(&within, 1);
            all.add(tree!(Role::Fixed; "default: ", body, "break;\n"));
        } else {
            // A last case needs a statement.
            all.add("case 77: break;\n");
        }
        all.add("}\n");
        self.divergent -= 1;
        all
    }

    /// Generates a call that may change variables.
    fn call_statement(&mut self) -> Option<Tree> {
        let room = self.cost_left();
        let in_function = self.in_pure;
        let known: Vec<Function> =
            self.functions.iter().filter(|f| f.cost <= room && (f.pure || !in_function)).cloned().collect();
        if known.is_empty() {
            return None;
        }
        let function = self.random.pick(&known);
        // A variable that the function itself changes is not passed by name: DXC binds the parameter to the variable
        // without a copy (dxc_faults.tsv: alias-static).
        let statics: Vec<usize> = (0..self.vars.len()).filter(|n| self.vars[*n].is_static).collect();
        let mut taken = if function.pure { Vec::new() } else { statics.clone() };
        let mut probe = taken.clone();
        self.no_bits = true;
        let possible = function.params.iter().filter(|p| p.mode != Mode::In).all(|p| {
            let found = self.path_of(&p.ty, true, Some(&probe));
            found.is_some_and(|(_, n)| {
                probe.push(n);
                true
            })
        });
        if !possible {
            self.no_bits = false;
            return None;
        }
        self.spend(function.cost);
        let target = self.path_of(&function.result, true, Some(&probe)).filter(|_| self.random.one_in(2));
        if let Some((_, n)) = &target {
            taken.push(*n);
        }
        // The search is random: it finds the same kinds again eventually.
        let arguments = self.try_arguments(&function, &taken);
        self.no_bits = false;
        let arguments = arguments?;
        let call = tree!(Role::Fixed; format!("{}(", function.name), arguments, ")");
        Some(match target {
            Some((target, _)) => tree!(Role::Removable; target, " = ", call, ";\n"),
            None if function.result.scalar().is_some() || matches!(function.result, Ty::Struct(_)) => {
                let name = self.fresh("r");
                let declared = tree!(Role::Removable; self.declarator(&function.result, &name), " = ", call, ";\n");
                self.vars.push(Var { name, ty: function.result.clone(), writable: true, is_static: false });
                declared
            }
            None => tree!(Role::Removable; call, ";\n"),
        })
    }

    /// Effects on the right of `&&` and `||` only happen if the left side requires it.
    fn short_circuit(&mut self) -> Option<Tree> {
        let ty = self.random.pick(&[Ty::UINT, Ty::INT]);
        let (target, _) = self.path_of(&ty, true, None)?;
        let left = self.value(&Ty::BOOL, 2).tree;
        let name = self.fresh("b");
        let operator = self.random.pick(&[" && ", " || "]);
        let step = self.random.pick(&["++", "--"]);
        let declared =
            tree!(Role::Removable; format!("bool {name} = "), left, operator, "(", target, format!("{step} != 3);\n"));
        self.vars.push(Var { name, ty: Ty::BOOL, writable: true, is_static: false });
        Some(declared)
    }

    /// Accesses byte-address memory of this thread only.
    fn memory(&mut self) -> Tree {
        let n = self.random.below(self.own_slots.len() as u32) as usize;
        let (ty, at) = self.own_slots[n].clone();
        let spelled = self.spelled(&ty);
        let bytes = self.own_bytes;
        if self.random.one_in(2) {
            let value = self.typed(&ty, 3).tree;
            return tree!(Role::Removable; format!("Own.Store<{spelled}>(me * {bytes}u + {at}u, "), value, ");\n");
        }
        let name = self.fresh("o");
        let declared = tree!(Role::Removable; format!("{} = Own.Load<{spelled}>(me * {bytes}u + {at}u);\n", self.declarator(&ty, &name)));
        self.vars.push(Var { name, ty, writable: true, is_static: false });
        declared
    }

    /// Lets all threads write, then read the value of another thread.
    fn exchange(&mut self) -> Tree {
        let n = self.random.below(self.shared.len() as u32) as usize;
        let (array, ty) = self.shared[n].clone();
        let value = self.typed(&ty, 3).tree;
        let threads = self.threads.iter().product::<u32>();
        let by = 1 + self.random.below(threads - 1);
        let name = self.fresh("g");
        let other = match self.random.below(2) {
            0 => format!("(gi + {by}u) % {threads}u"),
            _ => format!("{}u - gi", threads - 1),
        };
        let barrier = "GroupMemoryBarrierWithGroupSync();\n";
        let exchanged = tree!(Role::Fixed; format!("{array}[gi] = "), value, ";\n", barrier, format!("{} = {array}[{other}];\n", self.declarator(&ty, &name)), barrier);
        self.vars.push(Var { name, ty, writable: true, is_static: false });
        tree!(Role::Removable; exchanged)
    }

    /// Generates an atomic whose order is not observable.
    fn atomic(&mut self) -> Tree {
        let n = self.random.below(7);
        let (name, signed) = [
            ("InterlockedAdd", false),
            ("InterlockedAnd", false),
            ("InterlockedOr", false),
            ("InterlockedXor", false),
            ("InterlockedMin", false),
            ("InterlockedMax", false),
            ("InterlockedAdd", false),
        ][n as usize];
        let value = self.typed(if signed { &Ty::INT } else { &Ty::UINT }, 2).tree;
        match self.random.below(3) {
            0 => tree!(Role::Removable; format!("{name}(Acc[{n}], "), value, ");\n"),
            1 => tree!(Role::Removable; format!("Bytes.{name}({}u, ", n * 4), value, ");\n"),
            // One signedness for each word: minimum and maximum of signed numbers have separate words.
            _ => {
                let (name, at) = self.random.pick(&[("InterlockedMin", 8), ("InterlockedMax", 9)]);
                let value = self.typed(&Ty::INT, 2).tree;
                tree!(Role::Removable; format!("{name}(AccI[{}], ", at - 8), value, ");\n")
            }
        }
    }

    /// Generates comparisons that look like template arguments.
    fn comparisons(&mut self) -> Tree {
        let mut all = tree!(Role::Fixed;);
        let mut names = Vec::new();
        for _ in 0..4 {
            let name = self.fresh("c");
            let value = self.value(&Ty::UINT, 1).tree;
            all.add(format!("uint {name} = "));
            all.add(value);
            all.add(";\n");
            names.push(name);
        }
        let [a, b, c, d] = &names[..] else { return all };
        let name = self.fresh("l");
        match self.random.below(5) {
            0 => all.add(format!("bool2 {name} = bool2({a} < {b}, {c} > ({d}));\n")),
            1 => all.add(format!("bool2 {name} = bool2({a} < {b}, {c} > {d});\n")),
            2 => all.add(format!("bool2 {name} = {{ {a} < {b}, {c} > {d} }};\n")),
            3 => all.add(format!("bool2 {name} = ({a} < {b}, {c} > {d});\n")),
            _ => all.add(format!("bool2 {name} = and(bool2({a} < {b}, {c} >> 1 > {d}), {a} <= {b});\n")),
        }
        self.vars.push(Var { name, ty: Ty::Vector(S::Bool, 2), writable: true, is_static: false });
        tree!(Role::Removable; all)
    }

    /// Declares a variable with the name of a type or function.
    fn hidden_type(&mut self) -> Tree {
        let mut names: Vec<String> =
            self.structs.iter().map(|s| s.name.clone()).filter(|name| !name.contains(['<', ':'])).collect();
        names.extend(self.functions.iter().map(|f| f.name.clone()).filter(|name| !name.contains(['<', ':'])));
        names.extend(self.enums.iter().map(|e| e.name.clone()));
        if names.is_empty() {
            return self.declaration();
        }
        let hiding = self.random.pick(&names);
        let value = self.value(&Ty::UINT, 2).tree;
        let name = self.fresh("h");
        let declared = tree!(Role::Removable; format!("uint {name} = "), value, format!(";\n{{ uint {hiding} = {name} + 3u; {name} ^= {hiding} * 5u; if ({hiding} < {name}) {{ int {hiding} = 2; {name} += {hiding}; }} }}\n"));
        self.vars.push(Var { name, ty: Ty::UINT, writable: true, is_static: false });
        declared
    }

    fn macro_use(&mut self) -> Tree {
        let name = self.fresh("x");
        let (a, b) = (self.value(&Ty::UINT, 2).tree, self.value(&Ty::UINT, 2).tree);
        let declared = match self.random.below(4) {
            0 => tree!(Role::Removable; format!("uint {name} = MIX("), a, ", ", b, ");\n"),
            1 => tree!(Role::Removable; format!("DECLARE(uint, {name}, "), a, ");\n"),
            2 => tree!(Role::Removable; format!("uint {name} = CAT(0x, 1fu) + CAT(1, 7) * "), a, ";\n"),
            _ => tree!(Role::Removable; format!("uint {name} = VARIADIC(min, "), a, ", ", b, ");\n"),
        };
        self.vars.push(Var { name, ty: Ty::UINT, writable: true, is_static: false });
        declared
    }

    /// Generates rounded floats whose bits depend only on the order of the operations.
    pub fn precise(&mut self) -> Tree {
        let name = self.fresh("p");
        let scalar = S::F32;
        let n = self.random.pick(&[1, 1, 2, 3]);
        let ty = Ty::vector(scalar, n);
        let value = self.rounded(&ty, 3);
        let spelled = self.spelled(&ty);
        let declared = match self.random.below(3) {
            0 => tree!(Role::Removable; format!("{spelled} {name}; precise_sum("), value, format!(", {name});\n")),
            1 => tree!(Role::Removable; format!("precise {spelled} {name} = "), value, ";\n"),
            _ => {
                tree!(Role::Removable; format!("precise {spelled} {name} = "), value, format!(";\n{name} = {name} * 1.1f + ("), self.rounded(&ty, 1), ");\n")
            }
        };
        let declared = if n > 1 && declared.text().contains("precise_sum") {
            let value = self.rounded(&ty, 3);
            tree!(Role::Removable; format!("precise {spelled} {name} = "), value, ";\n")
        } else {
            declared
        };
        let mut all = tree!(Role::Removable; declared);
        for c in 0..n {
            let part = if n == 1 { name.clone() } else { format!("{name}.{}", ["x", "y", "z"][c as usize]) };
            let stored = self.stored(&format!("asuint({part})"), Slot::Float32(0.0));
            all.add(stored);
        }
        all
    }

    fn rounded(&mut self, ty: &Ty, depth: u32) -> Tree {
        if depth == 0 {
            return self.rounded_leaf(ty);
        }
        let left = self.rounded(ty, depth - 1);
        let (operator, right) = match self.random.below(4) {
            0 => (" + ", self.rounded(ty, depth - 1)),
            1 => (" - ", self.rounded(ty, depth - 1)),
            2 => (" - ", left.clone()),
            // No product of two differences, because it may become too small.
            _ => (" * ", self.rounded_leaf(ty)),
        };
        let right = if operator == " - " && right == left {
            // As in compensated sums.
            let more = self.rounded_leaf(ty);
            tree!(Role::Fixed; "(", left.clone(), " + ", more, ")")
        } else {
            right
        };
        tree!(Role::Value(self.spelled(ty)); "(", left, operator, right, ")")
    }

    fn rounded_leaf(&mut self, ty: &Ty) -> Tree {
        if self.random.one_in(3) {
            let number = self.random.pick(&["0.1f", "1.7f", "3.3333333f", "1e-3f", "12345.678f", "16777217.0f"]);
            return tree!(Role::Value(self.spelled(ty)); format!("(({}){number})", self.spelled(ty)));
        }
        self.typed(ty, 0).tree
    }

    /// Generates one operation of floats that devices may round differently.
    pub fn approximate(&mut self) -> Tree {
        let scalar = S::F32;
        let ty = Ty::Scalar(scalar);
        let (a, b) = (self.typed(&ty, 1).tree, self.typed(&ty, 1).tree);
        let row = self.random.pick(super::tolerance::TABLE);
        let mut text = tree!(Role::Fixed;);
        // `$` and `@` are placeholders of the operands.
        let mut rest = row.spelling;
        while let Some(at) = rest.find(['$', '@']) {
            text.add(&rest[..at]);
            let operand = if rest[at..].starts_with('$') { a.clone() } else { b.clone() };
            text.add(operand);
            rest = &rest[at + 1..];
        }
        text.add(rest);
        let name = self.fresh("q");
        let declared = tree!(Role::Removable; format!("float {name} = "), text, ";\n");
        let stored = self.stored(&format!("asuint({name})"), Slot::Float32(row.ulps));
        let stored = match self.slots.last_mut() {
            Some(slot) if row.absolute > 0.0 => {
                *slot = Slot::Absolute(row.absolute, row.ulps);
                stored
            }
            _ => stored,
        };
        tree!(Role::Removable; declared, stored)
    }

    /// Stores a word in a slot that the host compares.
    pub fn stored(&mut self, word: &str, slot: Slot) -> Tree {
        let at = self.slots.len();
        self.slots.push(slot);
        tree!(Role::Removable; format!("Out.Store((me * SLOTS + {at}u) * 8u, {word});\n"))
    }

    /// Stores all components of a path.
    pub fn stored_path(&mut self, path: &str, ty: &Ty) -> Tree {
        let mut all = tree!(Role::Removable;);
        match ty {
            Ty::Scalar(s) => {
                let one = match s {
                    S::F32 => self.stored(&format!("asuint({path})"), Slot::Float32(0.0)),
                    S::F16 => self.stored(&format!("asuint((float){path})"), Slot::Float32(0.0)),
                    S::F64 | S::I64 | S::U64 => {
                        let at = self.slots.len();
                        self.slots.push(if *s == S::F64 { Slot::Float64 } else { Slot::Bits });
                        tree!(Role::Removable; format!("Out.Store<{}>((me * SLOTS + {at}u) * 8u, {path});\n", s.name()))
                    }
                    _ => self.stored(&format!("(uint){path}"), Slot::Bits),
                };
                all.add(one);
            }
            Ty::Vector(s, n) => {
                for c in 0..*n {
                    let one =
                        self.stored_path(&format!("{path}.{}", ["x", "y", "z", "w"][c as usize]), &Ty::Scalar(*s));
                    all.add(one);
                }
            }
            Ty::Matrix(s, rows, columns) => {
                for n in 0..rows * columns {
                    let one = self.stored_path(&format!("{path}._m{}{}", n / columns, n % columns), &Ty::Scalar(*s));
                    all.add(one);
                }
            }
            Ty::Array(element, n) => {
                for at in 0..*n {
                    let one = self.stored_path(&format!("{path}[{at}]"), element);
                    all.add(one);
                }
            }
            Ty::Struct(n) => {
                let mut n = *n;
                loop {
                    for member in self.structs[n].members.clone() {
                        let one = self.stored_path(&format!("{path}.{}", member.name), &member.ty);
                        all.add(one);
                    }
                    let Some(base) = self.structs[n].base else { break };
                    n = base;
                }
            }
            Ty::Enum(_) => {
                let one = self.stored(&format!("(uint){path}"), Slot::Bits);
                all.add(one);
            }
        }
        all
    }
}
