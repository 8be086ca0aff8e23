package stage_test

import (
	"context"
	"testing"

	"chaffinch/build/stage"
	"chaffinch/format/markdown"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestTitle puts the title first where the kept text lacks it, once.
func TestTitle(t *testing.T) {
	stages := must.Get(stage.Build([]stage.Step{{Stage: "extract", Config: []byte(`{"inline":true}`)}, {Stage: "title"}}))(t)
	for _, c := range []struct{ name, html, bad, want string }{
		{"lacking", `<title>How locks work</title><p>Water rises.<img src=a.png><p>x`, "", "# How locks work\n\nWater rises. ![](a.png)\n\nx\n"},
		{"there", `<title>How locks work</title><h2>How Locks work?</h2><p>Water rises.`, "", "## How Locks work?\n\nWater rises.\n"},
		{"there, with more", `<title>Locks | Canals</title><meta property="og:site_name" content="Canals"><h2>Locks: a guide</h2><p>Water rises.`, "", "## Locks: a guide\n\nWater rises.\n"},
		{"in a long block only", `<title>Locks</title><p>Water rises in locks, and it has to fall again when the boat has left and the lower gates are shut.`, "",
			"# Locks\n\nWater rises in locks, and it has to fall again when the boat has left and the lower gates are shut.\n"},
		{"its heading was dropped", `<title>How locks work</title><h2>How locks work</h2><p>Menu<p>Water rises.`, "How locks work", "## How locks work\n\nMenu\n\nWater rises.\n"},
		{"its heading was dropped behind other text", `<title>How locks work</title><p>Menu<h2>How locks work</h2><p>Water rises.`, "How locks work", "# How locks work\n\nMenu\n\nWater rises.\n"},
		{"none", `<p>Water rises.`, "", "Water rises.\n"},
		{"nothing kept", `<title>How locks work</title><p>Menu`, "drop", ""},
	} {
		p := &page.Page{HTML: c.html, MIME: "text/html"}
		for i, s := range stages {
			must.Succeed(t, s.Do(context.Background(), p))
			if i > 0 {
				continue
			}
			for k := range p.Blocks {
				p.Blocks[k].Label = page.Good
				if p.Blocks[k].Text == c.bad {
					p.Blocks[k].Label = page.Bad
				}
			}
			if c.bad == "drop" {
				p.Drop = page.AllBad
			}
		}
		if got := string(markdown.Encoder{}.Append(nil, p)); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
	if _, err := stage.Build([]stage.Step{{Stage: "title", Config: []byte(`{"x":1}`)}}); err == nil {
		t.Error("an unknown setting is no error")
	}
}
