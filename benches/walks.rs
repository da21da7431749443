//! Wall times of every operation and its baseline, by criterion: `cargo bench --bench walks`. For
//! a quiet machine; `instructions.rs` shows the cost of a change on any machine.

use criterion::{Criterion, criterion_group, criterion_main};

mod workload;

use workload::{Operation, Workload};

// The program's allocator.
#[global_allocator]
static ALLOCATOR: pgq::memory::Mimalloc = pgq::memory::Mimalloc;

fn walks(criterion: &mut Criterion) {
    for (name, texts) in workload::statements() {
        let workload = Workload::new(texts);
        let mut group = criterion.benchmark_group(name);
        for operation in Operation::ALL {
            group.bench_function(operation.name(), |bencher| bencher.iter(|| workload.run(operation)));
        }
        group.finish();
    }
}

criterion_group!(benches, walks);
criterion_main!(benches);
