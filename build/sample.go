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

// Sample is something that a step took out.
type Sample struct {
	Reason string `json:"reason"`
	ID     string `json:"id"`
	URL    string `json:"url,omitempty"`
	Lang   string `json:"lang,omitempty"`
	// First is the page that has the text too, and stays.
	First string `json:"first,omitempty"`
	// Limit is the value and the limit of the rule that it broke.
	Limit string `json:"limit,omitempty"`
	Text  string `json:"text"`
	Words int64  `json:"words"`
	// More tells that Text is the beginning alone.
	More bool `json:"more,omitempty"`

	rank uint64
}

// Bounds of the samples.
const (
	samplesOfReason = 6
	sampleBytes     = 600
	sampledReasons  = 40
)

// sampler holds the samples of a reason: those whose ids have the smallest hashes,
// so that they depend on no order.
type sampler struct {
	items []Sample
}

// excerpt is text of a page that was taken out for one reason.
type excerpt struct {
	Amount
	first string
	limit string
	text  strings.Builder // as much as a sample shows, and a byte more if there is more
}

// add adds the text of a block.
func (x *excerpt) add(text string, a Amount) {
	x.Amount.add(a, 1)
	if room := sampleBytes + 1 - x.text.Len(); room > 0 {
		if x.text.Len() > 0 {
			x.text.WriteByte('\n')
		}
		for len(text) > room && room > 0 && !utf8.RuneStart(text[room]) {
			room--
		}
		x.text.WriteString(text[:min(len(text), room)])
	}
}

// sample offers what was taken out of a page as a sample.
func (t *tally) sample(why string, r *record, x *excerpt) {
	s := t.samples[why]
	if s == nil {
		if len(t.samples) >= sampledReasons {
			return
		}
		s = &sampler{}
		t.samples[why] = s
	}
	rank := xxh3.HashString(r.ID)
	if len(s.items) == samplesOfReason && rank >= s.items[samplesOfReason-1].rank {
		return
	}
	text := x.text.String()
	more := len(text) > sampleBytes
	if more {
		cut := sampleBytes
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut]
	}
	s.items = append(s.items, Sample{Reason: why, ID: r.ID, URL: r.URL, Lang: r.Lang, First: x.first, Limit: x.limit, Text: text, Words: x.Words, More: more, rank: rank})
	sorts.StableFunc(s.items, func(a, b Sample) int { return cmp.Or(cmp.Compare(a.rank, b.rank), strings.Compare(a.ID, b.ID)) })
	s.items = s.items[:min(len(s.items), samplesOfReason)]
}

// addShard adds what went through the step in another shard. Of the words that stand out
// only those are known that did so in a shard.
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
