//! Small vectors, each moved by one memory access.

macro_rules! vectors {
    ($($(#[$doc:meta])* $name:ident([$t:ty; $n:literal]), $bytes:literal $(, $eq:ident)?;)*) => {$(
        $(#[$doc])*
        ///
        /// Its alignment is its size, as the access requires. An array of such vectors inside
        /// another array must start at a multiple of that size.
        #[derive(Debug, Clone, Copy, PartialEq, Default $(, $eq)?)]
        #[repr(C, align($bytes))]
        pub struct $name(pub [$t; $n]);

        const _: () = assert!(size_of::<$name>() == $bytes && size_of::<[$t; $n]>() == $bytes, "no padding");

        // SAFETY: plain numbers; the size is checked above.
        #[cfg(not(target_arch = "nvptx64"))]
        unsafe impl bytemuck::Zeroable for $name {}
        // SAFETY: as for `Zeroable`.
        #[cfg(not(target_arch = "nvptx64"))]
        unsafe impl bytemuck::Pod for $name {}
        // SAFETY: as for `Zeroable`.
        unsafe impl crate::Word for $name {}
    )*};
}

vectors! {
    /// Four bytes, moved by one 32-bit access (CUDA C++ `uchar4`).
    U8x4([u8; 4]), 4, Eq;
    /// Two 32-bit words, moved by one 64-bit access (CUDA C++ `uint2`).
    U32x2([u32; 2]), 8, Eq;
    /// Four 32-bit words, moved by one 128-bit access (CUDA C++ `uint4`).
    U32x4([u32; 4]), 16, Eq;
    /// Two `f32`, moved by one 64-bit access (CUDA C++ `float2`).
    F32x2([f32; 2]), 8;
    /// Four `f32`, moved by one 128-bit access (CUDA C++ `float4`).
    F32x4([f32; 4]), 16;
}
