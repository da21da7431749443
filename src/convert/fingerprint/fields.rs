//! Writes the fingerprint tokens of fields. The macro has one arm per kind of field.

/// Writes the name of an enum value.
macro_rules! enum_name {
    ($walk:ident, $c:expr, $ty:ident) => {
        match <kinds::$ty as TreeEnum>::name($c) {
            Some(name) => $walk.token(name.as_bytes()),
            None => $walk.fail(Problem::UnknownEnum { name: stringify!($ty), value: i64::from($c) }),
        }
    };
}

/// Writes the tokens of a field. `$key` is the field's name, which is the field's first token.
/// `$at` is the field's `FieldContext`.
macro_rules! write_field {
    (node, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        if !$c.is_null() {
            let name = $walk.begin_child($key.as_bytes());
            $walk.node($c.cast(), $at, $depth + 1);
            $walk.end_child(name, false);
        }
    };
    (inside, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        let name = $walk.begin_child($key.as_bytes());
        $walk.node((&raw const $c).cast(), $at, $depth + 1);
        $walk.end_child(name, false);
    };
    (message, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident, $ty:ident) => {
        if !$c.is_null() {
            let name = $walk.begin_child($key.as_bytes());
            $walk.message::<pg::$ty>(&*$c, $at, $depth + 1);
            $walk.end_child(name, false);
        }
    };
    (same_level, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident, $ty:ident) => {
        $walk.token($key.as_bytes());
        <pg::$ty as FingerprintFields>::fields(&$c, $walk, $at, $depth);
    };
    (list, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        if !$c.is_null() {
            // A list whose only member is NULL, as for SELECT DISTINCT, writes no tokens. Its field name is kept
            // nevertheless.
            let bare = matches!(cells($c), [cell] if cell.ptr_value.is_null());
            let name = $walk.begin_child($key.as_bytes());
            $walk.node($c.cast(), $at, $depth + 1);
            $walk.end_child(name, bare);
        }
    };
    (string, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        if !$c.is_null() {
            $walk.token($key.as_bytes());
            $walk.text($c);
        }
    };
    (result_name, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        if !$c.is_null() && !$site.unnamed {
            $walk.token($key.as_bytes());
            $walk.text($c);
        }
    };
    (text_of, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        if !$c.is_null() && *(*$c).sval != 0 {
            $walk.token($key.as_bytes());
            $walk.text((*$c).sval);
        }
    };
    (bool, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        if $c {
            $walk.token(concat!($key, "true").as_bytes());
        }
    };
    (char, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        if $c != 0 {
            $walk.token($key.as_bytes());
            $walk.token(&[$c as u8]);
        }
    };
    (enum_, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident, $ty:ident) => {
        $walk.token($key.as_bytes());
        enum_name!($walk, $c, $ty);
    };
    (expression_kind, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        $walk.token($key.as_bytes());
        // `a = 1`, `a = ANY (…)` and `a IN (…)` have the same fingerprint.
        match $c {
            pg::AEXPR_OP_ANY | pg::AEXPR_IN => $walk.token(b"AEXPR_OP"),
            kind => enum_name!($walk, kind, A_Expr_Kind),
        }
    };
    (bitmapset, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        $walk.token($key.as_bytes());
        members($c).for_each(|member| $walk.number(member));
    };
    (float, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        if $c != 0.0 {
            $walk.token($key.as_bytes());
            let _ = write!($walk.buffers.tokens, "{:.6}", $c);
        }
    };
    (int, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        if $c != 0 {
            $walk.token($key.as_bytes());
            $walk.number($c as i32); // also for unsigned numbers, because C prints them with %d
        }
    };
    ($long:ident, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        if $c != 0 {
            $walk.token($key.as_bytes());
            $walk.number($c);
        }
    };
}

/// Returns whether a node is part of the fingerprint.
macro_rules! counts {
    (always, $c:expr) => {
        true
    };
    (never, $c:expr) => {
        false
    };
    (unless_of_constant, $c:expr) => {
        (*$c).arg.as_ref().is_none_or(|arg| !matches!(arg.type_, pg::T_A_Const | pg::T_ParamRef))
    };
}

pub(crate) use {counts, enum_name, write_field};
