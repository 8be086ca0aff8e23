package token

import "sync"

// Family holds tokenizers of all languages with the same additional rules. It is safe for
// concurrent use. A nil Family is equivalent to [For].
type Family struct {
	cfg    Config
	byName sync.Map // name of a tokenizer -> *Tokenizer
}

// NewFamily returns the family of a configuration. cfg.Lang is ignored.
func NewFamily(cfg Config) (*Family, error) {
	cfg.Lang = ""
	if _, err := New(cfg); err != nil { // errors do not depend on the language
		return nil, err
	}
	return &Family{cfg: cfg}, nil
}

// For returns the tokenizer of a language, named as in [For]. It never returns nil.
func (f *Family) For(lang string) *Tokenizer {
	t := For(lang)
	if f == nil {
		return t
	}
	name := t.name
	if m := f.cfg.wordsOf(lang); m != nil {
		name = baseOf(lang)
	}
	if own, ok := f.byName.Load(name); ok {
		return own.(*Tokenizer)
	}
	cfg := f.cfg
	cfg.Lang = name
	own, err := New(cfg)
	if err != nil {
		panic(err) // NewFamily has read the same rules
	}
	kept, _ := f.byName.LoadOrStore(name, own)
	return kept.(*Tokenizer)
}
