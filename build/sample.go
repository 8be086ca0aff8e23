package build

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"chaffinch/internal/merge"
	"chaffinch/internal/sorts"
)

// Sample is an example of text that a step removed.
type Sample struct {
	Reason string `json:"reason"`
	ID     string `json:"id"`
	URL    string `json:"url,omitempty"`
	Lang   string `json:"lang,omitempty"`
	// First is the kept page with the same text.
	First string `json:"first,omitempty"`
	// Limit is the value and the limit of the rule that dropped the page.
	Limit string `json:"limit,omitempty"`
	Text  string `json:"text"`
	Words int64  `json:"words"`
	// More indicates that Text is truncated.
	More bool `json:"more,omitempty"`

	rank uint64
}

// Bounds of the samples.
const (
	samplesOfReason = 6
	sampleBytes     = 600
	sampledReasons  = 40
)

// sampler holds the samples of a reason. It selects the ids with the smallest hashes, so
// that the selection does not depend on the order of input.
type sampler struct {
	items []Sample
}

// sample adds text removed from a page to the samples of its reason, if its hash is small
// enough.
func (t *tally) sample(d *digest, r *removal) {
	s := t.samples[r.Why]
	if s == nil {
		if len(t.samples) >= sampledReasons {
			return
		}
		s = &sampler{}
		t.samples[r.Why] = s
	}
	rank := xxh3.HashString(d.ID)
	if len(s.items) == samplesOfReason && rank >= s.items[samplesOfReason-1].rank {
		return
	}
	text := r.Text
	more := len(text) > sampleBytes
	if more {
		cut := sampleBytes
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut]
	}
	s.items = append(s.items, Sample{Reason: r.Why, ID: d.ID, URL: d.URL, Lang: d.Lang, First: r.First, Limit: r.Limit, Text: text, Words: r.Words, More: more, rank: rank})
	sorts.StableFunc(s.items, func(a, b Sample) int { return cmp.Or(cmp.Compare(a.rank, b.rank), strings.Compare(a.ID, b.ID)) })
	s.items = s.items[:min(len(s.items), samplesOfReason)]
}

// addShard adds the counts of another shard. Keywords are merged only from the lists of the
// shards; their scores are not computed again.
func (f *Flow) addShard(o *Flow) {
	merge.Add(f, o)
	f.Samples = append(f.Samples, o.Samples...)
	for i := range f.Samples {
		f.Samples[i].rank = xxh3.HashString(f.Samples[i].ID)
	}
	sorts.StableFunc(f.Samples, func(a, b Sample) int {
		return cmp.Or(strings.Compare(a.Reason, b.Reason), cmp.Compare(a.rank, b.rank), strings.Compare(a.ID, b.ID))
	})
	all := f.Samples
	f.Samples = nil
	for i := range all {
		if i < samplesOfReason || all[i-samplesOfReason].Reason != all[i].Reason {
			f.Samples = append(f.Samples, all[i])
		}
	}
	words := map[string]*Keyword{}
	for _, k := range slices.Concat(f.Keywords, o.Keywords) {
		if w := words[k.Word]; w != nil {
			w.Removed, w.Kept, w.Score = w.Removed+k.Removed, w.Kept+k.Kept, max(w.Score, k.Score)
		} else {
			words[k.Word] = &k
		}
	}
	f.Keywords = f.Keywords[:0]
	for _, w := range words {
		f.Keywords = append(f.Keywords, *w)
	}
	sortKeywords(f.Keywords)
	f.Keywords = f.Keywords[:min(len(f.Keywords), keywordRows)]
}

func (s *sampler) list() []Sample { return s.items }
