// Replays a stream of timer operations (lab/notebook/league.md) through Go's own timers.
//
//	driver QUEUE STREAM     QUEUE: runtime, none
//
// It answers the lines that lab/notebook/league.md describes.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"
)

const (
	start = iota
	restart
	cancel
	pass
)

const (
	headerBytes = 24
	recordBytes = 8
)

// A queue of timers numbered from 0; durations are in milliseconds.
type queue interface {
	start(timer, ms int32)   // idle
	restart(timer, ms int32) // idle or pending
	cancel(timer int32)      // idle or pending
}

// Go's own timers follow the real clock. All durations are so long that none expires within a run.
type runtimeTimers struct {
	timers []*time.Timer
}

const msPerMs = 1000

func duration(ms int32) time.Duration {
	return time.Duration(ms) * msPerMs * time.Millisecond
}

func (q *runtimeTimers) start(timer, ms int32) {
	if q.timers[timer] == nil {
		q.timers[timer] = time.AfterFunc(duration(ms), func() {})
	} else {
		q.timers[timer].Reset(duration(ms))
	}
}

func (q *runtimeTimers) restart(timer, ms int32) {
	q.timers[timer].Reset(duration(ms))
}

func (q *runtimeTimers) cancel(timer int32) {
	q.timers[timer].Stop()
}

// The driver alone: every operation and its handle are read and used, and nothing is done.
type none struct {
	handles []int64
	sum     int64
}

func (q *none) start(timer, ms int32)   { q.sum += q.handles[timer] ^ int64(ms) }
func (q *none) restart(timer, ms int32) { q.sum += q.handles[timer] ^ int64(ms) }
func (q *none) cancel(timer int32)      { q.sum += q.handles[timer] }

type record struct {
	timerAndKind, ms int32
}

type stream struct {
	timers      int
	setup, lap  []record
	blocks, one int // of a lap; records in one block
}

func fail(text string) {
	fmt.Fprintln(os.Stderr, "error: "+text)
	os.Exit(1)
}

func readStream(path string) stream {
	bytes, err := os.ReadFile(path)
	if err != nil {
		fail(err.Error())
	}
	word := func(at int) int32 { return int32(binary.LittleEndian.Uint32(bytes[at:])) }
	if len(bytes) < headerBytes || string(bytes[:4]) != "TQS1" {
		fail(path + " is not a stream")
	}
	timers, setup, blocks, one := int(word(4)), int(word(8)), int(word(12)), int(word(16))
	if len(bytes) != headerBytes+(setup+blocks*one)*recordBytes {
		fail(path + " is cut off")
	}
	records := make([]record, setup+blocks*one)
	for i := range records {
		at := headerBytes + i*recordBytes
		records[i] = record{word(at), word(at + 4)}
	}
	return stream{timers, records[:setup], records[setup:], blocks, one}
}

func replay(q queue, records []record) {
	for i := range records {
		timer, ms := records[i].timerAndKind>>2, records[i].ms
		switch records[i].timerAndKind & 3 {
		case start:
			q.start(timer, ms)
		case restart:
			q.restart(timer, ms)
		case cancel:
			q.cancel(timer)
		case pass:
			// As often as a server would, the scheduler looks at its timers.
			for range ms {
				runtime.Gosched()
			}
		}
	}
}

// Nanoseconds of CPU time, of all threads.
func cpuNs() int64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func main() {
	if len(os.Args) != 3 {
		fail("driver takes a queue and the path of a stream")
	}
	s := readStream(os.Args[2])
	var q queue
	switch os.Args[1] {
	case "runtime":
		q = &runtimeTimers{make([]*time.Timer, s.timers)}
	case "none":
		// Memory that was never written is one page of zeros, which the caches always hold.
		handles := make([]int64, s.timers)
		for i := range handles {
			handles[i] = int64(i)
		}
		q = &none{handles: handles}
	default:
		fail(os.Args[1] + ": there is no such queue")
	}
	replay(q, s.setup)
	fmt.Println("ready")

	block := 0
	play := func(count int) {
		for range count {
			replay(q, s.lap[block*s.one:(block+1)*s.one])
			block = (block + 1) % s.blocks
		}
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var lead, measured int
		if _, err := fmt.Sscanf(lines.Text(), "turn %d %d", &lead, &measured); err != nil {
			fail(lines.Text() + ": expected turn")
		}
		play(lead)
		begun := cpuNs()
		play(measured)
		fmt.Println(cpuNs() - begun)
	}
}
