//! bitwheel with whole milliseconds, its largest slots, and its tree for timers whose slots are full. It cascades
//! nothing: a timer beyond 64 ms fires with its slot, so its firings are not those of the stream.

use crate::Queue;
use bitwheel::timer::{BitWheelWithFailover, LargePreciseWheelWithFailover, Timer, TimerHandle};
use std::time::{Duration, Instant};

struct Numbered(u32);

impl Timer for Numbered {
    type Context = Vec<u32>;

    fn fire(&mut self, due: &mut Vec<u32>) {
        due.push(self.0);
    }
}

pub struct Bits {
    wheel: Box<LargePreciseWheelWithFailover<Numbered>>,
    handles: Vec<Option<TimerHandle>>,
    now: Instant,
    due: Vec<u32>,
}

impl Queue for Bits {
    fn new(timers: usize) -> Self {
        let now = Instant::now();
        Bits {
            wheel: BitWheelWithFailover::boxed_with_epoch(now),
            handles: (0..timers).map(|_| None).collect(),
            now,
            due: Vec::new(),
        }
    }

    fn start(&mut self, timer: u32, ms: u32) {
        let deadline = self.now + Duration::from_millis(u64::from(ms));
        self.handles[timer as usize] = Some(self.wheel.insert(deadline, Numbered(timer)));
    }

    fn restart(&mut self, timer: u32, ms: u32) {
        self.cancel(timer);
        self.start(timer, ms);
    }

    fn cancel(&mut self, timer: u32) {
        if let Some(pending) = self.handles[timer as usize].take() {
            self.wheel.cancel(pending);
        }
    }

    fn advance(&mut self, _now: u32, expire: &mut impl FnMut(u32)) {
        self.now += Duration::from_millis(1);
        self.wheel.poll(self.now, &mut self.due);
        for timer in self.due.drain(..) {
            self.handles[timer as usize] = None;
            expire(timer);
        }
    }
}
