//! Compares the fields of two nodes. The macro has one arm per kind of field.

/// Compares a field of two nodes, `$a` and `$b`. `$key` is the field's name, a compile-time constant.
macro_rules! field {
    (node, $walk:ident, $key:literal, $a:expr, $b:expr) => {
        $walk.node($a.cast(), $b.cast())
    };
    (message, $walk:ident, $key:literal, $a:expr, $b:expr, $ty:ident) => {{
        let (a, b) = ($a, $b);
        if a.is_null() || b.is_null() {
            a.is_null() == b.is_null() || {
                let told = |null: bool| if null { NONE } else { stringify!($ty) };
                $walk.differ(told(a.is_null()), told(b.is_null()))
            }
        } else {
            recurse($walk, |walk| CompareFields::<row::$ty>::same(&*a, &*b, walk)).unwrap_or(false)
        }
    }};
    (embed, $walk:ident, $key:literal, $a:expr, $b:expr, $ty:ident) => {
        CompareFields::<row::$ty>::same(&$a, &$b, $walk)
    };
    (list, $walk:ident, $key:literal, $a:expr, $b:expr) => {
        $walk.list($a, $b)
    };
    (string, $walk:ident, $key:literal, $a:expr, $b:expr) => {
        $walk.string($a, $b)
    };
    (char, $walk:ident, $key:literal, $a:expr, $b:expr) => {
        $a == $b || $walk.differ(shown(&[$a as u8]), shown(&[$b as u8]))
    };
    (bitmapset, $walk:ident, $key:literal, $a:expr, $b:expr) => {
        $walk.bitmapset($a, $b)
    };
    (enum_, $walk:ident, $key:literal, $a:expr, $b:expr, $ty:ident) => {
        $walk.enum_value::<kinds::$ty>($a, $b)
    };
    // The arms that return `true` ignore the field. They apply to positions, and to fields of kind `absent`, which do
    // not exist in C.
    (location, $walk:ident, $key:literal, $a:expr, $b:expr) => {
        true
    };
    (int, $walk:ident, "stmt_len", $a:expr, $b:expr) => {
        true
    };
    (int, $walk:ident, "location", $a:expr, $b:expr) => {
        true
    };
    (absent, $walk:ident, $key:literal, $a:expr, $b:expr) => {
        true
    };
    ($number:ident, $walk:ident, $key:literal, $a:expr, $b:expr) => {
        $walk.plain($a, $b)
    };
}

pub(crate) use field;
