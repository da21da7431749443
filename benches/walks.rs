//! Wall times of every walk and its floor, by criterion: `cargo bench --bench walks`. For a
//! machine at rest; what a change cost is told by `instructions.rs`.

use criterion::{Criterion, criterion_group, criterion_main};

mod rows;

// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn walks(criterion: &mut Criterion) {
    for (name, texts) in rows::corpora() {
        let corpus = rows::Corpus::new(texts);
        let mut group = criterion.benchmark_group(name);
        for row in rows::Row::ALL {
            group.bench_function(row.name(), |bencher| bencher.iter(|| corpus.work(row)));
        }
        group.finish();
    }
}

criterion_group!(benches, walks);
criterion_main!(benches);
