package corpus

import (
	"context"
	"slices"
	"sync"

	"chaffinch/internal/sorts"
)

// vocabularyOfShards holds what simple queries and examples need to know about all shards.
type vocabularyOfShards struct {
	mu    sync.Mutex
	langs []string // nil: not known
	rare  map[int]int64
}

// Whole returns the shards without a selected part.
func (s *Shards) Whole() *Shards {
	all := *s
	all.where, all.parts = "", nil
	return &all
}

// attrs returns the names of the attributes of tokens.
func (s *Shards) attrs() []string { return attrNames(s.sizes[0].Info) }

// cql translates a simple query as one index of all documents does. An invalid one is returned unchanged:
// each shard returns its error.
func (s *Shards) cql(ctx context.Context, query string) (string, error) {
	langs, err := s.languages(ctx)
	if err != nil {
		return "", err
	}
	cql, invalid := simpleQuery(query, slices.Contains(s.attrs(), "lemma"), func(text string) []string {
		return tokensIn(text, langs, func(words []string) bool {
			if err != nil {
				return true
			}
			var known bool
			known, err = s.has(ctx, slices.Clone(words))
			return known
		})
	})
	if invalid != nil {
		return query, err
	}
	return cql, err
}

// has reports whether words occur in the corpus, in any case.
func (s *Shards) has(ctx context.Context, words []string) (bool, error) {
	attr := s.attrs()[0]
	if slices.Contains(s.attrs(), "lc") {
		attr = "lc"
		for i, w := range words {
			words[i] = lower(w)
		}
	}
	freqs, err := s.Frequencies(ctx, attr, words)
	return !slices.Contains(freqs, 0), err
}

// languages returns the languages of the documents, as [Corpus.languages] does.
func (s *Shards) languages(ctx context.Context) ([]string, error) {
	s.known.mu.Lock()
	defer s.known.mu.Unlock()
	if s.known.langs != nil {
		return s.known.langs, nil
	}
	sum := map[string]int64{}
	found := false
	all, err := s.Whole().askEach(ctx, func(i int) *Request {
		doc, attr := s.structure(i, "doc")
		if doc == nil {
			return nil
		}
		if !attr("lang") {
			sum[""] += int64(doc.Count)
			return nil
		}
		found = true
		return &Request{Op: OpParts, By: "doc.lang"}
	})
	if err != nil {
		return nil, err
	}
	langs := []string{}
	err = s.eachRow(all, func(_ int, row Row) error {
		sum[row.Key[0]] += row.N[0]
		return nil
	})
	if err != nil {
		return nil, err
	}
	if found {
		langs = append(langs, sorts.ByValue(sum)...)
		langs = langs[:min(len(langs), maxHintLangs)]
	}
	s.known.langs = append(langs, "")
	return s.known.langs, nil
}

// structure returns the description of the structures of a name in shard i, or nil if there are none. attr reports
// whether they have an attribute.
func (s *Shards) structure(i int, name string) (x *StructureInfo, attr func(name string) bool) {
	list := s.sizes[i].Info.Structures
	k := slices.IndexFunc(list, func(y StructureInfo) bool { return y.Name == name })
	if k < 0 {
		return nil, nil
	}
	x = &list[k]
	return x, func(name string) bool {
		return slices.ContainsFunc(x.Attributes, func(a AttributeInfo) bool { return a.Name == name })
	}
}
