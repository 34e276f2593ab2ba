//! Times every job. `npm run bench` reads the estimates that criterion writes.

use criterion::{Criterion, Throughput};
use std::error::Error;
use std::hint::black_box;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(30)
        .configure_from_args();
    let mut group = criterion.benchmark_group("engine");
    for job in loophound_bench::jobs()? {
        let mut detector = job.detector()?;
        group.throughput(Throughput::Elements(job.calls() as u64));
        group.bench_function(job.name.replace('/', "-"), |bencher| {
            bencher.iter(|| black_box(job.pass(&mut detector)));
        });
    }
    group.finish();
    criterion.final_summary();
    Ok(())
}
