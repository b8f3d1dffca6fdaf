//! Replays a stream of timer operations (lab/notebook/league.md) through one queue.
//!
//!     league QUEUE STREAM     QUEUE: nexus-timer, bitwheel, quad-wheel, delay-queue, none, none-tokio
//!
//! It answers the lines that lab/notebook/league.md describes.

mod bitwheel;
mod delay_queue;
mod nexus;
mod none;
mod quad_wheel;

use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};

const START: i32 = 0;
const RESTART: i32 = 1;
const CANCEL: i32 = 2;
const HEADER_BYTES: usize = 24;
const RECORD_BYTES: usize = 8;

/// Timers are numbered from 0. Times and durations are in milliseconds.
trait Queue {
    fn new(timers: usize) -> Self;
    /// The timer is idle.
    fn start(&mut self, timer: u32, ms: u32);
    /// The timer is idle or pending.
    fn restart(&mut self, timer: u32, ms: u32);
    /// The timer is idle or pending.
    fn cancel(&mut self, timer: u32);
    /// One millisecond has passed.
    fn advance(&mut self, now: u32, expire: &mut impl FnMut(u32));
}

/// The trace of expiries so far.
#[derive(Default)]
struct Trace {
    fired: u32,
    checksum: u32,
}

struct Record {
    timer_and_kind: i32,
    ms: i32,
}

struct Stream {
    timers: usize,
    setup: Vec<Record>,
    lap: Vec<Record>,
    blocks: usize,
}

fn read_stream(path: &str) -> Result<Stream, Box<dyn Error>> {
    let bytes = std::fs::read(path)?;
    let word = |at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    if bytes.len() < HEADER_BYTES || &bytes[..4] != b"TQS1" {
        return Err(format!("{path} is not a stream").into());
    }
    let [timers, setup, blocks, block] = [4, 8, 12, 16].map(|at| word(at) as usize);
    if bytes.len() != HEADER_BYTES + (setup + blocks * block) * RECORD_BYTES {
        return Err(format!("{path} is cut off").into());
    }
    let mut records = (HEADER_BYTES..bytes.len())
        .step_by(RECORD_BYTES)
        .map(|at| Record {
            timer_and_kind: word(at),
            ms: word(at + 4),
        });
    let setup = records.by_ref().take(setup).collect();
    Ok(Stream {
        timers,
        setup,
        lap: records.collect(),
        blocks,
    })
}

struct Player<Q> {
    queue: Q,
    now: u32,
    trace: Trace,
}

impl<Q: Queue> Player<Q> {
    fn replay(&mut self, records: &[Record]) {
        for record in records {
            let timer = (record.timer_and_kind >> 2) as u32;
            match record.timer_and_kind & 3 {
                START => self.queue.start(timer, record.ms as u32),
                RESTART => self.queue.restart(timer, record.ms as u32),
                CANCEL => self.queue.cancel(timer),
                _ => self.pass(record.ms as u32),
            }
        }
    }

    fn pass(&mut self, ms: u32) {
        let Trace { fired, checksum } = &mut self.trace;
        for _ in 0..ms {
            self.now += 1;
            let now = self.now;
            // A sum does not depend on the order within one millisecond, which queues may choose.
            self.queue.advance(now, &mut |timer| {
                *fired += 1;
                let mixed = (timer ^ now.wrapping_mul(0x9e37_79b1)).wrapping_mul(0x85eb_ca6b);
                *checksum = checksum.wrapping_add(mixed);
            });
        }
    }
}

fn cpu_ns() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is valid for the call.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

fn serve<Q: Queue>(stream: &Stream) -> Result<(), Box<dyn Error>> {
    let mut player = Player {
        queue: Q::new(stream.timers),
        now: 0,
        trace: Trace::default(),
    };
    player.replay(&stream.setup);
    let mut blocks = stream.lap.chunks(stream.lap.len() / stream.blocks).cycle();
    let mut answers = stdout().lock();
    writeln!(answers, "ready")?;
    answers.flush()?;
    for line in stdin().lock().lines() {
        let line = line?;
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["turn", lead, measured] => {
                blocks
                    .by_ref()
                    .take(lead.parse()?)
                    .for_each(|block| player.replay(block));
                let begun = cpu_ns();
                blocks
                    .by_ref()
                    .take(measured.parse()?)
                    .for_each(|block| player.replay(block));
                writeln!(answers, "{}", cpu_ns() - begun)?;
            }
            ["drain", ms] => {
                player.pass(ms.parse()?);
                writeln!(answers, "{} {}", player.trace.fired, player.trace.checksum)?;
            }
            _ => return Err(format!("{line}: expected turn or drain").into()),
        }
        answers.flush()?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [queue, path] = &arguments[..] else {
        return Err("takes a queue and the path of a stream".into());
    };
    let stream = read_stream(path)?;
    match queue.as_str() {
        "nexus-timer" => serve::<nexus::Nexus>(&stream),
        "bitwheel" => serve::<bitwheel::Bits>(&stream),
        "quad-wheel" => serve::<quad_wheel::Quad>(&stream),
        "delay-queue" => serve::<delay_queue::Delays>(&stream),
        "none" => serve::<none::None>(&stream),
        "none-tokio" => serve::<delay_queue::ClockAlone>(&stream),
        _ => Err(format!("{queue}: there is no such queue").into()),
    }
}
