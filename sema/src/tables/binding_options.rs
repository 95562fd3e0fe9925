//! Options for descriptor bindings and memory layout: DXC's `-fvk-*` options.

/// A descriptor set and a binding in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    pub set: u32,
    pub binding: u32,
}

/// Rules that place resources without an explicit binding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BindingOptions {
    /// `-fvk-{b,s,t,u}-shift N SPACE`: added to the numbers of one class of register; later ones win.
    pub shifts: Vec<Shift>,
    /// `-fvk-auto-shift-bindings`: resources without a register are shifted like those with one.
    pub auto_shift: bool,
    /// `-auto-binding-space N`: the set of resources that name none.
    pub auto_set: u32,
    /// `-fvk-bind-register xX Y N M`: class, number and space of a register, and its slot.
    pub registers: Vec<((char, u32, u32), Slot)>,
    /// `-fvk-bind-globals N M`
    pub globals: Option<Slot>,
    pub resource_heap: Option<Slot>,
    pub sampler_heap: Option<Slot>,
    pub counter_heap: Option<Slot>,
    pub layout: BlockLayout,
    /// `-fspv-preserve-bindings`: resources without uses keep their bindings.
    pub preserve: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift {
    /// `b`, `s`, `t` or `u`.
    pub class: char,
    pub by: u32,
    /// `None` is every space.
    pub space: Option<u32>,
}

/// Rules for the offsets of members of buffers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BlockLayout {
    /// std140 in constant buffers, std430 in other buffers; vectors have the alignment of their scalars.
    #[default]
    Vulkan,
    /// Direct3D layout: rows of 16 bytes in constant and texture buffers, natural alignment in other buffers.
    Dx,
    /// Natural alignment everywhere.
    Scalar,
    /// std140 in constant buffers, std430 in other buffers.
    Gl,
}

/// An option, its arguments, and its effect.
pub type BindingOption = (&'static str, &'static str, &'static str);

/// All options, for usage messages and help. `BindingOptions::set` takes no other options.
pub const OPTIONS: &[BindingOption] = &[
    ("-fvk-b-shift", "N SPACE", "add N to the numbers of `b` registers in a space, or in all (`all`)"),
    ("-fvk-s-shift", "N SPACE", "add N to the numbers of `s` registers in a space, or in all (`all`)"),
    ("-fvk-t-shift", "N SPACE", "add N to the numbers of `t` registers in a space, or in all (`all`)"),
    ("-fvk-u-shift", "N SPACE", "add N to the numbers of `u` registers in a space, or in all (`all`)"),
    ("-fvk-auto-shift-bindings", "", "apply the shifts to resources without a register too"),
    ("-auto-binding-space", "SET", "the descriptor set of resources without one"),
    (
        "-fvk-bind-register",
        "REGISTER SPACE BINDING SET",
        "place one register, such as `t3` of space 1, at a binding of a set",
    ),
    ("-vkbr", "REGISTER SPACE BINDING SET", "short form of `-fvk-bind-register`"),
    (
        "-fvk-bind-globals",
        "BINDING SET",
        "the binding of `$Globals`: variables outside of a `cbuffer` that the host sets",
    ),
    ("-fvk-bind-resource-heap", "BINDING SET", "the binding of `ResourceDescriptorHeap`"),
    ("-fvk-bind-sampler-heap", "BINDING SET", "the binding of `SamplerDescriptorHeap`"),
    ("-fvk-bind-counter-heap", "BINDING SET", "the binding of the counters of buffers in the heap"),
    ("-fvk-use-dx-layout", "", "lay out buffers as Direct3D does"),
    ("-fvk-use-scalar-layout", "", "lay out buffers with the natural alignment of scalars"),
    ("-fvk-use-gl-layout", "", "lay out buffers by std140 and std430"),
    ("-fspv-preserve-bindings", "", "keep the bindings of resources that nothing uses"),
];

impl BindingOptions {
    /// Applies one option with its arguments, as many as [`OPTIONS`] lists.
    ///
    /// # Errors
    /// Returns a message for the user about the wrong argument.
    pub fn set(&mut self, option: &str, words: &[&str]) -> Result<(), String> {
        let number = |i: usize| -> Result<u32, String> {
            let word = words.get(i).copied().unwrap_or_default();
            word.parse().map_err(|_| format!("{option} expects a number, not `{word}`"))
        };
        let slot = |i: usize| Ok::<_, String>(Slot { binding: number(i)?, set: number(i + 1)? });
        match option {
            "-fvk-b-shift" | "-fvk-s-shift" | "-fvk-t-shift" | "-fvk-u-shift" => {
                let class = option.chars().nth(5).unwrap_or('u');
                let space = match words.get(1).copied().unwrap_or_default() {
                    "all" => None,
                    word => Some(word.parse().map_err(|_| {
                        format!("{option} expects the number of a space or `all` as its second value, not `{word}`")
                    })?),
                };
                self.shifts.push(Shift { class, by: number(0)?, space });
            }
            "-fvk-auto-shift-bindings" => self.auto_shift = true,
            "-auto-binding-space" => self.auto_set = number(0)?,
            "-fvk-bind-register" | "-vkbr" => {
                let word = words.first().copied().unwrap_or_default();
                let (class, rest) = word.split_at_checked(1).unwrap_or_default();
                let class = class.chars().next().filter(|c| "bstu".contains(*c));
                let register = class.zip(rest.parse::<u32>().ok());
                let Some((class, register)) = register else {
                    return Err(format!("{option} expects a register such as `t3`, not `{word}`"));
                };
                self.registers.push(((class, register, number(1)?), slot(2)?));
            }
            "-fvk-bind-globals" => self.globals = Some(slot(0)?),
            "-fvk-bind-resource-heap" => self.resource_heap = Some(slot(0)?),
            "-fvk-bind-sampler-heap" => self.sampler_heap = Some(slot(0)?),
            "-fvk-bind-counter-heap" => self.counter_heap = Some(slot(0)?),
            "-fvk-use-dx-layout" => self.layout = BlockLayout::Dx,
            "-fvk-use-scalar-layout" => self.layout = BlockLayout::Scalar,
            "-fvk-use-gl-layout" => self.layout = BlockLayout::Gl,
            "-fspv-preserve-bindings" => self.preserve = true,
            _ => return Err(format!("{option} is not a binding option")),
        }
        Ok(())
    }

    /// Returns the offset that is added to register numbers of a class in a space.
    pub fn shift(&self, class: char, space: u32) -> u32 {
        let fits = |s: &&Shift| s.class == class && s.space.is_none_or(|s| s == space);
        self.shifts.iter().rev().find(fits).map_or(0, |s| s.by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_binding_shift_of_a_space_applies() {
        let mut options = BindingOptions::default();
        options.set("-fvk-t-shift", &["10", "all"]).unwrap();
        options.set("-fvk-t-shift", &["20", "1"]).unwrap();
        options.set("-fvk-u-shift", &["5", "0"]).unwrap();
        assert_eq!([0, 1, 2].map(|space| options.shift('t', space)), [10, 20, 10]);
        assert_eq!([0, 1].map(|space| options.shift('u', space)), [5, 0]);
        assert_eq!(options.shift('b', 0), 0);
    }

    #[test]
    fn bind_register_option_sets_the_binding() {
        let mut options = BindingOptions::default();
        options.set("-fvk-bind-register", &["t3", "1", "7", "2"]).unwrap();
        assert_eq!(options.registers, [(('t', 3, 1), Slot { set: 2, binding: 7 })]);
        assert!(options.set("-vkbr", &["x3", "1", "7", "2"]).unwrap_err().contains("`x3`"));
        assert!(options.set("-fvk-bind-globals", &["a", "0"]).unwrap_err().contains("`a`"));
    }
}
