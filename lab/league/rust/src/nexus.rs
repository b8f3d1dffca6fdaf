//! nexus-timer's wheel as its documentation starts it: unbounded, polled and rebalanced in one call.

use crate::Queue;
use nexus_timer::{TimerHandle, Wheel};
use std::time::{Duration, Instant};

pub struct Nexus {
    wheel: Wheel<u32>,
    handles: Vec<Option<TimerHandle<u32>>>,
    now: Instant,
    due: Vec<u32>,
}

impl Nexus {
    fn deadline(&self, ms: u32) -> Instant {
        self.now + Duration::from_millis(u64::from(ms))
    }
}

impl Queue for Nexus {
    fn new(timers: usize) -> Self {
        let now = Instant::now();
        Nexus {
            wheel: Wheel::unbounded(4096, now),
            handles: (0..timers).map(|_| None).collect(),
            now,
            due: Vec::new(),
        }
    }

    fn start(&mut self, timer: u32, ms: u32) {
        self.handles[timer as usize] = Some(self.wheel.schedule(self.deadline(ms), timer));
    }

    fn restart(&mut self, timer: u32, ms: u32) {
        let deadline = self.deadline(ms);
        let handle = &mut self.handles[timer as usize];
        *handle = Some(match handle.take() {
            Some(pending) => self.wheel.reschedule(pending, deadline),
            None => self.wheel.schedule(deadline, timer),
        });
    }

    fn cancel(&mut self, timer: u32) {
        if let Some(pending) = self.handles[timer as usize].take() {
            self.wheel.cancel(pending);
        }
    }

    fn advance(&mut self, _now: u32, expire: &mut impl FnMut(u32)) {
        self.now += Duration::from_millis(1);
        self.wheel.poll_and_rebalance(self.now, &mut self.due);
        for timer in self.due.drain(..) {
            if let Some(fired) = self.handles[timer as usize].take() {
                self.wheel.free(fired);
            }
            expire(timer);
        }
    }
}
