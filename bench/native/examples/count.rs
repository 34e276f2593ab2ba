//! Runs one job a number of times, for valgrind to count: `count <job> <passes>`.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let wanted = args.next().ok_or("which job?")?;
    let passes: usize = args.next().ok_or("how many passes?")?.parse()?;
    let jobs = loophound_bench::jobs()?;
    let job = jobs.iter().find(|job| job.name == wanted).ok_or("there is no such job")?;
    let mut detector = job.detector()?;
    let alarms: usize = (0..passes).map(|_| job.pass(&mut detector)).sum();
    println!("{} calls, {alarms} alarms", passes * job.calls());
    Ok(())
}
