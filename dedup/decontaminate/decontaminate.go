// Package decontaminate finds documents that share long word n-grams with test sets, so
// that a model that is trained on the corpus does not know the answers (Brown et al.,
// Language Models are Few-Shot Learners, 2020, appendix C: 13 words, lower-cased, without
// punctuation). The n-grams of the test sets are held in memory; documents stream by. [New]
// makes the method from a [Config].
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

// Config says what is compared.
type Config struct {
	// Against are the files and folders of the test sets, read as collections.
	Against []string `json:"against"`
	// Fields are the fields of JSON lines that hold text, such as question and
	// answer; none is the field "text". Each field of an example is compared for
	// itself.
	Fields []string `json:"against_fields,omitempty" was:"fields"`
	// Ngram is the length of n-grams in words.
	Ngram int `json:"ngram" was:"n"`
	// MinWords is the least number of words of an example. One with fewer than Ngram
	// words is searched for as a whole; with fewer than MinWords it is left out,
	// since it would be found in much that never saw the test.
	MinWords int `json:"min_unit_words" was:"min_words"`
	// Unit is what is dropped: "document" or "paragraph". N-grams run across
	// paragraphs in any case.
	Unit string `json:"unit"`
	// Percent is the share of the words of a unit that may stand in shared
	// n-grams; a unit with more is dropped. 0 drops for a single n-gram.
	Percent float64 `json:"percent"`
	// Memory bounds the table of n-grams, in bytes.
	Memory int64 `json:"-"`
	// Parquet opens the rows of a Parquet file, see [collection.Config.Parquet]; nil
	// reads none.
	Parquet func(in io.ReaderAt, size int64, text ...string) (input.Rows, error) `json:"-"`
	// OnError is told of what cannot be read of the test sets; nil makes it an
	// error of New.
	OnError func(*page.Error) `json:"-"`
}

// Default drops documents with one shared 13-gram.
var Default = Config{Ngram: 13, MinWords: 8, Unit: "document", Memory: 1 << 30}

// Units lists the units, in the order of help.
var Units = []string{"document", "paragraph"}

// Stats tells what was found in the test sets.
type Stats struct {
	// Examples is the number of examples that are searched for, Whole that of
	// those among them shorter than N words, TooShort that of those left out.
	// Each field counts.
	Examples, Whole, TooShort int
	// Grams is the number of different n-grams, Bytes what their table takes.
	Grams int
	Bytes int64
}

// Method is the comparison.
type Method struct {
	cfg   Config
	set   *set
	names []string // ids of the test documents
	whole []int    // lengths below N of examples that are searched for as a whole
	stats Stats
	// nameBytes is what names takes.
	nameBytes int64
	sum       uint64 // of the n-grams of the test sets, in order
}

// New reads the test sets.
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

// Stats tells what was found in the test sets.
func (m *Method) Stats() Stats { return m.stats }

// Name is the name of the method.
func (m *Method) Name() string { return "decontaminate/1" }

// Config returns the configuration, and a hash of what the test sets hold.
func (m *Method) Config() any {
	return struct {
		Config
		Sum string `json:"sum"`
	}{m.cfg, fmt.Sprintf("%016x", m.sum)}
}

// NameFirst returns the id of a test document.
func (m *Method) NameFirst(first int64) string { return m.names[first] }

// Bytes is what the table of n-grams takes of the memory of a run.
func (m *Method) Bytes() int64 { return m.stats.Bytes }

// hits: document, paragraph + 1, words in shared n-grams, words, test document.
var hits = dedup.Table{Name: "hits", Record: dedup.DocBytes + 4*dedup.ParaBytes, Key: dedup.DocBytes}

// Tables lists the one table.
func (m *Method) Tables() []dedup.Table { return []dedup.Table{hits} }

// KeepRecord keeps nothing for an index: a document is compared with the test
// sets, not with others.
func (m *Method) KeepRecord(string, []byte, func(int32) bool) bool { return false }

// Group marks the units that were hit.
func (m *Method) Group(ctx context.Context, g *dedup.Group) error {
	for rec, err := range g.Sorted(hits.Name) {
		if err != nil {
			return err
		}
		field := func(i int) int32 { return dedup.ParaAt(rec[dedup.DocBytes+i*dedup.ParaBytes:]) }
		share := float64(field(1)) / float64(field(2))
		err := g.Mark(dedup.Mark{
			Doc: dedup.DocAt(rec), Para: field(0) - 1, Drop: share > m.cfg.Percent/100, Why: dedup.Contaminated,
			Share: float32(share), First: int64(field(3)), Cluster: -1,
		})
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
