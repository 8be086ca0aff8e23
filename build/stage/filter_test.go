package stage

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"chaffinch/filter"
	"chaffinch/internal/parallel"
	"chaffinch/internal/testkit/must"
	_ "chaffinch/model/data/segmenters"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// TestFilter drops a page by a rule, and labels a line bad that a rule takes out.
func TestFilter(t *testing.T) {
	build := func(config string) func(lang string, texts ...string) *page.Page {
		stages := must.Get(Build([]Step{{"filter", json.RawMessage(config)}}))(t)
		return func(lang string, texts ...string) *page.Page {
			p := &page.Page{Lang: lang}
			for _, s := range texts {
				p.Blocks = append(p.Blocks, page.Block{Text: s, Verdict: page.Verdict{Label: page.Good}})
			}
			must.Succeed(t, stages[0].Do(context.Background(), p))
			return p
		}
	}
	words := build(`{"use": ["gopher_quality"], "limits": {"gopher_quality.words": {"min": 4}}}`)
	if p := words("de", "Die Fähre legt ab."); p.Drop != page.None || p.Rule != "" || len(p.Notes) != 7 || p.Notes[0] != (page.Note{By: "filter/1", What: "gopher_quality.words", Value: 4}) {
		t.Errorf("dropped as %v by %q, notes %v", p.Drop, p.Rule, p.Notes)
	}
	if p := words("de", "Die Fähre."); p.Drop != page.Filtered || p.Rule != "gopher_quality.words 2 < 4" {
		t.Errorf("dropped as %v by %q", p.Drop, p.Rule)
	}
	lines := build(`{"use": ["c4"], "limits": {"c4.sentences": {}}}`)
	p := lines("en", "The ferry leaves at nine.[3]", "Home", "It comes back.")
	if b := p.Blocks[1]; b.Label != page.Bad || b.Reason != "c4.no_terminal_punctuation" || p.Blocks[0].Text != "The ferry leaves at nine.[3]" || p.Blocks[2].Label != page.Good {
		t.Errorf("blocks %+v", p.Blocks)
	}
	if p := lines("en", "Home", "About"); p.Drop != page.AllBad {
		t.Errorf("without lines dropped as %v", p.Drop)
	}
	if _, err := Build([]Step{{"filter", json.RawMessage(`{"use": ["c5"]}`)}}); err == nil {
		t.Error("unknown rules are no error")
	}
}

// TestFilterUnknownLanguage: a page in no language that can be named is filtered like any
// other.
func TestFilterUnknownLanguage(t *testing.T) {
	stages := must.Get(Options{Method: "keep", Filter: &filter.Config{Use: []string{"gopher_quality"}, C4: filter.DefaultC4}}.Build())(t)
	p := &page.Page{MIME: "text/plain", Raw: []byte("ꦲꦏ꧀ꦱꦫꦗꦮ ꦲꦤꦕꦫꦏ ꦢꦠꦱꦮꦭ")}
	must.Succeed(t, pipeline.Do(context.Background(), stages, p, 0))
	if p.Lang != page.UnknownLang || p.KnownLang() != "" || p.Drop != page.Filtered || !strings.HasPrefix(p.Rule, "gopher_quality.words 3 <") {
		t.Errorf("language %q, dropped as %v by %q", p.Lang, p.Drop, p.Rule)
	}
}

// TestFilterWorkers: pages of several workers do not see each other's results.
func TestFilterWorkers(t *testing.T) {
	stages := must.Get(Build([]Step{{"filter", json.RawMessage(`{"use": ["c4"], "limits": {"c4.sentences": {}}}`)}}))(t)
	parallel.Each(4, 2000, func(i int) {
		p, want := &page.Page{Lang: "en"}, page.None
		if i%2 == 0 {
			p.Blocks, want = []page.Block{{Text: "Home", Verdict: page.Verdict{Label: page.Good}}}, page.AllBad
		}
		if err := stages[0].Do(context.Background(), p); err != nil || p.Drop != want {
			t.Errorf("page %d dropped as %v: %v", i, p.Drop, err)
		}
	})
}
