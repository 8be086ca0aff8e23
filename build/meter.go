package build

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime/metrics"
	"time"

	"chaffinch/internal/cputime"
)

// cost is what a step has taken, in all parts of an interrupted one together.
type cost struct {
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu_seconds"`
	// Tally is the part of Seconds in which its outputs were counted.
	Tally float64 `json:"tally_seconds,omitempty"`
	// Memory is the most that the program held, Disk the most that the folder of
	// the build did.
	Memory int64 `json:"memory_bytes" merge:"max"`
	Disk   int64 `json:"disk_bytes" merge:"max"`
}

func (c *cost) add(d cost) {
	c.Seconds += d.Seconds
	c.CPU += d.CPU
	c.Memory, c.Disk = max(c.Memory, d.Memory), max(c.Disk, d.Disk)
}

// meter looks now and then at what a step takes, and stops it where it takes more
// of the disk than it may.
type meter struct {
	dir     string
	limit   int64
	cost    cost
	begun   time.Time
	cpu     time.Duration
	quit    chan struct{}
	gone    chan struct{}
	cancel  context.CancelCauseFunc
	samples []metrics.Sample
}

func newMeter(dir string, limit int64) *meter {
	return &meter{
		dir: dir, limit: limit, quit: make(chan struct{}), gone: make(chan struct{}),
		samples: []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}},
	}
}

// Times between two looks: at the memory, and at the disk.
const (
	lookMemory = 100 * time.Millisecond
	lookDisk   = time.Second
)

// start begins; the context that it returns ends with ctx, and past the limit.
func (m *meter) start(ctx context.Context) context.Context {
	ctx, m.cancel = context.WithCancelCause(ctx)
	m.begun, m.cpu = time.Now(), cputime.Used()
	m.lookAtDisk()
	go func() {
		defer close(m.gone)
		memory, disk := time.NewTicker(lookMemory), time.NewTicker(lookDisk)
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
	m.cost.Disk = max(m.cost.Disk, folderBytes(m.dir))
	if m.limit > 0 && m.cost.Disk > m.limit {
		m.cancel(fmt.Errorf("the folder %s holds %.1f MB, more than the %.1f MB that it may: allow more, or ask for fewer exports", m.dir, float64(m.cost.Disk)/1e6, float64(m.limit)/1e6))
	}
}

// stop ends and returns what was taken.
func (m *meter) stop() cost {
	close(m.quit)
	<-m.gone
	m.lookAtMemory()
	m.lookAtDisk()
	m.cancel(nil)
	m.cost.Seconds, m.cost.CPU = time.Since(m.begun).Seconds(), (cputime.Used() - m.cpu).Seconds()
	return m.cost
}

// folderBytes is the size of all files in a folder. What goes while it looks
// counts nothing.
func folderBytes(dir string) (n int64) {
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			n += info.Size()
		}
		return nil
	})
	return n
}
