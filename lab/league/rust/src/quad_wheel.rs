//! hierarchical_hash_wheel_timer's cancellable wheel: four wheels of 256 slots, and a map of the pending timers. What
//! was cancelled stays in its slot until that is due.

use crate::Queue;
use hierarchical_hash_wheel_timer::IdOnlyTimerEntry;
use hierarchical_hash_wheel_timer::wheels::cancellable::QuadWheelWithOverflow;
use std::time::Duration;

pub struct Quad {
    wheel: QuadWheelWithOverflow<IdOnlyTimerEntry<u32>>,
}

impl Queue for Quad {
    fn new(_timers: usize) -> Self {
        Quad {
            wheel: QuadWheelWithOverflow::new(),
        }
    }

    fn start(&mut self, timer: u32, ms: u32) {
        let delay = Duration::from_millis(u64::from(ms));
        self.wheel
            .insert(IdOnlyTimerEntry::new(timer, delay))
            .expect("durations are at least a millisecond");
    }

    fn restart(&mut self, timer: u32, ms: u32) {
        self.cancel(timer);
        self.start(timer, ms);
    }

    fn cancel(&mut self, timer: u32) {
        // An idle timer is not found, which is no error here.
        let _ = self.wheel.cancel(&timer);
    }

    fn advance(&mut self, _now: u32, expire: &mut impl FnMut(u32)) {
        for due in self.wheel.tick() {
            expire(due.id);
        }
    }
}
