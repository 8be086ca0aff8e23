package token

import (
	"strings"
	"sync"
	"unicode"

	"chaffinch/text/token/segment"

	"golang.org/x/text/language"
)

// Tokenizer splits text of one language into tokens and sentences by rules. It is safe for
// concurrent use.
type Tokenizer struct {
	name    string // name in the cache of tokenizers
	lang    string // language of the rules
	rules   *ruleSet
	words   *segment.Model // finds words in scripts without spaces; nil for none
	wrapped bool
}

// Config configures a tokenizer.
type Config struct {
	// Lang is a BCP 47 tag ("de", "pt-BR"). A language without specific rules, "" and "und" use
	// the rules for all languages.
	Lang string
	// Rules is the text of a rule file (docs/reference/formats/token-rules.md), added to the rules of the
	// language. RulesName names it in errors. Default: "rules".
	Rules, RulesName string
	// Words are models that find words in scripts without spaces between them. Each replaces
	// the embedded model of its language (docs/explanation/segment.md).
	Words []*segment.Model
	// NoWords disables the models: tokens are characters, runs and syllables.
	NoWords bool
	// Wrapped states that lines are wrapped. A single line break is then a blank, and only an
	// empty line ends a paragraph.
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

// For returns the tokenizer of a language, named by a BCP 47 tag ("de", "pt-BR", "zh-Hant"). A
// language without specific rules, "" and "und" use the rules for all languages. For never
// returns nil.
//
// Words of scripts without spaces need [chaffinch/model/data/segmenters]. In a program that does
// not import it, their tokens are as with Config.NoWords, and FindsWords reports false.
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

// baseOf returns the language whose rules and words apply to a tag.
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

// Lang returns the name of the rules of t: a language of [Languages] or "common".
func (t *Tokenizer) Lang() string { return t.lang }

// EndMark returns the ASCII character that ends sentences in the language in addition to the
// common ones, such as the semicolon in Greek; 0 for none.
func (t *Tokenizer) EndMark() byte { return t.rules.ends }

// FindsWords reports whether t has a model that finds words in scripts without spaces between
// them.
func (t *Tokenizer) FindsWords() bool { return t.words != nil }

// Words appends the tokens of text to dst and returns it: words, numbers, punctuation,
// everything except white space (see [IsSpace]). The spans are in order, do not overlap, are
// not empty and contain no white space. Each byte of text that is not white space is in one of
// them, including invalid UTF-8. The tokens and the white space between them are thus the text,
// byte for byte. Tokens without white space between them are adjacent ("glue").
//
// It allocates only to grow dst.
func (t *Tokenizer) Words(text string, dst []Span) []Span {
	s := scanner{rules: t.rules, words: t.words, text: text}
	var p piece
	for {
		if s.cut == s.cutn {
			dst = s.plainWords(dst)
		}
		if !s.next(&p) {
			return dst
		}
		dst = append(dst, Span{p.start, p.end})
	}
}

// Sentences appends the sentences of text to dst and returns it. The spans are in order, do not
// overlap, and begin and end with a token. Only white space is between them, and no token of
// Words crosses an end.
//
// It allocates only to grow dst.
func (t *Tokenizer) Sentences(text string, dst []Span) []Span {
	// Word ends in scripts without spaces do not matter.
	split := splitter{scan: scanner{rules: t.rules, text: text}, wrapped: t.wrapped, out: dst}
	var p piece
	for split.scan.next(&p) {
		split.push(&p)
	}
	split.flush()
	return split.out
}

// Split returns the results of Words and Sentences in one pass.
func (t *Tokenizer) Split(text string, words, sentences []Span) (w, s []Span) {
	split := splitter{scan: scanner{rules: t.rules, words: t.words, text: text}, wrapped: t.wrapped, out: sentences}
	var p piece
	for {
		if words = split.plainWords(words); !split.next(&p) {
			break
		}
		words = append(words, Span{p.start, p.end})
	}
	split.flush()
	return words, split.out
}

// SentenceWords appends the sentences of text to sentences, and to words the tokens that Words
// returns for each sentence without the text around it. Few of them differ from the tokens of
// the whole text, such as a sign at the start of a sentence.
func (t *Tokenizer) SentenceWords(text string, words, sentences []Span) (w, s []Span) {
	split := splitter{scan: scanner{rules: t.rules, text: text}, wrapped: t.wrapped, out: sentences}
	first, done := len(words), len(sentences) // the first token of the current sentence, and the sentences before it
	again := false                            // the sentence must be read again without the text around it
	var p piece
	for {
		words = split.plainWords(words)
		far := split.scan.far // of the current sentence
		more := split.next(&p)
		if !more {
			split.flush()
		}
		if done < len(split.out) {
			if s := split.out[done]; again || far > s.End || more && p.gap == glue {
				words = t.WordsIn(text, s, words[:first])
			}
			first, done, again = len(words), len(split.out), false
		}
		if !more {
			return words, split.out
		}
		if split.tokens == 1 { // glue matters to .net and -1
			again = p.start > 0 && (p.gap == glue || p.class == fullStop || p.class == dash || p.class == mixed)
		}
		again = again || t.words != nil && han <= p.class && p.class <= tibetan
		words = append(words, Span{p.start, p.end})
	}
}

// WordsIn appends the tokens that Words returns for a part of text, such as a sentence, with their
// spans in text.
func (t *Tokenizer) WordsIn(text string, s Span, dst []Span) []Span {
	first := len(dst)
	dst = t.Words(text[s.Start:s.End], dst)
	for i := first; i < len(dst); i++ {
		dst[i].Start += s.Start
		dst[i].End += s.Start
	}
	return dst
}

// IsSpace reports whether r is white space between tokens: Unicode white space (see
// [unicode.IsSpace]), the zero width space, which separates words in Thai, Lao, Khmer and
// Myanmar text, and the byte order mark. All other invisible characters belong to tokens.
func IsSpace(r rune) bool { return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' }
