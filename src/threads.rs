//! What threads may share, what one may send to another, and what stays where it is: checked when compiling.
#![forbid(unsafe_code)]

use crate::cache::{AnswerCache, CachedTree, TreeCache};
use crate::convert::edit::{EditTree, New};
use crate::convert::view::{Node, RangeVar};
use crate::error::Error;
use crate::summary::Summary;
use crate::tree::{OwnedTree, Parameter, Parsed, PlpgsqlFunction, Statement, Tree};

const fn shared<T: Send + Sync>() {}
const fn sent<T: Send>() {}

const _: () = {
    shared::<OwnedTree>();
    shared::<TreeCache>();
    shared::<CachedTree>();
    shared::<Parsed>();
    shared::<Summary>();
    shared::<PlpgsqlFunction>();
    shared::<Parameter>();
    shared::<Error>();
    sent::<EditTree>();
    sent::<AnswerCache>();
};

/// Does not compile for a type that has the trait: then two implementations fit.
macro_rules! assert_not {
    ($trait:ident: $($ty:ty),*) => { $(
        const _: () = {
            trait Ambiguous<Which> {
                const THERE: () = ();
            }
            impl<T: ?Sized> Ambiguous<()> for T {}
            impl<T: ?Sized + $trait> Ambiguous<u8> for T {}
            <$ty as Ambiguous<_>>::THERE
        };
    )* };
}

// PostgreSQL's memory belongs to a thread. Views read trees that may be edited, one thread at a time.
assert_not!(Send: Tree, Statement<'static>, Node<'static>, RangeVar<'static>, New<'static>);
assert_not!(Sync: Tree, Statement<'static>, Node<'static>, RangeVar<'static>, New<'static>, EditTree);
