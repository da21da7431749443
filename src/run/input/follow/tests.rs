use std::io::{Read, Write};

use super::{ErrorKind, FollowEvents, Follower, News, Ordering};

/// Returns the bytes of the next read (empty if there are no new bytes), and whether another file has begun.
fn read(follower: &mut Follower, events: &FollowEvents) -> (String, bool) {
    let mut buffer = [0; 64];
    let read = follower.read(&mut buffer).unwrap_or(0);
    (String::from_utf8_lossy(&buffer[..read]).into_owned(), events.rotated.swap(false, Ordering::Relaxed))
}

#[test]
fn growth_rotation_and_truncation_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    std::fs::write(&path, "one\n").unwrap();
    let (mut follower, events) = Follower::open(&path, &[], || false).unwrap();
    let rotated = &events.rotated;
    let mut next = || {
        let mut buffer = [0; 64];
        match follower.read(&mut buffer) {
            Ok(read) => String::from_utf8_lossy(&buffer[..read]).into_owned(),
            Err(e) => format!("{:?}", e.kind()),
        }
    };
    assert_eq!(next(), "one\n");
    assert_eq!(next(), format!("{:?}", ErrorKind::WouldBlock));
    let mut old = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    old.write_all(b"two\n").unwrap();
    assert_eq!(next(), "two\n");
    std::fs::rename(&path, folder.path().join("log.1")).unwrap();
    old.write_all(b"last\n").unwrap();
    std::fs::write(&path, "new\n").unwrap();
    assert_eq!((next().as_str(), rotated.swap(false, Ordering::Relaxed)), ("last\n", false));
    assert_eq!((next().as_str(), rotated.swap(false, Ordering::Relaxed)), ("new\n", true));
    std::fs::write(&path, "x\n").unwrap(); // makes the same file shorter
    assert_eq!((next().as_str(), rotated.swap(false, Ordering::Relaxed)), ("x\n", true));
}

/// logrotate renames the log, creates an empty one, and only then tells the writer to open it.
#[test]
fn the_old_file_is_read_until_the_new_one_has_content() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    std::fs::write(&path, "one\n").unwrap();
    let (mut follower, events) = Follower::open(&path, &[], || false).unwrap();
    let mut next = || read(&mut follower, &events);
    assert_eq!(next(), ("one\n".into(), false));
    let mut old = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    std::fs::rename(&path, folder.path().join("log.1")).unwrap();
    std::fs::write(&path, "").unwrap();
    assert_eq!(next(), (String::new(), false));
    old.write_all(b"two\n").unwrap();
    assert_eq!(next(), ("two\n".into(), false));
    assert_eq!(next(), (String::new(), false));
    old.write_all(b"three\n").unwrap();
    std::fs::write(&path, "new\n").unwrap();
    assert_eq!(next(), ("three\n".into(), false));
    assert_eq!(next(), ("new\n".into(), true));
    assert!(matches!(events.take_news(), Some(News::Replaced)));
}

#[test]
fn a_new_log_that_begins_like_the_old_one_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    std::fs::write(&path, "x\nx\n").unwrap();
    let (mut follower, events) = Follower::open(&path, &[], || false).unwrap();
    let mut next = || read(&mut follower, &events);
    assert_eq!(next(), ("x\nx\n".into(), false));
    for (old, new) in [("log.1", "x\nx\nx\n"), ("log.2", "x\n")] {
        std::fs::rename(&path, folder.path().join(old)).unwrap();
        std::fs::write(&path, new).unwrap();
        assert_eq!(next(), (new.into(), true));
    }
}

#[test]
fn a_longer_copy_of_the_log_is_read_from_the_same_position() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("log"), folder.path().join("copy"));
    std::fs::write(&path, "one\n").unwrap();
    let (mut follower, events) = Follower::open(&path, &[], || false).unwrap();
    let mut next = || read(&mut follower, &events);
    assert_eq!(next(), ("one\n".into(), false));
    std::fs::write(&copy, "one\ntwo\n").unwrap();
    std::fs::rename(&copy, &path).unwrap();
    assert_eq!(next(), ("two\n".into(), false));
    // The copy is written to the same file.
    std::fs::write(&path, "one\nt").unwrap();
    assert_eq!(next(), (String::new(), false));
    std::fs::write(&path, "one\ntwo\nthree\n").unwrap();
    assert_eq!(next(), (String::new(), false));
    assert_eq!(next(), ("three\n".into(), false));
    // Another log is written to the same file.
    std::fs::write(&path, "").unwrap();
    assert_eq!(next(), (String::new(), false));
    std::fs::write(&path, "a longer log than before\n").unwrap();
    assert_eq!(next(), ("a longer log than before\n".into(), true));
    std::fs::write(&copy, "another\n").unwrap();
    std::fs::rename(&copy, &path).unwrap();
    assert_eq!(next(), ("another\n".into(), true));
}

/// If a server has one log per weekday, each Monday it overwrites last Monday's log. Also, another program may change
/// the modification time of an old log.
#[test]
fn a_log_to_which_the_server_returns_is_not_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let [sat, sun, mon] = ["p-Sat.log", "p-Sun.log", "p-Mon.log"].map(|name| folder.path().join(name));
    let write = |path: &std::path::Path, text: &str, second: u64| {
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(second)).unwrap();
    };
    write(&sun, "last week\n", 1);
    write(&mon, "last week\n", 2);
    write(&sat, "sat\n", 3);
    let (mut follower, _) = Follower::open(&sat, &[], || false).unwrap();
    let mut next = || {
        let mut buffer = [0; 64];
        let read = (0..10).find_map(|_| follower.read(&mut buffer).ok()).unwrap_or(0);
        String::from_utf8_lossy(&buffer[..read]).into_owned()
    };
    assert_eq!(next(), "sat\n");
    write(&mon, "", 4);
    write(&sun, "sun\n", 5);
    assert_eq!(next(), "sun\n");
    // The new content of this log has the length of the old one.
    std::fs::write(&mon, "this week\n").unwrap();
    write(&mon, "", 6);
    assert_eq!(next(), "this week\n");
    write(&sat, "next sat\n", 7);
    assert_eq!(next(), "next sat\n");
}

#[cfg(unix)]
#[test]
fn a_pipe_that_replaces_the_file_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    std::fs::write(&path, "one\n").unwrap();
    let (mut follower, _) = Follower::open(&path, &[], || false).unwrap();
    let mut buffer = [0; 64];
    assert_eq!(follower.read(&mut buffer).unwrap(), 4);
    std::fs::remove_file(&path).unwrap();
    let fifo = |path: &std::path::Path| std::process::Command::new("mkfifo").arg(path).status().unwrap().success();
    assert!(fifo(&path));
    assert_eq!(follower.read(&mut buffer).unwrap_err().kind(), ErrorKind::WouldBlock);

    let [log, pipe] = ["p-Mon.log", "p-Tue.log"].map(|name| folder.path().join(name));
    std::fs::write(&log, "one\n").unwrap();
    assert!(fifo(&pipe));
    assert!(Follower::open(&log, &[], || false).is_ok());
}

#[test]
fn a_stopped_log_is_read_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second, third] =
        ["p-2026-01-30.log", "p-2026-01-31.log", "p-2026-02-01.log"].map(|name| folder.path().join(name));
    std::fs::write(&first, "one\n").unwrap();
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let stopped = std::sync::Arc::clone(&stop);
    let (mut follower, _) = Follower::open(&first, &[], move || stopped.load(Ordering::Relaxed)).unwrap();
    let mut next = || {
        let mut buffer = [0; 4];
        let read = follower.read(&mut buffer).unwrap();
        String::from_utf8_lossy(&buffer[..read]).into_owned()
    };
    assert_eq!(next(), "one\n");
    for (path, text, second) in [(&first, "one\ntwo\nold\n", 1), (&second, "six\n", 2), (&third, "ten\n", 3)] {
        std::fs::write(path, text).unwrap();
        let modified = std::time::UNIX_EPOCH + std::time::Duration::from_secs(second);
        std::fs::OpenOptions::new().append(true).open(path).unwrap().set_modified(modified).unwrap();
    }
    stop.store(true, Ordering::Relaxed);
    assert_eq!(next(), "two\n");
    assert_eq!([next(), next(), next(), next()], ["old\n", "six\n", "ten\n", ""]);
    // What is written later does not count.
    std::fs::OpenOptions::new().append(true).open(&third).unwrap().write_all(b"new\n").unwrap();
    assert_eq!(next(), "");
}

#[test]
fn logs_that_were_rotated_while_nobody_read_are_read() {
    for names in
        [["log.3", "log.2", "log.1"], ["log-20260131", "log-20260201", "log-20260202"], ["1.log", "2.log", "3.log"]]
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let write = |name: &str, text: &str, second: u64| {
            let mut file = std::fs::File::create(folder.path().join(name)).unwrap();
            file.write_all(text.as_bytes()).unwrap();
            file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(second)).unwrap();
        };
        write("log", "one\n", 1);
        let (mut follower, events) = Follower::open(&path, &[], || false).unwrap();
        let mut next = || read(&mut follower, &events);
        assert_eq!(next(), ("one\n".into(), false));
        std::fs::rename(&path, folder.path().join(names[0])).unwrap();
        write("log.1.gz", "compressed", 2);
        write("9.log.gz", "compressed", 2);
        write("other.1", "other\n", 2);
        write("log.0", "", 2);
        write(names[1], "two\n", 3);
        write(names[2], "three\n", 4);
        write("log", "four\n", 5);
        assert_eq!(next(), ("two\n".into(), true));
        assert_eq!(next(), ("three\n".into(), true));
        assert_eq!(next(), ("four\n".into(), true));
        let news: Vec<News> = std::iter::from_fn(|| events.take_news()).collect();
        assert!(news.iter().any(|news| matches!(news, News::Unreadable(path, _) if path.ends_with("log.1.gz"))));
    }
}
