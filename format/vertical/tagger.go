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

// Tagger adds columns to a vertical by an external program. The program reads one token per
// line. For each token it prints a line with the word and its annotation, separated by tabs:
// docs/guides/tagger.md. It receives a batch of sentences, then the end of its input, and is
// restarted for the next batch. This avoids deadlocks regardless of its buffering.
type Tagger struct {
	// Command is a shell command.
	Command string
	// Columns are the names of the added columns, such as "lemma", "tag", in order of the
	// output, starting after the word. "tag=4" selects the fourth column instead, counted
	// from 1.
	Columns []string
	// Word is the number of the output column that repeats the word, from 1. Default: 1.
	Word int
	// Input selects the separator of sentences: one of taggerInputs. Default: the first.
	Input string
	// Batch is the number of tokens after which the program is restarted.
	Batch int
	// Silence is the time without output after which the program is killed.
	Silence time.Duration
	// Workers is the number of concurrent programs. It does not affect the output. Default: one
	// per processor.
	Workers int
	// Journal is a file that stores the output of the program, so that an interrupted run
	// can be resumed. The caller removes it. Default: "", no file.
	Journal string
	// OnProblem, if not nil, is called for each sentence without annotation, in the order of
	// the vertical.
	OnProblem func(*page.Error)

	journal *external.Journal // while it is open
}

// DefaultTagger holds the default limits of a tagger. A batch takes most programs about ten
// seconds, so that their startup time is negligible.
var DefaultTagger = Tagger{Input: "blank", Batch: 200_000, Silence: 2 * time.Minute}

// taggerInputs are the ways to separate sentences in the input of a tagger: by an empty
// line, by the lines <s> and </s>, or not at all.
var taggerInputs = []string{"blank", "tags", "none"}

// TaggerReport holds the counts of a tagger.
type TaggerReport struct {
	// Sentences and Tokens count the vertical. SentencesLeft and TokensLeft count the part
	// without annotation.
	Sentences, Tokens, SentencesLeft, TokensLeft int64
	// Short is the number of tokens for which the program printed too few columns. The
	// missing columns are empty.
	Short int64
	// Extra is the number of rows that belong to no token, such as a header. They are
	// ignored.
	Extra int64
	// Starts is the number of starts. Deaths is the number of times that the program failed
	// or was killed.
	Starts, Deaths int64
	// Untagged counts the tokens in languages without a model, by language. They are not in
	// TokensLeft.
	Untagged map[string]int64 `json:",omitempty"`
}

// Annotator adds columns to a vertical: a [Tagger] or [Models].
type Annotator interface {
	// Check returns the first error in the configuration.
	Check() error
	// Names returns the names of the columns.
	Names() []string
	// Tag reads a vertical and writes it with the columns.
	Tag(ctx context.Context, out io.Writer, r *Reader) (TaggerReport, error)
}

// columns returns the indexes of the columns in the output of the tagger, from 0.
func (t *Tagger) columns() (fields []int, err error) {
	word := max(t.Word, 1) - 1
	next := word + 1
	if len(t.Columns) == 0 {
		return nil, fmt.Errorf("tagger: no columns, wanted the columns that it adds, such as lemma,tag")
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

// Check returns the first error in the configuration.
func (t *Tagger) Check() error {
	_, err := t.columns()
	return err
}

// Names returns the names of the columns without their numbers.
func (t *Tagger) Names() []string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i], _, _ = strings.Cut(c, "=")
	}
	return names
}

// Tag reads a vertical and writes it with the columns of the tagger. If the tagger dies on a
// sentence, prints nothing or prints other words, the sentence is retried, alone if
// necessary. If it fails again, its columns stay empty and it is counted. It is an error if
// the tagger cannot be run or always fails.
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
	last := ""
	work := func(ctx context.Context, b *batch) error { return t.tag(ctx, b, fields) }
	err = annotate(ctx, out, r, t.Workers, t.Batch, len(fields), work, func(b *batch) {
		b.count(&rep)
		for _, p := range b.problems {
			last = p.what
			if t.OnProblem != nil {
				t.OnProblem(&page.Error{File: r.cfg.Name, Line: p.line, Offset: -1, Document: p.doc, Err: fmt.Errorf("sentence not tagged: %s", p.what)})
			}
		}
	})
	if err != nil {
		return rep, err
	}
	if rep.Sentences > 0 && rep.SentencesLeft == rep.Sentences {
		return rep, fmt.Errorf("tagger %q tagged nothing: %s: it must print one line per token: the word, then its annotation, separated by tabs (check the format of its input and the number of columns)", t.Command, last)
	}
	return rep, nil
}

// annotate writes a vertical with columns. work fills the rows of batches of some size tokens, on
// several goroutines; use is called with the batches in order.
func annotate(ctx context.Context, out io.Writer, r *Reader, workers, size, columns int, work func(context.Context, *batch) error, use func(*batch)) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var buf []byte
	produce := func(send func(*batch) error) error { return batches(r, size, send) }
	do := func(ctx context.Context, b *batch) error {
		b.err = work(ctx, b)
		return nil
	}
	return ordered(ctx, workers, produce, do, func(b *batch) error {
		use(b)
		if b.err != nil {
			return b.err
		}
		buf = b.merge(buf[:0], columns)
		_, err := out.Write(buf)
		return err
	})
}

// maxSentence is the number of tokens beyond a batch after which a text without sentence
// ends is split.
const maxSentence = 50_000

// batches splits the vertical at sentence ends into batches of about size tokens.
func batches(r *Reader, size int, give func(*batch) error) error {
	b := newBatch("", "")
	inSentence := false
	send := func() error {
		b.end()
		if err := give(b); err != nil {
			return err
		}
		b = newBatch(b.doc, b.docLang)
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
			if len(b.ends) >= size+maxSentence { // a text without sentences
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
				switch {
				case l.Kind == Open && string(l.Name) == r.cfg.Doc:
					b.doc, b.docLang = string(l.Value("id")), string(l.Value("lang"))
					b.lang = b.docLang
				case string(l.Name) == paragraph:
					b.lang = b.docLang
					if lang := l.Value("lang"); l.Kind == Open && len(lang) > 0 {
						b.lang = string(lang)
					}
				}
			}
		}
		b.lines = AppendLine(b.lines, l)
		if l.Kind == Close && !inSentence && len(b.ends) >= size {
			if err := send(); err != nil {
				return err
			}
		}
	}
}
