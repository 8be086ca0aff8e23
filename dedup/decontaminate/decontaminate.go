// Package decontaminate finds documents that share long word n-grams with test sets.
// Removing them keeps the answers out of the training data of a model. [New] returns
// the method for a [Config]; [dedup.Run] applies it.
//
// The method follows Brown et al., Language Models are Few-Shot Learners, 2020,
// appendix C: 13 words, lower-cased, without punctuation. The n-grams of the test sets
// are held in memory; documents are streamed.
package decontaminate

import (
	"context"
	"errors"
	"fmt"
	"io"

	"chaffinch/dedup"
	"chaffinch/input"
	"chaffinch/internal/settings"
	"chaffinch/page"
)

// Config configures the comparison.
type Config struct {
	// Against lists the files and folders of the test sets, read as collections.
	Against []string `json:"against"`
	// Fields are the fields of JSON lines that hold text, such as question and answer.
	// Each field of an example is compared separately. Default: "text".
	Fields []string `json:"against_fields,omitempty" was:"fields"`
	// Ngram is the length of n-grams in words.
	Ngram int `json:"ngram" was:"n"`
	// MinWords is the minimum number of words of an example. Shorter examples are left
	// out, since they would match many unrelated documents. An example of at least
	// MinWords but fewer than Ngram words is compared as a whole.
	MinWords int `json:"min_unit_words" was:"min_words"`
	// Unit is the unit to drop: "document" or "paragraph". N-grams cross paragraph
	// boundaries in both cases.
	Unit string `json:"unit"`
	// Percent is the largest share of the words of a unit that may be in shared
	// n-grams; a unit with more is dropped. With 0, a single n-gram suffices.
	Percent float64 `json:"percent"`
	// Memory limits the table of n-grams, in bytes. 0 means no limit.
	Memory int64 `json:"-"`
	// Parquet opens the rows of a Parquet file, see [collection.Config.Parquet]. If
	// nil, Parquet files are not read.
	Parquet func(in io.ReaderAt, size int64, text ...string) (input.Rows, error) `json:"-"`
	// OnError is called for each part of the test sets that cannot be read. If nil,
	// New returns the error.
	OnError func(*page.Error) `json:"-"`
}

// Default drops documents with one shared 13-gram.
var Default = Config{Ngram: 13, MinWords: 8, Unit: "document", Memory: 1 << 30}

// Units lists the units, in the order of help.
var Units = []string{"document", "paragraph"}

// Stats describes the test sets.
type Stats struct {
	// Examples is the number of compared examples, of which Whole have fewer than
	// Ngram words. TooShort is the number of examples left out. Each field counts as
	// an example.
	Examples, Whole, TooShort int
	// Grams is the number of different n-grams. Bytes is the memory of their table and
	// of the ids.
	Grams int
	Bytes int64
}

// Method implements [dedup.Method].
type Method struct {
	cfg   Config
	set   *set
	names []string // ids of the test documents
	whole []int    // lengths below N of examples that are searched for as a whole
	stats Stats
	// nameBytes is the memory of names, in bytes.
	nameBytes int64
	sum       uint64 // of the n-grams of the test sets, in order
}

// New reads the test sets and returns the method.
func New(cfg Config) (*Method, error) {
	switch {
	case len(cfg.Against) == 0:
		return nil, &settings.FieldError{Field: "against", Err: errors.New("no test sets: name files or folders of them")}
	case cfg.Ngram < 1:
		return nil, fmt.Errorf("decontaminate: n-grams of %d words, wanted at least 1, usually 12 or 13", cfg.Ngram)
	case cfg.MinWords < 1:
		return nil, fmt.Errorf("decontaminate: examples of at least %d words, wanted at least 1", cfg.MinWords)
	case cfg.Percent < 0 || cfg.Percent >= 100:
		return nil, fmt.Errorf("decontaminate: percent %g, wanted at least 0 and less than 100", cfg.Percent)
	case cfg.Unit != "document" && cfg.Unit != "paragraph":
		return nil, fmt.Errorf("decontaminate: unit %q is not known: take document or paragraph", cfg.Unit)
	}
	m := &Method{cfg: cfg, set: newSet()}
	if err := m.load(); err != nil {
		return nil, err
	}
	m.stats.Grams, m.stats.Bytes = m.set.n, m.set.bytes()+m.nameBytes
	return m, nil
}

// Stats returns the counts of the test sets.
func (m *Method) Stats() Stats { return m.stats }

// Name returns the name of the method.
func (m *Method) Name() string { return "decontaminate/1" }

// Config returns the configuration and a hash of the n-grams of the test sets.
func (m *Method) Config() any {
	return struct {
		Config
		Sum string `json:"sum"`
	}{m.cfg, fmt.Sprintf("%016x", m.sum)}
}

// NameFirst returns the id of a test document.
func (m *Method) NameFirst(first int64) string { return m.names[first] }

// Bytes returns the memory of the table of n-grams and of the ids, in bytes.
func (m *Method) Bytes() int64 { return m.stats.Bytes }

// hits holds document, paragraph + 1, words in shared n-grams, words, test document.
var hits = dedup.Table{Name: "hits", Record: dedup.DocBytes + 4*dedup.ParaBytes, Key: dedup.DocBytes}

// Tables returns the only table of the method.
func (m *Method) Tables() []dedup.Table { return []dedup.Table{hits} }

// KeepRecord reports whether a record is added to an index: always false, since
// documents are compared only with the test sets.
func (m *Method) KeepRecord(string, []byte, func(int32) bool) bool { return false }

// Group marks the units that share n-grams with a test set.
func (m *Method) Group(ctx context.Context, g *dedup.Group) error {
	for rec, err := range g.Sorted(hits.Name) {
		if err != nil {
			return err
		}
		field := func(i int) int32 { return dedup.ParaAt(rec[dedup.DocBytes+i*dedup.ParaBytes:]) }
		share := float64(field(1)) / float64(field(2))
		err := g.Mark(dedup.Mark{
			Doc: dedup.DocAt(rec), Para: field(0) - 1, Drop: share > m.cfg.Percent/100, Reason: dedup.Contaminated,
			Share: float32(share), First: int64(field(3)), Cluster: -1,
		})
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
