/* The driver alone: every operation is read and used, and nothing is done. */
static volatile uint32_t sink;
static uint32_t sum;

static void queue_create(uint32_t count) {
	sum = count;
}

static inline void queue_start(uint32_t timer, uint32_t ms) {
	sum += timer ^ ms;
}

static inline void queue_restart(uint32_t timer, uint32_t ms) {
	sum += timer ^ ms;
}

static inline void queue_cancel(uint32_t timer) {
	sum += timer;
}

static inline void queue_advance(uint32_t time) {
	(void)expire;
	sink = sum + time;
}
