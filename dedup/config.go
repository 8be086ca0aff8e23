package dedup

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"chaffinch/input/records"
	"chaffinch/internal/files"
	"chaffinch/internal/settings"
	"chaffinch/pipeline"
)

// Config configures [Run]. The Memory of the Job is at least [MinMemory], and its default
// Checkpoint is one minute; full memory also causes a checkpoint. Input that cannot be read is
// copied unchanged, and so are documents on which the method failed.
type Config struct {
	pipeline.Job
	// Input configures how Inputs are read. Standard input is copied into the work folder.
	Input records.Config
	// Method finds the duplicates.
	Method Method
	// Rank selects which copy stays. Default: [ByID].
	Rank Rank
	// Order is the order of the output. Default: [InInput].
	Order Order
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
	// Work is the work folder, which Resume and Force refer to. Default: Out with ".work"
	// appended, if Out is a file, else a temporary folder.
	Work string
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

// MinMemory is the smallest permitted [Config.Memory], in bytes.
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
func (c *Config) held() int64 {
	if h, ok := c.Method.(MemoryUser); ok {
		return h.Bytes()
	}
	return 0
}

// withDefaults fills in the defaults and reports invalid settings.
func (c Config) withDefaults() (Config, error) {
	c.Rank, c.Order = cmp.Or(c.Rank, ByID), cmp.Or(c.Order, InInput)
	c.Checkpoint = cmp.Or(c.Checkpoint, time.Minute)
	if err := c.SetDefaults(); err != nil {
		return c, err
	}
	if c.Work == "" && c.ToFile() {
		c.Work = c.Out + ".work"
	}
	switch {
	case !slices.Contains(Ranks, c.Rank):
		return c, fmt.Errorf("rank %q is not known: take one of %v", c.Rank, Ranks)
	case !slices.Contains(Orders, c.Order):
		return c, fmt.Errorf("order %q is not known: take one of %v", c.Order, Orders)
	case c.Memory < MinMemory:
		return c, &settings.FieldError{Field: "memory", Err: fmt.Errorf("%d bytes, wanted at least %d MiB", c.Memory, MinMemory>>20)}
	case c.Annotate && c.Dropped != "":
		return c, errors.New("a run that annotates drops nothing: an output of dropped text needs a run without annotation")
	case c.Update && c.Index == "":
		return c, errors.New("which index is to be updated? Name its folder")
	case c.held() > c.Memory/2:
		return c, fmt.Errorf("the method holds %d MB, more than half of the %d MB of memory: allow more, or compare with less at a time", c.held()/1_000_000, c.Memory/1_000_000)
	case c.Work == "" && c.Resume:
		return c, errors.New("only a run that writes a file, or has a work folder, can be resumed: name one")
	}
	c.Input = c.Input.For(&c.Job)
	return c, c.apart()
}

// apart rejects outputs that are inputs, that coincide, or that a later reading of the
// inputs would read.
func (c *Config) apart() error {
	outputs := []files.Place{{What: "output", Path: c.Out}, {What: "output of dropped text", Path: c.Dropped}, {What: "report", Path: c.ReportFile}}
	return files.CheckOutputs(c.Inputs, outputs, []files.Place{{What: "work folder", Path: c.Work}, {What: "index", Path: c.Index}})
}

// writer returns the configuration for writing documents.
func (c *Config) writer() records.WriterConfig {
	return records.WriterConfig{Annotate: c.Annotate, Split: c.Input.Split, Compat: c.Input.Compat}
}
