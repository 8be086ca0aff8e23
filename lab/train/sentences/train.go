// Package sentences learns abbreviations and words that begin sentences from running text with a
// [Trainer], for rule files of package token.
package sentences

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/sorts"
	"chaffinch/text/token"
)

// Config configures which words a [Trainer] counts as abbreviations or starters.
type Config struct {
	// Lang is the language of the text. Words in its rules are omitted from the lists, except with
	// All.
	Lang string
	All  bool
	// MinCount is the minimum count of a word with a full stop.
	MinCount int
	// MinScore is the minimum score of an abbreviation (section 3.1 of the paper).
	MinScore float64
	// MinStarter is the minimum log-likelihood ratio of a word that begins sentences (section
	// 4.1.3).
	MinStarter float64
}

// Default has the thresholds of the paper and a minimum count of three.
var Default = Config{MinCount: 3, MinScore: .3, MinStarter: 30}

// Trainer learns lists for a rule file from unlabelled running text with Punkt (Kiss and Strunk,
// Unsupervised multilingual sentence boundary detection, Computational Linguistics 32, 2006). It
// counts every word form. Above two million it drops the rarest, which are counted from 0 if they
// occur again.
type Trainer struct {
	cfg    Config
	known  *token.Tokenizer
	types  map[string]*wordCount
	most   int                       // maximum number of types before rare ones are dropped
	pairs  map[string]map[string]int // short word with a stop -> next word as written
	paired int                       // number of entries of pairs
	tokens int
	stops  int // tokens with a full stop
}

// maxTypes is the maximum number of word forms, about 150 bytes each. maxPairs is the maximum
// number of pairs.
const maxTypes, maxPairs = 1 << 21, 1 << 21

// wordCount holds the counts of a word form in lower case.
type wordCount struct {
	plain, stopped int // without and with a full stop after it
	lower          int // written in lower case
}

// Check returns an error if the settings are invalid.
func (cfg Config) Check() error {
	if cfg.MinCount < 1 || cfg.MinScore <= 0 || cfg.MinStarter <= 0 {
		return fmt.Errorf("train sentences: count %d, score %g, starter %g: wanted more than 0", cfg.MinCount, cfg.MinScore, cfg.MinStarter)
	}
	return nil
}

// NewTrainer returns a trainer without text.
func NewTrainer(cfg Config) (*Trainer, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	return &Trainer{
		cfg: cfg, known: token.For(cfg.Lang),
		types: map[string]*wordCount{}, most: maxTypes, pairs: map[string]map[string]int{},
	}, nil
}

// Add counts the words of text.
func (t *Trainer) Add(text string) {
	s := token.NewScanner(text)
	before := "" // the previous word if a full stop follows it
	last := token.Piece{Kind: token.WordPiece}
	for {
		p, ok := s.Next()
		if !ok {
			return
		}
		word := text[p.Start:p.End]
		switch {
		case p.Kind == token.StopPiece && p.Glued && last.Kind == token.WordPiece && last.End == p.Start && len(word) == 1:
			before = t.stop(text[last.Start:last.End])
		case p.Kind == token.WordPiece || p.Kind == token.NumberPiece:
			t.word(word, &p, before)
			before = ""
		case p.Kind == token.SkipPiece: // like the splitter
		default:
			before = ""
		}
		last = p
	}
}

// word counts a word. before is the previous word if a full stop follows it.
func (t *Trainer) word(word string, p *token.Piece, before string) {
	t.tokens++
	if before != "" {
		next := t.pairs[before]
		if next == nil && len(t.pairs) < maxPairs {
			next = map[string]int{}
			t.pairs[before] = next
		}
		if next[word] > 0 {
			next[word]++
		} else if next != nil && len(next) < 1<<12 && t.paired < maxPairs && len(word) <= token.MaxEntry {
			next[strings.Clone(word)]++
			t.paired++
		}
	}
	if p.Kind != token.WordPiece || len(word) > token.MaxEntry {
		return
	}
	c := t.count(strings.ToLower(word))
	c.plain++ // a full stop may still follow
	if p.Lower {
		c.lower++
	}
}

// stop counts the full stop after word. It returns the form of the word if its next word must be
// recorded.
func (t *Trainer) stop(word string) string {
	t.stops++
	if len(word) > token.MaxEntry {
		return ""
	}
	low := strings.ToLower(word)
	c := t.count(low)
	c.plain--
	c.stopped++
	return low
}

func (t *Trainer) count(low string) *wordCount {
	c := t.types[low]
	if c == nil {
		for rare := 1; len(t.types) >= t.most; rare *= 2 {
			maps.DeleteFunc(t.types, func(_ string, c *wordCount) bool { return c.plain+c.stopped <= rare })
		}
		c = new(wordCount)
		t.types[strings.Clone(low)] = c
	}
	return c
}

// score returns the score of section 3.1: the evidence that a word with its full stop is a unit
// rather than a chance combination (Dunning's log-likelihood with .99 for the unit), times
// exp(-length), times its inner stops plus 1, times a penalty of length to the minus count without
// a stop.
func (t *Trainer) score(word string, c *wordCount) float64 {
	n, k := float64(c.plain+c.stopped), float64(c.stopped)
	p := float64(t.stops) / float64(max(t.tokens, 1))
	null := float64(k*math.Log(p)) + float64((n-k)*math.Log(1-p))
	unit := float64(k*math.Log(.99)) + float64((n-k)*math.Log(.01))
	inner := strings.Count(word, ".")
	length := float64(utf8.RuneCountInString(word) - inner)
	return 2 * (unit - null) * math.Exp(-length) * float64(inner+1) * math.Pow(length, -float64(c.plain))
}

// Learned is an entry of a rule file.
type Learned struct {
	Word, List string // List is the name of a section: title, number, abbreviation, starter
	Count      int    // its count in this use
	Score      float64
}

// first returns the first token of a word.
func first(word string) token.Piece {
	p, _ := token.NewScanner(word).Next()
	return p
}

// Learn returns the entries learned so far, the abbreviations and then the starters, each by
// descending score.
func (t *Trainer) Learn() []Learned {
	var out []Learned
	abbr := map[string]bool{}
	for _, w := range slices.Sorted(maps.Keys(t.types)) {
		c := t.types[w]
		if c.stopped < t.cfg.MinCount {
			continue
		}
		if r, n := utf8.DecodeRuneInString(w); n == len(w) && unicode.IsLetter(r) {
			continue // an initial
		}
		if s := t.score(w, c); s >= t.cfg.MinScore {
			abbr[w] = true
			out = append(out, Learned{w, t.list(w), c.stopped, s})
		}
	}
	// Starters follow a full stop that does not belong to an abbreviation.
	ends, begun := 0, map[string]int{}
	for before, next := range t.pairs {
		if abbr[before] || utf8.RuneCountInString(before) == 1 {
			continue
		}
		for w, n := range next {
			if first(w).Upper {
				ends += n
				begun[strings.ToLower(w)] += n
			}
		}
	}
	for _, w := range slices.Sorted(maps.Keys(begun)) {
		c := t.types[w]
		if c == nil || abbr[w] || begun[w] < t.cfg.MinCount || c.lower == 0 {
			continue
		}
		if s := association(ends, c.plain+c.stopped, begun[w], t.tokens); s >= t.cfg.MinStarter {
			out = append(out, Learned{w, "starter", begun[w], s})
		}
	}
	if !t.cfg.All {
		out = slices.DeleteFunc(out, func(l Learned) bool {
			abbreviation, begins := t.known.Lists(l.Word)
			if l.List == "starter" {
				return begins
			}
			return abbreviation
		})
	}
	sorts.StableFunc(out, func(a, b Learned) int {
		if (a.List == "starter") != (b.List == "starter") {
			if a.List == "starter" {
				return 1
			}
			return -1
		}
		return cmp.Compare(b.Score, a.Score)
	})
	return out
}

// list returns the list for an abbreviation by the words after it: numbers, or words that are never
// in lower case, such as names.
func (t *Trainer) list(w string) string {
	numbers, names, all := 0, 0, 0
	for next, n := range t.pairs[w] {
		all += n
		c := first(next)
		if c.Digit {
			numbers += n
		}
		if low := t.types[strings.ToLower(next)]; c.Upper && (low == nil || low.lower == 0) {
			names += n
		}
	}
	switch {
	case 10*numbers >= 8*all && all > 0:
		return "number"
	case 10*names >= 8*all && all > 0:
		return "title"
	}
	return "abbreviation"
}

// association returns Dunning's log-likelihood ratio of a word and the position after the end of a
// sentence, or 0 if they are negatively associated. There are ends positions and n tokens; the word
// occurs count times, both times at such a position.
func association(ends, count, both, n int) float64 {
	a, b, ab, total := float64(ends), float64(count), float64(both), float64(n)
	if total <= a || ab*total <= a*b {
		return 0
	}
	like := func(k, n, p float64) float64 {
		l := 0.0
		if k > 0 {
			l += float64(k * math.Log(p))
		}
		if n > k {
			l += float64((n - k) * math.Log(1-p))
		}
		return l
	}
	p, p1, p2 := b/total, ab/a, max(b-ab, 0)/(total-a)
	return 2 * (like(ab, a, p1) + like(b-ab, total-a, p2) - like(ab, a, p) - like(b-ab, total-a, p))
}

// WriteRules writes learned entries as a rule file (docs/reference/formats/token-rules.md).
func (t *Trainer) WriteRules(w io.Writer, learned []Learned) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# Learned from %d words, %d of them with a full stop.\n", t.tokens, t.stops)
	for _, list := range []string{"title", "number", "abbreviation", "starter"} {
		head := false
		for _, l := range learned {
			if l.List != list {
				continue
			}
			if !head {
				fmt.Fprintf(out, "\n[%s]\n", list)
				head = true
			}
			fmt.Fprintf(out, "%s\t# %d times, score %.2f\n", l.Word, l.Count, l.Score)
		}
	}
	return out.Flush()
}
