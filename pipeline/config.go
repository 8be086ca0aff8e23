package pipeline

import (
	"time"

	"chaffinch/internal/parallel"
	"chaffinch/page"
)

// Config says how a run uses the machine. Nothing in it changes the output,
// except PageTime for pages that take longer.
type Config struct {
	// Workers is the number of pages worked on at the same time; 0 means one
	// for each processor that Go may use.
	Workers int
	// PageTime is the time that the stages may take for one page; past it the
	// page is dropped as too slow. 0 means no limit.
	PageTime time.Duration
	// BatchPages and BatchBytes bound a batch: it is passed on when it has so
	// many pages or so many raw bytes. Batches are smaller where many workers share
	// FlightBytes.
	BatchPages, BatchBytes int
	// FlightBytes bounds the raw bytes of the pages that are read and not yet
	// written; a larger page travels alone. 0 means [Flight] of the workers.
	FlightBytes int64
	// PageMemory bounds what the pages that are worked on may take in bytes of
	// memory, as far as their bytes and tags tell before; a page that may take
	// more is worked on alone. 0 means [PageMemory] of the workers.
	PageMemory int64
	// Checkpoint is the time between two checkpoints, and CheckpointPages the
	// number of pages after which one is due earlier.
	Checkpoint      time.Duration
	CheckpointPages int64
	// OnError, if set, is told of every piece of input or page that failed,
	// in the order of the input, from one goroutine.
	OnError func(*page.Error)
	// OnProgress, if set, is told of progress after each batch, from one
	// goroutine.
	OnProgress func(*Report)
}

// Default is the configuration that the command uses.
var Default = Config{
	PageTime:        30 * time.Second,
	BatchPages:      64,
	BatchBytes:      512 << 10,
	Checkpoint:      2 * time.Second,
	CheckpointPages: 20000,
}

// Flight returns the default of [Config.FlightBytes] for a number of workers, 0 for one for
// each processor: while one page takes long, the others need pages to work on.
func Flight(workers int) int64 {
	return max(12<<20, int64(parallel.Workers(workers))*512<<10)
}

// PageMemory returns the default of [Config.PageMemory] for a number of workers, 0 for one for
// each processor: enough for all of them to work on pages of usual size.
func PageMemory(workers int) int64 {
	return max(96<<20, int64(parallel.Workers(workers))*3<<20)
}

// batchesPerWorker is how many batches per worker FlightBytes has space for at least:
// while the first batch in flight takes long, the workers need others.
const batchesPerWorker = 6

func (c Config) withDefaults() Config {
	c.Workers = parallel.Workers(c.Workers)
	if c.BatchPages <= 0 {
		c.BatchPages = Default.BatchPages
	}
	if c.BatchBytes <= 0 {
		c.BatchBytes = Default.BatchBytes
	}
	if c.FlightBytes <= 0 {
		c.FlightBytes = Flight(c.Workers)
	}
	c.BatchBytes = min(c.BatchBytes, int(c.FlightBytes/int64(c.Workers)/batchesPerWorker))
	if c.PageMemory <= 0 {
		c.PageMemory = PageMemory(c.Workers)
	}
	if c.Checkpoint <= 0 {
		c.Checkpoint = Default.Checkpoint
	}
	if c.CheckpointPages <= 0 {
		c.CheckpointPages = Default.CheckpointPages
	}
	return c
}
