//! The driver alone: every operation and its handle are read and used, and nothing is done.

use crate::Queue;
use std::hint::black_box;

pub struct None {
    handles: Vec<u64>,
    sum: u64,
}

impl Queue for None {
    fn new(timers: usize) -> Self {
        None {
            handles: (0..timers as u64).collect(),
            sum: 0,
        }
    }

    fn start(&mut self, timer: u32, ms: u32) {
        self.sum += self.handles[timer as usize] ^ u64::from(ms);
    }

    fn restart(&mut self, timer: u32, ms: u32) {
        self.sum += self.handles[timer as usize] ^ u64::from(ms);
    }

    fn cancel(&mut self, timer: u32) {
        self.sum += self.handles[timer as usize];
    }

    fn advance(&mut self, now: u32, _expire: &mut impl FnMut(u32)) {
        black_box(self.sum + u64::from(now));
    }
}
