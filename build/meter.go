package build

import (
	"context"
	"fmt"
	"runtime/metrics"
	"time"

	"chaffinch/internal/cputime"
	"chaffinch/internal/files"
	"chaffinch/internal/report"
)

// cost is the cost of a step, summed over all runs of an interrupted step.
type cost struct {
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu_seconds"`
	// Tally is the part of Seconds spent on counting the outputs.
	Tally float64 `json:"tally_seconds,omitempty"`
	// Memory is the peak memory that the Go runtime held. It includes allocated memory that was never
	// used, such as free space of buffers, but no mapped files. Disk is the peak size of the folder.
	Memory int64 `json:"memory_bytes" merge:"max"`
	Disk   int64 `json:"disk_bytes" merge:"max"`
}

func (c *cost) add(d cost) {
	c.Seconds += d.Seconds
	c.CPU += d.CPU
	c.Memory, c.Disk = max(c.Memory, d.Memory), max(c.Disk, d.Disk)
}

// meter samples the cost of a step. It cancels the step if the folder exceeds its limit.
type meter struct {
	dir     string
	limit   int64
	every   time.Duration // between samples of the disk
	cost    cost
	begun   time.Time
	cpu     time.Duration
	quit    chan struct{}
	gone    chan struct{}
	cancel  context.CancelCauseFunc
	samples []metrics.Sample
}

// newMeter returns a meter of a folder. The steps of a sample are short: their disk is sampled often.
func newMeter(dir string, limit int64, sample bool) *meter {
	every := lookDisk
	if sample {
		every = lookDiskOfSample
	}
	return &meter{
		every: every,
		dir:   dir, limit: limit, quit: make(chan struct{}), gone: make(chan struct{}),
		samples: []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}},
	}
}

// Sampling intervals.
const (
	lookMemory = 100 * time.Millisecond
	lookDisk   = time.Second

	lookDiskOfSample = 10 * time.Millisecond
)

// start starts the meter. The returned context ends with ctx or when the limit is exceeded.
func (m *meter) start(ctx context.Context) context.Context {
	ctx, m.cancel = context.WithCancelCause(ctx)
	m.begun, m.cpu = time.Now(), cputime.Used()
	m.lookAtDisk()
	go func() {
		defer close(m.gone)
		memory, disk := time.NewTicker(lookMemory), time.NewTicker(m.every)
		defer memory.Stop()
		defer disk.Stop()
		for {
			select {
			case <-m.quit:
				return
			case <-memory.C:
				m.lookAtMemory()
			case <-disk.C:
				m.lookAtDisk()
			}
		}
	}()
	return ctx
}

func (m *meter) lookAtMemory() {
	metrics.Read(m.samples)
	m.cost.Memory = max(m.cost.Memory, int64(m.samples[0].Value.Uint64()-m.samples[1].Value.Uint64()))
}

func (m *meter) lookAtDisk() {
	m.cost.Disk = max(m.cost.Disk, files.Bytes(m.dir))
	if m.limit > 0 && m.cost.Disk > m.limit {
		m.cancel(fmt.Errorf("the folder %s holds %s, more than the %s that it may: allow more, or list fewer exports", m.dir, report.Size(m.cost.Disk), report.Size(m.limit)))
	}
}

// stop stops the meter and returns the cost.
func (m *meter) stop() cost {
	close(m.quit)
	<-m.gone
	m.lookAtMemory()
	m.lookAtDisk()
	m.cancel(nil)
	m.cost.Seconds, m.cost.CPU = time.Since(m.begun).Seconds(), (cputime.Used() - m.cpu).Seconds()
	return m.cost
}
