package ncleaner

import (
	"testing"

	"chaffinch/internal/testkit"
)

// The embedded pairs are what the pages of today give, but for changes in how
// pages are cut into blocks since they were made (docs/models/ncleaner.md has
// the command that makes them anew).
func TestEmbeddedIsCurrent(t *testing.T) {
	pages, err := ReadPages(t.Context(), testkit.Data(t, "eval/cleaneval-en-dev.tar.zst"), []string{"47"})
	if err != nil {
		t.Fatal(err)
	}
	for name, nonLexical := range map[string]bool{"en": false, "nonlexical": true} {
		m, err := open(name)
		if err != nil {
			t.Fatal(err)
		}
		cfg := m.ModelConfig
		if cfg.NonLexical != nonLexical || cfg.Unicode {
			t.Errorf("%s: %+v", name, cfg)
		}
		tr, err := NewTrainer(cfg, pages)
		if err != nil {
			t.Fatal(err)
		}
		now, err := tr.Model()
		if err != nil {
			t.Fatal(err)
		}
		same, all := 0, 0
		for _, x := range pages {
			for _, s := range RawSegments(x.Page) {
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
