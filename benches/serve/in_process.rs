//! Calls pgq's functions in this process, and measures the statements per second with and without the daemon's caches.
//! `benches/serve/run.sh` compares the daemon's figures with these.
//!
//!     cargo bench --bench serve -- WORKLOAD SECONDS

use std::time::{Duration, Instant};

use pgq::cache::{AnswerCache, AnswerCacheOptions, AnswerLookup, InputScope};
use pgq::{Error, Tree};

#[global_allocator]
static ALLOCATOR: pgq::memory::Mimalloc = pgq::memory::Mimalloc;

/// The capacities of the caches of a daemon with one job.
const TEXT_CACHE_BYTES: usize = 4 << 20;
const SHAPE_CACHE_BYTES: usize = 8 << 20;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    // Without arguments, as in a plain `cargo bench`, there is nothing to measure.
    let [workload, seconds] = &arguments[..] else { return };
    let workload = std::fs::read_to_string(workload).expect("the workload");
    let texts: Vec<&str> = workload.lines().collect();
    let time = Duration::from_secs_f64(seconds.parse().expect("a number of seconds"));
    let mut sum = 0;

    let mut cache = new_cache();
    print("fingerprint, pgq, in process, with caches", &texts, time, |text| {
        sum += fingerprint(&mut cache, text).expect("the workload parses");
    });
    print("fingerprint, pgq, in process, no caches", &texts, time, |text| {
        sum += pgq::fingerprint(text).expect("the workload parses").0 & 1;
    });
    let (mut cache, mut out) = (new_cache(), String::new());
    print("normalize, pgq, in process, with caches", &texts, time, |text| {
        normalize(&mut cache, text, &mut out).expect("the workload parses");
        sum += out.len() as u64 & 1;
    });
    print("normalize, pgq, in process, no caches", &texts, time, |text| {
        sum += pgq::normalize(text).expect("the workload parses").len() as u64 & 1;
    });
    assert_ne!(std::hint::black_box(sum), u64::MAX);
}

fn print(name: &str, texts: &[&str], time: Duration, mut call: impl FnMut(&str)) {
    texts.iter().for_each(|text| call(text));
    let (mut count, begun, processor) = (0, Instant::now(), processor_time());
    while begun.elapsed() < time {
        texts.iter().for_each(|text| call(text));
        count += texts.len();
    }
    let (rate, own) = (count as f64 / begun.elapsed().as_secs_f64(), processor_time() - processor);
    println!("{name}\t{rate:.0}\t{}\t0", own / count as u64);
}

/// Returns this thread's CPU time in nanoseconds on Linux; 0 on other systems.
fn processor_time() -> u64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn new_cache() -> AnswerCache {
    let mut options = AnswerCacheOptions::default();
    (options.text_bytes, options.shape_bytes) = (TEXT_CACHE_BYTES, SHAPE_CACHE_BYTES);
    AnswerCache::new(&options)
}

/// Computes a fingerprint, from the caches if possible. Returns only its lowest bit: the caller adds these bits, so
/// that the compiler cannot remove the calls.
fn fingerprint(cache: &mut AnswerCache, text: &str) -> Result<u64, Error> {
    let keys = match cache.look_up(text.as_bytes(), InputScope::Text) {
        AnswerLookup::Text(answer) => return Ok(u64::from(answer[0] & 1)),
        AnswerLookup::Shape(known, keys) => {
            let fingerprint = known.fingerprint().0;
            cache.keep_text(&keys, text.as_bytes(), &fingerprint.to_le_bytes());
            return Ok(fingerprint & 1);
        }
        AnswerLookup::Miss(keys) => keys,
    };
    let tree = Tree::parse(text, &Default::default())?;
    let found = tree.fingerprint(&Default::default())?;
    cache.keep(keys, text.as_bytes(), &found.fingerprint.0.to_le_bytes(), &tree, None, Some(found));
    Ok(found.fingerprint.0 & 1)
}

/// Writes normalized SQL to `out`, from the caches if possible.
fn normalize(cache: &mut AnswerCache, text: &str, out: &mut String) -> Result<(), Error> {
    out.clear();
    let keys = match cache.look_up(text.as_bytes(), InputScope::Text) {
        AnswerLookup::Text(answer) => {
            out.push_str(std::str::from_utf8(answer).expect("a text was kept"));
            return Ok(());
        }
        AnswerLookup::Shape(known, keys) => {
            if known.normalize(out) {
                cache.keep_text(&keys, text.as_bytes(), out.as_bytes());
                return Ok(());
            }
            keys
        }
        AnswerLookup::Miss(keys) => keys,
    };
    let tree = Tree::parse(text, &Default::default())?;
    out.push_str(&tree.normalize(false)?.text);
    cache.keep(keys, text.as_bytes(), out.as_bytes(), &tree, None, None);
    Ok(())
}
