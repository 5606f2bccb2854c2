//! Shared memory: one copy a block, 32 banks of 4 bytes.

use super::{Word, backend};
use core::marker::PhantomData;

/// An array in shared memory. Indices are in elements.
///
/// **On a GPU nothing checks them**: an access outside the array reads or changes the array beside it, or ends the
/// launch. That they stay inside is the kernel's duty, which the simulator watches.
#[derive(Debug)]
#[repr(transparent)]
pub struct Shared<T> {
    /// The byte address in the shared window.
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
    /// The array at a byte address of the shared window.
    #[inline(always)]
    pub fn at(address: u32) -> Self {
        Self { address, element: PhantomData }
    }

    /// The byte address in the shared window.
    #[inline(always)]
    pub fn address(self) -> u32 {
        self.address
    }

    /// Element `i` (PTX `ld.shared`).
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn read(self, i: u32) -> T {
        backend::shared_read(self.address, i.wrapping_mul(size_of::<T>() as u32))
    }

    /// Sets element `i` (PTX `st.shared`).
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn write(self, i: u32, value: T) {
        backend::shared_write(self.address, i.wrapping_mul(size_of::<T>() as u32), value);
    }
}

/// The dynamic shared memory of the launch, as an array of `T` (CUDA C++ `extern __shared__`).
#[inline(always)]
pub fn dynamic_shared_mem<T: Word>() -> Shared<T> {
    Shared::at(backend::dynamic_shared_base())
}

/// Declares an array in shared memory: `shared_array!(carries: [u32; 32]);` binds `carries` to a
/// [`Shared<u32>`](crate::shared::Shared) (CUDA C++ `__shared__ unsigned carries[32]`). It starts uninitialised. One
/// declaration is one array, however often it is passed, and in all instances of a generic function. Where one call
/// of a macro makes several kernels in one module, give their arrays different names: `ptxas` would say "duplicate
/// definition".
#[macro_export]
macro_rules! shared_array {
    ($name:ident: [$t:ty; $len:expr]) => {
        // A module, since global_asm! must stand where items do.
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

/// For [`shared_array!`](crate::shared_array) alone: a number that tells apart two arrays of one name, line and
/// column. They are in different modules (a file or a macro that is used twice) or, with `include!`, in files of
/// different names. A PTX symbol cannot hold the `::` of a path, hence a number: FNV-1a. Of the file it takes the
/// name without directories, so that the PTX does not depend on where the sources lie.
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
        // Wherever the sources lie, on whatever system.
        for file in ["/home/somebody/src/one.rs", "C:\\src\\one.rs", "one.rs"] {
            assert_eq!(symbol_suffix("kernels::one::sums", file), all[0], "{file}");
        }
    }
}
