// Package label classifies documents by models that users train: registers, quality, topics, spam.
// [Load] reads a model, and [Scorer.Score] returns the probability of each class.
//
// A model is linear, with one vector of weights for each class against the rest. The features are
// hashed n-grams in four blocks (words and pairs of words, beginnings and endings of words, shapes
// of up to four words in a row, frames of short words and endings), statistics of repetition, order, marks and layout in steps, and
// facts about the page. Each block of a document is a vector of length 1, so a document of any
// length has a score of the same scale. N-grams have the value (1 + ln n) idf for n occurrences
// (Salton and Buckley, Term-weighting approaches in automatic text retrieval, 1988). A logistic
// function, or softmax for exclusive classes, converts scores to probabilities. A class may have a
// forest of trees ([Forest]) that computes its score from the linear scores and the statistics.
//
// Package lab/train/labels trains models.
//
// Unstable: this package may change in any release.
package label

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"chaffinch/internal/huge"
	"chaffinch/internal/prefetch"
	"chaffinch/internal/truth"
)

// Doc is a document to classify.
type Doc struct {
	Text string
	// Facts are facts about the page, such as words of its address: [URLFacts]. They are used by
	// models with [Config.Facts].
	Facts []string
}

// Config configures the features and decisions of a model.
type Config struct {
	// Several reports whether a document may have several classes. Otherwise classes with the same
	// parent are exclusive.
	Several bool `json:"several,omitempty"`
	// Scales are the lengths of the vectors of the blocks. A block of length 0 is not used.
	Scales [Blocks]float32 `json:"scales"`
	// Flat reads line breaks as spaces, for models that learn from text without line breaks.
	Flat bool `json:"flat,omitempty"`
	// Langs lists the languages of the training documents as BCP 47 tags, "" if unknown.
	Langs []string `json:"langs,omitempty"`
	// Limits are limits of the first class by language and loss.
	Limits *Limits `json:"limits,omitempty"`
	// Forced reports whether a document of no class over its limit gets the most probable class,
	// if documents may have several.
	Forced bool `json:"forced,omitempty"`
}

// Limits holds limits of a class by language and loss.
type Limits struct {
	// Losses are the fractions of documents without the class that exceed a limit, ascending.
	Losses []float64 `json:"losses"`
	// Groups are groups of languages. The first is for all languages that are in no other group.
	Groups []Group `json:"groups"`
}

// Group is a group of languages with common limits.
type Group struct {
	Name string `json:"name,omitempty"`
	// Langs are BCP 47 tags, nil for all other languages.
	Langs []string `json:"langs,omitempty"`
	// Limits are the maximum probabilities of documents without the class, for each loss.
	Limits []float64 `json:"limits"`
	// Docs is the number of documents from which the limits were chosen.
	Docs int `json:"docs"`
}

// Of returns the limit for a language, a BCP 47 tag, at the nearest loss.
func (l *Limits) Of(lang string, loss float64) float64 {
	at := 0
	for i, v := range l.Losses {
		if math.Abs(v-loss) < math.Abs(l.Losses[at]-loss) {
			at = i
		}
	}
	return l.Groups[l.Group(lang)].Limits[at]
}

// Group returns the index of the group of a language.
func (l *Limits) Group(lang string) int {
	for i := range l.Groups[1:] {
		for _, tag := range l.Groups[i+1].Langs {
			if Base(tag) == Base(lang) {
				return i + 1
			}
		}
	}
	return 0
}

// check returns an error if l is inconsistent.
func (l *Limits) check() error {
	if len(l.Losses) == 0 || len(l.Groups) == 0 {
		return fmt.Errorf("limits of %d losses and %d groups, wanted one or more", len(l.Losses), len(l.Groups))
	}
	for _, g := range l.Groups {
		if len(g.Limits) != len(l.Losses) {
			return fmt.Errorf("group %q: %d limits, wanted %d", g.Name, len(g.Limits), len(l.Losses))
		}
	}
	return nil
}

// Class is a class of documents.
type Class struct {
	// Name identifies the class. The name of a subclass is PARENT/NAME.
	Name string `json:"name"`
	// Parent is the index of the class that this class belongs to, -1 for none. Parents come
	// before their subclasses.
	Parent int `json:"parent"`
	// Slope and Offset convert scores to log odds.
	Slope  float64 `json:"slope"`
	Offset float64 `json:"offset"`
	// Limit is the minimum probability for a document to have the class. A document whose most
	// probable exclusive class is below its limit has none of these classes.
	Limit float64 `json:"limit,omitempty"`
	// Docs is the number of training documents.
	Docs int `json:"docs,omitempty"`
	// Drop reports whether filters drop documents of the class by default.
	Drop bool `json:"drop,omitempty"`
}

// Weights holds the parameters of a model, as package lab/train/labels learns them. Unstable: they
// may change in any release.
type Weights struct {
	Config
	Classes []Class
	// IDs are the n-grams with weights, ascending, below 1<<[IDBits].
	IDs []uint32
	// IDF are the weights of the n-grams in all classes, in steps of [IDFStep].
	IDF []uint8
	// Cuts are, for each of [Stats] statistics, Steps-1 rising values that separate its [Steps]
	// steps.
	Cuts [][]float32
	// Grams are the weights of n-grams, row by row with one column per class, in steps of Unit of
	// the class. The rows of IDs are followed by Stats*Steps rows of statistics.
	Grams []int8
	Unit  []float32
	Bias  []float32
	// Forests replace the linear scores of classes: one for each class, nil for none. Optional.
	Forests []*Forest
}

// Limits of models.
const (
	// IDBits is the number of bits of the hash of an n-gram.
	IDBits = 24
	// maxClasses is the maximum number of classes.
	maxClasses = 1000
	// Steps is the number of steps into which a statistic is divided.
	Steps = 12
	// Stats is the number of statistics.
	Stats = statCount
)

// IDFStep is the step of [Weights.IDF].
const IDFStep = 1. / 16

// Model classifies documents. It is read-only.
type Model struct {
	w      Weights
	known  []uint64 // a bit for each value of the first knownBits bits of an id with a weight
	groups []uint64 // ids with weights: a bit for each id of a group, then the row of the first of them
	cuts   [Stats][Steps - 1]float32
	name   string
	sum    uint64
}

// New returns a model with the given weights.
func New(w Weights) (*Model, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	m := &Model{w: w}
	for i, c := range w.Cuts {
		copy(m.cuts[i][:], c)
	}
	m.index()
	return m, nil
}

// check returns an error if the parameters do not fit together.
func (w *Weights) check() error {
	k := len(w.Classes)
	switch rows := len(w.IDs) + Stats*Steps; {
	case k < 1 || k > maxClasses:
		return fmt.Errorf("%d classes, wanted 1 to %d", k, maxClasses)
	case len(w.IDF) != len(w.IDs):
		return fmt.Errorf("%d n-grams, %d values of idf: wanted as many", len(w.IDs), len(w.IDF))
	case len(w.Grams) != rows*k:
		return fmt.Errorf("%d weights of %d rows and %d classes, wanted %d", len(w.Grams), rows, k, rows*k)
	case len(w.Unit) != k || len(w.Bias) != k:
		return fmt.Errorf("%d units and %d constants, wanted %d", len(w.Unit), len(w.Bias), k)
	case len(w.Forests) != 0 && len(w.Forests) != k:
		return fmt.Errorf("%d forests of %d classes", len(w.Forests), k)
	case len(w.Cuts) != Stats:
		return fmt.Errorf("%d statistics, wanted %d", len(w.Cuts), Stats)
	}
	for i, id := range w.IDs {
		if id >= 1<<IDBits || i > 0 && id <= w.IDs[i-1] {
			return fmt.Errorf("n-gram %d: %d, wanted ascending numbers below %d", i, id, 1<<IDBits)
		}
	}
	for i, c := range w.Cuts {
		if len(c) != Steps-1 || !slices.IsSorted(c) {
			return fmt.Errorf("%s: wanted %d rising values", statNames[i], Steps-1)
		}
	}
	if w.Limits != nil {
		if err := w.Limits.check(); err != nil {
			return err
		}
	}
	for i, c := range w.Classes {
		if c.Parent >= i || c.Parent < -1 {
			return fmt.Errorf("class %q: parent %d, wanted an earlier class", c.Name, c.Parent)
		}
		for _, v := range []float64{c.Slope, c.Offset, c.Limit, float64(w.Unit[i]), float64(w.Bias[i])} {
			if !(math.Abs(v) < 1e6) {
				return fmt.Errorf("class %q: found %v, wanted numbers below 1000000", c.Name, v)
			}
		}
	}
	return nil
}

// groupIDs is the number of consecutive ids in a group, and groupBits its base-2 logarithm.
const (
	groupBits = 5
	groupIDs  = 1 << groupBits
)

// batchRows is the number of n-grams whose groups are loaded together, so that memory latencies
// overlap.
const batchRows = 32

// knownBits is the number of bits of an id by which most n-grams without weights are recognized.
const knownBits = 20

// index builds the table of the ids.
func (m *Model) index() {
	m.known = make([]uint64, 1<<knownBits/64)
	m.groups = huge.Make[uint64](1<<IDBits/groupIDs, 0)
	for _, id := range m.w.IDs {
		k := id >> (IDBits - knownBits)
		m.known[k/64] |= 1 << (k % 64)
		m.groups[id/groupIDs] |= 1 << (id % groupIDs)
	}
	row := 0
	for i, g := range m.groups {
		m.groups[i] |= uint64(row) << groupIDs
		row += bits.OnesCount64(g)
	}
}

// rows sets dst to the rows of the n-grams that have weights. dst has space for all hashes.
func (m *Model) rows(dst, hashes []uint32) []uint32 {
	dst, known := dst[:len(hashes)], m.known[:1<<knownBits/64]
	n := 0
	for _, h := range hashes { // without branches that depend on the n-gram
		k := h >> (32 - knownBits)
		dst[n] = h
		n += int(known[k/64] >> (k % 64) & 1)
	}
	hashes = dst[:n]
	n = 0
	for len(hashes) > 0 {
		some := hashes[:min(len(hashes), batchRows)]
		prefetch.Words(m.groups, some, 32-IDBits+groupBits)
		for _, h := range some {
			row, known := m.row(h >> (32 - IDBits))
			dst[n] = row
			n += truth.Int(known)
		}
		hashes = hashes[len(some):]
	}
	return dst[:n]
}

// row returns the row of an n-gram and reports whether it has weights.
func (m *Model) row(id uint32) (uint32, bool) {
	g, bit := m.groups[id/groupIDs], uint64(1)<<(id%groupIDs)
	return uint32(g>>groupIDs) + uint32(bits.OnesCount64(g&(bit-1))), g&bit != 0
}

// step returns the step of a statistic that contains a value.
func (m *Model) step(stat int, v float32) (k int) {
	for _, c := range m.cuts[stat] {
		k += truth.Int(v >= c)
	}
	return k
}

// Classes returns the classes.
func (m *Model) Classes() []Class { return m.w.Classes }

// Dropping returns a model that states which classes filters drop by default: the named ones.
func (m *Model) Dropping(names []string) *Model {
	n := *m
	n.w.Classes = slices.Clone(m.w.Classes)
	for i := range n.w.Classes {
		n.w.Classes[i].Drop = slices.Contains(names, n.w.Classes[i].Name)
	}
	return &n
}

// Config returns the configuration.
func (m *Model) Config() Config { return m.w.Config }

// With returns a copy of m that is for the given languages, nil for all, with the given limits.
func (m *Model) With(langs []string, limits *Limits) *Model {
	out := *m
	out.w.Langs, out.w.Limits = langs, limits
	return &out
}

// Name returns the name of the model, "" if it was not read from a file.
func (m *Model) Name() string { return m.name }

// Sum returns a hash of the content of the model file.
func (m *Model) Sum() uint64 { return m.sum }

// Knows reports whether the model has learned from documents in a language, a BCP 47 tag, or
// whether this is unknown.
func (m *Model) Knows(lang string) bool {
	return lang == "" || len(m.w.Langs) == 0 || slices.ContainsFunc(m.w.Langs, func(l string) bool { return Base(l) == Base(lang) })
}

// Base returns the language of a BCP 47 tag without its script and region.
func Base(lang string) string {
	for i := range len(lang) {
		if lang[i] == '-' || lang[i] == '_' {
			return lang[:i]
		}
	}
	return lang
}
