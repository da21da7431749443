//! Edge cases of the lexer: texts with tokens that begin, end or touch in unusual ways.

/// Returns all cases: texts of several tokens, each of these tokens as a separate text, and tokens of many lengths.
pub fn texts() -> Vec<String> {
    let mut texts: Vec<String> = ROWS.iter().map(ToString::to_string).collect();
    // Add the tokens separately too, because a token at which the lexer stops hides the tokens after it.
    texts.extend(ROWS.iter().flat_map(|row| row.split(' ')).map(ToString::to_string));
    for byte in 1..=255u8 {
        texts.extend([format!("a{}b", char::from(byte)), char::from(byte).to_string()]);
    }
    for len in [7, 8, 9, 15, 16, 17, 24, 62, 63, 64, 65, 200] {
        let word = "abcdefghijklmnopqrstuvwxyz".repeat(8)[..len].to_string();
        texts.extend([
            word.clone(),
            word.to_uppercase(),
            format!("\"{word}\""),
            format!("'{word}'"),
            format!("${word}$x${word}$"),
            format!("é{word}"),
            format!("{word}é"),
            format!("{word}$_1 x"),
            "+".repeat(len),
            "@".repeat(len),
            format!("@{}", "-".repeat(len)),
            "1".repeat(len),
            format!("{}1", "0".repeat(len)),
            format!("${}1", "0".repeat(len)),
            "/*".repeat(len),
            format!("{}{}", "/*".repeat(len), "*/".repeat(len)),
        ]);
    }
    texts
}

/// Rows of tokens. The tests use each row as a whole, and the parts between its spaces.
pub const ROWS: &[&str] = &[
    // Words.
    "select SELECT SeLeCt selec selects _select select_ select$1 sel\u{e9}ct current_timestamp CURRENT_TIMESTAMPX",
    "a$b a$ $a _ __ _1 é É ÉCOLE \u{feff}a a\u{a0}b 日本 x日",
    "nchar N'a' n 'a' n'' N\n'a' nN'a' national",
    "u&a U & 'a' u& u&& U&'a' u&\"b\" U&'a' UESCAPE '!' U&\"a\" uescape '\"' U&'' u&\"\" u&$a$ xu&'a'",
    "e'a' E'a' e 'a' ee'a' b'1' B'' bb'1' x'f' X'' xx'' b'2' x'g' b'a\\'c' b'0''1' x'0'\n'1' e\"a\"",
    // Numbers.
    "0 00 007 2147483647 2147483648 02147483647 00000000000000000000000000001 99999999999999999999",
    "1. 1.5 .5 1.e5 1e5 1E+5 1e-5 1.5e5 .5e5 1..2 1...2 1.5.6 .5.6 1.5..2 1.. 1 .. 2",
    "1_0 1_000_000 1_ 1__0 _1 1._5 1.5_5 1.5_ 1e1_0 1e_1 1e5_ 1e 1e+ 1ea 1.a 1a 1é 1$ 1e5$ 1e+5$ 1.5$ .5a .5$",
    "0x0 0X1F 0x_1F 0x1_F 0x1__F 0x 0x_ 0xg 0x1g 0x7fffffff 0x80000000 0xffffffffffffffffff 0x1$ 0x1.5 0x1..2",
    "0o17 0O_17 0o8 0o 0o178 0b101 0B_1 0b2 0b 0b12 0b1a 0b11111111111111111111111111111111 0o17777777777 0o20000000000",
    "1+1 1-1 1--1\n1 1/*x*/1 1::int 1:2 1'a' 1\"a\" 1(1) 1$1 1.5'a' .5.e1 -1 +1 1e1'a' 1e1.5",
    // Parameters and dollars.
    "$1 $01 $2147483647 $2147483648 $0 $1a $1_ $1$ $1$2 $1é $1.5 $1'a' $ $$ $$$ $$$$ $$a$$ $$a$b$$ $ 1 $-",
    "$a$ $a$ $a$b$a$ $a$ $b$ $a$ $a$$a$ $a$x$$a$ $1$ $a1$x$a1$ $é$x$é$ $a $a-$ $a$b $_$x$_$ a$$b$$ $A$a$a$A$",
    // Literals.
    "'' 'a' 'a''b' '''' ''' '' ' 'a'b 'a' 'b' 'a'\n'b' 'a' \n 'b' 'a' -- x\n'b' 'a' -- 'x'\n  -- y\n 'b' 'a'\r'b'",
    "'a'/* */'b' 'a' /* */\n'b' 'a'\n/* */'b' 'a'-'b' 'a'\n- 'b' 'a'\n-- x",
    "'a\\' 'a\\\\b' 'a\\'b' 'é' '\u{1F600}' 'a\nb' '$1' '--' '/*' 'a'\x0b\n'b' 'a'\x0c'b'",
    "e'\\n\\t\\r\\b\\f\\v\\'\\\\\\\"' E'\\x41\\x4\\xg\\101\\7\\8\\9' E'\\u0041\\u00e9\\U0001F600' E'\\\n' E'a''b' E'a'\n'\\n'",
    "E'\\xe9' E'\\xc3\\xa9' E'\\351' E'\\0' E'\\x00' E'\\400' E'\\u0000' E'\\ud83d\\ude00' E'\\ud83d' E'\\U00110000'",
    "E'\\u12' E'\\U0001' E'\\u' E'\\é' E'a\\' E'\\'' E'\\\\' E'\\u+12' E'\\x' E'\\ ' e'\\u00zz'",
    // Quoted names.
    "\"a\" \"A b\" \"a\"\"b\" \"\"\"\" \"\" \" \" \"a\"b \"é\" \"a\nb\" \"a'b\" \"a\\\" \"a\" \"b",
    // Operators.
    "+ - * / % ^ < > = ~ ! @ # & | ` ? , ( ) [ ] ; : . { } \\ \x7f \x01",
    "+- -+ ++ --x\n+ +-+ @- @+ @-- *- *+ =- =+ <- >- <=- <>- !- !+ !=- ~+ ?- #- %- ^- `- |- &-",
    "<= >= <> != => := :: .. ... .... :::: ::= =:= <<= >>= ==> =>> <=> !== !<> <>= |/ ||/ @@ @> <@ ?| ?& #>> -> ->> ||",
    "+/* */- -/**/- */ /*/ */ /*+*/ +/+ /-/ =/*x*/= =--x\n= <--x\n<> >/*x*/= !/**/= @/**/- @--x\n a/*b*/c",
    "=-1 =+1 =-a <-1 !-1 @-1 <=-1 >=+1 <>-1 !=-1 ||-1 *-1 /-1 +-1 -+-1 =- -1 ->-1 ?-1 ~-1",
    // Comments and white space.
    "-- a\n-- b\r\n--c -- d",
    "--",
    "-",
    "- -",
    "---",
    "/**/",
    "/***/",
    "/* /* */ */",
    "/* /* */",
    "/* * / */",
    "/*/**/*/",
    "/*/*/*/**/*/*/*/",
    "/* ' */ '/* '' */'",
    "/* -- */ -- /*\n*/",
    "/*\n*/x/**//**/y",
    "/",
    "/*",
    "*/",
    "/* **/ a",
    " \t\n\r\x0b\x0c",
    "\n    a\n        b\n            c\n\td",
    "a         b",
    "\u{a0}",
    "\u{2028}a",
    "",
    " ",
    "a",
    "é",
    "'",
    "\"",
    "$",
    "1",
    ".",
    ":",
    "\\",
    "\\d",
    "a\\b",
    ";",
    ";;",
];
