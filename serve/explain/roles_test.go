package explain

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"chaffinch/build/stage"
	"chaffinch/clean/method"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// teller is a method that reads the role of a block from its first word, and keeps
// what a reader would.
type teller struct{}

func (teller) Name() string { return "teller/1" }

func (teller) Label(_ context.Context, p *page.Page) ([]page.Verdict, error) {
	text, err := page.ParseRoles("text")
	out := make([]page.Verdict, len(p.Blocks))
	for i := range out {
		name, _, _ := strings.Cut(p.Blocks[i].Text, " ")
		role, _ := page.RoleOf(name)
		out[i] = page.Verdict{By: "teller/1", Label: page.Bad, Role: role, Score: .5}
		if text.Has(role) {
			out[i].Label = page.Good
		}
	}
	return out, err
}

// TestRoles: each role that the page has is told of beside its block and in the
// legend, and a choice of roles changes the kept text at once.
func TestRoles(t *testing.T) {
	e := must.Get(New(Config{Clean: stage.Options{Method: "keep"}}))(t)
	e.methods = []asked{{method.Method{Name: "teller"}, teller{}, nil}, {method.Method{Name: "silent"}, guess{.5}, nil}}
	x, err := e.Do(t.Context(), &page.Page{ID: "x", Raw: []byte(`<h1>title of all<p>byline Ann<p>body one<p>none of these<p>comment two<p>comment three<p>navigation home<p hidden>body hidden`)})
	must.Succeed(t, err)
	file := write(t, x)
	for fragment, want := range map[string]string{
		"keep=body,navigation,oh": "body one|navigation home",
		"keep=oh":                 "title of all|byline Ann|body one|comment two|comment three",
	} {
		if got := strings.ReplaceAll(shownText(browse(t, file, fragment)), "\n", "|"); got != want {
			t.Errorf("%s: the text is %s, want %s", fragment, got, want)
		}
	}
	doc := browse(t, file, "", `
const out = [], note = (k, v) => out.push([k, String(v)]), frame = () => new Promise(r => setTimeout(r, 50));
const boxes = () => [...document.querySelectorAll("#roles label")].map(l => (l.querySelector("input").checked ? "+" : "-") + l.textContent.trim()).join("|");
const kept = () => cleanLines().map(x => x[1]).join("|"), box = r => document.querySelector("#roles input[value=" + r + "]");
const colours = () => new Set([...document.querySelectorAll("#roles label")].map(l => getComputedStyle(l, "::before").backgroundColor)).size;
(async () => {
  note("boxes", boxes());
  note("colours", colours());
  note("row", rows[1].li.querySelector(".s").textContent);
  box("comment").click();
  await frame();
  note("without comments", kept());
  note("chosen", $("keep").value);
  box("navigation").click();
  await frame();
  note("with menus", kept());
  note("address", location.hash);
  $("keep").value = "article"; $("keep").onchange();
  await frame();
  note("article", kept());
  note("article boxes", boxes());
  note("article address", location.hash);
  li = rows[4].li; li.click();
  note("detail", $("detail").textContent);
  $("keep").value = ""; $("keep").onchange();
  await frame();
  note("back", kept());
  document.querySelector("#methods input[value=silent]").click();
  await frame();
  note("silent", $("roleset").hidden);
  const pre = el("pre", "", JSON.stringify(Object.fromEntries(out)));
  pre.id = "found";
  document.body.append(pre);
})();
let li;`)
	var got map[string]string
	must.Succeed(t, json.Unmarshal([]byte(text(byID(doc, "found"))), &got))
	for k, want := range map[string]string{
		"boxes":            "+title 1 of 1|+byline 1 of 1|+body 1 of 1|+comment 2 of 2|-navigation 0 of 1",
		"colours":          "5",
		"row":              "kept, byline · 0.5",
		"without comments": "title of all|byline Ann|body one",
		"chosen":           "own",
		"with menus":       "title of all|byline Ann|body one|navigation home",
		"address":          "#method=teller&keep=title%2Cbyline%2Cbody%2Cnavigation",
		"article":          "title of all|byline Ann|body one",
		"article boxes":    "+title 1 of 1|+byline 1 of 1|+body 1 of 1|-comment 0 of 2|-navigation 0 of 1",
		"article address":  "#method=teller&keep=article",
		"back":             "title of all|byline Ann|body one|comment two|comment three",
		"silent":           "true",
	} {
		if got[k] != want {
			t.Errorf("%s: %q, want %q", k, got[k], want)
		}
	}
	for _, want := range []string{"paragraph, dropped, comment", "comment is not chosen"} {
		if !strings.Contains(got["detail"], want) {
			t.Errorf("the detail %q lacks %q", got["detail"], want)
		}
	}
}
