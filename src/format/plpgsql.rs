//! Bodies of functions.
