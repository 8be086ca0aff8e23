package vertical

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"
	"unicode/utf8"

	"chaffinch/internal/external"
	"chaffinch/page"
	"chaffinch/text/token"
)

// Tokenizer splits the sentences of a vertical into words by an external program. The
// program reads one sentence per line and prints its words on a line, separated by blanks:
// docs/guides/tokenizer.md. It receives a batch of sentences, then the end of its input, and is
// restarted for the next batch.
type Tokenizer struct {
	// Command is a shell command.
	Command string
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
	// OnProblem, if not nil, is called for each sentence that keeps its tokens, in the order
	// of the vertical.
	OnProblem func(*page.Error)

	journal *external.Journal // while it is open
}

// DefaultTokenizer holds the default limits of a tokenizer.
var DefaultTokenizer = Tokenizer{Batch: 200_000, Silence: 2 * time.Minute}

// TokenizerReport holds the counts of a tokenizer.
type TokenizerReport struct {
	// Sentences is the number of sentences of the vertical. Left is the number of sentences
	// that keep their tokens.
	Sentences, Left int64
	// Tokens is the number of tokens written. Before is the number of tokens read.
	Tokens, Before int64
	// Starts is the number of starts. Deaths is the number of times that the program failed
	// or was killed.
	Starts, Deaths int64
}

// Tokenize reads a vertical with sentences and writes it with the words of the program. The
// text is not changed. A sentence keeps its tokens, and is counted, if the words are not its
// text, or the program dies, prints nothing or prints no line for it. It is an error if the
// program cannot be run or always fails.
func (t Tokenizer) Tokenize(ctx context.Context, out io.Writer, r *Reader) (rep TokenizerReport, err error) {
	if t.Batch <= 0 {
		t.Batch = DefaultTokenizer.Batch
	}
	if t.Journal != "" {
		if t.journal, err = external.OpenJournal(t.Journal); err != nil {
			return rep, err
		}
		defer t.journal.Close()
	}
	if t.Silence <= 0 {
		t.Silence = DefaultTokenizer.Silence
	}
	if t.Workers <= 0 {
		t.Workers = runtime.GOMAXPROCS(0)
	}
	var buf []byte
	last := ""
	produce := func(send func(*stretch) error) error { return t.stretches(r, send) }
	err = ordered(ctx, t.Workers, produce, t.cut, func(b *stretch) error {
		buf = b.append(buf[:0], &rep)
		for _, p := range b.problems {
			last = p.what
			if t.OnProblem != nil {
				t.OnProblem(&page.Error{Offset: -1, Document: p.doc, Err: fmt.Errorf("sentence %s not tokenized: %s", p.sentence, p.what)})
			}
		}
		if b.err != nil {
			return b.err
		}
		_, err := out.Write(buf)
		return err
	})
	if err == nil && rep.Sentences > 0 && rep.Left == rep.Sentences {
		err = t.useless(last)
	}
	return rep, err
}

func (t *Tokenizer) useless(what string) error {
	return fmt.Errorf("tokenizer %q cuts nothing: %s: it should print a line for each line that it is given, with the words of that line separated by spaces", t.Command, what)
}

// stretch is a part of a vertical that is processed by one run of a tokenizer.
type stretch struct {
	parts    []part
	sents    []int // indexes of the parts that are sentences
	tokens   int
	doc      string
	failed   int // sentences on which it failed alone
	worked   bool
	silent   int
	err      error
	problems []problem
	report   TokenizerReport
}

// part is a sentence, or the lines before, between and after sentences.
type part struct {
	lines []byte // original lines
	// The other fields belong to a sentence: its text without white space, the gaps between
	// its tokens, and the tokenizer's input in one line.
	solid []byte
	gaps  []gap
	input []byte
	doc   string
	words []int // ends of the program's words in solid
	white bool  // a token is only white space: not suitable for a tokenizer
}

// gap holds the lines between two tokens of a sentence, or no lines for a blank.
type gap struct {
	at    int // offset in solid
	lines []byte
	glue  bool // only <g/>
}

// stretches splits the vertical at sentence ends.
func (t *Tokenizer) stretches(r *Reader, give func(*stretch) error) error {
	b := &stretch{}
	var s *part         // current sentence
	var between []byte  // lines after its last token
	inSentence := false // between <s> and </s>
	end := func() {
		if s != nil {
			if !s.white {
				b.sents = append(b.sents, len(b.parts))
			}
			b.parts = append(b.parts, *s)
			s = nil
		}
		if len(between) > 0 {
			b.parts = append(b.parts, part{lines: between})
			between = nil
		}
	}
	for {
		l, err := r.Next()
		if err == io.EOF || err == nil && b.tokens >= t.Batch && (l.Kind == Open || b.tokens >= t.Batch+maxSentence) {
			end()
			if err := give(b); err != nil {
				return err
			}
			b = &stretch{doc: b.doc}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if l.Kind == Token {
			if len(l.Fields) > 1 {
				return fmt.Errorf("%s: line %d: token %s has columns, which its words would lose: find words first, then run the tagger", r.cfg.Name, l.Number, quote(l.Fields[0]))
			}
			if s == nil {
				end()
				s = &part{doc: b.doc}
			}
			s.token(l, between)
			between = nil
			b.tokens++
			continue
		}
		name := string(l.Name)
		if s != nil && (name == sentence || name == paragraph || name == r.cfg.Doc || !inSentence && name != "g" && name != "sp") {
			end()
		}
		switch name {
		case sentence:
			inSentence = l.Kind == Open
		case paragraph:
			inSentence = false
		case r.cfg.Doc:
			inSentence = false
			if l.Kind == Open {
				b.doc = string(l.Value("id"))
			}
		}
		between = AppendLine(between, l)
	}
}

// token adds a token and the lines before it.
func (p *part) token(l *Line, between []byte) {
	if len(p.solid) > 0 {
		g := gap{at: len(p.solid), lines: between, glue: string(between) == "<g/>\n"}
		p.gaps = append(p.gaps, g)
		if !g.glue && !bytes.HasSuffix(between, []byte("<g/>\n")) {
			p.input = append(p.input, ' ')
		}
	}
	p.lines = append(p.lines, between...)
	p.lines = AppendLine(p.lines, l)
	before := len(p.solid)
	for word := l.Fields[0]; len(word) > 0; {
		c, n := utf8.DecodeRune(word)
		if !token.IsSpace(c) {
			p.solid = append(p.solid, word[:n]...)
		}
		if c < 0x20 || c == 0x7f {
			p.input = append(p.input, '_') // it would end the line
		} else {
			p.input = append(p.input, word[:n]...)
		}
		word = word[n:]
	}
	p.white = p.white || len(p.solid) == before
}

// cut finds the words of all sentences.
func (t *Tokenizer) cut(ctx context.Context, b *stretch) error {
	b.err = t.try(ctx, b, b.sents)
	return nil
}

// try runs the program on sentences. If it does not print a line for each, try divides them
// into halves.
func (t *Tokenizer) try(ctx context.Context, b *stretch, todo []int) error {
	if len(todo) == 0 {
		return nil
	}
	n := 0
	for _, i := range todo {
		n += len(b.parts[i].input) + 1
	}
	in := make([]byte, 0, n)
	for _, i := range todo {
		in = append(append(in, b.parts[i].input...), '\n')
	}
	b.report.Starts++
	out, keep, err := t.journal.Run(ctx, in, external.Config{Command: t.Command, Silence: t.Silence, MaxOutput: 1<<20 + 8*int64(len(in))})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var f *external.Failure
	if errors.As(err, &f) && f.NotFound() {
		return fmt.Errorf("tokenizer %q: %w", t.Command, f)
	}
	lines := bytes.Split(bytes.TrimSuffix(out, []byte("\n")), []byte("\n"))
	what := fmt.Sprintf("the tokenizer printed %d lines, wanted %d", len(lines), len(todo))
	if len(out) == 0 {
		lines, what = nil, "the tokenizer printed nothing"
	}
	if err != nil {
		b.report.Deaths++
		what = "the tokenizer ended: " + f.Error()
		if errors.Is(f, external.ErrSilent) {
			what = fmt.Sprintf("the tokenizer printed nothing for %v and was ended", t.Silence)
			b.silent++
		}
	} else if len(lines) == len(todo) {
		for k, i := range todo {
			if why := b.parts[i].take(lines[k]); why != "" {
				b.leave(i, why)
			}
		}
		b.worked = true
		keep()
		return nil
	}
	if len(todo) == 1 {
		b.leave(todo[0], what)
		b.failed++
	}
	if !b.worked && (b.failed >= hopeless || b.silent > suspect) || b.silent >= hopelessSilent {
		return t.useless(what)
	}
	if len(todo) == 1 {
		return nil
	}
	half := len(todo) / 2
	if err := t.try(ctx, b, todo[:half]); err != nil {
		return err
	}
	return t.try(ctx, b, todo[half:])
}

// take accepts the words in a line if they are the text of p. Otherwise it returns a
// description of the difference.
func (p *part) take(line []byte) string {
	words := make([]int, 0, len(p.gaps)+1)
	at, gaps := 0, p.gaps
	for _, w := range bytes.FieldsFunc(line, token.IsSpace) {
		start := at
		for _, c := range w {
			if at >= len(p.solid) || c != p.solid[at] && (c != '_' || p.solid[at] >= 0x20 && p.solid[at] != 0x7f) {
				return fmt.Sprintf("the words that the tokenizer printed are other text, from %s on, wanted %s", quote(w), quote(p.solid[start:]))
			}
			at++
			for len(gaps) > 0 && gaps[0].at < at {
				gaps = gaps[1:]
			}
			if len(gaps) > 0 && gaps[0].at == at && !gaps[0].glue {
				words = append(words, at) // no word continues after white space
			}
		}
		if n := len(words); n == 0 || words[n-1] < at {
			words = append(words, at)
		}
	}
	if at < len(p.solid) {
		return fmt.Sprintf("the words that the tokenizer printed end before %s", quote(p.solid[at:]))
	}
	for _, end := range words {
		if end < at && !utf8.RuneStart(p.solid[end]) {
			return "the tokenizer cut a character in two"
		}
	}
	p.words = words
	return ""
}

// leave abandons a sentence.
func (b *stretch) leave(i int, what string) {
	b.report.Left++
	b.problems = append(b.problems, problem{doc: b.parts[i].doc, sentence: quote(b.parts[i].input), what: what})
}

// append appends the lines of b and adds its results to rep.
func (b *stretch) append(dst []byte, rep *TokenizerReport) []byte {
	rep.Sentences += int64(len(b.sents))
	rep.Left += b.report.Left
	rep.Before += int64(b.tokens)
	rep.Starts += b.report.Starts
	rep.Deaths += b.report.Deaths
	for i := range b.parts {
		p := &b.parts[i]
		if len(p.words) == 0 {
			dst = append(dst, p.lines...)
			if len(p.solid) > 0 {
				rep.Tokens += int64(len(p.gaps) + 1)
			}
			continue
		}
		rep.Tokens += int64(len(p.words))
		dst = p.append(dst)
	}
	return dst
}

// append appends the lines of p with its new words.
func (p *part) append(dst []byte) []byte {
	start, gaps := 0, p.gaps
	for _, end := range p.words {
		dst = append(appendField(dst, p.solid[start:end], true), '\n')
		start = end
		for len(gaps) > 0 && gaps[0].at < end {
			gaps = gaps[1:]
		}
		switch {
		case end == len(p.solid):
		case len(gaps) > 0 && gaps[0].at == end:
			dst = append(dst, gaps[0].lines...)
		default:
			dst = append(dst, "<g/>\n"...)
		}
	}
	return dst
}
