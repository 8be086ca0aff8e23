package forecast

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/workdir"
)

// Config describes a command.
type Config struct {
	// Inputs are the files and folders that it reads. End is the line that ends a document, "" if
	// documents are lines.
	Inputs []string
	End    string
	// Memory is its limit in bytes. MinMemory is the smallest limit of a run on a sample, Memory if
	// the limit does not affect the size of temporary files.
	Memory, MinMemory int64
	// Vocabulary indicates that most of its memory holds different words, whose number grows with a
	// power of the text. Otherwise memory grows in proportion to the text.
	Vocabulary bool
	// Do runs the command on other inputs, with another memory limit. It writes the output out and
	// temporary files into the folder of out.
	Do func(ctx context.Context, inputs []string, memory int64, out string) error
}

// Forecast is the predicted cost of a command.
type Forecast struct {
	Sample
	Seconds float64
	// Output is the size of the output in bytes. Disk is the peak size of the output and temporary
	// files, and Memory the peak memory of the process.
	Output, Disk, Memory int64
}

// sampleBytes is the uncompressed size of the larger sample. The smaller one is a quarter of it.
const sampleBytes = 16 << 20

// programBytes is the memory of a process outside the memory of the Go runtime: the program.
const programBytes = 36 << 20

// Run predicts the cost of a command. The command runs on a small and on a larger sample with its
// memory limit, and on the larger one with a limit that is smaller by the share of the sample, so that
// the same share of its records is sorted on disk.
func Run(ctx context.Context, cfg Config) (f *Forecast, err error) {
	work, err := workdir.Temp()
	if err != nil {
		return nil, err
	}
	defer work.Close()
	var peaks [2]peak
	var samples [2]*Sample
	for i := range samples {
		dir := filepath.Join(work.Path, fmt.Sprint("sample", i))
		if samples[i], err = take(cfg.Inputs, dir, sampleBytes>>(2*(1-i)), cfg.End); err != nil {
			return nil, err
		}
		if samples[i].Input == 0 { // all files are empty
			return &Forecast{Sample: *samples[i], Memory: programBytes}, nil
		}
		if peaks[i], err = cfg.measure(ctx, work.Path, samples[i], cfg.Memory); err != nil {
			return nil, err
		}
	}
	s := samples[1]
	f = &Forecast{Sample: *s}
	factor := float64(s.Input) / float64(max(s.Read, 1))
	if small := max(cfg.MinMemory, int64(float64(cfg.Memory)/factor)); small < cfg.Memory {
		p, err := cfg.measure(ctx, work.Path, s, small)
		if err != nil {
			return nil, err
		}
		peaks[1].disk, peaks[1].output = p.disk, p.output
	}
	scaled := func(n int64) int64 { return int64(float64(n) * factor) }
	f.Seconds = peaks[1].seconds * factor
	f.Output, f.Disk = scaled(peaks[1].output), scaled(peaks[1].disk)
	f.Memory = programBytes + cfg.memory(samples, peaks)
	return f, nil
}

// memory returns the predicted peak of the Go runtime.
func (cfg *Config) memory(samples [2]*Sample, peaks [2]peak) int64 {
	small, large, all := float64(samples[0].Read), float64(samples[1].Read), float64(samples[1].Input)
	m := float64(peaks[1].memory)
	if grown := m - float64(peaks[0].memory); grown > 0 && large > small {
		if cfg.Vocabulary {
			m *= math.Pow(all/large, math.Log(m/float64(peaks[0].memory))/math.Log(large/small))
		} else {
			m += grown / (large - small) * (all - large)
		}
	}
	return int64(min(m, max(float64(cfg.Memory), float64(peaks[1].memory))))
}

// peak is the cost of a run.
type peak struct {
	seconds              float64
	disk, output, memory int64
}

// interval is the time between two measurements.
const interval = 2 * time.Millisecond

// measure runs the command on a sample.
func (cfg *Config) measure(ctx context.Context, dir string, s *Sample, memory int64) (p peak, err error) {
	dir = filepath.Join(dir, "run")
	if err := disk.MkdirAll(dir); err != nil {
		return p, err
	}
	debug.FreeOSMemory()
	quit, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
				p.disk, p.memory = max(p.disk, files.Bytes(dir)), max(p.memory, runtimeBytes())
			}
		}
	}()
	start := time.Now()
	err = cfg.Do(ctx, s.Paths, memory, filepath.Join(dir, "out"))
	p.seconds = time.Since(start).Seconds()
	close(quit)
	<-gone
	p.output = files.Bytes(dir)
	p.disk, p.memory = max(p.disk, p.output), max(p.memory, runtimeBytes())
	if err != nil {
		return p, fmt.Errorf("on a sample of the input: %w", err)
	}
	return p, disk.RemoveAll(dir)
}

// runtimeBytes returns the memory of the Go runtime.
func runtimeBytes() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64() - s[1].Value.Uint64())
}
