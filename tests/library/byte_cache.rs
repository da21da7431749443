//! Tests the cache that maps byte strings to byte strings.

use pgq::cache::ByteCache;

fn get(cache: &mut ByteCache, key: &str) -> Option<Vec<u8>> {
    cache.get(cache.hash(key.as_bytes()), key.as_bytes()).map(<[u8]>::to_vec)
}

fn insert(cache: &mut ByteCache, key: &str, value: &str) {
    cache.insert(cache.hash(key.as_bytes()), key.as_bytes(), value.as_bytes());
}

#[test]
fn what_comes_again_stays_and_bytes_are_bounded() {
    let mut cache = ByteCache::new(20_000);
    insert(&mut cache, "hot", "value");
    for i in 0..10_000 {
        assert_eq!(get(&mut cache, "hot").as_deref(), Some(&b"value"[..]), "{i}");
        insert(&mut cache, &format!("cold {i}"), "x");
        assert!(cache.weight() <= 20_000);
    }
    assert_eq!(get(&mut cache, "cold 9999").as_deref(), Some(&b"x"[..]));
    assert_eq!(get(&mut cache, "cold 1"), None);
    assert_eq!(get(&mut cache, ""), None);
}

#[test]
fn keys_are_compared_in_full() {
    let mut cache = ByteCache::new(1000);
    cache.insert(7, b"a", b"1");
    assert_eq!(cache.get(7, b"a"), Some(&b"1"[..]));
    assert_eq!(cache.get(7, b"b"), None);
    cache.insert(7, b"b", b"");
    assert_eq!(cache.get(7, b"b"), Some(&b""[..]));
    cache.insert(8, &[0; 1000], b"too large");
    assert_eq!(cache.get(8, &[0; 1000]), None);
}
