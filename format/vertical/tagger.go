package vertical

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"time"

	"chaffinch/internal/external"
	"chaffinch/page"
)

// Tagger adds columns to a vertical by a program that reads tokens, one per line,
// and prints for each a line with the word and its annotation behind tabs:
// docs/tagger.md. The program gets a batch of sentences, then the end of its
// input; for the next batch it is started anew. So nothing can lock up, whatever
// it does with its buffers.
type Tagger struct {
	// Command is a line for the shell.
	Command string
	// Columns are the names of the columns that it adds, such as "lemma", "tag",
	// in the order of its output, from the one behind the word. "tag=4" takes the
	// fourth one instead, counted from 1.
	Columns []string
	// Word is the number of the column in its output that repeats the word, from
	// 1; 0 is 1.
	Word int
	// Input is how sentences are parted: one of the names in taggerInputs; ""
	// is the first.
	Input string
	// Batch is the number of tokens after which the program is started anew.
	Batch int
	// Silence is how long it may print nothing before it is ended.
	Silence time.Duration
	// Jobs is the number of programs at the same time; 0 is one for each
	// processor. The output does not depend on it.
	Jobs int
	// Journal names a file that keeps what it printed, so that a run after one that
	// was interrupted goes on; "" keeps nothing. Whoever names it removes it.
	Journal string
	// OnProblem, if set, is told of each sentence that stays without annotation,
	// in the order of the vertical.
	OnProblem func(*page.Error)

	journal *external.Journal // while it is open
}

// DefaultTagger holds the limits of a tagger: a batch that takes most programs
// some ten seconds, so that their start does not count.
var DefaultTagger = Tagger{Input: "blank", Batch: 200_000, Silence: 2 * time.Minute}

// taggerInputs are the ways to part sentences in the input of a tagger: by an
// empty line, by the lines <s> and </s>, or not at all.
var taggerInputs = []string{"blank", "tags", "none"}

// TaggerReport counts what a tagger did.
type TaggerReport struct {
	// Sentences and Tokens are those of the vertical; of them SentencesLeft and
	// TokensLeft stayed without annotation.
	Sentences, Tokens, SentencesLeft, TokensLeft int64
	// Short is the number of tokens for which it printed fewer columns than
	// wanted: the rest is empty.
	Short int64
	// Extra is the number of rows that belong to no token, such as a header: they
	// are left out.
	Extra int64
	// Starts is how often it was started, Deaths how often it ended with an
	// error or was ended.
	Starts, Deaths int64
}

// columns returns where the columns stand in the output of the tagger, from 0.
func (t *Tagger) columns() (fields []int, err error) {
	word := max(t.Word, 1) - 1
	next := word + 1
	if len(t.Columns) == 0 {
		return nil, fmt.Errorf("tagger: no columns: name those that it adds, such as lemma,tag")
	}
	for i, c := range t.Columns {
		name, at, given := strings.Cut(c, "=")
		if !manateeName().MatchString(name) {
			return nil, fmt.Errorf("tagger column %q: a name has letters, digits and _ and begins with no digit", name)
		}
		for _, d := range t.Columns[:i] {
			if d, _, _ = strings.Cut(d, "="); d == name {
				return nil, fmt.Errorf("tagger column %q occurs twice: give each column a different name", name)
			}
		}
		if given {
			n, err := strconv.Atoi(at)
			if err != nil || n < 1 {
				return nil, fmt.Errorf("tagger column %q: %q is not the number of a column: write %s=2", c, at, name)
			}
			next = n - 1
		}
		fields = append(fields, next)
		next++
	}
	return fields, nil
}

// Check returns what is wrong with the configuration.
func (t *Tagger) Check() error {
	_, err := t.columns()
	return err
}

// Names returns the names of the columns without their places.
func (t *Tagger) Names() []string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i], _, _ = strings.Cut(c, "=")
	}
	return names
}

// Tag reads a vertical and writes it with the columns of the tagger. A sentence
// on which the tagger dies, falls silent or prints other words than it was given
// is given to it once more, alone if need be; if it fails again, its columns stay
// empty, and it is counted. It is an error if the tagger cannot be run, or does
// nothing but fail.
func (t Tagger) Tag(ctx context.Context, out io.Writer, r *Reader) (TaggerReport, error) {
	var rep TaggerReport
	fields, err := t.columns()
	if err != nil {
		return rep, err
	}
	switch t.Input {
	case "":
		t.Input = DefaultTagger.Input
	case "blank", "tags", "none":
	default:
		return rep, fmt.Errorf("tagger input %q: take one of %s", t.Input, strings.Join(taggerInputs, ", "))
	}
	if t.Batch <= 0 {
		t.Batch = DefaultTagger.Batch
	}
	if t.Journal != "" {
		if t.journal, err = external.OpenJournal(t.Journal); err != nil {
			return rep, err
		}
		defer t.journal.Close()
	}
	if t.Silence <= 0 {
		t.Silence = DefaultTagger.Silence
	}
	if t.Jobs <= 0 {
		t.Jobs = runtime.GOMAXPROCS(0)
	}
	var buf []byte
	last := ""
	produce := func(send func(*batch) error) error { return t.batches(r, send) }
	work := func(ctx context.Context, b *batch) error {
		b.err = t.tag(ctx, b, fields)
		return nil
	}
	err = ordered(ctx, t.Jobs, produce, work, func(b *batch) error {
		b.count(&rep)
		for _, p := range b.problems {
			last = p.what
			if t.OnProblem != nil {
				t.OnProblem(&page.Error{File: r.cfg.Name, Line: p.line, Offset: -1, Document: p.doc, Err: fmt.Errorf("sentence not tagged: %s", p.what)})
			}
		}
		if b.err != nil {
			return b.err
		}
		buf = b.merge(buf[:0], len(fields))
		_, err := out.Write(buf)
		return err
	})
	if err != nil {
		return rep, err
	}
	if rep.Sentences > 0 && rep.SentencesLeft == rep.Sentences {
		return rep, fmt.Errorf("tagger %q tagged nothing: %s: it should print a line for each token that it is given, the word, then its annotation, with tabs between (see how sentences are parted in its input, and its columns)", t.Command, last)
	}
	return rep, nil
}

// maxSentence is the number of tokens beyond those of a batch after which a text
// is cut where no sentence ends.
const maxSentence = 50_000

// batches cuts the vertical into batches at ends of sentences.
func (t *Tagger) batches(r *Reader, give func(*batch) error) error {
	b := newBatch("")
	inSentence := false
	send := func() error {
		b.end()
		if err := give(b); err != nil {
			return err
		}
		b = newBatch(b.doc)
		return nil
	}
	for {
		l, err := r.Next()
		if err == io.EOF {
			return send()
		}
		if err != nil {
			return err
		}
		switch l.Kind {
		case Token:
			b.token(l)
			if len(b.ends) >= t.Batch+maxSentence { // a text without sentences
				b.end()
				if err := send(); err != nil {
					return err
				}
			}
			continue
		case Open, Close:
			switch string(l.Name) {
			case sentence:
				b.end()
				inSentence = l.Kind == Open
			case paragraph, r.cfg.Doc:
				b.end()
				inSentence = false
				if l.Kind == Open && string(l.Name) == r.cfg.Doc {
					b.doc = string(l.Value("id"))
				}
			}
		}
		b.lines = AppendLine(b.lines, l)
		if l.Kind == Close && !inSentence && len(b.ends) >= t.Batch {
			if err := send(); err != nil {
				return err
			}
		}
	}
}
