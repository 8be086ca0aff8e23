// Package gdex scores sentences as dictionary examples. The features follow GDEX (Kilgarriff et al.
// 2008, "GDEX: Automatically finding good dictionary examples in a corpus"): length, completeness,
// rare and long words, punctuation, symbols, capitals, anaphora, and the place of the keyword.
//
// [Config.Score] scores a [Sentence]. [Read] reads a configuration.
//
// Unstable: this package may change in any release.
package gdex

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/truth"
)

// Config holds the weights and limits of the features. Each feature has a value from 0 (bad) to 1
// (good). The score is the product of 1 - weight * (1 - value) over all features. A weight of 1
// makes a feature a condition, and a weight of 0 disables it.
type Config struct {
	Length    Length  `json:"length"`
	Whole     Feature `json:"whole"`
	Rare      Rare    `json:"rare"`
	Long      Long    `json:"long"`
	Marks     Share   `json:"marks"`
	Symbols   Count   `json:"symbols"`
	Capitals  Share   `json:"capitals"`
	Anaphora  Openers `json:"anaphora"`
	Blacklist Words   `json:"blacklist"`
	Early     Feature `json:"early"`
	// Similar is the share of common words (Jaccard index) from which a sentence is a near-duplicate
	// of a better example.
	Similar float64 `json:"similar"`
}

// Feature is a feature without limits.
type Feature struct {
	Weight float64 `json:"weight"`
}

// Length is 1 for sentences of From to To tokens, with punctuation. It falls linearly to 0 for
// sentences shorter than Min or longer than Max.
type Length struct {
	Weight float64 `json:"weight"`
	Min    int     `json:"min"`
	From   int     `json:"from"`
	To     int     `json:"to"`
	Max    int     `json:"max"`
}

// Share is 1 for a share of 0, and falls linearly to 0 at Limit.
type Share struct {
	Weight float64 `json:"weight"`
	Limit  float64 `json:"limit"`
}

// Count is 1 for a count of 0, and falls linearly to 0 at Limit.
type Count struct {
	Weight float64 `json:"weight"`
	Limit  int     `json:"limit"`
}

// Rare concerns the share of rare words: all but the Common most frequent words of the corpus.
type Rare struct {
	Weight float64 `json:"weight"`
	Limit  float64 `json:"limit"`
	Common int     `json:"common"`
}

// Long concerns the share of words with more than Letters letters.
type Long struct {
	Weight  float64 `json:"weight"`
	Limit   float64 `json:"limit"`
	Letters int     `json:"letters"`
}

// Openers is 0 for sentences whose first word is in the list of their language, such as a pronoun
// that refers to an earlier sentence. Languages without a list always have 1.
type Openers struct {
	Weight float64             `json:"weight"`
	Words  map[string][]string `json:"words"`
}

// Words is 0 for sentences with one of the words. Case is ignored.
type Words struct {
	Weight float64  `json:"weight"`
	Words  []string `json:"words"`
}

//go:embed default.json
var defaultJSON []byte

// Default returns the default configuration, the file default.json. Its lists of anaphora are for
// Czech, English, French, German and Spanish. Its blacklist is empty.
func Default() *Config {
	c := new(Config)
	if err := c.read(bytes.NewReader(defaultJSON)); err != nil {
		panic("gdex: default.json: " + err.Error())
	}
	return c
}

// Read reads a configuration in JSON. Missing values have their defaults. A list of words replaces
// the default list of its language.
func Read(r io.Reader) (*Config, error) {
	c := Default()
	if err := c.read(r); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Config) read(r io.Reader) error {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(c); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("text after the object")
	}
	return c.Check()
}

// Check returns an error if a weight or a limit is out of range.
func (c *Config) Check() error {
	for _, x := range []struct {
		name   string
		weight float64
	}{
		{"length", c.Length.Weight}, {"whole", c.Whole.Weight}, {"rare", c.Rare.Weight}, {"long", c.Long.Weight}, {"marks", c.Marks.Weight}, {"symbols", c.Symbols.Weight},
		{"capitals", c.Capitals.Weight}, {"anaphora", c.Anaphora.Weight}, {"blacklist", c.Blacklist.Weight}, {"early", c.Early.Weight},
	} {
		if !(x.weight >= 0 && x.weight <= 1) {
			return fmt.Errorf("%s: weight %v (wanted 0 to 1)", x.name, x.weight)
		}
	}
	for _, x := range []struct {
		name  string
		limit float64
	}{{"rare", c.Rare.Limit}, {"long", c.Long.Limit}, {"marks", c.Marks.Limit}, {"symbols", float64(c.Symbols.Limit)}, {"capitals", c.Capitals.Limit}} {
		if !(x.limit > 0) {
			return fmt.Errorf("%s: limit %v (wanted above 0)", x.name, x.limit)
		}
	}
	switch l := c.Length; {
	case l.Min < 1 || l.From < l.Min || l.To < l.From || l.Max < l.To:
		return fmt.Errorf("length: %d, %d, %d, %d (wanted 1 <= min <= from <= to <= max)", l.Min, l.From, l.To, l.Max)
	case c.Rare.Common < 1:
		return fmt.Errorf("rare: common %d (wanted at least 1)", c.Rare.Common)
	case c.Long.Letters < 1:
		return fmt.Errorf("long: letters %d (wanted at least 1)", c.Long.Letters)
	case !(c.Similar > 0 && c.Similar <= 1):
		return fmt.Errorf("similar: %v (wanted above 0, at most 1)", c.Similar)
	}
	return nil
}

// Sentence is a sentence with a keyword.
type Sentence struct {
	Words []string // tokens, with punctuation
	Rare  []bool   // tokens that are rare words
	// Start and End are the tokens of the keyword, end exclusive. The keyword is not counted as a
	// rare, long or capitalized word.
	Start, End int
	// Lang is the language code, such as "en" or "en-GB". "" means unknown.
	Lang string
}

// Score returns the score of a sentence, from 0 to 1.
func (c *Config) Score(s *Sentence) float64 {
	f := c.features(s)
	score := 1.0
	for _, x := range []struct{ weight, value float64 }{
		{c.Length.Weight, f.length}, {c.Whole.Weight, f.whole}, {c.Rare.Weight, f.rare}, {c.Long.Weight, f.long}, {c.Marks.Weight, f.marks}, {c.Symbols.Weight, f.symbols},
		{c.Capitals.Weight, f.capitals}, {c.Anaphora.Weight, f.anaphora}, {c.Blacklist.Weight, f.blacklist}, {c.Early.Weight, f.early},
	} {
		score *= 1 - float64(x.weight*(1-x.value))
	}
	return score
}

// values holds the values of the features.
type values struct {
	length, whole, rare, long, marks, symbols, capitals, anaphora, blacklist, early float64
}

func (c *Config) features(s *Sentence) values {
	v := values{length: c.Length.value(len(s.Words)), whole: truth.Float64(Whole(s.Words)), anaphora: 1, blacklist: 1, early: 1}
	lang, _, _ := strings.Cut(strings.ToLower(s.Lang), "-")
	words, rare, long, marks, symbols, capitals := 0, 0, 0, 0, 0, 0
	end := lastWord(s.Words)
	first := true
	for i, w := range s.Words {
		if symbolic(w) {
			symbols++
		}
		if !hasLetter(w) {
			if i <= end && mark(w) {
				marks++
			}
			continue
		}
		words++
		l := strings.ToLower(w)
		if first && slices.Contains(c.Anaphora.Words[lang], l) {
			v.anaphora = 0
		}
		if slices.ContainsFunc(c.Blacklist.Words, func(b string) bool { return strings.ToLower(b) == l }) {
			v.blacklist = 0
		}
		if i < s.Start || i >= s.End {
			if i < len(s.Rare) && s.Rare[i] {
				rare++
			}
			if letters(w) > c.Long.Letters {
				long++
			}
			if !first && capital(w) && utf8.RuneCountInString(w) > 1 {
				capitals++
			}
		}
		first = false
	}
	v.rare = below(rare, words, c.Rare.Limit)
	v.long = below(long, words, c.Long.Limit)
	v.marks = below(marks, len(s.Words), c.Marks.Limit)
	v.symbols = below(symbols, 1, float64(c.Symbols.Limit))
	v.capitals = below(capitals, words, c.Capitals.Limit)
	if slices.Contains(capitalNouns, lang) {
		v.capitals = 1
	}
	if len(s.Words) > 0 {
		v.early = 1 - float64(s.Start)/float64(len(s.Words))
	}
	return v
}

// capitalNouns are the languages that write all nouns with a capital.
var capitalNouns = []string{"de", "gsw", "lb", "nds"}

// value returns the value of the feature for a sentence of n tokens.
func (l Length) value(n int) float64 {
	switch {
	case n < l.Min || n > l.Max:
		return 0
	case n < l.From:
		return float64(n-l.Min+1) / float64(l.From-l.Min+1)
	case n > l.To:
		return float64(l.Max+1-n) / float64(l.Max+1-l.To)
	}
	return 1
}

// below returns 1 for a share of n in all of 0, falling to 0 at limit.
func below(n, all int, limit float64) float64 {
	if n == 0 {
		return 1
	}
	return max(0, 1-float64(n)/float64(all)/limit)
}

// Whole reports whether a sentence begins with a capital and ends with a terminal mark, before and
// after which there may be quotation marks and brackets, and whether these are in pairs. A letter of
// a script without case counts as a capital. Sentences in Thai, Lao, Khmer and Myanmar need no
// terminal mark.
func Whole(words []string) bool {
	quotes, brackets := 0, 0
	for _, w := range words {
		for _, r := range w {
			switch {
			case strings.ContainsRune(`"“”„«»`, r):
				quotes++
			case unicode.Is(unicode.Ps, r) && r != '‚': // its closing mark is also an apostrophe
				brackets++
			case unicode.Is(unicode.Pe, r):
				brackets--
			}
		}
	}
	if quotes%2 != 0 || brackets != 0 {
		return false
	}
	first := slices.IndexFunc(words, func(w string) bool { return !quote(w) })
	if first < 0 || !begins(words[first]) {
		return false
	}
	for i := len(words) - 1; i > first; i-- {
		if quote(words[i]) {
			continue
		}
		r, _ := utf8.DecodeLastRuneInString(words[i])
		return unicode.Is(unicode.STerm, r) || r == '…' || unicode.In(r, unmarked...)
	}
	return false
}

// unmarked are scripts that write no mark at the end of a sentence.
var unmarked = []*unicode.RangeTable{unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// begins reports whether a word begins with a capital or with a letter without case.
func begins(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsLetter(r) && !unicode.IsLower(r)
}

// capital reports whether a word begins with a capital.
func capital(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r) || unicode.IsTitle(r)
}

// quote reports whether a token consists of quotation marks and brackets.
func quote(w string) bool {
	for _, r := range w {
		if !(unicode.In(r, unicode.Pi, unicode.Pf, unicode.Ps, unicode.Pe) || r == '"' || r == '\'' || r == '¿' || r == '¡') {
			return false
		}
	}
	return w != ""
}

// mark reports whether a token is punctuation other than a comma.
func mark(w string) bool {
	for _, r := range w {
		if !unicode.IsPunct(r) {
			return false
		}
	}
	return !slices.Contains(commas, w)
}

var commas = []string{",", "、", "，", "،", "՝"}

// symbolic reports whether a token has symbols, or is an address.
func symbolic(w string) bool {
	if strings.Contains(w, "://") || strings.HasPrefix(strings.ToLower(w), "www.") {
		return true
	}
	for _, r := range w {
		if unicode.In(r, unicode.Sm, unicode.So, unicode.Sk) || strings.ContainsRune(`@#*\/_{}[]`, r) {
			return true
		}
	}
	return false
}

func hasLetter(w string) bool { return strings.ContainsFunc(w, unicode.IsLetter) }

// letters returns the number of letters of a word.
func letters(w string) (n int) {
	for _, r := range w {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// lastWord returns the last token that is no punctuation, or -1.
func lastWord(words []string) int {
	for i := len(words) - 1; i >= 0; i-- {
		if !mark(words[i]) {
			return i
		}
	}
	return -1
}

// Bag is the sorted set of the words of a sentence in lower case.
type Bag []string

// NewBag returns the set of words of a sentence.
func NewBag(words []string) Bag {
	var b Bag
	for _, w := range words {
		if hasLetter(w) {
			b = append(b, strings.ToLower(w))
		}
	}
	slices.Sort(b)
	return slices.Compact(b)
}

// Similarity returns the share of common words (Jaccard index). Two empty sets have 1.
func (b Bag) Similarity(o Bag) float64 {
	common := 0
	for i, j := 0, 0; i < len(b) && j < len(o); {
		switch strings.Compare(b[i], o[j]) {
		case 0:
			common++
			i++
			j++
		case -1:
			i++
		default:
			j++
		}
	}
	if all := len(b) + len(o) - common; all > 0 {
		return float64(common) / float64(all)
	}
	return 1
}
