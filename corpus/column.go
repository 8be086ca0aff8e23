package corpus

import (
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"chaffinch/format/vertical"
)

// column turns a sequence of values into a lexicon, numbers and postings, in
// bounded memory.
//
// New words get the next number, and the numbers of the values are written to disk.
// When the memory is used up, the sorted words are written to disk as a run with a
// separate numbering. Finally, the runs are merged into one lexicon in byte order.
// The place of a word in the lexicon is its final number. The numbers on disk are
// translated. So the result depends neither on the memory nor on the number of
// goroutines.
type column struct {
	dir  string
	name string // section prefix, such as "attr/word"
	n    int64  // values so far
	ids  *part  // uint32 each
	lex  *words
	// shared holds lex if other goroutines number the values of the column.
	shared atomic.Pointer[sharedWords]
	runs   []wordRun
	// Words of all runs, one after another. Created with the first run.
	words *part // sorted: uvarint length, bytes, uvarint count
	ranks *part // uint32: place of each word in its run, by its number in the run
	final *part // uint32: final number of each word, sorted
	// inMemory holds the final number of each word if there was no run on disk.
	inMemory []uint32
	// derived are columns over the lexicon of this one.
	derived []derivedColumn
	merged  chan struct{} // closed when the derived columns have all values
}

// derivedColumn holds one value for each distinct value of another column, in the
// order of the lexicon. of computes it.
type derivedColumn struct {
	*column
	of func(dst, value []byte) []byte
}

// derive adds an attribute derived from c.
func (c *column) derive(name string, of func(dst, value []byte) []byte) (*column, error) {
	d, err := newColumn(c.dir, name)
	if err != nil {
		return nil, err
	}
	c.derived = append(c.derived, derivedColumn{d, of})
	return d, nil
}

// wordRun is a sorted piece of the lexicon.
type wordRun struct {
	until   int64 // values of this and earlier runs
	numbers int   // of words, also of words that do not occur
	n       int   // words
	first   int64 // numbers of earlier runs
	at, to  int64 // in column.words
}

func newColumn(dir, name string) (*column, error) {
	ids, err := newPart(dir)
	if err != nil {
		return nil, err
	}
	return &column{dir: dir, name: name, ids: ids, lex: newWords(), merged: make(chan struct{})}, nil
}

// add appends a value.
func (c *column) add(b []byte) {
	c.ids.uint32(c.lex.add(b))
	c.n++
}

// addAgain is add, but faster if the value is often the previous one.
func (c *column) addAgain(b []byte) {
	c.ids.uint32(c.lex.addAgain(b))
	c.n++
}

// addToken is add, while other goroutines number values of the column.
func (c *column) addToken(b []byte) {
	c.shared.Load().update(func() { c.add(b) })
}

// addNumbered appends values that another goroutine has numbered.
func (c *column) addNumbered(x *vertical.Column) {
	if x.Table != len(c.runs) { // the words were written to disk in the meantime
		for _, s := range x.Values {
			c.addToken(x.Data[s.From:s.To])
		}
		return
	}
	for _, n := range x.Numbers {
		c.lex.reserve(int(n))
		c.lex.count[n]++
	}
	c.ids.put(x.Numbers)
	c.n += int64(len(x.Numbers))
}

// share prepares the column for goroutines that number values.
func (c *column) share() {
	s := newSharedWords(len(c.runs))
	c.lex = s.words
	c.shared.Store(s)
}

// memory returns the bytes held by the words.
func (c *column) memory() int64 {
	if s := c.shared.Load(); s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	return c.lex.memory()
}

// fill appends empty values until the column has n values.
func (c *column) fill(n int64) {
	for c.n < n {
		c.addAgain(nil)
	}
}

// spill ends a run and releases its memory.
func (c *column) spill() (err error) {
	if c.lex.len() == 0 {
		return nil
	}
	if s := c.shared.Load(); s != nil {
		s.mu.Lock() // goroutines may still number values with words of this run
		defer s.mu.Unlock()
	}
	if c.words == nil {
		for _, p := range []**part{&c.words, &c.ranks, &c.final} {
			if *p, err = newPart(c.dir); err != nil {
				return err
			}
		}
	}
	sorted := c.lex.sorted()
	r := wordRun{until: c.n, numbers: c.lex.len(), n: len(sorted), first: c.ranks.n / 4, at: c.words.n}
	rank := make([]uint32, r.numbers)
	for i, n := range sorted {
		rank[n] = uint32(i)
		w := c.lex.word(n)
		c.words.uvarint(uint64(len(w)))
		c.words.Write(w)
		c.words.uvarint(uint64(c.lex.count[n]))
	}
	c.ranks.put(rank)
	r.to = c.words.n
	c.runs = append(c.runs, r)
	if c.lex = newWords(); c.shared.Load() != nil {
		c.share()
	}
	return nil
}

// close removes the temporary files of the column and its derived columns.
func (c *column) close() {
	c.closeOwn()
	for _, d := range c.derived {
		d.close()
	}
}

func (c *column) closeOwn() {
	for _, p := range []*part{c.ids, c.words, c.ranks, c.final} {
		if p != nil {
			p.close()
		}
	}
}

// appendLower appends b in lower case, using Unicode's simple mapping: one
// character at a time, regardless of language.
func appendLower(dst, b []byte) []byte {
	for i := 0; i < len(b); {
		if c := b[i]; c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, b[i])
		} else {
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
		i += n
	}
	return dst
}
