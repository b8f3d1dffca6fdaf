/* A queue too simple to be wrong, which tests the driver: every deadline is looked at every millisecond. */
static uint32_t count;
static uint32_t *deadlines;

static void queue_create(uint32_t timers) {
	count = timers;
	/* 0: idle. */
	deadlines = calloc(timers, sizeof *deadlines);
}

static inline void queue_start(uint32_t timer, uint32_t ms) {
	deadlines[timer] = now + ms;
}

static inline void queue_restart(uint32_t timer, uint32_t ms) {
	deadlines[timer] = now + ms;
}

static inline void queue_cancel(uint32_t timer) {
	deadlines[timer] = 0;
}

static inline void queue_advance(uint32_t time) {
	for (uint32_t timer = 0; timer < count; timer++) {
		if (deadlines[timer] != time) continue;
		deadlines[timer] = 0;
		expire(timer);
	}
}
