package justext

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/pytext"
)

// FullCover is the share of running text that a full stop list covers. The thresholds of the
// thesis assume lists with about half of the words of a text.
const FullCover = 0.55

// Stoplist is a set of frequent words of a language. It is immutable and safe for concurrent
// use.
type Stoplist struct {
	// Lang is the primary language subtag (BCP 47), or "" if unknown.
	Lang string
	// Cover is the share of words of unseen running text that are in the list, from 0 to 1.
	// 0 means unknown.
	Cover float64

	words map[string]struct{}
}

// NewStoplist returns a list of words, which may be in any case.
func NewStoplist(lang string, words []string) *Stoplist {
	l := &Stoplist{Lang: lang, words: make(map[string]struct{}, len(words))}
	for _, w := range words {
		l.add(w)
	}
	return l
}

// add adds a word in the forms of both ways of counting: folded, and in lower case with all
// its characters. They may be equal.
func (l *Stoplist) add(word string) {
	l.words[strings.Map(unicode.ToLower, word)] = struct{}{}
	if w := fold(word); w != "" && !strings.Contains(w, " ") {
		l.words[w] = struct{}{}
	}
}

// fullness returns the cover of the list relative to FullCover. It is 1 for a full list or
// an unknown cover.
func (l *Stoplist) fullness() float64 {
	if l.Cover <= 0 || l.Cover >= FullCover {
		return 1
	}
	return l.Cover / FullCover
}

// Len returns the number of words.
func (l *Stoplist) Len() int { return len(l.words) }

// Words returns the words in byte order.
func (l *Stoplist) Words() []string { return slices.Sorted(maps.Keys(l.words)) }

// Has reports whether the list contains the word, in any case.
func (l *Stoplist) Has(word string) bool { return l.has([]byte(fold(word))) }

// has reports whether the list contains a folded word.
func (l *Stoplist) has(w []byte) bool {
	_, ok := l.words[string(w)] // does not allocate
	return ok
}

// maxWordBytes is the maximum length of a line of a stop list.
const maxWordBytes = 1024

// ReadStoplist reads a list in text form: UTF-8, one word per line in any case. It ignores
// white space around words, empty lines and lines that begin with #. source is used in
// errors.
func ReadStoplist(r io.Reader, source, lang string) (*Stoplist, error) {
	l := &Stoplist{Lang: lang, words: map[string]struct{}{}}
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 0, 4096), maxWordBytes)
	n := 0
	for in.Scan() {
		n++
		line := in.Bytes()
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		line = bytes.TrimFunc(line, pytext.IsSpace)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if !utf8.Valid(line) {
			return nil, fmt.Errorf("stop list %s: line %d: not UTF-8: convert the file", source, n)
		}
		if bytes.IndexFunc(line, pytext.IsSpace) >= 0 {
			return nil, fmt.Errorf("stop list %s: line %d: %q, wanted one word per line", source, n, line)
		}
		l.add(string(line))
	}
	if err := in.Err(); err == bufio.ErrTooLong {
		return nil, fmt.Errorf("stop list %s: line %d is longer than %d bytes: wanted one word per line", source, n+1, maxWordBytes)
	} else if err != nil {
		return nil, fmt.Errorf("stop list %s: line %d: %w", source, n+1, err)
	}
	if len(l.words) == 0 {
		return nil, fmt.Errorf("stop list %s: no word in it", source)
	}
	return l, nil
}

// WriteText writes the list in the form that ReadStoplist reads.
func (l *Stoplist) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# language %s, %d words, cover of running text %.3f\n", l.Lang, l.Len(), l.Cover)
	for _, word := range l.Words() {
		out.WriteString(word)
		out.WriteByte('\n')
	}
	return out.Flush()
}
