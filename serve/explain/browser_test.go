package explain

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"chaffinch/build/stage"
	"chaffinch/clean"
	"chaffinch/clean/method"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// browse opens the file in Chromium: see [testkit.Browse].
func browse(t *testing.T, file, fragment string, more ...string) *html.Node {
	t.Helper()
	return testkit.Browse(t, file, fragment, 1300, more...)
}

func find(n *html.Node, is func(*html.Node) bool) *html.Node {
	for n := range n.Descendants() {
		if is(n) {
			return n
		}
	}
	return &html.Node{}
}

func byID(doc *html.Node, id string) *html.Node {
	return find(doc, func(n *html.Node) bool { return attr(n, "id") == id })
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// shownText returns the clean text that the browser shows.
func shownText(doc *html.Node) string {
	var lines []string
	for n := range byID(doc, "clean").ChildNodes() {
		lines = append(lines, text(n))
	}
	return strings.Join(lines, "\n")
}

func counted(doc *html.Node, what string) string {
	return attr(find(doc, func(n *html.Node) bool { return attr(n, "data-count") == what }), "data-value")
}

// TestBrowser: the browser shows the text that chaffinch clean keeps, and a
// threshold in the address decides anew.
func TestBrowser(t *testing.T) {
	raw := examples(t)["old-table.html"]
	x, _ := do(t, Config{}, raw)
	file := write(t, x)
	for _, c := range []struct{ fragment, method, config string }{
		{"", method.Default, ""},
		{"method=blocks-article&blocks-article.limit=0.3", "blocks", `{"keep":"article","sure_probability":0.3,"min_probability":0.3}`},
		{"method=perplexity&perplexity.limit=300", "perplexity", `{"limit":300}`},
		{"method=justext&justext.max_link_density=0.05&justext.length_low=20", "justext", `{"max_link_density":0.05,"length_low":20}`},
	} {
		_, p := do(t, Config{}, raw)
		stages := must.Get(stage.Options{Method: c.method, MethodConfig: json.RawMessage(c.config)}.Build())(t)
		must.Succeed(t, stages[len(stages)-1].Do(t.Context(), p))
		doc := browse(t, file, c.fragment)
		if got := shownText(doc); got != p.Text() {
			t.Errorf("%s: the browser shows\n%s\nwant\n%s", c.fragment, got, p.Text())
		}
		chars := 0
		for i := range p.Blocks {
			chars += len([]rune(p.Blocks[i].Kept()))
		}
		if got := counted(doc, "chars"); got != fmt.Sprint(chars) {
			t.Errorf("%s: %s characters are counted, want %d", c.fragment, got, chars)
		}
	}
}

// TestSettings compares what the scripts decide at many settings with what the
// methods say that run with them, on all example pages.
func TestSettings(t *testing.T) {
	settings := []struct{ method, config string }{
		{"blocks", `{"sure_probability":0.2,"min_probability":0.2}`}, {"blocks", `{"sure_probability":0.9,"min_probability":0.9}`},
		{"perplexity", `{"limit":60}`}, {"perplexity", `{"limit":1000}`}, {"perplexity", `{"limit":30000}`},
		{"ncleaner", `{"threshold":-1}`}, {"ncleaner", `{"threshold":0.3}`},
		{"lines", `{"threshold":0.1}`}, {"lines", `{"threshold":0.8}`},
		{"justext", `{"max_link_density":0.6}`}, {"justext", `{"max_link_density":0}`},
		{"justext", `{"length_low":10,"length_high":50}`}, {"justext", `{"length_low":150,"length_high":400}`},
		{"justext", `{"max_heading_distance":0}`}, {"justext", `{"length_low":20,"max_heading_distance":1000,"max_link_density":0.33}`},
		{"all", `{"perplexity":{"limit":200},"ncleaner":{"threshold":-0.2},"justext":{"length_low":40}}`},
	}
	var file, script strings.Builder
	pages := examples(t)
	var names []string
	want := map[string][][]string{}
	for name, raw := range pages {
		names = append(names, name)
		x, p := do(t, Config{}, raw)
		out := write(t, x)
		if file.Len() == 0 {
			file.WriteString(out) // the scripts of the first page run with the data of all
		}
		_, rest, _ := strings.Cut(out, `id="data">`)
		data, _, _ := strings.Cut(rest, "</script>")
		fmt.Fprintf(&script, "pages[%q] = %s;\n", name, data)
		for _, s := range settings {
			l := must.Get(method.New(s.method, method.Options{Config: json.RawMessage(s.config)}))(t)
			_, answered, err := (&Explainer{}).ask(t.Context(), asked{labeller: l}, p)
			must.Succeed(t, err)
			var labels []string
			for i, v := range answered.verdicts {
				scored, ok := l.(clean.Scored)
				switch {
				case ok && v.Label != page.Unknown && !scored.ByScore(p, i, &v):
					labels = append(labels, "for another") // block's sake: the scripts decide that at the method's own setting only
				case v.Label.Keep():
					label := "+"
					for _, s := range v.Sentences {
						label += map[bool]string{true: "k", false: "d"}[s.Label.Keep()]
					}
					labels = append(labels, label)
				case v.Label == page.Unknown:
					labels = append(labels, "?")
				default:
					labels = append(labels, "-")
				}
			}
			want[name] = append(want[name], labels)
		}
	}
	asked, err := json.Marshal(func() (out [][2]string) {
		for _, s := range settings {
			out = append(out, [2]string{s.method, s.config})
		}
		return out
	}())
	must.Succeed(t, err)
	doc := browse(t, file.String(), "", "const pages = {};\n"+script.String()+"const settings = "+string(asked)+`;
const found = {}, own = { ...DATA };
for (const [name, data] of Object.entries(pages)) {
  for (const k of Object.keys(data)) DATA[k] = data[k];
  found[name] = settings.map(([method, config]) => {
    const set = DATA.methods.map(defaults), at = name => DATA.methods.findIndex(m => m.name === name);
    for (const [k, v] of Object.entries(JSON.parse(config))) if (method === "all") Object.assign(set[at(k)], v); else set[at(method)][method === "blocks" ? "limit" : k] = v;
    const asked = method === "all" ? DATA.methods[at("all")].voters : [at(method)];
    return decideAll(set)[at(method)].map((d, i) => asked.some(m => DATA.methods[m].verdicts[i].f && DATA.methods[m].verdicts[i].l !== "unknown" && !DATA.methods[m].verdicts[i].h) ? "fixed" :
      ({ "1": "+", "0": "-", "-1": "?" })[d.keep] + (d.keep > 0 && d.parts ? d.parts.map(p => p ? "k" : "d").join("") : ""));
  });
}
Object.assign(DATA, own);
const pre = el("pre", "", JSON.stringify(found));
pre.id = "found";
pre.hidden = true; // its one line is wider than the window
document.body.append(pre);`)
	var got map[string][][]string
	must.Succeed(t, json.Unmarshal([]byte(text(byID(doc, "found"))), &got))
	fixed, mended, all := 0, 0, 0
	for _, name := range names {
		for k, s := range settings {
			for i, w := range want[name][k] {
				all++
				switch g := got[name][k][i]; {
				case g == w:
				case g == "fixed":
					fixed++
				case w == "for another":
					mended++
				default:
					t.Errorf("%s: %s %s: block %d: %s, want %s", name, s.method, s.config, i, g, w)
				}
			}
		}
	}
	if 50*fixed > all || 50*mended > all {
		t.Errorf("%d and %d of %d labels follow no threshold", fixed, mended, all)
	}
}

// TestHands: pointer, keyboard and sliders work.
func TestHands(t *testing.T) {
	x, _ := do(t, Config{}, examples(t)["article.html"])
	file := write(t, x)
	doc := browse(t, file, "method=perplexity", `
const out = [], note = (k, v) => out.push([k, String(v)]), li = i => document.querySelectorAll("#blocks > li")[i], frame = () => new Promise(r => setTimeout(r, 50));
const kept = () => document.querySelector("[data-count=words]").dataset.value;
(async () => {
  note("nothing", $("detail").textContent);
  li(2).dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }));
  note("hover", $("detail").textContent);
  $("blocks").dispatchEvent(new PointerEvent("pointerleave", { pointerType: "mouse" }));
  note("left", $("detail").textContent);
  li(8).focus();
  note("focus", $("detail").textContent);
  li(8).dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
  note("down", $("detail").querySelector("h2 small").textContent + " " + document.activeElement.dataset.i);
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "End", bubbles: true }));
  note("end", document.activeElement === li(rows.length - 1));
  li(3).click();
  note("click", location.hash);
  note("before", kept());
  const slider = $("slider-perplexity-limit");
  slider.value = 300;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  await frame();
  note("after", kept());
  note("address", location.hash);
  note("exact", $("exact-perplexity-limit").value);
  document.querySelector("#sliders button").click();
  await frame();
  note("reset", kept());
  document.querySelector("#methods input[value=justext]").click();
  await frame();
  note("justext", document.querySelectorAll("#sliders input[type=range]").length);
  $("show").value = "dropped"; $("show").onchange();
  note("shown", [...document.querySelectorAll("#blocks > li:not([hidden])")].every(e => /dropped|hidden/.test(e.className)));
  const pre = el("pre", "", JSON.stringify(Object.fromEntries(out)));
  pre.id = "found";
  document.body.append(pre);
})();`)
	var got map[string]string
	must.Succeed(t, json.Unmarshal([]byte(text(byID(doc, "found"))), &got))
	for k, want := range map[string]string{"nothing": "", "left": "", "end": "true", "shown": "true", "justext": "6", "down": "block 10 of 20 9"} {
		if got[k] != want {
			t.Errorf("%s: %q, want %q", k, got[k], want)
		}
	}
	for k, wants := range map[string][]string{
		"hover":   {"item 1", "block 3 of 20", "perplexity", "ncleaner", "the dirty model is more likely", "link density 1.00 > .20", "html › body", "bytes"},
		"focus":   {"block 9 of 20", "stop words", "characters"},
		"click":   {"block=4"},
		"address": {"perplexity.limit="},
	} {
		for _, w := range wants {
			if !strings.Contains(got[k], w) {
				t.Errorf("%s: %q lacks %q", k, got[k], w)
			}
		}
	}
	if got["before"] == got["after"] || got["before"] != got["reset"] {
		t.Errorf("%s words are kept, %s when the limit is %s, %s after the reset", got["before"], got["after"], got["exact"], got["reset"])
	}
}

// TestHostile: no script of the page runs, and its text is shown as text.
func TestHostile(t *testing.T) {
	x, p := do(t, Config{Clean: stage.Options{Method: "keep"}}, []byte(hostile))
	doc := browse(t, write(t, x), "block=1")
	var lines []string
	for i := range p.Blocks {
		lines = append(lines, p.Blocks[i].Text)
	}
	if got, want := shownText(doc), strings.Join(lines, "\n"); got != want {
		t.Errorf("the browser shows\n%q\nwant\n%q", got, want)
	}
	for n := range doc.Descendants() {
		if n.Data == "img" || n.Data == "a" || n.Data == "script" && n.FirstChild != nil && strings.HasPrefix(n.FirstChild.Data, "fail(") {
			t.Errorf("an element of the page stands in the file: %s", n.Data)
		}
	}
}

// TestEmpty: a page without text is told of, and a method that cannot run.
func TestEmpty(t *testing.T) {
	x, _ := do(t, Config{Clean: stage.Options{Method: "justext", Lang: "de"}}, []byte("<p> </p>"))
	doc := browse(t, write(t, x), "")
	if got := text(doc); !strings.Contains(got, "No blocks to show.") || !strings.Contains(got, "Dropped (no-text)") || !strings.Contains(got, "unavailable") {
		t.Errorf("the page says %.500q", got)
	}
}

// TestManyBlocks: thousands of blocks and one of a megabyte are shown.
func TestManyBlocks(t *testing.T) {
	body := strings.Repeat("<p>word", 4000) + "<p>" + strings.Repeat("The ferry left the harbour at noon. ", 1<<20/36)
	x, _ := do(t, Config{}, []byte("<html lang=en><title>t</title>"+body))
	doc := browse(t, write(t, x), "method=keep&block=4001")
	if got := counted(doc, "blocks"); got != "4001" {
		t.Errorf("%s blocks are kept, want 4001", got)
	}
	if got := text(byID(doc, "detail")); !strings.Contains(got, "block 4,001 of 4,001") {
		t.Errorf("the last block is not told of: %q", got)
	}
}

// TestOpensOnText: where a long menu stands before the text, the first kept block
// is in view at once, and so is a block that the address names.
func TestOpensOnText(t *testing.T) {
	menu := "<ul>" + strings.Repeat(`<li><a href="/x">Another page</a>`, 300) + "</ul>"
	text := strings.Repeat("<p>The ferry left the harbour at noon, and those who had missed it walked back to the town along the shore.</p>", 12)
	x, _ := do(t, Config{}, []byte("<html lang=en><title>t</title><body>"+menu+text+menu))
	file := write(t, x)
	inView := `{ const r = document.querySelector("#blocks > .kept").getBoundingClientRect(); document.body.dataset.seen = r.top >= document.getElementById("bar").offsetHeight && r.bottom <= innerHeight ? "yes" : "no, " + r.top }`
	if got := testkit.BodyData(browse(t, file, "", inView), "seen"); got != "yes" {
		t.Errorf("the first kept block is in view: %s", got)
	}
	if got := testkit.BodyData(browse(t, file, "block=1", inView), "seen"); got == "yes" {
		t.Error("the first kept block is in view, but the address names the first block")
	}
}

// TestNoModel: a method without a model for the language says so, instead of
// keeping 0 %.
func TestNoModel(t *testing.T) {
	body := strings.Repeat("<p>Паром вышел из гавани в полдень, и те, кто опоздал, пошли обратно в город вдоль берега.</p>", 5)
	x, _ := do(t, Config{}, []byte(`<html lang=ru><meta charset="utf-8"><title>t</title>`+body))
	doc := browse(t, write(t, x), "method=perplexity")
	label := find(doc, func(n *html.Node) bool { return n.Data == "label" && strings.HasPrefix(text(n), "perplexity") })
	if got := text(label); got != "perplexityno model for this language" {
		t.Errorf("the method is called %q", got)
	}
	if got := text(byID(doc, "clean")); got != "No decision: no model for this language." {
		t.Errorf("the clean text is %q", got)
	}
	if got := text(byID(doc, "counts")); got != "no model for this language" {
		t.Errorf("the counts are %q", got)
	}
}
