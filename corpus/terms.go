package corpus

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"chaffinch/internal/extsort"
	"chaffinch/internal/timecheck"
)

// TermConfig configures a search for the terms of a corpus.
type TermConfig struct {
	// Attr is the attribute of the words of a term. Default: lemma if the corpus has it, else the
	// default attribute. Fold counts values that differ only in case as one value.
	Attr string
	Fold bool
	// Tag is the attribute with universal parts of speech. Default: pos, else upos.
	Tag string
	// MinTokens and MaxTokens bound the length of a term. Defaults: 1 and 4; at most 6.
	MinTokens, MaxTokens int
	// Within is the structure that bounds terms, as in [WordListConfig].
	Within string
	// MinFreq is the minimum frequency in the focus corpus. Default: 3.
	MinFreq int64
	// Smoothing is n of simple maths. Default: 1.
	Smoothing float64
	// Limit is the maximum number of rows. 0 means no limit.
	Limit int
}

// Term is a row of a table of terms.
type Term struct {
	// Term is the most frequent form of the term. Forms whose head is the lemma, such as a singular,
	// are preferred. Key holds the values of Attr by which the term is counted.
	Term          string  `json:"term"`
	Key           string  `json:"key"`
	Freq          int64   `json:"freq"`
	RefFreq       int64   `json:"ref_freq"`
	PerMillion    float64 `json:"per_million"`
	RefPerMillion float64 `json:"ref_per_million"`
	// Score is simple maths.
	Score float64 `json:"score"`
}

// Terms is a table of terms.
type Terms struct {
	Tokens    int64   `json:"tokens"`
	RefTokens int64   `json:"ref_tokens"` // 0 without a reference
	Types     int64   `json:"types"`      // terms with the minimum frequency
	Smoothing float64 `json:"smoothing"`
	Rows      []Term  `json:"rows"`

	against int64 // RefTokens, or 1 without a reference, so that 0 hits are 0 per million
}

// newTerms returns a table without rows. reference may be nil.
func newTerms(focus, reference Source, cfg TermConfig) (*Terms, error) {
	t := &Terms{Tokens: focus.Size(), Smoothing: cmp.Or(cfg.Smoothing, 1), against: 1}
	if !(t.Smoothing > 0) {
		return nil, inField("Smoothing", errors.New("smoothing must be above 0: terms that the reference lacks would have no score"))
	}
	if reference != nil {
		t.RefTokens = reference.Size()
		t.against = t.RefTokens
	}
	return t, nil
}

// score returns the score of a term by its frequencies in both corpora.
func (t *Terms) score(f1, f2 int64) float64 {
	return simpleMaths(f1, t.Tokens, f2, t.against, t.Smoothing)
}

// add adds a row.
func (t *Terms) add(key string, forms *formCounts, f1, f2 int64, score float64) {
	t.Rows = append(t.Rows, Term{Term: forms.best(key), Key: key, Freq: f1, RefFreq: f2, PerMillion: PerMillion(f1, t.Tokens), RefPerMillion: PerMillion(f2, t.against), Score: score})
}

// FindTerms returns the terms that a corpus uses more than a reference, in which the same patterns
// count. Without a reference (nil), every term has the frequency 0 there. A term is a sequence of
// adjectives, nouns and proper nouns that ends with a noun. In documents in Romance languages (doc.lang),
// it may also be a noun with adjectives after it, or two nouns with a preposition between them. Every
// such sequence counts, also inside a longer one. Names of files, such as /usr/share, are no terms.
func FindTerms(ctx context.Context, focus, reference *Corpus, cfg TermConfig) (*Terms, error) {
	corpora := []*Corpus{focus}
	var ref Source
	if reference != nil {
		corpora, ref = append(corpora, reference), reference
	}
	out, err := newTerms(focus, ref, cfg)
	if err != nil {
		return nil, err
	}
	v, sorted, err := sortTerms(ctx, cfg, corpora)
	if err != nil {
		return nil, err
	}
	defer sorted.Close()
	r, err := sorted.Open()
	if err != nil {
		return nil, err
	}
	words := func(x keyed) string { return v.words(x.term()) }
	best := top[keyed]{ends: newDeadline(ctx), limit: cfg.Limit, compare: func(a, b keyed) int {
		if d := cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.f1, a.f1)); d != 0 || a.keys == b.keys {
			return d
		}
		return strings.Compare(words(a), words(b))
	}}
	w := timecheck.New(ctx)
	for {
		if err := w.Done(termRecord); err != nil {
			return nil, err
		}
		rec, err := r.Next()
		if err != nil {
			return nil, err
		}
		if rec == nil {
			break
		}
		x := decodeTerm(rec)
		if x.f1 < cmp.Or(cfg.MinFreq, 3) {
			continue
		}
		out.Types++
		x.score = out.score(x.f1, x.f2)
		best.add(x)
	}
	found := best.sorted()
	forms, err := focus.termForms(ctx, v, cfg, func(yield func([maxNGram]uint32) bool) {
		for _, x := range found {
			if !yield(x.keys) {
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for _, x := range found {
		out.add(words(x), forms[x.keys], x.f1, x.f2, x.score)
	}
	return out, best.ends.Err()
}

// decodeTerm decodes a record of a term.
func decodeTerm(rec []byte) (x keyed) {
	for i := range x.keys {
		x.keys[i] = binary.BigEndian.Uint32(rec[4*i:]) - 1 // none if 0
	}
	x.f1, x.f2 = int64(binary.LittleEndian.Uint64(rec[termKey:])), int64(binary.LittleEndian.Uint64(rec[termKey+8:]))
	return x
}

// noKeys holds the keys of no words.
var noKeys = [maxNGram]uint32{none, none, none, none, none, none}

// term returns the keys of a term.
func (x *keyed) term() []uint32 {
	n := 0
	for n < maxNGram && x.keys[n] != none {
		n++
	}
	return x.keys[:n]
}

// lengths returns the minimum and maximum number of tokens of a term.
func (cfg *TermConfig) lengths() ([2]int, error) {
	l := [2]int{cmp.Or(cfg.MinTokens, 1), cmp.Or(cfg.MaxTokens, 4)}
	if l[0] < 1 || l[1] > maxNGram || l[0] > l[1] {
		return l, inField("MaxTokens", fmt.Errorf("terms of %d to %d tokens (wanted 1 to %d)", l[0], l[1], maxNGram))
	}
	return l, nil
}

// vocabulary returns the arranged vocabulary of the words of terms.
func (cfg *TermConfig) vocabulary(ctx context.Context, corpora ...*Corpus) (*vocabulary, error) {
	attr := cfg.Attr
	if attr == "" && slices.Contains(corpora[0].Attrs(), "lemma") {
		attr = "lemma"
	}
	v, err := newVocabulary(ctx, attr, cfg.Fold, &wordFilter{words: true}, corpora...)
	if err != nil {
		return nil, inField("Attr", err)
	}
	return v, v.arrange(ctx)
}

// sortTerms counts the terms of one or two corpora. The vocabulary is arranged.
func sortTerms(ctx context.Context, cfg TermConfig, corpora []*Corpus) (*vocabulary, *extsort.Sorted, error) {
	lengths, err := cfg.lengths()
	if err != nil {
		return nil, nil, err
	}
	v, err := cfg.vocabulary(ctx, corpora...)
	if err != nil {
		return nil, nil, err
	}
	sorter, err := extsort.New(extsort.Config{Record: termRecord, Key: termKey, Memory: sortMemory, Merge: func(dst, src []byte) {
		for at := termKey; at < termRecord; at += 8 {
			binary.LittleEndian.PutUint64(dst[at:], binary.LittleEndian.Uint64(dst[at:])+binary.LittleEndian.Uint64(src[at:]))
		}
	}})
	if err != nil {
		return nil, nil, err
	}
	for i, c := range corpora {
		if err := c.addTerms(ctx, v, i, cfg, lengths, sorter); err != nil {
			sorter.Close()
			return nil, nil, err
		}
	}
	sorted, err := sorter.Sort()
	return v, sorted, err
}

// A record of a term holds the keys of its words plus 1, big-endian, filled up with 0, and its counts
// in both corpora. Records are sorted by words, shorter terms first.
const (
	termKey    = 4 * maxNGram
	termRecord = termKey + 16
)

// wordClass is a part of speech in a term.
type wordClass byte

const (
	otherClass wordClass = iota
	adjective
	noun
	properNoun
	adposition
)

var wordClasses = map[string]wordClass{"ADJ": adjective, "NOUN": noun, "PROPN": properNoun, "ADP": adposition}

// romance are languages that write adjectives after nouns, and join nouns by prepositions.
var romance = []string{"ast", "ca", "es", "fr", "gl", "it", "oc", "pt", "rm", "ro"}

// classes returns the attribute with universal parts of speech, and the class of each value.
func (c *Corpus) classes(tag string) (*Attr, []wordClass, error) {
	if tag == "" {
		tag = "pos"
		if have := c.Attrs(); !slices.Contains(have, tag) && slices.Contains(have, "upos") {
			tag = "upos"
		}
	}
	a, err := c.Attr(tag)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: terms need universal parts of speech, which chaffinch vertical tag adds", err)
	}
	if _, ok := a.ID("NOUN"); !ok {
		return nil, nil, fmt.Errorf("corpus %s: attribute %s has no value NOUN: terms need universal parts of speech", c.dir, a.name)
	}
	of := make([]wordClass, a.Len())
	for name, class := range wordClasses {
		if id, ok := a.ID(name); ok {
			of[id] = class
		}
	}
	return a, of, nil
}

// addTerms adds the terms of corpus number i of v to sorter.
func (c *Corpus) addTerms(ctx context.Context, v *vocabulary, i int, cfg TermConfig, lengths [2]int, sorter *extsort.Sorter) error {
	return c.terms(ctx, v, i, cfg, lengths, func(keys [maxNGram]uint32, _, _, _ int64) error {
		rec, err := sorter.Add()
		if err != nil {
			return err
		}
		clear(rec)
		for k, key := range keys {
			binary.BigEndian.PutUint32(rec[4*k:], key+1)
		}
		rec[termKey+8*i] = 1
		return nil
	})
}

// termForms counts the forms of terms in the first corpus of v.
func (c *Corpus) termForms(ctx context.Context, v *vocabulary, cfg TermConfig, found iter.Seq[[maxNGram]uint32]) (map[[maxNGram]uint32]*formCounts, error) {
	out := map[[maxNGram]uint32]*formCounts{}
	for keys := range found {
		out[keys] = &formCounts{all: map[string]int64{}, base: map[string]int64{}}
	}
	lengths, err := cfg.lengths()
	if err != nil {
		return nil, err
	}
	err = c.terms(ctx, v, 0, cfg, lengths, func(keys [maxNGram]uint32, start, end, head int64) error {
		f := out[keys]
		if f == nil {
			return nil
		}
		form := c.shown(start, end)
		f.all[form]++
		word := c.attrs[0].Word(c.attrs[0].At(head))
		if lemma := v.word(keys[head-start]); strings.EqualFold(word, lemma) {
			f.base[form]++
		}
		return nil
	})
	return out, err
}

// formCounts counts the forms of a term: all of them, and those whose head is the lemma.
type formCounts struct{ all, base map[string]int64 }

// best returns the most frequent form; equal ones are in the order of bytes.
func (f *formCounts) best(key string) string {
	of := f.base
	if len(of) == 0 {
		of = f.all
	}
	most := int64(0)
	for form, n := range of {
		if n > most || n == most && form < key {
			key, most = form, n
		}
	}
	return key
}

// terms calls add for the terms of corpus number i of v: their keys, filled up with none, and the
// positions of the term and of its head.
func (c *Corpus) terms(ctx context.Context, v *vocabulary, i int, cfg TermConfig, lengths [2]int, each func(keys [maxNGram]uint32, start, end, head int64) error) error {
	tags, classOf, err := c.classes(cfg.Tag)
	if err != nil {
		return inField("Tag", err)
	}
	border, err := c.border(cfg.Within)
	if err != nil {
		return inField("Within", err)
	}
	lang, langErr := c.ref(c.Document() + ".lang")
	doc := place{s: lang.s}
	a := v.attrs[i]
	var keys []uint32
	var classes []wordClass
	var first int64 // position of keys[0]
	add := func(from, to, head int) error {
		if n := to - from; n < lengths[0] || n > lengths[1] || slices.Contains(keys[from:to], none) {
			return nil
		}
		key := noKeys
		copy(key[:], keys[from:to])
		return each(key, first+int64(from), first+int64(to), first+int64(head))
	}
	flush := func(pos int64) error {
		first = pos - int64(len(keys))
		isRomance := false
		if langErr == nil && len(keys) > 0 {
			if d := doc.find(pos - 1); d >= 0 {
				code, _, _ := strings.Cut(lang.a.Word(lang.a.At(int64(d))), "-")
				isRomance = slices.Contains(romance, code)
			}
		}
		err := eachTerm(classes, isRomance, lengths[1], add)
		keys, classes = keys[:0], classes[:0]
		return err
	}
	w, path := timecheck.New(ctx), paths{c: c}
	for start, end := range c.intervals() {
		next := cutsFrom(border, start)
		for pos := start; pos < end; pos++ {
			if err := w.Done(0); err != nil {
				return err
			}
			class := classOf[tags.At(pos)]
			if path.has(pos) {
				class = otherClass
			}
			if next.at(pos) || class == otherClass {
				if err := flush(pos); err != nil {
					return err
				}
			}
			if class != otherClass {
				keys, classes = append(keys, v.keys[i][a.At(pos)]), append(classes, class)
			}
		}
		if err := flush(end); err != nil {
			return err
		}
	}
	return nil
}

// paths finds the names of files: from a slash after white space to the next white space.
type paths struct {
	c      *Corpus
	inside bool
}

// has reports whether a token is in a name of a file. Positions ascend by one.
func (p *paths) has(pos int64) bool {
	p.inside = p.inside && p.c.glue.At(int(pos)) != 0 || p.c.glue.At(int(pos)) == 0 && string(p.c.attrs[0].bytes(p.c.attrs[0].At(pos))) == "/"
	return p.inside
}

// eachTerm calls add for each term in a sequence of words, with its head.
func eachTerm(classes []wordClass, romance bool, longest int, add func(from, to, head int) error) error {
	for i, class := range classes {
		if class != noun {
			continue
		}
		for from := i; from >= 0 && i-from < longest && classes[from] != adposition; from-- {
			if err := add(from, i+1, i); err != nil {
				return err
			}
		}
		if !romance {
			continue
		}
		for to := i + 1; to < len(classes) && to-i < longest && classes[to] == adjective; to++ {
			if err := add(i, to+1, i); err != nil {
				return err
			}
		}
		if i+2 < len(classes) && classes[i+1] == adposition && classes[i+2] == noun {
			if err := add(i, i+3, i); err != nil {
				return err
			}
		}
	}
	return nil
}
