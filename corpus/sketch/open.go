// Package sketch computes word sketches: the collocates of a word by grammatical relation, with
// sketch differences and a thesaurus. [Parse] reads a grammar in Sketch Engine's notation
// (docs/reference/sketch-grammar.md), [Build] computes the sketches of an index of package corpus
// and stores them beside it, and [Open] opens them for queries (docs/guides/word-sketches.md).
//
// Unstable: this package may change in any release.
package sketch

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"chaffinch/corpus"
	"chaffinch/internal/bitpack"
	"chaffinch/internal/sorts"
	"chaffinch/model"
)

// Sketches are the open sketches of a corpus. They are safe for concurrent use.
type Sketches struct {
	c        *corpus.Corpus
	file     *model.File
	opened   fs.FileInfo // the file when it was opened
	meta     meta
	key      *corpus.Attr
	third    []*corpus.Attr // of each relation; nil: none
	body     []byte
	heads    bitpack.Array
	totals   bitpack.Array
	contexts []byte
	at       bitpack.Array // where the contexts of each collocate begin
	sums     []byte        // float64 per headword

	part  *corpus.Corpus // nil: the whole corpus
	known *partTotals
}

// ErrNone reports that a corpus has no sketches.
var ErrNone = errors.New("no word sketches")

// verifyBytes is the maximum size of a file that Open verifies against its checksum.
const verifyBytes = 256 << 20

// Open returns the sketches of a corpus, which are closed with it. In a part of a corpus, the figures of
// Word and Diff refer to the part, as if it had been indexed alone. The error is ErrNone if there are
// none.
func Open(c *corpus.Corpus) (*Sketches, error) {
	a, err := c.Attach(fileName, func() (corpus.Attachment, error) { return open(c) })
	if err != nil {
		return nil, err
	}
	return a.(*Sketches).in(c), nil
}

func open(c *corpus.Corpus) (*Sketches, error) {
	path := filepath.Join(c.Dir(), fileName)
	st, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("corpus %s: %w: compute them with chaffinch corpus sketches %s", c.Dir(), ErrNone, c.Dir())
	}
	if err != nil {
		return nil, err
	}
	load := model.OpenUnverified
	if st.Size() <= verifyBytes {
		load = model.Open
	}
	f, err := load(path)
	if err != nil {
		return nil, err
	}
	s, err := read(c, f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	s.opened = st
	return s, nil
}

// read reads the sections of a file.
func read(c *corpus.Corpus, f *model.File) (*Sketches, error) {
	if err := f.Want(kind, behaviour, behaviour); err != nil {
		return nil, err
	}
	s := &Sketches{c: c, file: f, known: new(partTotals)}
	if err := json.Unmarshal(f.Config, &s.meta); err != nil {
		return nil, damaged("header")
	}
	if s.meta.Index != c.Checksum() {
		return nil, fmt.Errorf("%w of this index, only of another one: compute them with chaffinch corpus sketches %s", ErrNone, c.Dir())
	}
	var err error
	if s.key, err = c.Attr(s.meta.Attr); err != nil {
		return nil, err
	}
	for _, r := range s.meta.Relations {
		var a *corpus.Attr
		if r.Third != "" {
			if a, err = c.Attr(r.Third); err != nil {
				return nil, err
			}
		}
		s.third = append(s.third, a)
	}
	n := s.key.Len()
	for _, x := range []struct {
		name string
		to   *bitpack.Array
		n    int
	}{{"heads", &s.heads, n + 1}, {"totals", &s.totals, n}, {"contexts/at", &s.at, n + 1}} {
		b, _ := f.Section(x.name)
		if *x.to, err = bitpack.Parse(b); err != nil || x.to.Len() != x.n {
			return nil, damaged("section " + x.name)
		}
	}
	s.body, _ = f.Section("body")
	s.contexts, _ = f.Section("contexts")
	s.sums, _ = f.Section("sums")
	if len(s.sums) != 8*n || len(s.meta.Counts) != len(s.meta.Relations) {
		return nil, damaged("section sums")
	}
	return s, nil
}

func damaged(what string) error {
	return fmt.Errorf("%s: the file is damaged: compute the sketches again with chaffinch corpus sketches", what)
}

// Close closes the file. Closing the corpus does that.
func (s *Sketches) Close() error { return s.file.Close() }

// Release removes the file from the memory of the process. It is read again when needed.
func (s *Sketches) Release() error { return s.file.Release() }

// Changed reports whether the folder now holds other sketches.
func (s *Sketches) Changed() bool {
	st, err := os.Stat(filepath.Join(s.c.Dir(), fileName))
	return err == nil && (!os.SameFile(st, s.opened) || !st.ModTime().Equal(s.opened.ModTime()) || st.Size() != s.opened.Size())
}

// Bytes returns the size of the file.
func (s *Sketches) Bytes() int64 { return s.file.Size() }

// Relations returns the relations and their numbers of instances.
func (s *Sketches) Relations() []RelationCount {
	out := make([]RelationCount, len(s.meta.Relations))
	for i, r := range s.meta.Relations {
		out[i] = RelationCount{r.Name, s.meta.Counts[i]}
	}
	return out
}

// UnknownWordError reports a headword without a sketch. Of holds the headwords that it is a form of.
type UnknownWordError struct {
	Word, Attr string
	Of         []string
	unrelated  bool // the word is a value of Attr
}

// Error returns a message with the headwords of the form, or with the attribute of headwords.
func (e *UnknownWordError) Error() string {
	if len(e.Of) > 0 {
		return fmt.Sprintf("no word sketch of %q: it is a form of %s", e.Word, strings.Join(e.Of, ", "))
	}
	if e.unrelated {
		return fmt.Sprintf("no word sketch of %q: it is in no relation of the sketch grammar", e.Word)
	}
	example := "take"
	if e.Attr == "lempos" {
		example = "take-v"
	}
	return fmt.Sprintf("no word sketch of %q: wanted a value of the attribute %s, as in %s", e.Word, e.Attr, example)
}

// find returns the number of a headword: of the value itself, or of the most frequent lempos with this
// lemma. also lists the other ones.
func (s *Sketches) find(word string) (head uint32, also []string, err error) {
	for _, w := range []string{word, strings.ToLower(word)} {
		if id, ok := s.key.ID(w); ok && s.span(id) > 0 {
			return id, nil, nil
		}
		if s.meta.Attr != "lempos" {
			continue
		}
		ids := slices.DeleteFunc(s.key.Lempos(w), func(id uint32) bool { return s.span(id) == 0 })
		if len(ids) == 0 {
			continue
		}
		slices.SortStableFunc(ids, func(a, b uint32) int { return cmp.Compare(s.key.Freq(b), s.key.Freq(a)) })
		for _, id := range ids[1:] {
			also = append(also, s.key.Word(id))
		}
		return ids[0], also, nil
	}
	_, value := s.key.ID(word)
	return 0, nil, &UnknownWordError{word, s.meta.Attr, s.headsOf(word), value || s.meta.Attr == "lempos" && len(s.key.Lempos(word)) > 0}
}

// headsOf returns the headwords of the first tokens that are written as form, the most frequent first.
func (s *Sketches) headsOf(form string) (heads []string) {
	const maxTokens = 1000
	words, err := s.c.Attr(s.c.Attrs()[0])
	if err != nil {
		return nil
	}
	id, ok := words.ID(form)
	if !ok {
		return nil
	}
	hits, n := map[string]int{}, 0
	for pos := range words.Positions(id) {
		if head := s.key.At(pos); s.span(head) > 0 {
			hits[s.key.Word(head)]++
		}
		if n++; n == maxTokens {
			break
		}
	}
	return sorts.ByCount(hits, func(n int) int { return n })
}

// span returns the length of the sketch of a headword in bytes.
func (s *Sketches) span(head uint32) int {
	from, to := s.heads.At(int(head)), s.heads.At(int(head)+1)
	if from > to || to > uint64(len(s.body)) {
		return 0
	}
	return int(to - from)
}

// bare returns a headword without the suffix of its part of speech.
func (s *Sketches) bare(word string) string {
	if s.meta.Attr == "lempos" && hasSuffix(word) {
		return word[:len(word)-2]
	}
	return word
}

// hasSuffix reports whether a headword has the suffix of a part of speech.
func hasSuffix(word string) bool { return len(word) > 2 && word[len(word)-2] == '-' }

// suffix returns the suffix of the part of speech of a headword, "" if it has none.
func (s *Sketches) suffix(word string) string { return word[len(s.bare(word)):] }

// decoder reads numbers and remembers whether one was missing.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) uvarint() uint64 {
	x, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[n:]
	return x
}

func (d *decoder) varint() int64 {
	x, n := binary.Varint(d.b)
	if n <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[n:]
	return x
}

func (d *decoder) take(n uint64) []byte {
	if n > uint64(len(d.b)) {
		d.bad, d.b = true, nil
		return nil
	}
	out := d.b[:n]
	d.b = d.b[n:]
	return out
}

// part is the stored form of one relation of a headword.
type part struct {
	relation int
	third    uint32 // number of the value of label 3, plus 1
	total    int64  // f(w,R,*)
	n        int
	entries  []byte
	lists    []byte
}

// parts returns the relations of a headword.
func (s *Sketches) parts(head uint32) (out []part, err error) {
	d := &decoder{}
	if n := s.span(head); n > 0 { // otherwise the beginning may be damaged
		d.b = s.body[s.heads.At(int(head)):][:n]
	}
	for len(d.b) > 0 {
		p := part{relation: int(d.uvarint()), third: uint32(d.uvarint()), total: int64(d.uvarint()), n: int(d.uvarint())}
		entries, lists := d.uvarint(), d.uvarint()
		p.entries = d.take(entries)
		p.lists = d.take(lists)
		if d.bad || p.relation < 0 || p.relation >= len(s.meta.Relations) || p.n < 0 || p.n > len(p.entries) {
			return nil, damaged("section body")
		}
		out = append(out, p)
	}
	return out, nil
}

// pair is a pair of positions: of the headword and of the collocate.
type pair struct{ at, collAt uint32 }

// entry is a collocate of a part.
type entry struct {
	coll  uint32
	count int64
	list  []byte
}

// pairs returns the positions of an entry.
func (e *entry) pairs(tokens int64) (out []pair, err error) {
	d := &decoder{b: e.list}
	at := uint32(0)
	for len(d.b) > 0 {
		at += uint32(d.uvarint())
		coll := int64(at) + d.varint()
		if d.bad || int64(at) >= tokens || coll < 0 || coll >= tokens {
			return nil, damaged("section body")
		}
		out = append(out, pair{at, uint32(coll)})
	}
	return out, nil
}

// collocates returns the collocates of a part.
func (s *Sketches) collocates(p *part) (out []entry, err error) {
	d, lists := &decoder{b: p.entries}, &decoder{b: p.lists}
	coll := uint32(0)
	for range p.n {
		coll += uint32(d.uvarint())
		e := entry{coll: coll, count: int64(d.uvarint())}
		e.list = lists.take(d.uvarint())
		if d.bad || lists.bad || int(coll) >= s.key.Len() {
			return nil, damaged("section body")
		}
		out = append(out, e)
	}
	return out, nil
}

// sum returns the sum of the scores of the contexts of a headword.
func (s *Sketches) sum(head uint32) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(s.sums[8*head:]))
}

// fill replaces the placeholders in the name of a relation.
func (s *Sketches) fill(relation int, third uint32, word string) string {
	name := s.meta.Relations[relation].Name
	if a := s.third[relation]; a != nil && third > 0 {
		name = thirdRef().ReplaceAllLiteralString(name, a.Word(third-1))
	}
	return strings.ReplaceAll(name, "%w", word)
}

// plain returns a name without quotes, dots and repeated space, in lower case, for comparison.
func plain(name string) string {
	name = strings.ReplaceAll(strings.ToLower(name), "...", " ")
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`"“”'`, r) }), " ")
}

// named reports whether want names a relation of a headword: by its displayed name, its name with %w or
// without the headword, or the name of *UNIMAP.
func (s *Sketches) named(p *part, head, want string) bool {
	return isNamed(s.fill(p.relation, p.third, "%w"), s.meta.Relations[p.relation].Unimap, head, want)
}

// isNamed reports whether want names a relation; see [Sketches.named]. The name may contain %w.
func isNamed(name, unimap, head, want string) bool {
	want = plain(want)
	if u := plain(unimap); u != "" && want == u {
		return true
	}
	return slices.ContainsFunc([]string{head, "", "%w"}, func(w string) bool { return want == plain(strings.ReplaceAll(name, "%w", w)) })
}
