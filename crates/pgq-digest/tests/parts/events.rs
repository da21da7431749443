//! Events of statements.

use pgq_digest::{Events, StatementEvent};

#[test]
fn events_merge_in_any_order() {
    let add = |events: &mut Events, event, duration| events.add(&event, Some(duration), Some((1, b"one")));
    let (mut whole, mut a, mut b) = (Events::default(), Events::default(), Events::default());
    for (index, (event, duration)) in [
        (StatementEvent::TemporaryFile { bytes: 10 }, 0),
        (StatementEvent::LockWait, 0),
        (StatementEvent::Plan { text: "Seq Scan on t  (cost=0.00..1.00)" }, 5),
        (StatementEvent::LockAcquired { waited: 7 }, 0),
        (StatementEvent::LockFailed { waited: 4 }, 0),
        (StatementEvent::Plan { text: "Seq Scan on t  (cost=0.00..9.00)" }, 9),
        (StatementEvent::Plan { text: "Index Scan on t  (cost=0.00..1.00)" }, 2),
    ]
    .into_iter()
    .enumerate()
    {
        add(&mut whole, event, duration);
        add(if index % 2 == 0 { &mut a } else { &mut b }, event, duration);
    }
    assert_eq!((whole.temporary_bytes, whole.lock_waits, whole.lock_time, whole.plans), (10, 1, 11, 3));
    assert_eq!(
        (whole.shapes.len(), &*whole.slowest_plan.as_ref().unwrap().text),
        (2, "Seq Scan on t  (cost=0.00..9.00)")
    );
    let (mut ab, mut ba) = (a.clone(), b.clone());
    ab.merge(b);
    ba.merge(a);
    assert!(ab == whole && ba == whole);
}
