//! Random stderr logs with common prefixes. The inferred prefix must yield the same records as the given prefix, or pgq
//! must refuse the log. `PGQ_CASES` sets the number of logs.

use pgq_log::LogKind;

use super::common::read;
use super::events::{Event, Session};
use super::{fields, write};

pub const PREFIXES: [&str; 30] = [
    "%m [%p] ",
    "%t [%p] ",
    "%m [%p] %q%u@%d ",
    "%t [%p-%l] ",
    "%t [%p-%l] %q%u@%d ",
    "%m [%p-%l] %q%u@%d ",
    "%t [%p]: ",
    "%m [%p]: ",
    "%t [%p]: [%l-1] ",
    "%m [%p]: [%l-1] user=%u,db=%d,app=%a,client=%h ",
    "%t [%p]: [%l-1] user=%u,db=%d ",
    "%t [%p]: user=%u,db=%d,app=%a,client=%h ",
    "%t:%r:%u@%d:[%p]:",
    "%m [%c] ",
    "%c %l ",
    "%m %p ",
    "%p %m ",
    "[%p] ",
    "%m [%p] [%l] ",
    "%m [%p:%l] %u@%d ",
    "%m %p %l ",
    "%m [%p] %x ",
    "%m [%p] %v ",
    "%m [%p] %e ",
    "%n [%p] ",
    "%m|%p|%u|%d|",
    "< %m > ",
    "%m [%p] user=%u,db=%d ",
    "%m pid=%p ",
    "%m [%p] %u ",
];

/// Returns the number in an environment variable.
pub fn setting(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{variable} is no number")))
}

/// A generator of numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    pub fn of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }
}

/// Returns the messages of one statement. `style` determines how the server logs statements and durations.
fn unit(random: &mut Random, style: usize, session: Session) -> Vec<Event> {
    let number = random.below(1000);
    let event = |severity: &'static str, state: &'static str, message: String, detail: &str, statement: String| Event {
        millis: 0,
        session,
        line: 0,
        tag: "SELECT",
        severity,
        state,
        message,
        detail: detail.to_string(),
        statement,
    };
    let log = |message: String, detail: &str| event("LOG", "00000", message, detail, String::new());
    match (style, random.below(8)) {
        (_, 0) => {
            let statement = format!("SELECT {number} FROM nowhere");
            vec![event("ERROR", "42P01", "relation \"nowhere\" does not exist".to_string(), "", statement)]
        }
        (0, _) => vec![
            log(format!("statement: SELECT v FROM t{} WHERE id = {number}", number % 5), ""),
            log(format!("duration: {number}.000 ms"), ""),
        ],
        (1, _) => vec![log(format!("duration: {number}.125 ms  statement: SELECT {number}"), "")],
        (2, _) => vec![log(format!("statement: UPDATE t SET a = {number}"), "")],
        _ => vec![log(format!("duration: 0.{number:03} ms  execute <unnamed>: SELECT $1"), "parameters: $1 = '7'")],
    }
}

fn sessions(random: &mut Random) -> Vec<Session> {
    let first = random.of(&[30, 900, 20_000, 3_000_000]) + random.below(500) as u32;
    let step = random.of(&[1, 1, 2, 7, 1000]);
    let count = random.of(&[1, 1, 2, 3, 10, 40]);
    let single = (random.of(&["ann", "app_user", "postgres"]), random.of(&["shop", "postgres"]));
    let varied = random.below(2) == 1;
    let mut pid = first;
    let mut sessions = Vec::new();
    for _ in 0..count {
        let (user, database) = match varied {
            true => (random.of(&["ann", "app_user", "bob"]), random.of(&["shop", "postgres", "other_db"])),
            false => single,
        };
        let (host, port) = random.of(&[("[local]", 0), ("10.0.0.7", 50111), ("10.0.0.8", 50999)]);
        let application = random.of(&["psql", "web-1", "[unknown]"]);
        sessions.push(Session { pid, user, database, application, host, port, backend: "client backend", started: 1 });
        pid += 1 + random.below(step) as u32;
    }
    sessions
}

/// Returns the messages of a log.
pub fn random_events(random: &mut Random) -> Vec<Event> {
    let sessions = sessions(random);
    let (style, one_by_one) = (random.below(5), random.below(2) == 1);
    let units = random.of(&[1, 2, 3, 5, 20, 60]);
    let mut events = Vec::new();
    for index in 0..units * sessions.len() {
        let session = if one_by_one { sessions[index / units] } else { random.of(&sessions) };
        let style = if style == 4 { random.below(4) } else { style };
        events.extend(unit(random, style, session));
        let len = events.len();
        if !one_by_one && len > 3 && random.below(4) == 0 && events[len - 1].session.pid != events[len - 2].session.pid
        {
            events.swap(len - 1, len - 2);
        }
    }
    for (index, event) in events.iter_mut().enumerate() {
        event.millis = index as u32 * 37 + 1;
    }
    events
}

#[test]
fn what_is_inferred_of_random_logs_is_right_or_refused() {
    let (cases, seed) = (setting("PGQ_CASES", 300), setting("PGQ_SEED", 1));
    let (mut wrong, mut refused) = (Vec::new(), Vec::new());
    for case in 0..cases {
        let mut random = Random(seed * 1_000_003 + case);
        let setting = random.of(&PREFIXES);
        let mut messages = write::stderr(&random_events(&mut random), setting);
        if random.below(2) == 1 {
            messages.drain(..messages.len() / 3);
        }
        let log = messages.concat();
        let given = read(LogKind::Stderr, Some(setting), log.as_bytes(), |entry| fields(setting, entry));
        let found = read(LogKind::Stderr, None, log.as_bytes(), |entry| fields(setting, entry));
        let notice = found.notice.unwrap_or_default();
        if notice.contains("cannot be inferred") {
            refused.push(setting);
        } else if found.records != given.records {
            let start: String = log.lines().take(8).map(|line| format!("    {line}\n")).collect();
            wrong.push(format!("case {case}: {setting:?}, {notice}\n{start}"));
        }
    }
    refused.sort_unstable();
    println!("{cases} logs: {} wrong, {} refused {refused:?}", wrong.len(), refused.len());
    assert!(
        wrong.is_empty(),
        "{} of {cases}, {} refused\n{}",
        wrong.len(),
        refused.len(),
        wrong[..wrong.len().min(12)].concat()
    );
}
