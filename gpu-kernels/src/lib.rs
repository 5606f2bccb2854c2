//! The GPU kernels of carrywave.
