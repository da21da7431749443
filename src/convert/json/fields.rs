//! Writes the JSON of fields. The macro has one arm per kind of field.

/// Writes a field. `$key` is `"name":`, a compile-time constant.
macro_rules! write_field {
    (node, $walk:ident, $key:expr, $c:expr) => {
        if !$c.is_null() {
            $walk.raw($key);
            $walk.node($c.cast());
            $walk.raw(b",");
        }
    };
    (message, $walk:ident, $key:expr, $c:expr, $ty:ident) => {
        if !$c.is_null() {
            $walk.raw($key);
            $walk.raw(b"{");
            let message = $c;
            recurse($walk, |walk| JsonFields::<row::$ty>::fields(&*message, walk));
            $walk.end(b"},");
        }
    };
    (absent, $walk:ident, $key:expr, $c:expr) => {};
    (embed, $walk:ident, $key:expr, $c:expr, $ty:ident) => {
        $walk.raw($key);
        $walk.raw(b"{");
        JsonFields::<row::$ty>::fields(&$c, $walk);
        $walk.end(b"},");
    };
    (list, $walk:ident, $key:expr, $c:expr) => {
        if !$c.is_null() {
            $walk.raw($key);
            $walk.items($c);
            $walk.raw(b",");
        }
    };
    (string, $walk:ident, $key:expr, $c:expr) => {
        if !$c.is_null() && (*$c != 0 || $walk.lossless) {
            $walk.raw($key);
            $walk.string($c);
            $walk.raw(b",");
        }
    };
    (char, $walk:ident, $key:expr, $c:expr) => {
        if $c != 0 {
            debug_assert!(($c as u8).is_ascii());
            $walk.raw($key);
            $walk.raw(&[b'"', $c as u8 & 0x7f, b'"', b',']);
        }
    };
    (bool, $walk:ident, $key:expr, $c:expr) => {
        if $c {
            $walk.raw($key);
            $walk.raw(b"true,");
        }
    };
    (enum_, $walk:ident, $key:expr, $c:expr, $ty:ident) => {
        $walk.raw($key);
        match <kinds::$ty as TreeEnum>::name($c) {
            Some(name) => {
                $walk.raw(b"\"");
                $walk.raw(name.as_bytes());
                $walk.raw(b"\",");
            }
            None => $walk.fail(Problem::UnknownEnum { name: stringify!($ty), value: i64::from($c) }),
        }
    };
    (bitmapset, $walk:ident, $key:expr, $c:expr) => {
        if !$c.is_null() {
            $walk.raw($key);
            $walk.bitmapset($c);
        }
    };
    (float, $walk:ident, $key:expr, $c:expr) => {
        $walk.raw($key);
        let _ = write!($walk.out.bytes(), "{:.6},", $c);
    };
    (location, $walk:ident, $key:expr, $c:expr) => {{
        let location = $walk.shift.apply($c);
        if location != 0 {
            $walk.raw($key);
            $walk.int(location);
            $walk.raw(b",");
        }
    }};
    (uint64, $walk:ident, $key:expr, $c:expr) => {
        if $c != 0 {
            $walk.raw($key);
            $walk.out.long_int($c);
            $walk.raw(b",");
        }
    };
    ($number:ident, $walk:ident, $key:expr, $c:expr) => {
        if $c != 0 {
            $walk.raw($key);
            $walk.int(i64::from($c));
            $walk.raw(b",");
        }
    };
}

pub(crate) use write_field;
