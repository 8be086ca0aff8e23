package vertical

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"chaffinch/internal/external"
	"chaffinch/internal/sorts"
)

const (
	// probe is the number of sentences that are tried separately after the tagger died. The
	// cause is among the first sentences without output.
	probe = 16
	// hopeless is the number of consecutive sentences on which the tagger failed alone,
	// after which it is abandoned.
	hopeless = 20
	// suspect is the number of consecutive kills for silence after which the tagger is tried
	// on another sentence. If it is silent again, it is abandoned.
	suspect = 2
	// hopelessSilent is the maximum number of consecutive kills for silence. A single
	// sentence that causes silence takes 7.
	hopelessSilent = 12
	// agree is the number of tokens that must match to accept rows as rows of a later
	// sentence, after rows of a sentence did not match.
	agree = 8
	// skip is the number of sentences, and of rows for each of their tokens, that are
	// searched for such a match.
	skip = 8
)

// luck counts the failures of a batch since the last success.
type luck struct{ failed, silent int }

// tag fills the rows of a batch.
func (t *Tagger) tag(ctx context.Context, b *batch, fields []int) error {
	b.rows = make([]row, len(b.ends))
	b.why = map[int]string{}
	todo := make([]int, len(b.sents))
	for i := range todo {
		todo[i] = i
	}
	err := t.try(ctx, b, todo, fields, false, new(luck))
	sorts.StableFunc(b.problems, func(x, y problem) int { return cmp.Compare(x.line, y.line) })
	return err
}

// try runs the tagger on sentences and keeps the matching rows. It retries remaining
// sentences once; again indicates a retry.
func (t *Tagger) try(ctx context.Context, b *batch, todo []int, fields []int, again bool, l *luck) error {
	if len(todo) == 0 {
		return nil
	}
	in := b.input(todo, t.Input)
	b.report.Starts++
	out, keep, err := t.journal.Run(ctx, in, external.Config{Command: t.Command, Silence: t.Silence, MaxOutput: 64<<20 + 200*int64(len(in))})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var f *external.Failure
	if errors.As(err, &f) && f.NotFound() {
		return fmt.Errorf("tagger %q: %w", t.Command, f)
	}
	clear(b.why)
	left := b.take(todo, t.rows(out, err != nil), fields, t)
	if len(left) < len(todo) {
		*l = luck{}
		if err == nil {
			keep()
		}
	}
	if len(left) == 0 {
		return nil // ignore its exit status
	}
	what := b.why[left[0]]
	if err != nil {
		b.report.Deaths++
		what = "the tagger ended: " + f.Error()
		if errors.Is(f, external.ErrSilent) {
			what = fmt.Sprintf("the tagger printed nothing for %v and was ended", t.Silence)
			if l.silent++; l.silent == suspect && len(left) == len(todo) && t.hangs(ctx, b, todo) {
				l.silent = hopelessSilent
			}
		}
	}
	if again && (err == nil || len(todo) == 1) {
		for _, i := range left {
			if why := b.why[i]; why != "" && err == nil {
				what = why
			}
			b.leave(i, what)
		}
		l.failed += len(left)
	}
	if len(left) == len(todo) && (l.failed >= hopeless || l.silent >= hopelessSilent) {
		return fmt.Errorf("tagger %q keeps failing: %s: it must print one line per token: the word, then its annotation, separated by tabs (check the format of its input and the number of columns)", t.Command, what)
	}
	switch {
	case again && (err == nil || len(todo) == 1):
		return nil
	case err == nil:
		return t.try(ctx, b, left, fields, true, l)
	}
	// It died or was killed on one of the first remaining sentences.
	n := min(probe, (len(left)+1)/2)
	if err := t.try(ctx, b, left[:n], fields, len(left) == 1, l); err != nil {
		return err
	}
	return t.try(ctx, b, left[n:], fields, false, l)
}

// hangs reports whether the tagger is also silent on a sentence outside todo. It reports
// false if there is no such sentence.
func (t *Tagger) hangs(ctx context.Context, b *batch, todo []int) bool {
	i := b.spare(todo)
	if i < 0 {
		return false
	}
	b.report.Starts++
	out, err := external.Run(ctx, b.input([]int{i}, t.Input), external.Config{Command: t.Command, Silence: t.Silence, MaxOutput: 64 << 20})
	if !errors.Is(err, external.ErrSilent) || b.same(i, t.rows(out, true), max(t.Word, 1)-1) > 0 {
		return false
	}
	b.report.Deaths++
	return true
}

// spare returns a sentence outside todo: the last one with rows, or else the last one. It
// returns -1 if there is none.
func (b *batch) spare(todo []int) int {
	last := -1
	for i := len(b.sents) - 1; i >= 0; i-- {
		if _, in := slices.BinarySearch(todo, i); in {
			continue
		}
		if r := b.rows[b.sents[i].first]; r.to > r.from {
			return i
		}
		last = max(last, i)
	}
	return last
}

// problem is a sentence on which a program failed: its document, the line of its first token
// or the sentence itself, and the failure.
type problem struct {
	doc      string
	line     int64
	sentence string
	what     string
}

// leave abandons a sentence.
func (b *batch) leave(i int, what string) {
	s := b.sents[i]
	b.report.SentencesLeft++
	b.report.TokensLeft += int64(s.end - s.first)
	b.problems = append(b.problems, problem{doc: s.doc, line: s.line, what: what})
}

// rows splits the output into the rows of tokens. It omits empty lines and the tags of
// sentences. If the word is not in the first column, it also omits comments and other lines
// without such a column. If the tagger died, an incomplete last line is omitted.
func (t *Tagger) rows(out []byte, died bool) [][]byte {
	var rows [][]byte
	for len(out) > 0 {
		line, rest, ended := bytes.Cut(out, []byte("\n"))
		out = rest
		if died && !ended {
			break
		}
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) == 0 || t.Input == "tags" && (string(line) == "<s>" || string(line) == "</s>") {
			continue
		}
		if t.Word > 1 && bytes.Count(line, []byte("\t")) < t.Word-1 {
			continue
		}
		rows = append(rows, line)
	}
	return rows
}

// take matches the rows with the words of the sentences and keeps matching rows. It returns
// the remaining sentences.
func (b *batch) take(todo []int, rows [][]byte, fields []int, t *Tagger) (left []int) {
	word := max(t.Word, 1) - 1
	k, r := 0, 0
	for k < len(todo) {
		s := b.sents[todo[k]]
		n := b.same(todo[k], rows[r:], word)
		if n == s.end-s.first {
			for i := range n {
				b.columns(s.first+i, rows[r+i], fields)
			}
			r += n
			k++
			continue
		}
		b.why[todo[k]] = b.differs(s, n, rows[r:])
		next := k + 1
		if n == 0 { // unrelated rows before it
			next = k
		}
		j, at := b.resync(todo, k, next, rows, r, word)
		if j < 0 {
			return append(left, todo[k:]...)
		}
		if j == k {
			b.report.Extra += int64(at - r)
		}
		left = append(left, todo[k:j]...)
		k, r = j, at
	}
	if len(left) == 0 {
		b.report.Extra += int64(len(rows) - r)
	}
	return left
}

// resync finds a position in the rows, from r, where they match the sentences again, at
// todo[next] or later. todo[k] is the sentence that does not match at r. j is -1 if there is
// none.
func (b *batch) resync(todo []int, k, next int, rows [][]byte, r, word int) (j, at int) {
	first := b.sents[todo[k]].first
	for j = next; j < min(len(todo), k+1+skip); j++ {
		tokens := b.sents[todo[j]].end - first
		for at = r; at < min(len(rows), r+skip*(tokens+2)); at++ {
			if (j > k || at > r) && b.agrees(todo[j:], rows[at:], word) {
				return j, at
			}
		}
	}
	return -1, 0
}

// same returns the number of words of the sentence that match the first rows.
func (b *batch) same(i int, rows [][]byte, word int) int {
	s := b.sents[i]
	n := 0
	for n < s.end-s.first && n < len(rows) && bytes.Equal(bytes.TrimSpace(field(rows[n], word)), bytes.TrimSpace(b.word(s.first+n))) {
		n++
	}
	return n
}

// agrees reports whether the rows match the sentences, for as many tokens as must be
// compared.
func (b *batch) agrees(todo []int, rows [][]byte, word int) bool {
	n := 0
	for _, i := range todo {
		m := b.same(i, rows[n:], word)
		n += m
		if s := b.sents[i]; m < s.end-s.first {
			return n >= agree
		}
		if n >= agree {
			return true
		}
	}
	return n > 0 && n == len(rows)
}

// differs describes the first difference between the rows and s.
func (b *batch) differs(s sent, n int, rows [][]byte) string {
	if len(rows) == 0 {
		return "the tagger printed no row for it"
	}
	if n == len(rows) {
		return fmt.Sprintf("the tagger printed %d of its %d rows, up to %s", n, s.end-s.first, quote(b.word(s.first+n-1)))
	}
	return fmt.Sprintf("for its token %d, %s, the tagger printed %s", n+1, quote(b.word(s.first+n)), quote(rows[n]))
}

// columns stores the selected columns of a row for token i, each preceded by a tab.
func (b *batch) columns(i int, line []byte, fields []int) {
	from := len(b.text)
	short := false
	for _, f := range fields {
		v := field(line, f)
		short = short || v == nil
		b.text = append(b.text, '\t')
		b.text = appendField(b.text, bytes.TrimSpace(v), false)
	}
	if short {
		b.report.Short++
	}
	b.rows[i] = row{from, len(b.text)}
}

// field returns a column of a row, or nil if it does not exist.
func field(row []byte, n int) []byte {
	for ; n > 0; n-- {
		i := bytes.IndexByte(row, '\t')
		if i < 0 {
			return nil
		}
		row = row[i+1:]
	}
	if i := bytes.IndexByte(row, '\t'); i >= 0 {
		return row[:i]
	}
	return row
}
