//! The C structs that JSON objects are read into.

use crate::convert::nodes::nodes;
use crate::sys::bindings as pg;

/// The fields of the document.
pub(crate) struct DocumentFields {
    pub(crate) version: i32,
    pub(crate) stmts: *mut pg::List,
}

/// The items of a List node. An empty list is NULL in C.
pub(crate) struct ListFields(pub(crate) *mut pg::List);

macro_rules! declare {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal { $($fields:tt)* })*) => {
        /// The C struct that an object is read into. This is an enum and not a type parameter, so that the code that
        /// reads objects is compiled only once.
        #[allow(clippy::enum_variant_names)] // the names of the types
        pub(crate) enum Target<'t> {
            $($rust(&'t mut pg::$c),)*
            AConst(&'t mut pg::A_Const),
            Integer(&'t mut pg::Integer),
            Float(&'t mut pg::Float),
            Boolean(&'t mut pg::Boolean),
            String(&'t mut pg::String),
            BitString(&'t mut pg::BitString),
            Document(&'t mut DocumentFields),
            List(&'t mut ListFields),
        }
    };
}
nodes!(declare);
