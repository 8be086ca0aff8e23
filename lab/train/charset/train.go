// Package charset trains models of package charset on running text with a [Trainer]: it counts the
// sequences of letters in each language (docs/explanation/charset.md).
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

// Config configures the training of a model.
type Config struct {
	// Langs lists the languages of the model as BCP 47 tags; other text is skipped. Default: all
	// languages with text.
	Langs []string `json:"langs,omitempty"`
	// Entries is the number of bigrams and trigrams of a language.
	Entries int `json:"entries"`
	// MinLetters is the minimum number of letters of text of a language.
	MinLetters int `json:"min_letters"`
	// HoldOut holds out every n-th line of a text for tuning; 0 holds out none.
	HoldOut int `json:"hold_out"`
	// MaxBackoff1 and MaxBackoff2 limit the cost in bits of a letter that was not seen after one or
	// two others.
	MaxBackoff1 float64 `json:"max_backoff_1"`
	MaxBackoff2 float64 `json:"max_backoff_2"`
	// MaxFloor limits the cost in bits of a letter that was not seen at all.
	MaxFloor float64 `json:"max_floor"`
}

// Default is the configuration of the embedded model. Its languages are those that have been
// written in encodings other than Unicode, as far as there is text.
var Default = Config{
	Langs: strings.Fields("af ar az be bg br bs ca cs cy da de el en eo es et eu fa fi fo fr fy ga gd gl he hr hsb hu id is it ja kk ko la lt lv " +
		"mk ms mt nb nl oc pl pt ro ru sk sl sq sr sr-Latn sv sw th tr uk ur vi zh-Hans zh-Hant"),
	Entries: 6000, MinLetters: 5000, HoldOut: 10, MaxBackoff1: 7, MaxBackoff2: 6, MaxFloor: 13,
}

// Trainer counts letters of UTF-8 text. Encodings need no separate training: the weight of a byte
// trigram follows from the letters that the encoding decodes it to.
type Trainer struct {
	cfg   Config
	wants map[string]bool
	langs map[string]*letterCounts
	signs signCounts
}

// letterCounts holds the n-grams of letters of one language.
type letterCounts struct {
	lang string
	n    int
	uni  map[uint16]int
	bi   map[[2]uint16]int
	tri  map[[3]uint16]int
	used int // letters included in the counts of symbols
}

// Check returns an error if the settings are invalid.
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

// NewTrainer returns a trainer without text.
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

// Tag returns the BCP 47 tag under which text is counted: the language, and the script if a
// language has two. It accepts tags as in file names ("pt_BR", "sr@latin", "ces", "zh-CN") and
// returns "" for other names.
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

// tagAliases maps names of texts that language.Parse misinterprets.
var tagAliases = map[string]string{"als": "sq", "arb": "ar", "sr-latn": "sr-Latn", "cmn-hans": "zh-Hans", "cmn-hant": "zh-Hant",
	"zh-hans": "zh-Hans", "zh-hant": "zh-Hant", "azj-latn": "az", "azj-cyrl": "", "bos-latn": "bs", "bos-cyrl": ""}

// Add counts the lines of r in the language of a tag. taken reports whether the language is used.
func (t *Trainer) Add(tag string, r io.Reader) (taken bool, err error) {
	lang := Tag(tag)
	if lang == "" || len(t.wants) > 0 && !t.wants[lang] {
		return false, nil
	}
	in := bufio.NewReaderSize(r, 1<<20)
	for i := 0; ; i++ {
		line, err := in.ReadSlice('\n') // a longer line counts as several lines
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

// line counts a line in each spelling of its language.
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

// spellings maps languages to replacements made for an encoding.
var spellings = map[string]func(string) string{
	// windows-1258 encodes the five tones as combining marks.
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
	// Before ISO 8859-16 the cedilla was used instead of the comma.
	"ro": strings.NewReplacer("ș", "ş", "ț", "ţ", "Ș", "Ş", "Ț", "Ţ").Replace,
	// windows-1256 has no Persian yeh, and has the Arabic kaf.
	"fa": strings.NewReplacer("ی", "ي", "ک", "ك").Replace,
	"ur": strings.NewReplacer("ی", "ي", "ک", "ك").Replace,
}

// withComma replaces letters with the letters of the Romanian alphabet.
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
