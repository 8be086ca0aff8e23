package filter

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// WordListConfig configures the group wordlist.
type WordListConfig struct {
	// Files are lists of words and phrases, one per line, in any case. Lines that begin with #
	// are comments.
	Files []string `json:"files,omitempty"`
}

// Limits of the lists.
const (
	maxListBytes = 64 << 20
	maxPhrase    = 16 // words
)

// phraseList is a set of phrases, in lower case with a blank between words.
type phraseList struct {
	index map[string]int
	// longest is the length in words of the longest phrase that begins with a word.
	longest map[string]int
	sum     uint64 // of the files
}

// readWordLists reads the lists of the group wordlist.
func (s *Set) readWordLists() (sums []uint64, err error) {
	cfg := s.cfg.WordList
	if len(cfg.Files) == 0 {
		return nil, errors.New(`wordlist: no list: a file of rules names some, as in {"use": ["wordlist"], "wordlist": {"files": ["bad.txt"]}}`)
	}
	s.listed = &phraseList{index: map[string]int{}, longest: map[string]int{}}
	for _, name := range cfg.Files {
		if err := s.listed.read(name); err != nil {
			return nil, fmt.Errorf("wordlist: %w", err)
		}
	}
	if len(s.listed.index) == 0 {
		return nil, fmt.Errorf("wordlist: no words in %s, wanted one a line", strings.Join(cfg.Files, ", "))
	}
	return []uint64{s.listed.sum}, nil
}

// readList returns the text and the hash of a file of at most limit bytes, which lists
// such things as words.
func readList(name, things string, limit int) (text string, sum uint64, err error) {
	f, err := os.Open(name)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err != nil {
		return "", 0, err
	}
	if len(b) > limit {
		return "", 0, fmt.Errorf("%s: more than %d MiB, wanted a list of %s", name, limit>>20, things)
	}
	return strings.TrimPrefix(string(b), "\ufeff"), xxh3.Hash(b), nil
}

func (l *phraseList) read(name string) error {
	text, sum, err := readList(name, "words", maxListBytes)
	if err != nil {
		return err
	}
	l.sum = l.sum*base + sum
	n := 0
	for line := range strings.Lines(text) {
		n++
		if !utf8.ValidString(line) {
			return fmt.Errorf("%s: line %d: not UTF-8: wanted words, one a line", name, n)
		}
		if strings.HasPrefix(line, "#") {
			continue
		}
		words, ends := foldWords(nil, nil, line)
		switch {
		case len(ends) == 0 && strings.TrimSpace(line) != "":
			return fmt.Errorf("%s: line %d: %q has no letter or digit, wanted a word or a phrase", name, n, strings.TrimSpace(line))
		case len(ends) == 0:
			continue
		case len(ends) > maxPhrase:
			return fmt.Errorf("%s: line %d: %d words, wanted a phrase of at most %d", name, n, len(ends), maxPhrase)
		}
		if phrase := string(words); l.index[phrase] == 0 {
			l.index[phrase] = len(l.index) + 1
		}
		first := string(words[:ends[0]])
		l.longest[first] = max(l.longest[first], len(ends))
	}
	return nil
}

// foldWords appends the words of text in lower case, separated by blanks, to dst, and the end
// of each word to ends. Words are runs of letters, marks and digits.
func foldWords(dst []byte, ends []int, text string) ([]byte, []int) {
	in := false
	for _, r := range text {
		if r < utf8.RuneSelf && !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9') || r >= utf8.RuneSelf && !unicode.In(r, unicode.L, unicode.M, unicode.N) {
			if in {
				ends, in = append(ends, len(dst)), false
			}
			continue
		}
		if !in && len(ends) > 0 {
			dst = append(dst, ' ')
		}
		dst, in = utf8.AppendRune(dst, unicode.ToLower(r)), true
	}
	if in {
		ends = append(ends, len(dst))
	}
	return dst, ends
}

// listed computes the scores of the group wordlist. Of overlapping phrases, the longest phrase
// at the first word counts.
func listed(s *Scorer, d *doc, out []float64) {
	clear(out)
	l := s.set.listed
	s.lower, s.ends = foldWords(s.lower[:0], s.ends[:0], d.text)
	s.hits = s.hits[:0]
	covered := 0
	for i := 0; i < len(s.ends); i++ {
		start := 0
		if i > 0 {
			start = s.ends[i-1] + 1
		}
		for n := min(l.longest[string(s.lower[start:s.ends[i]])], len(s.ends)-i); n > 0; n-- {
			if k := l.index[string(s.lower[start:s.ends[i+n-1]])]; k > 0 {
				s.hits = append(s.hits, k)
				covered += n
				i += n - 1
				break
			}
		}
	}
	out[0] = float64(len(s.hits))
	slices.Sort(s.hits)
	s.hits = slices.Compact(s.hits)
	out[1] = float64(len(s.hits))
	out[2] = math.NaN()
	if len(s.ends) > 0 {
		out[2] = float64(covered) / float64(len(s.ends))
	}
}

// listedWords names the words of the lists that occur in the document.
func listedWords(s *Scorer, _ string) string {
	var list []string
	for phrase, k := range s.set.listed.index {
		if slices.Contains(s.hits, k) {
			list = append(list, fmt.Sprintf("%q", phrase))
		}
	}
	slices.Sort(list)
	if len(list) > maxReasons {
		list = append(list[:maxReasons], "...")
	}
	return strings.Join(list, ", ")
}
