//! Arithmetic on slices: the six ranking and scoring kernels, without dependencies.
//!
//! Every kernel states the order of its floating-point operations, because a second implementation
//! without compiled code has to return the same bits. Nothing here fuses a multiplication with an
//! addition, and nothing reassociates a sum. Every kernel validates what it is given, and calls its
//! `check` argument after at most a few hundred microseconds of work: `true` stops it.
#![deny(missing_docs)]
#![deny(unsafe_code)]
// Ties are decided by exact equality, here and in the twin.
#![allow(clippy::float_cmp)]

mod csr;
mod edges;
mod error;
mod heat;
mod heat_graph;
mod louvain;
mod mmr;
mod pagerank;
mod rrf;
mod simd;
mod slices;
mod surprise;

pub use csr::{Csr, LARGEST_WEIGHT, MOST_NODES, SMALLEST_WEIGHT};
pub use edges::{Edges, Rows, build_csr};
pub use error::{Error, python_float};
pub use heat::heat;
pub use heat_graph::{HeatGraph, Inside};
pub use louvain::{Communities, louvain};
pub use mmr::{Lines, Selection, Status, mmr, mmr_in_order, mmr_in_order_of_texts};
pub use pagerank::{Ranks, pagerank};
pub use rrf::{Signal, rrf};
pub use surprise::{mean_bits, surprise};
