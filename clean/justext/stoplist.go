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

// FullCover is the share of running text that a full stop list covers. The
// thresholds of the thesis are made for lists that have about half of the
// words of a text.
const FullCover = 0.55

// Stoplist is the set of the frequent words of a language. It does not change
// and is safe for concurrent use.
type Stoplist struct {
	// Lang is the language as a BCP 47 primary tag, "" if unknown.
	Lang string
	// Cover is the share of the words of unseen running text that the list
	// has, 0 if unknown.
	Cover float64

	words map[string]struct{}
}

// NewStoplist makes a list of words in any case.
func NewStoplist(lang string, words []string) *Stoplist {
	l := &Stoplist{Lang: lang, words: make(map[string]struct{}, len(words))}
	for _, w := range words {
		l.add(w)
	}
	return l
}

// add adds a word as the two ways of counting look it up: folded, and in
// lower case with all its signs, which may be the same.
func (l *Stoplist) add(word string) {
	l.words[strings.Map(unicode.ToLower, word)] = struct{}{}
	if w := fold(word); w != "" && !strings.Contains(w, " ") {
		l.words[w] = struct{}{}
	}
}

// fullness returns the cover of the list as a share of what a full list
// covers, 1 if it is full or its cover unknown.
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

// Has reports whether the list has the word, in any case.
func (l *Stoplist) Has(word string) bool { return l.has([]byte(fold(word))) }

// has looks up a folded word.
func (l *Stoplist) has(w []byte) bool {
	_, ok := l.words[string(w)] // the compiler makes no string for a look-up
	return ok
}

// maxWordBytes is the length of the longest line that a stop list may have.
const maxWordBytes = 1024

// ReadStoplist reads a list in text form: UTF-8, one word per line in any case,
// white space around it ignored, empty lines and lines that begin with # left
// out. source is named in errors.
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
