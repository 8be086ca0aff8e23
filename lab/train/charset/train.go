// Package charset makes models of package charset from running text: it counts
// which letters follow each other in each language (docs/explanation/charset.md).
package charset

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"chaffinch/text/charset/alphabet"
)

// Config says how a model is made.
type Config struct {
	// Langs are the languages to learn, as BCP 47 tags; text in others is not
	// read. None means all that there is text in.
	Langs []string `json:"langs,omitempty"`
	// Entries is how many bigrams and trigrams of a language are kept.
	Entries int `json:"entries"`
	// MinLetters is the number of letters of text below which a language is
	// left out.
	MinLetters int `json:"min_letters"`
	// HoldOut leaves every so manieth line of a text out, to tune with; 0 none.
	HoldOut int `json:"hold_out"`
	// MaxBackoff1 and MaxBackoff2 bound, in bits, what a letter costs that
	// was not seen behind one or two others.
	MaxBackoff1 float64 `json:"max_backoff_1"`
	MaxBackoff2 float64 `json:"max_backoff_2"`
	// MaxFloor bounds the same for a letter that was not seen at all.
	MaxFloor float64 `json:"max_floor"`
}

// Default is the configuration of the embedded model. Its languages are
// those that have been written in other encodings than Unicode, as far as
// there is text.
var Default = Config{
	Langs: strings.Fields("af ar az be bg br bs ca cs cy da de el en eo es et eu fa fi fo fr fy ga gd gl he hr hsb hu id is it ja kk ko la lt lv " +
		"mk ms mt nb nl oc pl pt ro ru sk sl sq sr sr-Latn sv sw th tr uk ur vi zh-Hans zh-Hant"),
	Entries: 6000, MinLetters: 5000, HoldOut: 10, MaxBackoff1: 7, MaxBackoff2: 6, MaxFloor: 13,
}

// Trainer counts letters of text in UTF-8. Encodings need no training of their
// own: what a byte trigram is worth in one follows from the letters that the
// encoding reads it as.
type Trainer struct {
	cfg   Config
	wants map[string]bool
	langs map[string]*letterCounts
	signs signCounts
}

// letterCounts are the n-grams of letters of one language.
type letterCounts struct {
	lang string
	n    int
	uni  map[uint16]int
	bi   map[[2]uint16]int
	tri  map[[3]uint16]int
	used int // letters that went into the counts of symbols
}

// Check tells what is wrong with the settings.
func (cfg Config) Check() error {
	if cfg.Entries < 0 || cfg.MinLetters < 0 || cfg.HoldOut < 0 {
		return fmt.Errorf("train charset: negative number in %+v", cfg)
	}
	for _, l := range cfg.Langs {
		if Tag(l) == "" {
			return fmt.Errorf("train charset: %q is not a language: wanted a BCP 47 tag such as de or sr-Latn", l)
		}
	}
	return nil
}

// NewTrainer returns a trainer that has seen nothing.
func NewTrainer(cfg Config) (*Trainer, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	t := &Trainer{cfg: cfg, wants: map[string]bool{}, langs: map[string]*letterCounts{}}
	for _, l := range cfg.Langs {
		t.wants[Tag(l)] = true
	}
	t.signs.patterns()
	return t, nil
}

// Tag returns the BCP 47 tag under which text is counted: the language, and the
// script where a language has two. It reads tags as files have them ("pt_BR",
// "sr@latin", "ces", "zh-CN"); "" if it is none.
func Tag(name string) string {
	name = strings.ReplaceAll(name, "_", "-")
	if base, script, ok := strings.Cut(name, "@"); ok {
		name = base
		if strings.HasPrefix(script, "lat") {
			name += "-Latn"
		}
	}
	if a, ok := tagAliases[strings.ToLower(name)]; ok {
		return a
	}
	base, _, _ := strings.Cut(name, "-")
	if a, ok := tagAliases[strings.ToLower(base)]; ok {
		return a
	}
	tag, err := language.Parse(name)
	if err != nil {
		if tag, err = language.Parse(base); err != nil {
			return ""
		}
	}
	b, _ := tag.Base()
	s, _ := tag.Script()
	switch b := b.String(); {
	case b == "und" || b == "mul" || b == "zxx":
		return ""
	case b == "zh":
		return "zh-" + s.String()
	case b == "sr" && s.String() == "Latn":
		return "sr-Latn"
	case b == "no":
		return "nb"
	default:
		return b
	}
}

// tagAliases are names of texts that language.Parse takes for something else.
var tagAliases = map[string]string{"als": "sq", "arb": "ar", "sr-latn": "sr-Latn", "cmn-hans": "zh-Hans", "cmn-hant": "zh-Hant",
	"zh-hans": "zh-Hans", "zh-hant": "zh-Hant", "azj-latn": "az", "azj-cyrl": "", "bos-latn": "bs", "bos-cyrl": ""}

// Add counts the lines of r, which are in the language of a tag. It reports
// whether the language is wanted.
func (t *Trainer) Add(tag string, r io.Reader) (taken bool, err error) {
	lang := Tag(tag)
	if lang == "" || len(t.wants) > 0 && !t.wants[lang] {
		return false, nil
	}
	in := bufio.NewReaderSize(r, 1<<20)
	for i := 0; ; i++ {
		line, err := in.ReadSlice('\n') // a longer line counts as several
		if t.cfg.HoldOut == 0 || i%t.cfg.HoldOut != 0 {
			t.line(lang, string(line), i)
		}
		switch {
		case errors.Is(err, io.EOF):
			return true, nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return true, fmt.Errorf("train charset: %s: %w", tag, err)
		}
	}
}

// line counts one line in each way that its language writes it.
func (t *Trainer) line(lang, line string, i int) {
	line = strings.TrimSpace(line)
	if line == "" || !utf8.ValidString(line) {
		return
	}
	line = norm.NFC.String(line)
	if lang == "ro" {
		line = withComma.Replace(line)
	}
	c := t.counts(lang, lang)
	c.add(line)
	if c.used < 400_000 {
		c.used += len(line)
		t.signs.add(typographic(line, i))
	}
	if spell := spellings[lang]; spell != nil {
		t.counts(lang+" other", lang).add(spell(line))
	}
}

func (t *Trainer) counts(key, lang string) *letterCounts {
	c := t.langs[key]
	if c == nil {
		c = &letterCounts{lang: lang, uni: map[uint16]int{}, bi: map[[2]uint16]int{}, tri: map[[3]uint16]int{}}
		t.langs[key] = c
	}
	return c
}

// spellings turn text into what it is made to fit into an encoding.
var spellings = map[string]func(string) string{
	// windows-1258 has the five tones as combining marks.
	"vi": func(s string) string {
		var b strings.Builder
		for _, r := range s {
			d := []rune(norm.NFD.String(string(r)))
			for i := 1; i < len(d); i++ {
				switch d[i] {
				case 0x300, 0x301, 0x303, 0x309, 0x323:
					tone := d[i]
					b.WriteString(norm.NFC.String(string(append(append([]rune(nil), d[:i]...), d[i+1:]...))))
					b.WriteRune(tone)
					d = nil
				}
			}
			if d != nil {
				b.WriteRune(r)
			}
		}
		return b.String()
	},
	// Before ISO 8859-16 the cedilla stood for the comma.
	"ro": strings.NewReplacer("ș", "ş", "ț", "ţ", "Ș", "Ş", "Ț", "Ţ").Replace,
	// windows-1256 has no Persian yeh, and the Arabic kaf as well.
	"fa": strings.NewReplacer("ی", "ي", "ک", "ك").Replace,
	"ur": strings.NewReplacer("ی", "ي", "ک", "ك").Replace,
}

// withComma writes Romanian with the letters of its alphabet.
var withComma = strings.NewReplacer("ş", "ș", "ţ", "ț", "Ş", "Ș", "Ţ", "Ț")

// add counts the n-grams of letters of a line.
func (c *letterCounts) add(line string) {
	a, b := uint16(alphabet.Gap), uint16(alphabet.Gap)
	push := func(l uint16) {
		c.n++
		c.uni[l]++
		c.bi[[2]uint16{b, l}]++
		if !alphabet.Ideograph(a) && !alphabet.Ideograph(b) && !alphabet.Ideograph(l) {
			c.tri[[3]uint16{a, b, l}]++
		}
		a, b = b, l
	}
	for _, r := range line {
		l, _, _ := alphabet.LetterOf(r)
		push(l)
	}
	push(alphabet.Gap)
	push(alphabet.Gap)
}
