//! Arithmetic on slices: the six ranking and scoring kernels, without dependencies.
#![deny(missing_docs)]
