package gold

import (
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestCountSites: pages of a site are found by what meta.jsonl says, across sets,
// and by what they say themselves.
func TestCountSites(t *testing.T) {
	frame := "<p>All rights are with the village."
	a := write(t, "a", map[string]string{
		"html/1.html": "<p>The first text of them all." + frame, "gold/1.txt": "The first text of them all.",
		"html/2.html": "<p>A second one, of another day." + frame, "gold/2.txt": "A second one, of another day.",
		"html/3.html": "<p>On a page without address." + frame, "gold/3.txt": "On a page without address.",
		"meta.jsonl": "{\"id\":\"1\",\"url\":\"http://www.village.org/1\"}\n{\"id\":\"2\",\"host\":\"village.org\"}\n{\"id\":\"3\"}\n",
	})
	b := write(t, "b", map[string]string{
		"html/4.html": "<link rel=canonical href='https://village.org/4'><p>The last one, in another set." + frame, "gold/4.txt": "The last one, in another set.",
		"meta.jsonl": "{\"id\":\"4\"}\n",
	})
	c := collect(t, CollectConfig{}, a, b)
	must.Succeed(t, c.CountSites(t.TempDir()))
	for _, it := range c.Items {
		want := 2
		if it.Gold.ID == "3" {
			want = 0
		}
		own, frame := it.Page.Blocks[0].Repeats.Text, it.Page.Blocks[1].Repeats.Text
		if it.Page.SitePages != want || int(frame) != want || own != 0 {
			t.Errorf("page %s: %d other pages, its text on %d, the frame on %d: wanted %d, 0, %d", it.Gold.ID, it.Page.SitePages, own, frame, want, want)
		}
	}
}
