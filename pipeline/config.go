package pipeline

import (
	"cmp"
	"time"

	"chaffinch/internal/parallel"
)

// Config configures a run over pages. It does not affect the output, except PageTime for pages
// that exceed it.
type Config struct {
	// Job holds the settings of all runs. [Run] uses Workers, Memory, Checkpoint, OnError and
	// OnProgress: the inputs and outputs of a [Chain] are open.
	Job
	// PageTime is the time limit of all stages together for one page. A page that exceeds it is
	// dropped as too slow. 0 means no limit.
	PageTime time.Duration
	// BatchPages and BatchBytes limit a batch: it is passed on at this number of pages or raw
	// bytes. Batches are smaller if many workers share FlightBytes. Default: see
	// [Default].
	BatchPages, BatchBytes int
	// FlightBytes limits the raw bytes of pages that are read and not yet written. A larger
	// page is carried alone. Default: 0, a few batches per worker within a sixteenth of Memory.
	FlightBytes int64
	// PageMemory limits the memory, in bytes, of the pages being processed, estimated from
	// their size and tags. A page that needs more is processed alone. Default: 0, the result of
	// [PageMemory] within a quarter of Memory.
	PageMemory int64
	// CheckpointPages is the number of pages after which a checkpoint is due before the time
	// Checkpoint has passed. Default: see [Default].
	CheckpointPages int64
}

// Default is the configuration that the command uses.
var Default = Config{
	PageTime:        30 * time.Second,
	BatchPages:      64,
	BatchBytes:      512 << 10,
	CheckpointPages: 20000,
}

// flight returns the default of [Config.FlightBytes] for a number of workers, if memory allows.
// It is large enough for the other workers to continue while one page takes long.
func flight(workers int) int64 {
	w := int64(workers)
	return min(w*3<<19, max(12<<20, w*512<<10))
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
	c.Workers, c.Memory = parallel.Workers(c.Workers), cmp.Or(c.Memory, DefaultMemory())
	if c.BatchPages <= 0 {
		c.BatchPages = Default.BatchPages
	}
	if c.BatchBytes <= 0 {
		c.BatchBytes = Default.BatchBytes
	}
	if c.FlightBytes <= 0 {
		c.FlightBytes = min(flight(c.Workers), c.Memory/16)
	}
	c.BatchBytes = min(c.BatchBytes, int(c.FlightBytes/int64(c.Workers)/batchesPerWorker))
	if c.PageMemory <= 0 {
		c.PageMemory = min(PageMemory(c.Workers), c.Memory/4)
	}
	if c.Checkpoint <= 0 {
		c.Checkpoint = defaultCheckpoint
	}
	if c.CheckpointPages <= 0 {
		c.CheckpointPages = Default.CheckpointPages
	}
	return c
}
