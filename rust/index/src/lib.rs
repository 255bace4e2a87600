//! From a folder to facts: walk, hash, scan and parse.
