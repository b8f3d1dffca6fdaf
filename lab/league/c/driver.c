/*
 * Replays a stream of timer operations (lab/notebook/league.md) through one queue, which QUEUE names: a header with the functions
 * of c/wheel.h, known at compile time, so that the compiler sees both sides of every call.
 *
 *     driver STREAM        answers the lines that lab/notebook/league.md describes
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { START, RESTART, CANCEL, PASS };

/* The trace of expiries so far. */
static uint32_t fired, checksum;
static uint32_t now;

/* A sum does not depend on the order within one millisecond, which queues may choose. */
static inline void expire(uint32_t timer) {
	fired++;
	checksum += (timer ^ now * 0x9e3779b1u) * 0x85ebca6bu;
}

#include QUEUE

/* int32, little-endian: see lab/notebook/league.md. */
struct header {
	char magic[4];
	int32_t timers, setup_records, blocks, block_records, block_operations;
};

struct record {
	int32_t timer_and_kind, ms;
};

static void replay(const struct record *record, const struct record *end) {
	for (; record < end; record++) {
		const uint32_t timer = (uint32_t)record->timer_and_kind >> 2;
		switch (record->timer_and_kind & 3) {
		case START:
			queue_start(timer, (uint32_t)record->ms);
			break;
		case RESTART:
			queue_restart(timer, (uint32_t)record->ms);
			break;
		case CANCEL:
			queue_cancel(timer);
			break;
		case PASS:
			for (int32_t ms = 0; ms < record->ms; ms++) {
				now++;
				queue_advance(now);
			}
			break;
		}
	}
}

static uint64_t cpu_ns(void) {
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void fail(const char *path, const char *reason) {
	fprintf(stderr, "error: %s %s\n", path, reason);
	exit(1);
}

static void *read_file(const char *path, size_t *length) {
	FILE *file = fopen(path, "rb");
	if (!file || fseek(file, 0, SEEK_END) != 0) fail(path, "cannot be read");
	*length = (size_t)ftell(file);
	rewind(file);
	void *bytes = malloc(*length);
	if (!bytes || fread(bytes, 1, *length, file) != *length) fail(path, "cannot be read");
	fclose(file);
	return bytes;
}

int main(int argc, char **argv) {
	if (argc != 2) fail("driver", "takes the path of a stream");
	size_t length = 0;
	const struct header *header = read_file(argv[1], &length);
	if (length < sizeof *header || memcmp(header->magic, "TQS1", 4) != 0) fail(argv[1], "is not a stream");
	const struct record *setup = (const struct record *)(header + 1);
	const struct record *lap = setup + header->setup_records;
	const size_t records = (size_t)header->setup_records + (size_t)header->blocks * (size_t)header->block_records;
	if (length != sizeof *header + records * sizeof *setup) fail(argv[1], "is cut off");

	queue_create((uint32_t)header->timers);
	replay(setup, lap);
	puts("ready");
	fflush(stdout);

	int32_t block = 0;
	char line[64];
	while (fgets(line, sizeof line, stdin)) {
		int lead = 0, measured = 0;
		uint32_t ms = 0;
		if (sscanf(line, "turn %d %d", &lead, &measured) == 2) {
			uint64_t begun = cpu_ns();
			for (int i = 0; i < lead + measured; i++) {
				if (i == lead) begun = cpu_ns();
				const struct record *first = lap + (size_t)block * (size_t)header->block_records;
				replay(first, first + header->block_records);
				block = (block + 1) % header->blocks;
			}
			printf("%llu\n", (unsigned long long)(cpu_ns() - begun));
		} else if (sscanf(line, "drain %u", &ms) == 1) {
			const struct record rest = { PASS, (int32_t)ms };
			replay(&rest, &rest + 1);
			printf("%u %u\n", fired, checksum);
		} else {
			fail(line, "is no request");
		}
		fflush(stdout);
	}
	return 0;
}
