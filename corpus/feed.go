package corpus

import (
	"chaffinch/format/vertical"
	"chaffinch/internal/panics"
)

// Values of tokens are numbered concurrently with reading, in one goroutine per
// column. The builder collects the values in batches. The content of a batch, and
// the time at which words are written to disk, depend only on the text.

const (
	// batchText is the approximate maximum size of a batch in bytes. A batch also ends
	// when the builder hands it over.
	batchText = 1 << 18
	// ahead is the maximum number of batches of a column in flight.
	ahead = 6
)

// batch is a piece of the values of a column.
type batch struct {
	text   []byte   // all values, each with a line feed after it
	ends   []uint32 // where each ends in text, after the line feed
	border int      // values before the last border; -1 if it has none
	spill  bool     // write the words to disk first
	memory int64    // memory of the lexicon afterwards
	err    error
}

func newBatch() *batch { return &batch{border: -1} }

// cut truncates the batch to the first n values.
func (b *batch) cut(n int) {
	b.ends = b.ends[:n]
	if n == 0 {
		b.text = b.text[:0]
	} else {
		b.text = b.text[:b.ends[n-1]]
	}
}

// feed hands the values of a column to its goroutine.
type feed struct {
	c        *column
	batch    *batch // is being filled
	queue    chan *batch
	done     chan *batch
	memory   int64 // of the lexicon, latest known value
	spilling bool  // spilling to disk has been requested
	at       columnBorder
}

// begin starts the goroutine, which end ends.
func (f *feed) begin() {
	f.batch = newBatch()
	f.queue, f.done = make(chan *batch, ahead), make(chan *batch, ahead)
	for range ahead {
		f.done <- newBatch()
	}
	go func(queue <-chan *batch, done chan<- *batch) {
		defer close(done)
		var failed error
		for b := range queue {
			if failed == nil {
				failed = panics.Catch(func() error { return f.take(b) })
			}
			b.err, b.memory = failed, f.c.lex.memory()
			done <- b
		}
	}(f.queue, f.done)
}

// take adds the values of a batch to the column.
func (f *feed) take(b *batch) error {
	if b.spill {
		if err := f.c.spill(); err != nil {
			return err
		}
	}
	from := uint32(0)
	for i, to := range b.ends {
		if i == b.border {
			f.at = f.c.border()
		}
		f.c.add(b.text[from : to-1])
		from = to
	}
	if b.border == len(b.ends) {
		f.at = f.c.border()
	}
	return nil
}

// add appends a value.
func (f *feed) add(value []byte) {
	b := f.batch
	b.text = append(append(b.text, value...), '\n')
	b.ends = append(b.ends, uint32(len(b.text)))
}

// addWords appends words.
func (f *feed) addWords(w *vertical.Words, onGlue func(words int)) {
	f.batch.text, f.batch.ends = w.Append(f.batch.text, f.batch.ends, onGlue)
}

// takes reports whether n lines of words do not fill the batch.
func (f *feed) takes(n int) bool { return len(f.batch.text)+n*vertical.WordLine < batchText }

// full reports whether the batch should be handed over.
func (f *feed) full() bool { return len(f.batch.text) >= batchText }

// turn hands the batch over and continues with a recycled batch.
func (f *feed) turn() error {
	f.queue <- f.batch
	return f.next()
}

// next takes a recycled batch.
func (f *feed) next() error {
	b := <-f.done
	if b.spill {
		f.spilling = false
	}
	if f.memory = b.memory; f.spilling {
		f.memory = 0
	}
	err := b.err
	b.cut(0)
	b.border, b.spill, b.err = -1, false, nil
	f.batch = b
	return err
}

// spill requests that the words be written to disk before the values of the current
// batch.
func (f *feed) spill() error {
	f.batch.spill, f.spilling, f.memory = true, true, 0
	return nil
}

// drain waits until all values before the current batch have been numbered.
func (f *feed) drain() error {
	var err error
	back := make([]*batch, 0, ahead)
	current := f.batch
	for range ahead {
		e := f.next()
		if err == nil {
			err = e
		}
		back = append(back, f.batch)
	}
	f.batch = current
	for _, b := range back {
		f.done <- b
	}
	return err
}

// setBorder remembers that a document begins or ends here.
func (f *feed) setBorder() { f.batch.border = len(f.batch.ends) }

// undo removes the values added after the last border.
func (f *feed) undo() error {
	if err := f.drain(); err != nil {
		return err
	}
	if n := f.batch.border; n >= 0 {
		f.batch.cut(n)
		return nil
	}
	f.batch.cut(0)
	return f.c.undo(f.at)
}

// end passes on the last batch and waits until all values have been numbered.
func (f *feed) end() error {
	if f.queue == nil {
		return nil
	}
	f.queue <- f.batch
	close(f.queue)
	var err error
	for b := range f.done {
		if err == nil {
			err = b.err
		}
		f.memory = b.memory
	}
	f.queue, f.spilling, f.batch = nil, false, nil
	return err
}
