package clean

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

func view(t *testing.T, name string, systems ...string) View {
	t.Helper()
	v := View{Set: open(t, name)}
	for _, sys := range systems {
		o := must.Get(ReadPredictions("testdata/reference/predictions/"+sys, sys, v.Set))(t)
		v.Outputs = append(v.Outputs, o)
		v.Results = append(v.Results, measure(t, v.Set, o, Default))
	}
	if len(systems) > 1 {
		v.Comparisons = Compare(v.Results[0], v.Results[1])
	}
	return v
}

// TestHTML: the page needs no network, says the same each time, and its data
// are those of the set.
func TestHTML(t *testing.T) {
	views := []View{view(t, "cleaneval-mini", "a", "b"), view(t, "snippets-mini", "b"), view(t, "wcxb-mini", "b", "a")}
	views[0].Outputs[0].Name = `<script>"&`
	views[0].Results[0].System = `<script>"&`
	var first, second bytes.Buffer
	for _, b := range []*bytes.Buffer{&first, &second} {
		must.Succeed(t, WriteHTML(b, views))
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two pages of the same results differ")
	}
	out := first.String()
	must.Equal(t, regexp.MustCompile(`(?i)(src|href)=["']?(https?:)?//|@import|url\(`).FindString(out), "", "the page loads something")
	if strings.Contains(out, `<script>"&`) {
		t.Error("a name is not escaped")
	}
	must.Equal(t, strings.Count(out, "<svg"), 4+1+1+2+1+4+1+1, "plots")
	_, rest, _ := strings.Cut(out, `<script id="data" type="application/json">`)
	var sets []setData
	must.Succeed(t, json.NewDecoder(strings.NewReader(rest)).Decode(&sets))
	if len(sets) != 3 || len(sets[0].Pages) != len(views[0].Set.Pages) || len(sets[0].Metrics) != len(sets[0].Pages[0].Scores) {
		t.Fatalf("data of %d sets", len(sets))
	}
	for i, p := range sets[0].Pages {
		z := must.Get(base64.StdEncoding.DecodeString(p.Packed))(t)
		r := must.Get(gzip.NewReader(bytes.NewReader(z)))(t)
		b := must.Get(io.ReadAll(r))(t)
		var texts pageTexts
		must.Succeed(t, json.Unmarshal(b, &texts))
		gold := alignmentWords(texts.Gold)
		if p.Words != len(gold) {
			t.Errorf("%s: %d words, want %d", p.ID, p.Words, len(gold))
		}
		for k, o := range texts.Outputs {
			words := alignmentWords(o.Text)
			same := 0
			for _, b := range o.Blocks {
				if !slices.Equal(words[b[0]:b[0]+b[2]], gold[b[1]:b[1]+b[2]]) {
					t.Errorf("%s: block %v joins different words", p.ID, b)
				}
				same += b[2]
			}
			// Chinese and Japanese are scored by characters, but shown by words.
			if s := views[0].Results[k].Scores[i]; p.ID != "zh" && p.ID != "ja" && same != s.Words.TP {
				t.Errorf("%s: %d words the same, scored %d", p.ID, same, s.Words.TP)
			}
		}
	}
}

// TestHTMLInBrowser: names of sets, pages and systems, what is known of pages, and
// texts are shown as text, whatever they hold. No script of theirs runs.
func TestHTMLInBrowser(t *testing.T) {
	const evil = `"></script><script>fail()</script><img src=x onerror=fail()><!-- &lt; 漢`
	views := []View{view(t, "cleaneval-mini", "a", "b"), view(t, "snippets-mini", "b")}
	for _, v := range views {
		v.Set.Name = evil
		g := v.Set.Pages[0]
		for i, o := range v.Outputs {
			p := o.Pages[g.ID]
			p.Text += "\n" + evil
			o.Pages[evil] = p
			o.Name, v.Results[i].System, v.Results[i].Notes = evil, evil, []string{evil}
		}
		g.ID, g.Meta = evil, map[string]any{"url": "javascript:fail()", "lang": evil}
		g.Text += "\n" + evil
		g.With = append(g.With, evil)
	}
	for i := range views[0].Comparisons {
		views[0].Comparisons[i].A, views[0].Comparisons[i].B = evil, evil
	}
	var b bytes.Buffer
	must.Succeed(t, WriteHTML(&b, views))
	doc := testkit.Browse(t, b.String(), "", 1200)
	tags, shown := map[string]int{}, map[string]int{}
	for n := range doc.Descendants() {
		switch {
		case n.Type == html.ElementNode:
			tags[n.Data]++
			for _, a := range n.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Val == "javascript:fail()" {
					t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
				}
			}
		case n.Type == html.TextNode && n.Parent.Data != "script" && strings.Contains(n.Data, evil):
			shown[n.Parent.Data]++
		}
	}
	if tags["img"] > 0 || tags["script"] != 2 || tags["iframe"] > 0 {
		t.Errorf("elements of the texts stand in the page: %v", tags)
	}
	for _, where := range []string{"title", "a", "h2", "h3", "h4", "th", "td", "button", "p", "div"} {
		if shown[where] == 0 {
			t.Errorf("no <%s> shows the name: %v", where, shown)
		}
	}
}
