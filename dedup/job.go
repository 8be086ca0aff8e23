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

// Job says what is to be done, and how.
type Job struct {
	// Inputs are files and folders, read as Input says; "-" is Stdin, which is
	// copied into the work folder. Of Input, OnError is told once of what cannot
	// be read; such pieces are passed on as they are.
	Inputs []string
	Input  records.Config
	Stdin  io.Reader
	// Method finds the duplicates.
	Method Method
	// Rank says which copy stays. "" is ByID.
	Rank Rank
	// Order is that of the output. "" is InInput.
	Order Order
	// Out is the file of the result. It appears when the run is done. "" writes
	// to Stdout.
	Out    string
	Stdout io.Writer
	// Dropped is a file that gets the documents and paragraphs left out, "" for
	// none.
	Dropped string
	// Explain writes into the records of Dropped, which must be JSON lines, why they
	// are there: as Annotate does, of the paragraphs that the record holds.
	Explain bool
	// Annotate keeps all and writes what was found beside it.
	Annotate bool
	// Index is the folder of an index of a corpus that the input is compared with:
	// its documents rank first. Update adds the documents that stay to it, or makes
	// it.
	Index  string
	Update bool
	// MinWords drops documents of which fewer words remain.
	MinWords int
	// Work is the work folder. "" is Out with ".work" behind it, if that is a file.
	Work string
	// Resume goes on with the run that left the work folder; Force throws that
	// away. With neither a work folder is an error.
	Resume, Force bool
	// Memory bounds what the run holds, in bytes. 0 is DefaultMemory.
	Memory int64
	// Jobs is the number of workers, 0 for one a processor. The result does not
	// depend on it.
	Jobs int
	// Checkpoint is the time between two checkpoints; full memory is one too. 0
	// is a minute.
	Checkpoint time.Duration
	// OnFailed is told of each document over which the method failed, a fault of
	// the program: it stays as it is, and the run goes on. nil is not told.
	OnFailed func(error)
	// Progress is told of the work, from one goroutine at a time: the step, what
	// was done and of how much (0 if not known). nil is not told.
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

// maxJobs is more workers than any machine keeps busy; each has buffers of its
// own.
const maxJobs = 1024

// MinMemory is the least memory that a run takes.
const MinMemory = 16 << 20

// HeapLimit is what the Go runtime may take of so much memory of a run, see
// debug.SetMemoryLimit: the program itself takes some.
func HeapLimit(memory int64) int64 { return memory - min(memory/5, 16<<20) }

// plan divides the memory of a run. Sums leave a quarter for the garbage
// collector and the runtime.
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

// held is the memory that the method takes for itself.
func (j *Job) held() int64 {
	if h, ok := j.Method.(MemoryUser); ok {
		return h.Bytes()
	}
	return 0
}

// withDefaults fills in what was left out and tells what is wrong.
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

// apart refuses outputs that are inputs or each other, and those that a later
// reading of the inputs would take for input.
func (j *Job) apart() error {
	outputs := []files.Place{{What: "output", Path: j.Out}, {What: "output of what is dropped", Path: j.Dropped}}
	return files.Separate(j.Inputs, outputs, []files.Place{{What: "work folder", Path: j.Work}, {What: "index", Path: j.Index}})
}

// writer says how documents are written back.
func (j *Job) writer() records.WriterConfig {
	return records.WriterConfig{Annotate: j.Annotate, Split: j.Input.Split, Compat: j.Input.Compat}
}

// DefaultMemory is a quarter of the memory that the program may use, of the
// machine or its control group: at least 256 MiB, but no more than half.
func DefaultMemory() int64 {
	all := budget.Machine()
	if all == 0 {
		return 1 << 30
	}
	return max(all/4, min(256<<20, all/2), MinMemory)
}
