//! Shared memory: one copy per block, in 32 banks of 4 bytes.

use super::{Word, backend};
use crate::index::Index;
use core::marker::PhantomData;

/// An array in shared memory. Indices are in elements.
///
/// **A GPU does not check the indices**: an access outside the array reads or changes the next
/// array, or ends the launch. The kernel must keep the indices inside; the simulator checks every
/// access.
#[derive(Debug)]
#[repr(transparent)]
pub struct Shared<T> {
    /// Byte address in the shared window.
    pub(crate) address: u32,
    element: PhantomData<T>,
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Shared<T> {}

impl<T: Word> Shared<T> {
    /// Returns the array at a byte address of the shared window.
    #[inline(always)]
    pub fn at(address: u32) -> Self {
        Self { address, element: PhantomData }
    }

    /// Returns the byte address in the shared window.
    #[inline(always)]
    pub fn address(self) -> u32 {
        self.address
    }

    /// Returns the same memory as an array of another type, whose size divides the address.
    #[inline(always)]
    pub fn cast<U: Word>(self) -> Shared<U> {
        Shared::at(self.address)
    }

    /// Reads element `i` (PTX `ld.shared`).
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn read(self, i: impl Index) -> T {
        backend::shared_read(self.address, i.shared().wrapping_mul(size_of::<T>() as _))
    }

    /// Writes element `i` (PTX `st.shared`).
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn write(self, i: impl Index, value: T) {
        backend::shared_write(self.address, i.shared().wrapping_mul(size_of::<T>() as _), value);
    }

    /// Replaces element `i` by the result of `change`: `x.update(i, |v| v + 1)` is CUDA C++'s `x[i]
    /// += 1`. It is a read and a write, not an [atomic](crate::atomic) operation.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn update(self, i: impl Index, change: impl FnOnce(T) -> T) {
        let offset = i.shared().wrapping_mul(size_of::<T>() as _);
        let value = backend::shared_read(self.address, offset);
        backend::shared_write(self.address, offset, change(value));
    }
}

/// Returns the dynamic shared memory of the launch as an array of `T` (CUDA C++ `extern
/// __shared__`).
#[inline(always)]
pub fn dynamic_shared_mem<T: Word>() -> Shared<T> {
    Shared::at(backend::dynamic_shared_base())
}

/// Declares an array in shared memory: `shared_array!(carries: [u32; 32]);` binds `carries` to a
/// [`Shared<u32>`](crate::shared::Shared) (CUDA C++ `__shared__ unsigned carries[32]`). Its
/// elements are uninitialised. One declaration is one array, however often it is passed on, and in
/// all instances of a generic function. If one macro call makes several kernels in one module, give
/// their arrays different names; otherwise `ptxas` reports "duplicate definition".
///
/// The length is a constant of the module, and not one of the function: for the GPU, the array is
/// declared in a module of its own, which sees `super::*` alone.
#[macro_export]
macro_rules! shared_array {
    ($name:ident: [$t:ty; $len:expr]) => {
        // A module, because global_asm! is only allowed at item level.
        #[cfg(target_arch = "nvptx64")]
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            core::arch::global_asm!(
                concat!(".shared .align 16 .b8 shared_", stringify!($name), "_", line!(), "_", column!(), "_{}[{}];"),
                const $crate::shared::symbol_suffix(module_path!(), file!()),
                const $len * size_of::<$t>(),
            );
        }
        #[cfg(target_arch = "nvptx64")]
        let $name: $crate::shared::Shared<$t> = {
            let address: u32;
            // SAFETY: takes the address of the variable declared above.
            #[allow(unused_unsafe)]
            unsafe {
                core::arch::asm!(
                    concat!("mov.u32 {}, shared_", stringify!($name), "_", line!(), "_", column!(), "_{};"),
                    out(reg32) address,
                    const $crate::shared::symbol_suffix(concat!(module_path!(), "::", stringify!($name)), file!()),
                    options(pure, nomem, nostack),
                );
            }
            $crate::shared::from_declared(address)
        };
        #[cfg(not(target_arch = "nvptx64"))]
        let $name: $crate::shared::Shared<$t> = $crate::shared::from_declared(
            $crate::simulator::shared_declare(
                concat!(stringify!($name), " of ", module_path!(), ", ", file!(), ":", line!(), ":", column!()),
                stringify!($name),
                size_of::<$t>(),
                $len,
            ),
        );
    };
}

/// For [`shared_array!`](crate::shared_array) alone: a number that distinguishes two arrays that
/// have the same name, line and column. They are in different modules (a file or a macro that is
/// used twice) or, with `include!`, in files of different names. It is a number (FNV-1a) because a
/// PTX symbol cannot contain the `::` of a path. It ignores the directories of the file, so that
/// the PTX does not depend on where the sources are.
#[doc(hidden)]
pub const fn symbol_suffix(module: &str, file: &str) -> u32 {
    let (module, file) = (module.as_bytes(), file.as_bytes());
    let mut hash: u32 = 0x811c_9dc5;
    let mut i = 0;
    while i < module.len() {
        hash = (hash ^ module[i] as u32).wrapping_mul(0x0100_0193);
        i += 1;
    }
    let mut i = file.len();
    while i > 0 && file[i - 1] != b'/' && file[i - 1] != b'\\' {
        i -= 1;
        hash = (hash ^ file[i] as u32).wrapping_mul(0x0100_0193);
    }
    hash
}

/// For [`shared_array!`](crate::shared_array) alone.
#[doc(hidden)]
#[inline(always)]
pub fn from_declared<T: Word>(address: u32) -> Shared<T> {
    Shared::at(address)
}

#[cfg(test)]
mod tests {
    use super::symbol_suffix;

    #[test]
    fn arrays_of_one_name_and_place_have_symbols_of_their_own() {
        let all = [
            symbol_suffix("kernels::one::sums", "src/one.rs"),
            symbol_suffix("kernels::two::sums", "src/one.rs"),
            symbol_suffix("kernels::one::sums", "src/two.rs"),
        ];
        assert!(all[0] != all[1] && all[0] != all[2] && all[1] != all[2], "{all:?}");
        // The directory and the operating system do not matter.
        for file in ["/home/somebody/src/one.rs", "C:\\src\\one.rs", "one.rs"] {
            assert_eq!(symbol_suffix("kernels::one::sums", file), all[0], "{file}");
        }
    }
}
