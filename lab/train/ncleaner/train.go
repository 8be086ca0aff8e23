// Package ncleaner estimates pairs of models for the method ncleaner (clean/ncleaner) from pages
// and their clean text with a [Trainer], and computes the curves for choosing their parameters with
// [Trainer.Tune]. Sections and figures refer to the paper cited in package clean/ncleaner.
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
	"maps"
	"math/bits"
	"slices"

	"chaffinch/clean/ncleaner"
	"chaffinch/page"
)

// Example is a training page: the page with its blocks, and the segments of its clean text. A clean
// segment need not be a block; only counts are compared (differential training, section 3).
type Example struct {
	Page  *page.Page
	Clean []string
}

// Trainer holds the n-gram counts of examples, from which models of all examples, or all except
// some, can be computed without reading them again.
type Trainer struct {
	cfg   ncleaner.ModelConfig
	a     *ncleaner.Alphabet
	pages []counted
	raw   ncleaner.Counts // of all pages
	clean ncleaner.Counts
	sum   hash.Hash
}

type counted struct {
	page       *page.Page
	raw, clean ncleaner.Counts
}

// NewTrainer counts the n-grams of examples for models of cfg.
func NewTrainer(cfg ncleaner.ModelConfig, examples []Example) (*Trainer, error) {
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
			for r, n := range runeCounts(ncleaner.PageSegments(x.Page)) {
				seen[r] += n
			}
		}
		plain, err := ncleaner.NewAlphabet(true, cfg.NonLexical, nil)
		if err != nil {
			return nil, err
		}
		runes = learnRunes(seen, cfg.NonLexical, cfg.MinRune, symbolsFor(cfg.N)-plain.Size())
	}
	a, err := ncleaner.NewAlphabet(cfg.Unicode, cfg.NonLexical, runes)
	if err != nil {
		return nil, fmt.Errorf("ncleaner: %w", err)
	}
	t := &Trainer{cfg: cfg, a: a, raw: ncleaner.Counts{}, clean: ncleaner.Counts{}, sum: sha256.New()}
	for _, x := range examples {
		p := counted{x.Page, ncleaner.Counts{}, ncleaner.Counts{}}
		raw := ncleaner.PageSegments(x.Page)
		for _, s := range raw {
			segment(p.raw, a, cfg.N, s)
		}
		for _, s := range x.Clean {
			segment(p.clean, a, cfg.N, s)
		}
		add(t.raw, p.raw)
		add(t.clean, p.clean)
		t.pages = append(t.pages, p)
		digest(t.sum, x.Page.ID, raw, x.Clean)
	}
	return t, nil
}

// symbolsFor returns the size of the largest alphabet whose n-grams fit into 64 bits.
func symbolsFor(n int) int { return min(ncleaner.MaxSymbols, 1<<(64/n)) }

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

// DataSHA256 returns the SHA-256 of the examples in the given order, for the header of the model
// file.
func (t *Trainer) DataSHA256() string { return hex.EncodeToString(t.sum.Sum(nil)) }

// Model returns the pair of models of all pages: the clean model of the clean texts, and the dirty
// model of the differential counts raw - clean.
func (t *Trainer) Model() (*ncleaner.Model, error) { return t.Without(nil) }

// Without returns the pair of models of all pages except held.
func (t *Trainer) Without(held []int) (*ncleaner.Model, error) {
	raw, clean := t.raw, t.clean
	if len(held) > 0 {
		raw, clean = maps.Clone(raw), maps.Clone(clean)
		for _, i := range held {
			sub(raw, t.pages[i].raw)
			sub(clean, t.pages[i].clean)
		}
	}
	return ncleaner.NewModel(t.cfg, t.a, clean, minus(raw, clean))
}

// CrossValidate calls fn for each page, fold by fold, with a pair trained on the pages of the other
// folds.
func (t *Trainer) CrossValidate(folds int, fn func(p *page.Page, m *ncleaner.Model) error) error {
	for _, held := range t.folds(folds) {
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

// folds assigns the pages to k folds by the hash (FNV-1a, 64 bits) of their ids: the page with the
// lowest hash to the first fold, and so on in turn. Folds depend neither on the order of the pages
// nor on chance.
func (t *Trainer) folds(k int) [][]int {
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

// Stats holds the sizes of the training data.
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
	return Stats{len(t.pages), total(t.raw), total(t.clean), t.a.Size(), len(t.clean), len(minus(t.raw, t.clean))}
}
