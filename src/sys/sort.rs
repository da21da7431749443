//! PostgreSQL's own sort function. Some results depend on the order in which this function puts equal elements.

use std::ffi::{c_int, c_void};

unsafe extern "C" {
    /// `pg_qsort` of PostgreSQL's src/port: not stable, but deterministic.
    #[link_name = "pgq_pg_qsort"] // build/symbols.rs renames every symbol
    fn pg_qsort(
        base: *mut c_void,
        count: usize,
        size: usize,
        compare: extern "C" fn(*const c_void, *const c_void) -> c_int,
    );
}

/// The location of a constant, and the number of its parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberedConstant {
    /// Byte offset of the constant.
    pub location: i32,
    /// Number of the parameter.
    pub param: i32,
}

extern "C" fn by_location(a: *const c_void, b: *const c_void) -> c_int {
    // SAFETY: pg_qsort passes pointers to elements of the array that it sorts. The elements are NumberedConstants.
    let (a, b) = unsafe { ((*a.cast::<NumberedConstant>()).location, (*b.cast::<NumberedConstant>()).location) };
    a.cmp(&b) as c_int
}

/// Sorts by location, as libpg_query does.
pub fn sort_by_location(constants: &mut [NumberedConstant]) {
    // Skip the call for a sorted array, which pg_qsort would leave unchanged.
    if !constants.is_sorted_by_key(|constant| constant.location) {
        let (base, count) = (constants.as_mut_ptr().cast(), constants.len());
        // SAFETY: `base` points to `count` elements of the given size. pg_qsort reorders the elements, and
        // `by_location` only reads them. Neither function raises an error.
        unsafe { pg_qsort(base, count, size_of::<NumberedConstant>(), by_location) };
    }
}
