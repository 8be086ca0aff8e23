package vertical

import (
	"io"
	"slices"
	"sync"

	"chaffinch/internal/panics"
)

// Column holds the values of a column of plain tokens.
type Column struct {
	Data   []byte
	Values []Span // of Data
	// Table and Numbers are the results of a [Numberer].
	Table   int
	Numbers []uint32 // one for each value
}

// Span is a piece of data.
type Span struct{ From, To uint32 }

// A Numberer sets the numbers of values, and the table in which they are valid. It may read bytes after
// a value up to the end of the data. It is used by one goroutine at a time.
type Numberer func(*Column) error

// plainLine is the maximum length in bytes of a line with several columns, blanks or references that [Reader.Tokens]
// returns.
const plainLine = 1 << 10

// number finds the lines of b and numbers the values of its plain tokens.
func (b *block) number(columns []Numberer, cfg *ReaderConfig) error {
	b.columns = slices.Grow(b.columns[:0], len(columns))[:len(columns)]
	for i := range b.columns {
		c := &b.columns[i]
		c.Values, c.Numbers = c.Values[:0], c.Numbers[:0]
	}
	b.stops, b.glues = b.stops[:0], b.glues[:0]
	b.split(cfg)
	b.glues, b.stops = append(b.glues, uint32(len(b.ends))), append(b.stops, uint32(len(b.ends)))
	for i, number := range columns {
		b.columns[i].Data = b.data
		if err := number(&b.columns[i]); err != nil {
			return err
		}
	}
	return nil
}

// fields reports whether a line is a plain token. If so, it adds the fields to the columns. Fields with references
// are decoded after the lines.
func (b *block) fields(from, to uint32, marks uint8, raw bool) bool {
	if len(b.columns) == 1 && marks&(tab|blank|ampersand) == 0 {
		c := &b.columns[0]
		c.Values = append(c.Values, Span{from, to})
		return true
	}
	if to-from > plainLine {
		return false
	}
	before := len(b.columns[0].Values)
	column, start, decode := 0, from, false
	for i := from; ; i++ {
		if i < to && b.data[i] != '\t' {
			if b.data[i] == '\r' {
				break
			}
			decode = decode || b.data[i] == '&' && !raw
			continue
		}
		if i > start && (b.data[start] == ' ' || b.data[i-1] == ' ') || column == len(b.columns) {
			break
		}
		field := Span{start, i}
		if decode {
			field.From = uint32(len(b.data))
			b.data = append(b.data, b.data[start:i]...)
			field.To = field.From + uint32(len(unescape(b.data[field.From:]))) // in place
			b.data = b.data[:field.To]
		}
		c := &b.columns[column]
		c.Values = append(c.Values, field)
		column, start, decode = column+1, i+1, false
		if i == to {
			if column == len(b.columns) {
				return true
			}
			break
		}
	}
	for i := range column {
		b.columns[i].Values = b.columns[i].Values[:before]
	}
	return false
}

// glueName is the name of the structure of glueLine.
const glueName = "g"

// Tokens holds consecutive lines of a vertical that are plain tokens or <g/>.
type Tokens struct {
	block *block
	from  int // number of the first line in the block
	lines int
	first int // number of the first token among the plain tokens of the block
	n     int
	glues []uint32 // lines <g/>
}

// Tokens reads up to n lines that are plain tokens or <g/>: tokens without faults. It is a faster way than
// [Reader.Next], which reads such lines, too. There may be none, as always if the reader is not from
// [ReadAhead]. The tokens are valid until the reader calls OnBlock.
func (r *Reader) Tokens(n int) Tokens {
	if r.hold || r.err != nil || !r.more() || len(r.block.columns) == 0 {
		return Tokens{}
	}
	b := r.block
	for int(b.stops[r.stop]) < r.used {
		r.stop++
	}
	end := min(int(b.stops[r.stop]), r.used+n)
	if end == r.used {
		return Tokens{}
	}
	for int(b.glues[r.glue]) < r.used {
		r.glue++
	}
	glue := r.glue
	for int(b.glues[r.glue]) < end {
		r.glue++
	}
	t := Tokens{block: b, from: r.used, lines: end - r.used, first: r.plain, glues: b.glues[glue:r.glue]}
	t.n = t.lines - len(t.glues)
	from := r.from
	r.used, r.from, r.plain = end, int(b.ends[end-1]), r.plain+t.n
	if t.n > 0 {
		r.cfg.Columns = len(b.columns)
	}
	r.report.Lines += int64(t.lines)
	r.report.Tokens += int64(t.n)
	r.report.Bytes += int64(r.from - from)
	return t
}

// Lines returns the number of lines.
func (t *Tokens) Lines() int { return t.lines }

// Len returns the number of tokens.
func (t *Tokens) Len() int { return t.n }

// Column returns a column of the tokens.
func (t *Tokens) Column(i int) Column {
	c := t.block.columns[i]
	c.Values, c.Numbers = c.Values[t.first:][:t.n], c.Numbers[t.first:][:t.n]
	return c
}

// Glue calls onGlue for each line <g/> with the number of tokens before it.
func (t *Tokens) Glue(onGlue func(tokens int)) {
	for i, line := range t.glues {
		onGlue(int(line) - t.from - i)
	}
}

// Extend reports whether next follows t in the same block without other tokens between them. If so, it appends the
// tokens of next, without their <g/>.
func (t *Tokens) Extend(next *Tokens) bool {
	if t.block != next.block || t.first+t.n != next.first {
		return false
	}
	t.n += next.n
	return true
}

// ReadAhead calls read with a reader of r, whose lines must not be changed. Until read returns, other
// goroutines read r, find its lines and number the values of plain tokens: one goroutine for each element of
// workers, which holds a function for each column.
func ReadAhead(r io.Reader, cfg ReaderConfig, workers [][]Numberer, read func(*Reader) error) error {
	v := NewReader(nil, cfg)
	v.known = &knownTags{tags: map[string]*tag{}}
	blocks := 2*len(workers) + 2
	free, todo, order := make(chan *block, blocks), make(chan *block, blocks), make(chan *block, blocks)
	for range blocks {
		free <- &block{done: make(chan struct{}, 1)}
	}
	try := func(b *block, do func() error) {
		if err := panics.Catch(do); err != nil {
			b.content = content{err: err}
		}
	}
	var group sync.WaitGroup
	group.Go(func() {
		defer close(todo)
		c := &cutter{in: r, max: v.cfg.MaxLine}
		for b := range free {
			try(b, func() error { c.read(b); return nil })
			ended := b.err != nil
			order <- b
			if todo <- b; ended {
				return
			}
		}
	})
	for _, columns := range workers {
		group.Go(func() {
			for b := range todo {
				try(b, func() error { return b.number(columns, &v.cfg) })
				b.done <- struct{}{}
			}
		})
	}
	v.fill = func() {
		if v.OnBlock != nil {
			v.OnBlock()
		}
		if v.block.done != nil {
			free <- v.block
		}
		v.block = <-order
		<-v.block.done
	}
	err := panics.Catch(func() error { return read(v) })
	close(free)
	group.Wait() // until r is no longer read
	return err
}
