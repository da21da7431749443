//! Tests that masks replace the names, values and numbers in messages.

use pgq_digest::mask;

#[test]
fn names_values_and_numbers_are_masked() {
    for (message, masked) in [
        ("relation \"a\" does not exist", "relation \"…\" does not exist"),
        ("relation \"a\"b\" does not exist", "relation \"…\" does not exist"),
        ("Relation »a« existiert nicht", "Relation »…« existiert nicht"),
        ("la relation « a » n'existe pas", "la relation «…» n'existe pas"),
        ("テーブル\"a\"は", "テーブル\"…\"は"),
        ("an open \"quote", "an open \"…"),
        ("an open \"quote\nand more", "an open \"…"),
        ("at or near \"'x\ny\"\nand more", "at or near \"…\""),
        ("type integer: \"{\"a\": \"x\", 5} \"\"", "type integer: \"…\""),
        ("index row size 2712 exceeds 2704.", "index row size N exceeds N."),
        ("1,5 of 3.25, 7", "N of N, N"),
        ("type int4, utf8, 8bit", "type int4, utf8, 8bit"),
        ("ラージオブジェクト3は存在しません", "ラージオブジェクトNは存在しません"),
        ("进程20285在30.130 ms后", "进程N在N ms后"),
        ("프로세스 7에서 30.1ms 후", "프로세스 N에서 Nms 후"),
        ("first\nsecond \"x\"", "first"),
        ("first\r\nsecond", "first"),
        ("", ""),
    ] {
        assert_eq!(mask(message), masked);
    }
}
