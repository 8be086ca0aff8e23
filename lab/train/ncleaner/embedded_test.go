package ncleaner

import (
	"fmt"
	"testing"

	"chaffinch/clean/ncleaner"
	"chaffinch/internal/cputime"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/model/data"
)

// The embedded pairs are what the pages of today give, but for changes in how
// pages are cut into blocks since they were made (docs/reference/models/ncleaner.md has
// the command that makes them anew).
func TestEmbeddedIsCurrent(t *testing.T) {
	pages := must.Get(ReadPages(t.Context(), testkit.Data(t, "eval/cleaneval-en-dev.tar.zst"), []string{"47"}))(t)
	for name, nonLexical := range map[string]bool{"en": false, "nonlexical": true} {
		b := data.NCleanerEnglish
		if nonLexical {
			b = data.NCleanerNonLexical
		}
		m := must.Get(ncleaner.Parse(name, b))(t)
		cfg := m.ModelConfig
		if cfg.NonLexical != nonLexical || cfg.Unicode {
			t.Errorf("%s: %+v", name, cfg)
		}
		tr := must.Get(NewTrainer(cfg, pages))(t)
		now := must.Get(tr.Model())(t)
		same, all := 0, 0
		for _, x := range pages {
			for _, s := range ncleaner.PageSegments(x.Page) {
				all++
				if (m.PerChar(s) >= 0) == (now.PerChar(s) >= 0) {
					same++
				}
			}
		}
		if all < 5000 || same*1000 < all*995 {
			t.Errorf("%s: the pair of today's pages agrees on %d of %d segments, wanted 99.5%%: make it anew", name, same, all)
		}
	}
}

// BenchmarkPages scores all segments of the development pages: with the
// embedded pairs (tables), and with longer n-grams (hash tables).
func BenchmarkPages(b *testing.B) {
	pages := must.Get(ReadPages(b.Context(), testkit.Data(b, "eval/cleaneval-en-dev.tar.zst"), []string{"47"}))(b)
	var segs []string
	size := 0
	for _, x := range pages {
		for _, s := range ncleaner.PageSegments(x.Page) {
			segs = append(segs, s)
			size += len(s)
		}
	}
	for _, cfg := range []ncleaner.ModelConfig{{N: 3, Q: .5}, {N: 3, Q: .5, NonLexical: true}, {N: 3, Q: .5, Unicode: true, MinRune: 10}, {N: 4, Q: .5}, {N: 5, Q: .5}, {N: 8, Q: .7}} {
		tr := must.Get(NewTrainer(cfg, pages))(b)
		m := must.Get(tr.Model())(b)
		b.Run(fmt.Sprintf("n=%d,unicode=%v,nonlexical=%v", cfg.N, cfg.Unicode, cfg.NonLexical), func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			from := cputime.Used()
			for b.Loop() {
				for _, s := range segs {
					m.Score(s)
				}
			}
			b.ReportMetric(float64(size)*float64(b.N)/1e6/(cputime.Used()-from).Seconds(), "cpu-MB/s")
		})
	}
}
