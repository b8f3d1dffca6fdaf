//! tokio-util's DelayQueue. It needs tokio's clock, which is paused here and advanced with the stream; what that costs is
//! measured by the clock alone.

use crate::Queue;
use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;
use tokio::runtime::{Builder, EnterGuard, Runtime};
use tokio::task::coop::unconstrained;
use tokio::time::{Instant, advance};
use tokio_util::time::DelayQueue;
use tokio_util::time::delay_queue::Key;

const TICK: Duration = Duration::from_millis(1);

struct Clock {
    runtime: &'static Runtime,
    _entered: EnterGuard<'static>,
    now: Instant,
}

impl Clock {
    fn new() -> Self {
        // Paused from the start, so that no millisecond of it begins between two of the stream's: timers would be late.
        let runtime = Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        // Lives as long as the process.
        let runtime: &'static Runtime = Box::leak(Box::new(runtime));
        Clock {
            runtime,
            _entered: runtime.enter(),
            now: runtime.block_on(async { Instant::now() }),
        }
    }
}

pub struct Delays {
    clock: Clock,
    queue: DelayQueue<u32>,
    keys: Vec<Option<Key>>,
}

impl Delays {
    fn deadline(&self, ms: u32) -> Instant {
        self.clock.now + Duration::from_millis(u64::from(ms))
    }
}

impl Queue for Delays {
    fn new(timers: usize) -> Self {
        let clock = Clock::new();
        Delays {
            clock,
            queue: DelayQueue::with_capacity(timers),
            keys: vec![None; timers],
        }
    }

    fn start(&mut self, timer: u32, ms: u32) {
        self.keys[timer as usize] = Some(self.queue.insert_at(timer, self.deadline(ms)));
    }

    fn restart(&mut self, timer: u32, ms: u32) {
        match &self.keys[timer as usize] {
            Some(key) => self
                .queue
                .reset_at(key, self.clock.now + Duration::from_millis(u64::from(ms))),
            None => self.start(timer, ms),
        }
    }

    fn cancel(&mut self, timer: u32) {
        if let Some(key) = self.keys[timer as usize].take() {
            self.queue.remove(&key);
        }
    }

    fn advance(&mut self, _now: u32, expire: &mut impl FnMut(u32)) {
        let Delays { clock, queue, keys } = self;
        clock.now += TICK;
        // Without a budget: tokio would leave some of many for the next time.
        clock.runtime.block_on(unconstrained(async {
            advance(TICK).await;
            poll_fn(|context| {
                while let Poll::Ready(Some(expired)) = queue.poll_expired(context) {
                    let timer = expired.into_inner();
                    keys[timer as usize] = None;
                    expire(timer);
                }
                Poll::Ready(())
            })
            .await;
        }));
    }
}

/// The driver alone, with tokio's clock.
pub struct ClockAlone {
    clock: Clock,
    none: crate::none::None,
}

impl Queue for ClockAlone {
    fn new(timers: usize) -> Self {
        ClockAlone {
            clock: Clock::new(),
            none: Queue::new(timers),
        }
    }

    fn start(&mut self, timer: u32, ms: u32) {
        self.none.start(timer, ms);
    }

    fn restart(&mut self, timer: u32, ms: u32) {
        self.none.restart(timer, ms);
    }

    fn cancel(&mut self, timer: u32) {
        self.none.cancel(timer);
    }

    fn advance(&mut self, now: u32, expire: &mut impl FnMut(u32)) {
        self.clock.now += TICK;
        self.clock
            .runtime
            .block_on(unconstrained(async { advance(TICK).await }));
        self.none.advance(now, expire);
    }
}
