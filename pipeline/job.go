package pipeline

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"time"

	"chaffinch/internal/budget"
	"chaffinch/internal/files"
	"chaffinch/page"
)

// Job holds the settings that all runs share: over pages, over collections of text, and whole
// builds. The configuration of each kind of run embeds it.
type Job struct {
	// Inputs are files and folders; "-" is Stdin.
	Inputs []string
	Stdin  io.Reader
	// Out is the file or folder of the result. A file appears when the run is complete.
	// Default: "", Stdout.
	Out    string
	Stdout io.Writer
	// Resume resumes an interrupted run. Force discards its checkpoint. Without either, an
	// existing checkpoint is an error, [ErrUnfinished].
	Resume, Force bool
	// Workers is the number of pages or documents processed concurrently. It does not affect
	// the output. Default: 0, one per processor that Go may use.
	Workers int
	// Memory limits the memory of the run, in bytes. It does not affect the output. Default: 0,
	// the result of [DefaultMemory].
	Memory int64
	// Checkpoint is the time between two checkpoints. Default: 2 s; package
	// dedup, which writes all its buffers for a checkpoint, has a longer one.
	Checkpoint time.Duration
	// OnError, if set, is called for every piece of input that cannot be read, and for every
	// page or document on which the program failed, from one goroutine at a time. The run
	// continues. [Run] also calls it for pages dropped as [page.Damaged] or [page.BadEncoding]
	// and for empty files, which are not failures.
	OnError func(*page.Error)
	// OnProgress, if set, is called now and then, from one goroutine at a time.
	OnProgress func(Status)
}

// defaultCheckpoint is the default of [Job.Checkpoint].
const defaultCheckpoint = 2 * time.Second

// DefaultMemory returns a quarter of the memory available to the program, of the machine or its
// control group. It is at least 256 MiB, but no more than half. It is 1 GiB if the available
// memory is not known.
func DefaultMemory() int64 {
	all := budget.Machine()
	if all == 0 {
		return 1 << 30
	}
	return max(all/4, min(256<<20, all/2), 16<<20)
}

// maxWorkers is the maximum number of workers of a run in which each has separate buffers.
const maxWorkers = 1024

// SetDefaults replaces zero values by the defaults, and returns an error for more than
// 1024 workers.
func (j *Job) SetDefaults() error {
	j.Workers, j.Memory = cmp.Or(j.Workers, runtime.GOMAXPROCS(0)), cmp.Or(j.Memory, DefaultMemory())
	j.Checkpoint = cmp.Or(j.Checkpoint, defaultCheckpoint)
	if j.Workers < 0 || j.Workers > maxWorkers {
		return fmt.Errorf("%d jobs: wanted 1 to %d", j.Workers, maxWorkers)
	}
	return nil
}

// ToFile reports whether the output stores data, as a file or a folder does and a pipe or a
// device does not. Only such a run can be resumed.
func (j *Job) ToFile() bool { return j.Out != "" && !files.Special(j.Out) }

// Notify calls OnProgress if it is set.
func (j *Job) Notify(s Status) {
	if j.OnProgress != nil {
		j.OnProgress(s)
	}
}

// Status is the progress of a run.
type Status struct {
	// Step is the running step. In a build, Number is its position, from 1 to Steps, and Part
	// the running part of the step.
	Step   string `json:"step"`
	Number int    `json:"number"`
	Steps  int    `json:"steps"`
	Part   string `json:"what,omitempty"`
	// Done and Total are the completed and the total work of the step or its part: bytes of
	// input, or records. Total is 0 if there is no measure, -1 if it is not known.
	Done  int64 `json:"done"`
	Total int64 `json:"total"`
	// SecondsLeft is the estimated remaining time of all steps; 0 if not known.
	SecondsLeft float64 `json:"left_seconds,omitempty"`
}
