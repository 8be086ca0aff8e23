package ncleaner

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/fnv"
	"io"
	"math/bits"
	"slices"

	"chaffinch/page"
)

// Example is one page to learn from: the page with its blocks, and the
// segments of its clean text. A clean segment need not be a block; only counts
// are compared (differential training, section 3).
type Example struct {
	Page  *page.Page
	Clean []string
}

// Trainer holds the n-gram counts of a collection of examples, so that models
// of all of them, or of all but some, can be made without reading them again.
type Trainer struct {
	cfg   ModelConfig
	a     *alphabet
	pages []counted
	raw   *counts // of all pages
	clean *counts
	sum   hash.Hash
}

type counted struct {
	page       *page.Page
	raw, clean *counts
}

// NewTrainer counts the n-grams of examples for models of cfg.
func NewTrainer(cfg ModelConfig, examples []Example) (*Trainer, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	if len(examples) == 0 {
		return nil, errors.New("ncleaner: no pages to learn from")
	}
	var runes []rune
	if cfg.Unicode {
		seen := map[rune]int{}
		for _, x := range examples {
			for r, n := range runeCounts(rawSegments(x.Page)) {
				seen[r] += n
			}
		}
		plain, err := newAlphabet(true, cfg.NonLexical, nil)
		if err != nil {
			return nil, err
		}
		runes = learnRunes(seen, cfg.NonLexical, cfg.MinRune, symbolsFor(cfg.N)-plain.size)
	}
	a, err := newAlphabet(cfg.Unicode, cfg.NonLexical, runes)
	if err != nil {
		return nil, fmt.Errorf("ncleaner: %w", err)
	}
	t := &Trainer{cfg: cfg, a: a, raw: newCounts(cfg.N), clean: newCounts(cfg.N), sum: sha256.New()}
	for _, x := range examples {
		p := counted{x.Page, newCounts(cfg.N), newCounts(cfg.N)}
		raw := rawSegments(x.Page)
		for _, s := range raw {
			p.raw.segment(a, s)
		}
		for _, s := range x.Clean {
			p.clean.segment(a, s)
		}
		t.raw.add(p.raw)
		t.clean.add(p.clean)
		t.pages = append(t.pages, p)
		digest(t.sum, x.Page.ID, raw, x.Clean)
	}
	return t, nil
}

// symbolsFor returns the greatest alphabet whose n-grams fit 64 bits.
func symbolsFor(n int) int { return min(maxSymbols, 1<<(64/n)) }

// digest adds a page to the hash of the training data.
func digest(w io.Writer, id string, raw, clean []string) {
	fmt.Fprintf(w, "page %q\n", id)
	for _, s := range raw {
		fmt.Fprintf(w, "raw %q\n", s)
	}
	for _, s := range clean {
		fmt.Fprintf(w, "clean %q\n", s)
	}
}

// DataSHA256 returns the SHA-256 of the examples in the order given, for the
// header of the model file.
func (t *Trainer) DataSHA256() string { return hex.EncodeToString(t.sum.Sum(nil)) }

// Model returns the pair of all pages: the clean model of the clean texts, the
// dirty model of the differential counts raw - clean.
func (t *Trainer) Model() (*Model, error) { return t.Without(nil) }

// Without returns the pair of all pages but those held out.
func (t *Trainer) Without(held []int) (*Model, error) {
	raw, clean := t.raw, t.clean
	if len(held) > 0 {
		raw, clean = raw.clone(), clean.clone()
		for _, i := range held {
			raw.sub(t.pages[i].raw)
			clean.sub(t.pages[i].clean)
		}
	}
	return newModel(t.cfg, t.a, clean, raw.minus(clean))
}

// CrossValidate calls fn for each page, fold by fold, with a pair that was
// trained on the pages of the other folds only.
func (t *Trainer) CrossValidate(folds int, fn func(p *page.Page, m *Model) error) error {
	for _, held := range t.Folds(folds) {
		m, err := t.Without(held)
		if err != nil {
			return err
		}
		for _, i := range held {
			if err := fn(t.pages[i].page, m); err != nil {
				return err
			}
		}
	}
	return nil
}

// Folds deals the pages to k folds by the hash (FNV-1a, 64 bits) of their ids:
// the page with the lowest hash to the first fold, and so on in turn. Folds
// depend neither on the order of the pages nor on chance.
func (t *Trainer) Folds(k int) [][]int {
	k = max(1, min(k, len(t.pages)))
	order := make([]int, len(t.pages))
	key := make([]uint64, len(t.pages))
	for i, p := range t.pages {
		h := fnv.New64a()
		io.WriteString(h, p.page.ID)
		order[i], key[i] = i, bits.Reverse64(h.Sum64())
	}
	slices.SortFunc(order, func(x, y int) int {
		return cmp.Or(cmp.Compare(key[x], key[y]), cmp.Compare(t.pages[x].page.ID, t.pages[y].page.ID))
	})
	folds := make([][]int, k)
	for i, p := range order {
		folds[i%k] = append(folds[i%k], p)
	}
	return folds
}

// Stats are the sizes of what was learned from.
type Stats struct {
	Pages      int   `json:"pages"`
	RawChars   int64 `json:"raw_chars"`   // with one boundary for each segment
	CleanChars int64 `json:"clean_chars"` // likewise
	Symbols    int   `json:"symbols"`
	CleanGrams int   `json:"clean_grams"` // distinct
	DirtyGrams int   `json:"dirty_grams"`
}

// Stats returns the sizes for the pair of all pages.
func (t *Trainer) Stats() Stats {
	return Stats{len(t.pages), t.raw.total(), t.clean.total(), t.a.size,
		len(t.clean.grams), len(t.raw.minus(t.clean).grams)}
}
