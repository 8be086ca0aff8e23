package dedup

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"chaffinch/input/records"
	"chaffinch/internal/budget"
	"chaffinch/internal/files"
)

// Job configures [Run].
type Job struct {
	// Inputs are files and folders, read as Input configures. "-" is Stdin, which is
	// copied into the work folder. Input.OnError is called once for each piece that
	// cannot be read; such pieces are copied unchanged.
	Inputs []string
	Input  records.Config
	Stdin  io.Reader
	// Method finds the duplicates.
	Method Method
	// Rank selects which copy stays. Default: [ByID].
	Rank Rank
	// Order is the order of the output. Default: [InInput].
	Order Order
	// Out is the file of the result, which appears when the run is done. If empty, the
	// result is written to Stdout.
	Out    string
	Stdout io.Writer
	// Dropped is a file for the documents and paragraphs left out. If empty, they are
	// not written.
	Dropped string
	// ReportFile is the file of a report in HTML: dropped text by reason, how many copies kept
	// documents had, samples side by side, and sites. If empty, it is not written.
	ReportFile string
	// Explain adds the reasons to the records of Dropped, which must be JSON lines, in
	// the form that Annotate uses, for the paragraphs that the record holds.
	Explain bool
	// Annotate keeps all text and adds the findings to each document.
	Annotate bool
	// Index is the folder of an index of a corpus that the input is compared with; its
	// documents rank first. Update adds the documents that stay to the index, creating
	// it if it does not exist.
	Index  string
	Update bool
	// MinWords drops documents of which fewer words remain. Default: 0, no limit.
	MinWords int
	// Work is the work folder. Default: Out with ".work" appended, if Out is a file,
	// else a temporary folder.
	Work string
	// Resume resumes the run that left the work folder; Force discards it. An existing
	// work folder without either is an error.
	Resume, Force bool
	// Memory limits the memory of the run, in bytes. Default: [DefaultMemory].
	Memory int64
	// Jobs is the number of workers. It does not affect the result. Default:
	// GOMAXPROCS.
	Jobs int
	// Checkpoint is the time between two checkpoints; full memory also causes one.
	// Default: 1 minute.
	Checkpoint time.Duration
	// OnFailed is called for each document on which the method failed through a fault
	// of the program. The document stays unchanged, and the run continues. It may be
	// nil.
	OnFailed func(error)
	// Progress is called, from one goroutine at a time, with the step, the work done
	// and its total (0 if not known). It may be nil.
	Progress func(step string, done, total int64)
}

// Order is the order of documents in the output.
type Order string

// The orders.
const (
	InInput Order = "input" // as they were read
	InID    Order = "id"    // sorted by id, so that shuffled input gives the same bytes
)

// Orders lists the orders.
var Orders = []Order{InInput, InID}

// maxJobs is an upper limit for Jobs: each worker has separate buffers.
const maxJobs = 1024

// MinMemory is the smallest permitted [Job.Memory], in bytes.
const MinMemory = 16 << 20

// HeapLimit returns the limit for the Go runtime (see debug.SetMemoryLimit) in a run
// with that much memory, in bytes. The difference is for the program itself.
func HeapLimit(memory int64) int64 { return memory - min(memory/5, 16<<20) }

// plan divides the memory of a run, in bytes. The sums of sketching and grouping leave
// a quarter for the garbage collector and the runtime.
type plan struct {
	records int64 // sketching: buffers of all workers
	flight  int64 // sketching: documents
	marks   int64
	table   int64 // grouping: each table that is filled
	merge   int64 // each table that is read
	groups  int64
	ranks   int64
	method  int64
}

func newPlan(memory int64) plan {
	memory = HeapLimit(memory)
	return plan{
		records: memory / 2, flight: memory / 8,
		marks: memory / 32, table: memory / 8, merge: memory / 16, groups: memory / 32, ranks: memory / 8, method: memory / 4,
	}
}

// held returns the memory that the method itself holds, in bytes.
func (j *Job) held() int64 {
	if h, ok := j.Method.(MemoryUser); ok {
		return h.Bytes()
	}
	return 0
}

// withDefaults fills in the defaults and reports invalid settings.
func (j Job) withDefaults() (Job, error) {
	j.Rank, j.Order = cmp.Or(j.Rank, ByID), cmp.Or(j.Order, InInput)
	j.Memory = cmp.Or(j.Memory, DefaultMemory())
	j.Jobs = cmp.Or(j.Jobs, runtime.GOMAXPROCS(0))
	j.Checkpoint = cmp.Or(j.Checkpoint, time.Minute)
	if j.Progress == nil {
		j.Progress = func(string, int64, int64) {}
	}
	if j.Work == "" && j.Out != "" && !files.Special(j.Out) {
		j.Work = j.Out + ".work"
	}
	switch {
	case !slices.Contains(Ranks, j.Rank):
		return j, fmt.Errorf("rank %q is not known: take one of %v", j.Rank, Ranks)
	case !slices.Contains(Orders, j.Order):
		return j, fmt.Errorf("order %q is not known: take one of %v", j.Order, Orders)
	case j.Memory < MinMemory:
		return j, fmt.Errorf("memory of %d bytes: wanted at least %d MiB", j.Memory, MinMemory>>20)
	case j.Jobs < 0 || j.Jobs > maxJobs:
		return j, fmt.Errorf("%d jobs: wanted 1 to %d", j.Jobs, maxJobs)
	case j.Annotate && j.Dropped != "":
		return j, errors.New("a run that annotates leaves nothing out: an output of what is dropped needs a run without annotation")
	case j.Update && j.Index == "":
		return j, errors.New("which index is to be updated? Name its folder")
	case j.held() > j.Memory/2:
		return j, fmt.Errorf("the method holds %d MB, more than half of the %d MB of memory: allow more, or compare with less at a time", j.held()/1_000_000, j.Memory/1_000_000)
	case j.Work == "" && j.Resume:
		return j, errors.New("only a run that writes a file, or has a work folder, can be resumed: name one")
	}
	j.Input.Split = records.SplitOf(j.Input.Split, j.Inputs)
	return j, j.apart()
}

// apart rejects outputs that are inputs, that coincide, or that a later reading of the
// inputs would read.
func (j *Job) apart() error {
	outputs := []files.Place{{What: "output", Path: j.Out}, {What: "output of what is dropped", Path: j.Dropped}, {What: "report", Path: j.ReportFile}}
	return files.CheckOutputs(j.Inputs, outputs, []files.Place{{What: "work folder", Path: j.Work}, {What: "index", Path: j.Index}})
}

// writer returns the configuration for writing documents.
func (j *Job) writer() records.WriterConfig {
	return records.WriterConfig{Annotate: j.Annotate, Split: j.Input.Split, Compat: j.Input.Compat}
}

// DefaultMemory returns a quarter of the memory available to the program, of the
// machine or its control group. It is at least 256 MiB, but no more than half. It is 1
// GiB if the available memory is not known.
func DefaultMemory() int64 {
	all := budget.Machine()
	if all == 0 {
		return 1 << 30
	}
	return max(all/4, min(256<<20, all/2), MinMemory)
}
