package web

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/lab/eval/ir"
	"chaffinch/lab/eval/texts"
	"chaffinch/lab/gold"
)

// birds is a set of three pages: text, menus, an advertisement inside the text.
func birds(t *testing.T) *gold.Set {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "birds")
	for i, site := range []string{"coast.example", "coast.example", "moor.example"} {
		var text []string
		for k := range 5 {
			text = append(text, fmt.Sprintf("Paragraph %d of page %d says that the gulls of the harbour nest on the roofs, and that they fly out with the ferry each morning.", k, i))
		}
		html := fmt.Sprintf(`<html><head><meta charset="windows-1252"><meta name="description" content="said before"><title>Old title</title></head><body>
<ul><li><a href="/">Menu of %s</a></li></ul><p>%s</p><div class=ad>Buy our boats now</div><p>%s <b>end</b></p><p>Footer of page %d</p></body></html>`,
			site, strings.Join(text[:3], "</p><p>"), strings.Join(text[3:], "</p><p>"), i)
		must.WriteAll(t, dir, map[string]string{
			fmt.Sprintf("html/%d.html", i): html, fmt.Sprintf("gold/%d.txt", i): strings.Join(text, "\n") + " end\n",
		})
	}
	meta := `{"id":"0","url":"https://coast.example/0"}` + "\n" + `{"id":"1","url":"https://coast.example/1"}` + "\n" + `{"id":"2","url":"https://moor.example/2","lang":"en"}` + "\n"
	must.Write(t, filepath.Join(dir, "meta.jsonl"), meta)
	return must.Get(gold.Open("", dir))(t)
}

// TestWrap: the text of the page goes, what is around it stays, the sentences stand in
// their order, and labels that are right get the document back.
func TestWrap(t *testing.T) {
	templates, err := Templates(context.Background(), []*gold.Set{birds(t)}, TemplateConfig{MinWords: 20, MinSlots: 3, MaxBytes: 1 << 20, PerSite: 1, MinCoverage: .8})
	if err != nil || len(templates) != 2 || templates[0].Site != "coast.example" || templates[1].ID != "2" {
		t.Fatalf("%d templates, %v", len(templates), err)
	}
	doc := ir.Doc{ID: "7", Title: "Herons & $1", Text: "A heron stands in the water. It waits < for fish. Then it strikes. Nobody saw it come."}
	page := string(templates[0].Fill(doc.Title, doc.All()))
	for _, want := range []string{"Menu of coast.example", "Buy our boats now", "Footer of page 0", "<title>Herons &amp; $1</title>", "waits &lt; for fish", `charset="utf-8"`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %s", want, page)
		}
	}
	for _, no := range []string{"gulls", "said before", "Old title"} {
		if strings.Contains(page, no) {
			t.Errorf("%q is still there", no)
		}
	}
	if strings.Index(page, "Buy our boats") < strings.Index(page, "A heron") || strings.Index(page, "Buy our boats") > strings.Index(page, "Nobody saw") {
		t.Errorf("the text does not stand around the advertisement: %s", page)
	}
	w := must.Get(Wrap(&ir.Collection{Name: "herons", Docs: []ir.Doc{doc, {ID: "8", Text: "Only one sentence here."}}}, templates, 1))(t)
	perfect := must.Get(w.Perfect(context.Background(), 1))(t)
	if got := strings.Join(strings.Fields(perfect.Texts[0]), " "); got != strings.Join(strings.Fields(doc.All()), " ")+" end" && got != strings.Join(strings.Fields(doc.All()), " ") {
		t.Errorf("perfect labels give %q", got)
	}
	raw, err := w.Raw(context.Background(), 2)
	if err != nil || !strings.Contains(raw.Texts[1], "Buy our boats") || !strings.HasPrefix(raw.Texts[0], "Herons & $1\n") {
		t.Errorf("raw: %q, %v", raw.Texts, err)
	}
	if _, err := Wrap(&ir.Collection{}, nil, 1); err == nil {
		t.Error("no templates: no error")
	}
}

// TestKnown: each way to ask finds words of the page, near-duplicates are relevant.
func TestKnown(t *testing.T) {
	p := texts.FromSets([]*gold.Set{birds(t)})
	must.Succeed(t, p.FindTitles(context.Background(), 1))
	for _, how := range Queries {
		topics, qrels, err := Known(p, KnownConfig{Query: how, Seed: 1})
		if err != nil || len(topics) != 3 {
			t.Fatalf("%s: %v, %v", how, topics, err)
		}
		for _, topic := range topics {
			if how == "title" && topic.Text != "Old title" || how == "sentence" && !strings.HasPrefix(topic.Text, "Paragraph ") || how == "words" && len(strings.Fields(topic.Text)) != 5 {
				t.Errorf("%s asks %q", how, topic.Text)
			}
			if len(qrels[topic.ID]) != 3 {
				t.Errorf("%s: relevant are %v", how, qrels[topic.ID])
			}
		}
		again, _, _ := Known(p, KnownConfig{Query: how, Seed: 1, Topics: 2})
		if len(again) != 2 || again[1] != topics[1] {
			t.Errorf("%s: other topics the second time: %v", how, again)
		}
	}
}

// TestWithoutSite cuts the name of the site off.
func TestWithoutSite(t *testing.T) {
	for title, want := range map[string]string{
		"Gulls nest on the roofs | Coast News": "Gulls nest on the roofs", "BBC - Herons are back": "Herons are back", "Well-known terns": "Well-known terns", "": "",
	} {
		must.Equal(t, withoutSite(title), want, title)
	}
}
