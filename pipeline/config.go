package pipeline

import (
	"time"

	"chaffinch/internal/parallel"
	"chaffinch/page"
)

// Config configures how a run uses the machine. It does not affect the output, except PageTime
// for pages that exceed it.
type Config struct {
	// Workers is the number of pages processed concurrently. Default: 0, one per processor that
	// Go may use.
	Workers int
	// PageTime is the time limit of all stages together for one page. A page that exceeds it is
	// dropped as too slow. 0 means no limit.
	PageTime time.Duration
	// BatchPages and BatchBytes limit a batch: it is passed on at this number of pages or raw
	// bytes. Batches are smaller if many workers share FlightBytes. Default: see
	// [Default].
	BatchPages, BatchBytes int
	// FlightBytes limits the raw bytes of pages that are read and not yet written. A larger
	// page is carried alone. Default: 0, the result of [Flight].
	FlightBytes int64
	// PageMemory limits the memory, in bytes, of the pages being processed, estimated from
	// their size and tags. A page that needs more is processed alone. Default: 0, the result of
	// [PageMemory].
	PageMemory int64
	// Checkpoint is the time between two checkpoints. After CheckpointPages pages a checkpoint
	// is due earlier. Default: see [Default].
	Checkpoint      time.Duration
	CheckpointPages int64
	// OnError, if set, is called for every piece of input or page that failed, in the order of
	// the input and from one goroutine.
	OnError func(*page.Error)
	// OnProgress, if set, is called after each batch, from one goroutine.
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

// Flight returns the default of [Config.FlightBytes] for a number of workers; 0 means one per
// processor. It is large enough for the other workers to continue while one page takes long.
func Flight(workers int) int64 {
	return max(12<<20, int64(parallel.Workers(workers))*512<<10)
}

// PageMemory returns the default of [Config.PageMemory] for a number of workers; 0 means one
// per processor. It is large enough for all workers to process pages of usual size.
func PageMemory(workers int) int64 {
	return max(96<<20, int64(parallel.Workers(workers))*3<<20)
}

// batchesPerWorker is the minimum number of batches per worker that fit in FlightBytes. The
// workers need further batches while the first batch in flight takes long.
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
