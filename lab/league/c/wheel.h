/* The hierarchical wheel of wahern/timeout, compiled into the driver as its own benchmark does. */
#define TIMEOUT_PUBLIC static
#include "timeout.h"
#include "timeout.c"

static struct timeouts *wheel;
static struct timeout *timers;

static void queue_create(uint32_t count) {
	int error = 0;
	wheel = timeouts_open(TIMEOUT_mHZ, &error);
	timers = calloc(count, sizeof *timers);
	for (uint32_t i = 0; i < count; i++) timeout_init(&timers[i], 0);
}

/* Idle. */
static inline void queue_start(uint32_t timer, uint32_t ms) {
	timeouts_add(wheel, &timers[timer], ms);
}

/* Idle or pending: timeouts_add takes either. */
static inline void queue_restart(uint32_t timer, uint32_t ms) {
	timeouts_add(wheel, &timers[timer], ms);
}

static inline void queue_cancel(uint32_t timer) {
	timeouts_del(wheel, &timers[timer]);
}

static inline void queue_advance(uint32_t time) {
	timeouts_update(wheel, time);
	for (struct timeout *timer; (timer = timeouts_get(wheel)) != NULL;) expire((uint32_t)(timer - timers));
}
