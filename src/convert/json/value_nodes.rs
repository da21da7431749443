//! Reads constants (`A_Const`) and value nodes, such as `Integer` and `String`, from libpg_query's JSON. They need
//! dedicated code, because the generated table of nodes (nodes.rs) does not contain these types.

use std::ffi::c_char;

use serde::de::MapAccess;

use super::object::{JsonObject, by_hand, next_message};
use super::values::{JsonReader, next_text};
use crate::convert::arena::{CNode, set_tag};
use crate::convert::row;
use crate::sys::bindings as pg;

/// Replaces NULL with an empty string. JSON omits empty strings, but in C a value node's string is never NULL.
fn empty_if_none(text: &mut *mut c_char) {
    if text.is_null() {
        *text = c"".as_ptr().cast_mut();
    }
}

fn tagged<M, T: CNode<M>>(node: &mut T, tag: pg::NodeTag) -> Result<(), &'static str> {
    set_tag::<M, T>(node, tag);
    Ok(())
}

/// Reads the value of a constant: a member of the union in `A_Const`.
fn next_value<'de, M: JsonObject<C: Copy + CNode<M>>, A: MapAccess<'de>>(
    map: &mut A,
    reader: &JsonReader<'_>,
) -> Result<M::C, A::Error> {
    let value = next_message::<M, _>(map, reader)?;
    // SAFETY: the node was just created, and is valid as long as the arena.
    Ok(unsafe { *value })
}

by_hand! {
    row::Integer as pg::Integer => Integer, "Integer" {
        "ival" => |it, map, reader| it.ival = map.next_value()?;
        finish |it| tagged::<row::Integer, _>(it, pg::T_Integer);
    }
    row::Boolean as pg::Boolean => Boolean, "Boolean" {
        "boolval" => |it, map, reader| it.boolval = map.next_value()?;
        finish |it| tagged::<row::Boolean, _>(it, pg::T_Boolean);
    }
    row::Float as pg::Float => Float, "Float" {
        "fval" => |it, map, reader| it.fval = next_text(map, reader)?;
        finish |it| { empty_if_none(&mut it.fval); tagged::<row::Float, _>(it, pg::T_Float) };
    }
    row::String as pg::String => String, "String" {
        "sval" => |it, map, reader| it.sval = next_text(map, reader)?;
        finish |it| { empty_if_none(&mut it.sval); tagged::<row::String, _>(it, pg::T_String) };
    }
    row::BitString as pg::BitString => BitString, "BitString" {
        "bsval" => |it, map, reader| it.bsval = next_text(map, reader)?;
        finish |it| { empty_if_none(&mut it.bsval); tagged::<row::BitString, _>(it, pg::T_BitString) };
    }
    row::AConst as pg::A_Const => AConst, "A_Const" {
        "isnull" => |it, map, reader| it.isnull = map.next_value()?;
        "location" => |it, map, reader| it.location = map.next_value()?;
        "ival" => |it, map, reader| it.val.ival = next_value::<row::Integer, _>(map, reader)?;
        "fval" => |it, map, reader| it.val.fval = next_value::<row::Float, _>(map, reader)?;
        "boolval" => |it, map, reader| it.val.boolval = next_value::<row::Boolean, _>(map, reader)?;
        "sval" => |it, map, reader| it.val.sval = next_value::<row::String, _>(map, reader)?;
        "bsval" => |it, map, reader| it.val.bsval = next_value::<row::BitString, _>(map, reader)?;
        finish |it| {
            // SAFETY: every member of the union starts with its tag. The tag is zero if no value was read.
            let has_value = unsafe { it.val.node.type_ } != 0;
            match (it.isnull, has_value) {
                (true, true) => Err("an A_Const is NULL and has a value"),
                (false, false) => Err("an A_Const has no value"),
                _ => tagged::<row::AConst, _>(it, pg::T_A_Const),
            }
        };
    }
}
