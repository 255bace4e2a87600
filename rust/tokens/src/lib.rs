//! Exact `o200k_base` tokens: pre-tokeniser, byte-pair merging, vocabulary and fused line scoring.
