package token

import (
	"strings"
	"sync"
	"unicode"

	"chaffinch/text/token/segment"

	"golang.org/x/text/language"
)

// Tokenizer cuts text of one language into tokens and sentences by rules. It is
// safe for concurrent use.
type Tokenizer struct {
	name    string // among tokenizers
	lang    string // of the rules
	rules   *ruleSet
	words   *segment.Model // finds words where no blanks part them; nil for none
	wrapped bool
}

// Config is what a tokenizer may be told.
type Config struct {
	// Lang is a BCP 47 tag ("de", "pt-BR"). A language without rules of its
	// own, "" and "und" get the rules for all languages.
	Lang string
	// Rules is the text of a rule file (docs/formats/token-rules.md), read
	// after those of the language; RulesName names it in errors.
	Rules, RulesName string
	// Words are models that find words in scripts without spaces between them;
	// each takes the place of the embedded one of its language
	// (docs/segment.md).
	Words []*segment.Model
	// NoWords says to find none: tokens are characters, runs and syllables.
	NoWords bool
	// Wrapped says that lines are broken where they are full: a single line
	// break is a blank then, only an empty line ends a sentence.
	Wrapped bool
}

// Default is the configuration of [For].
var Default = Config{}

// New returns the tokenizer of a configuration.
func New(cfg Config) (*Tokenizer, error) {
	t := *For(cfg.Lang)
	t.wrapped = cfg.Wrapped
	if m := cfg.wordsOf(cfg.Lang); m != nil {
		t.words = m
	}
	if cfg.NoWords {
		t.words = nil
	}
	if cfg.Rules != "" {
		r := readBuiltin(t.lang)
		name := cfg.RulesName
		if name == "" {
			name = "rules"
		}
		if err := r.read(name, cfg.Rules); err != nil {
			return nil, err
		}
		r.finish()
		t.rules = r
	}
	return &t, nil
}

var tokenizers sync.Map // language -> *Tokenizer

// For returns the tokenizer of a language, named by a BCP 47 tag ("de",
// "pt-BR", "zh-Hant"). A language without rules of its own, "" and "und" get
// the rules for all languages. It never returns nil.
func For(lang string) *Tokenizer {
	if t, ok := tokenizers.Load(lang); ok {
		return t.(*Tokenizer)
	}
	base := baseOf(lang)
	t := &Tokenizer{name: base, lang: base, rules: builtinRules(base), words: builtinWords(base)}
	if t.rules == builtinRules(commonRules) {
		t.lang = commonRules
		if t.words == nil {
			t.name = commonRules
		}
	}
	kept, _ := tokenizers.LoadOrStore(t.name, t)
	return kept.(*Tokenizer)
}

// baseOf returns the language whose rules and words a tag takes.
func baseOf(lang string) string {
	base, _, _ := strings.Cut(strings.ReplaceAll(lang, "_", "-"), "-")
	base = strings.ToLower(base)
	if len(base) == 3 { // the code of ISO 639-3 of a language that has one of two letters
		if b, err := language.ParseBase(base); err == nil {
			base = b.String()
		}
	}
	if a, ok := aliases[base]; ok {
		base = a
	}
	return base
}

// Lang names the rules that t holds: a language of [Languages] or "common".
func (t *Tokenizer) Lang() string { return t.lang }

// EndMark returns the ASCII character that ends sentences in the language beside those that
// do so everywhere, such as the semicolon in Greek; 0 for none.
func (t *Tokenizer) EndMark() byte { return t.rules.ends }

// FindsWords reports whether t has a model that finds words in scripts without
// spaces between them.
func (t *Tokenizer) FindsWords() bool { return t.words != nil }

// Words appends the tokens of text to dst and returns it: words, numbers,
// punctuation, everything that is not white space (see [IsSpace]). The spans
// are in order, do not overlap, are not empty and hold no white space, and
// each byte of text that is not white space lies in one of them, invalid UTF-8
// too. So the tokens and the white space between them are the text, byte for
// byte; two tokens with nothing between them stand together ("glue").
//
// It allocates nothing but room in dst.
func (t *Tokenizer) Words(text string, dst []Span) []Span {
	s := scanner{rules: t.rules, words: t.words, text: text}
	var p piece
	for s.next(&p) {
		dst = append(dst, Span{p.start, p.end})
	}
	return dst
}

// Sentences appends the sentences of text to dst and returns it. The spans are
// in order, do not overlap, and begin and end with a token; only white space
// lies between them, and no token of Words crosses an end.
//
// It allocates nothing but room in dst.
func (t *Tokenizer) Sentences(text string, dst []Span) []Span {
	s := scanner{rules: t.rules, text: text} // where words end in a script without spaces does not matter
	split := splitter{scan: &s, wrapped: t.wrapped, out: dst}
	var p piece
	for s.next(&p) {
		split.push(&p)
	}
	split.flush()
	return split.out
}

// Split is Words and Sentences in one go.
func (t *Tokenizer) Split(text string, words, sentences []Span) (w, s []Span) {
	scan := scanner{rules: t.rules, words: t.words, text: text}
	split := splitter{scan: &scan, wrapped: t.wrapped, out: sentences}
	var p piece
	for scan.next(&p) {
		words = append(words, Span{p.start, p.end})
		split.push(&p)
	}
	split.flush()
	return words, split.out
}

// IsSpace reports whether r is white space between tokens: the white space of
// Unicode (as [unicode.IsSpace]), the zero width space, which parts words in
// Thai, Lao, Khmer and Myanmar text, and the byte order mark. All other
// invisible characters belong to tokens.
func IsSpace(r rune) bool { return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' }
