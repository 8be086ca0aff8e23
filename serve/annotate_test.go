package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"chaffinch/input"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/gold"
	"chaffinch/serve/desk"
	"chaffinch/serve/desk/documents"
)

// withScript serves the page of a handler with a script of the test's beside its own.
func withScript(t *testing.T, next http.Handler, script string) string {
	t.Helper()
	files := must.Get(assets())(t)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /test.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, script)
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, strings.Replace(string(files["index.html"]().body), "</body>", `<script type="module" src="test.js"></script></body>`, 1))
	})
	mux.Handle("/", next)
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

// TestPress: what each key does to a page under annotation, as press.js has it.
func TestPress(t *testing.T) {
	const script = `
import { begin, press, selection, shown } from "./assets/press.js";
const of = (proposed, score, inside, like) => ({ proposed, score, in: inside, like, shape: like, odds: { [proposed]: score, notice: proposed === "notice" ? score : (1 - score) / 2 }, text: "a block of text", label: "" });
const page = { blocks: [of("navigation", .99, [2, 1], 0), of("navigation", .6, [2, 1], 0), of("title", .9, [1], 1), of("body", .99, [3, 1], 2), of("body", .5, [3, 1], 2), of("body", .99, [1], 2), of("notice", .4, [1], 3)] };
const out = [];
const after = (keys, more) => {
  let s = begin({ ...page, ...more }, false), sent = [];
  for (const k of keys) {
    const [t, send] = press(s, k);
    s = t;
    if (send) sent.push(send.what ? send.what + (send.labels || []).map(l => " " + l.block + "=" + l.label).join("") + (send.alike ? " alike " + send.alike : "") + (send.go ? " go " + send.go : "") : "go " + send.go);
  }
  return [s.at, selection(s).join("-"), s.blocks.map((_, i) => shown(s, i)).join(" "), sent.join("; "), s.done ? "done" : "", s.say].join(" | ");
};
const cases = CASES;
for (const [keys, more] of cases) out.push(after(keys, more));
const frozen = Object.freeze(begin(page, false));
press(frozen, "t"); press(frozen, "w"); press(frozen, "Enter"); // must change nothing of what it is given
const pre = document.createElement("pre");
pre.id = "cases";
pre.textContent = JSON.stringify(out);
document.body.append(pre);
`
	type test struct {
		keys []string
		more map[string]any
		want string
	}
	all := "navigation navigation title body body body notice"
	block := func(proposed string, score float64, like int, shape string) any {
		return map[string]any{"proposed": proposed, "score": score, "odds": map[string]float64{proposed: score, "caption": 1 - score}, "like": like, "shape": shape, "in": []int{1}, "text": "a block of text"}
	}
	k := func(s string) []string { return strings.Fields(s) }
	tests := []test{
		{k("j j k"), nil, "1 | 1-1 | " + all + " |  |  | "},
		{k("k End j"), nil, "6 | 6-6 | " + all + " |  |  | "},
		{k("J"), nil, "2 | 2-2 | " + all + " |  |  | "},
		{k("End K K"), nil, "2 | 2-2 | " + all + " |  |  | "},
		{k("4 g k"), nil, "3 | 3-3 | " + all + " |  |  | "},
		{k("1 2 g"), nil, "6 | 6-6 | " + all + " |  |  | "},
		{k("."), nil, "1 | 1-1 | " + all + " |  |  | "},
		{k(". . ."), nil, "6 | 6-6 | " + all + " |  |  | "},
		{k(". . . ."), nil, "1 | 1-1 | " + all + " |  |  | "},
		{k("; ;"), nil, "4 | 4-4 | " + all + " |  |  | "},
		{k("}"), nil, "2 | 2-2 | " + all + " |  |  | "},
		{k("4 g { {"), nil, "0 | 0-0 | " + all + " |  |  | "},
		{k("4 b"), nil, "6 | 6-6 | " + all + " | label 4=body |  | "},
		{k("3 g Alt+c"), nil, "6 | 6-6 | navigation navigation title caption caption caption notice | label 3=caption 4=caption 5=caption |  | "},
		{k(","), nil, "6 | 6-6 | " + all + " |  |  | "},
		{k("n"), nil, "4 | 4-4 | " + all + " | label 0=navigation |  | "},
		// a correction is lent to blocks of the same kind, as far as the model is not sure of them
		{k("3 g c"), nil, "4 | 4-4 | navigation navigation title caption body body notice | label 3=caption |  | "},
		{k("3 g c b"), nil, "6 | 6-6 | navigation navigation title caption body body notice | label 3=caption; label 4=body |  | "},
		// and to those in elements of the same names; others keep what the model says
		{k("3 g c"), map[string]any{"blocks": []any{block("body", .6, 1, "p"), block("heading", .6, 1, "p"), block("body", .6, 2, "p"), block("body", .97, 2, "p"), block("body", .6, 3, "q")}}, "4 | 4-4 | caption caption caption caption body | label 3=caption |  | "},
		// a capital labels the element around
		{k("3 g P"), nil, "6 | 6-6 | navigation navigation title post post body notice | label 3=post 4=post |  | "},
		{k("3 g w"), nil, "3 | 3-5 | " + all + " |  |  | "},
		{k("3 g w w"), nil, "3 | 3-4 | " + all + " |  |  | "},
		{k("3 g w w w"), nil, "3 | 0-6 | " + all + " |  |  | "},
		{k("3 g w w w Escape"), nil, "3 | 3-3 | " + all + " |  |  | "},
		{k("v j j x"), nil, "4 | 4-4 | notice notice notice body body body notice | label 0=notice 1=notice 2=notice |  | "},
		{k("v j v"), nil, "1 | 1-1 | " + all + " |  |  | "},
		{[]string{".", " "}, nil, "4 | 4-4 | " + all + " | label 1=navigation |  | "},
		{k("n ="), nil, "4 | 4-4 | " + all + " | label 0=navigation; label 4=body alike text |  | "},
		{k("+"), nil, "0 | 0-0 | " + all + " | label 0=navigation alike place |  | "},
		{k("3 g *"), nil, "3 | 3-3 | navigation navigation title body* body body notice | label 3=body* |  | "},
		{k("3 g * 3 g *"), nil, "3 | 3-3 | " + all + " | label 3=body*; label 3=body |  | "},
		{k("b Home Delete"), nil, "0 | 0-0 | " + all + " | label 0=body; label 0= |  | "},
		{k("u"), nil, "0 | 0-0 | " + all + " | undo |  | "},
		{k("Enter"), nil, "0 | 0-0 | " + all + " | accept go 1 | done | "},
		{k("Enter Enter"), nil, "0 | 0-0 | " + all + " | accept go 1; go 1 | done | "},
		{k("[ ]"), nil, "0 | 0-0 | " + all + " | go -1; go 1 |  | "},
		{k("q F5"), nil, "0 | 0-0 | " + all + " |  |  | "},
		// one question at a time: the most doubtful block first
		{k("i"), nil, "6 | 6-6 | " + all + " |  |  | "},
		{k("i x b n"), nil, "1 | 1-1 | " + all + " | label 6=notice; label 4=body; label 1=navigation |  | No unsure blocks left: press Enter to accept the rest"},
		// two labels, and hidden proposals
		{k("t b n"), map[string]any{"two": true}, "4 | 4-4 | text boilerplate title body body body notice | label 0=text; label 1=boilerplate |  | "},
		{k("Enter"), map[string]any{"blank": true, "blocks": []any{map[string]any{"in": []int{}}, map[string]any{"in": []int{}, "label": "body"}}}, "0 | 0-0 |  body |  |  | This block has no label yet"},
		{k("Enter j"), map[string]any{"blocks": []any{}}, "0 | 0-0 |  | accept go 1 | done | "},
	}
	var cases []any
	for _, c := range tests {
		more := c.more
		if more == nil {
			more = map[string]any{}
		}
		cases = append(cases, []any{c.keys, more})
	}
	b := must.Get(json.Marshal(cases))(t)
	s := start(t, Config{})
	doc := testkit.Visit(t, withScript(t, s.Handler(), strings.Replace(script, "CASES", string(b), 1)), 1300)
	var got []string
	if err := json.Unmarshal([]byte(textOf(withID(doc, "cases")...)), &got); err != nil || len(got) != len(tests) {
		t.Fatalf("%v: %q", err, got)
	}
	for i, c := range tests {
		if got[i] != c.want {
			t.Errorf("%q %v:\n%s, wanted\n%s", c.keys, c.more, got[i], c.want)
		}
	}
}

// withID returns the elements with an id.
func withID(doc *html.Node, id string) []*html.Node {
	return all(doc, func(n *html.Node) bool { return attribute(n, "id") == id })
}

// underAnnotation is a server with a set of one hostile page.
func underAnnotation(t *testing.T) (*testServer, string) {
	t.Helper()
	d, dir := mills(t)
	return start(t, Config{Desk: d}), dir
}

// mills is that set, and its folder.
func mills(t *testing.T) (*desk.Desk, string) {
	t.Helper()
	from, dir := t.TempDir(), filepath.Join(t.TempDir(), "mills")
	raw := `<!doctype html><title>&lt;img src=x onerror=alert(1)> Mill</title><script>document.title = "ran"</script><nav><a href=/>Home</a></nav>
<h1>The mill <b>grinds</b></h1><p>&lt;script>alert(1)&lt;/script> Since Sunday the mill at the river grinds corn again, and the miller is glad of it.</p><p onclick=alert(1)>Copyright 2026</p>`
	must.Write(t, filepath.Join(from, "mill.html"), raw)
	must.Succeed(t, must.Err(desk.Add(t.Context(), dir, []string{from}, desk.AddConfig{Input: input.Default})))
	d := must.Get(desk.Open(t.Context(), desk.Config{Dir: dir}))(t)
	t.Cleanup(func() { d.Close() })
	return d, dir
}

// documentsOf opens a set of the documents in JSON lines.
func documentsOf(t *testing.T, scheme, lines string) *documents.Desk {
	t.Helper()
	from, dir := filepath.Join(t.TempDir(), "docs.jsonl"), filepath.Join(t.TempDir(), "genres")
	must.Write(t, from, lines+"\n")
	s := must.Get(documents.ReadScheme(scheme))(t)
	must.Succeed(t, must.Err(documents.Add(t.Context(), dir, []string{from}, documents.AddConfig{Scheme: s, Input: input.Default})))
	d := must.Get(documents.Open(t.Context(), documents.Config{Dir: dir, Double: 1}))(t)
	t.Cleanup(func() { d.Close() })
	return d
}

// TestPageDocuments labels documents by the keyboard alone: main and sublabels, unsure, undo, skip
// and no label.
func TestPageDocuments(t *testing.T) {
	d := documentsOf(t, "registers", `{"id":"a/1","title":"<img src=x onerror=alert(1)>","text":"<script>alert(1)</script> The mill.\nIt grinds.","url":"javascript:alert(1)"}
{"id":"b","text":"הטחנה טוחנת","lang":"he"}
{"id":"c","text":"A third text."}`)
	s := start(t, Config{Documents: d})
	b := testkit.Open(t, s.URL+"/#documents", 360)
	b.Wait(`document.querySelector("[name=as]")`)
	b.TabTo(`x.name === "as"`)
	b.Type("ann")
	b.Press("Enter")
	b.Wait(`document.querySelector("#view-documents a.button")`)
	b.TabTo(`x.matches("#view-documents a.button")`)
	b.Press("Enter")
	const heading = `document.querySelector("#view-documents h1").textContent`
	pressed := func(want string) {
		t.Helper()
		if got := b.Eval(`[...document.querySelectorAll(".labellist [aria-pressed=true]")].map(x => x.dataset.label).join()`); got != want {
			t.Errorf("labels %q, want %q", got, want)
		}
	}
	texts := map[string]string{}
	for i := range 3 {
		b.Wait(fmt.Sprintf(`document.activeElement.matches(".prose") && document.querySelector(".facts").textContent.includes("ann, %d document")`, i))
		texts[b.Eval(heading)] = b.Eval(`document.querySelector(".prose").innerText`)
		if got := b.Eval(`document.documentElement.scrollWidth > innerWidth`); got != "false" {
			t.Error("the page is wider than the window of a telephone")
		}
		switch i {
		case 0:
			b.Press("n", "1", "o")
			pressed("NA,ne,OP")
			b.Press("2")
			pressed("NA,ne,OP,ob")
			b.Press("n", "n") // current, then removed
			pressed("OP,ob")
			b.Press("h", "1", "!", "g")
			pressed("OP,ob,HI,re")
			if got := b.Eval(`[document.querySelectorAll(".labellist details:not([open])").length, document.querySelector("[data-key='!']").getAttribute("aria-pressed")].join()`); got != "0,true" {
				t.Errorf("shut guidelines, unsure: %s", got)
			}
			b.Press("Enter")
		case 1:
			b.Press("i", "u") // undoes the first document
			b.Wait(`document.querySelectorAll(".labellist [aria-pressed=true]").length === 0 && document.querySelector(".facts").textContent.includes("ann, 0 documents")`)
			b.Press("l", "Enter")
			b.Wait(`document.querySelector(".facts").textContent.includes("ann, 1 document") && document.activeElement.matches(".prose")`)
			b.Press("[")
			b.Wait(`document.querySelector(".labellist [data-label=LY]").getAttribute("aria-pressed") === "true"`)
			b.Press("]")
			b.Wait(`document.querySelector(".labellist [data-label=LY]").getAttribute("aria-pressed") === "false"`)
			texts[b.Eval(heading)] = b.Eval(`document.querySelector(".prose").innerText`)
			b.Press("Enter")
			b.Wait(`document.querySelector(".head [role=status]").textContent.includes("press Enter again")`)
			b.Press("Enter")
		case 2:
			b.Press("-")
		}
	}
	b.Wait(`document.querySelector("#view-documents .notice")?.textContent.includes("No document is left for you: 2 documents labelled.")`)
	if got := texts["<img src=x onerror=alert(1)>"]; len(texts) != 3 || got != "<script>alert(1)</script> The mill.\n\nIt grinds." {
		t.Errorf("texts %q", texts)
	}
	if got := b.Eval(`document.querySelectorAll("#view-documents img, #view-documents a[href^='javascript']").length`); got != "0" {
		t.Error("an element is made of text of a document")
	}
	_, lines := s.get(t, "/v1/documents/export")
	if strings.Count(lines, "\n") != 2 || !strings.Contains(lines, `"labels":["LY"]`) || !strings.Contains(lines, `"labels":[]`) {
		t.Errorf("exported %s", lines)
	}
}

// TestPageVerdicts adjudicates a disagreement by the keyboard, and shows the models.
func TestPageVerdicts(t *testing.T) {
	s := start(t, Config{Documents: documentsOf(t, "quality", `{"id":"a","title":"Mill","text":"The mill grinds corn."}`)})
	for who, label := range map[string]string{"ann": "2", "bo": "4"} {
		r, text := s.post(t, "/v1/documents/labels?id=a&person="+who, "application/json", fmt.Sprintf(`{"what":"label","seq":0,"labels":[%q]}`, label))
		if r.StatusCode != http.StatusOK {
			t.Fatal(text)
		}
	}
	b := testkit.Open(t, s.URL+"/#documents/agreement?as=cy", 1300)
	b.Wait(`document.querySelector(".judge")?.textContent.includes("bo: Very good") && document.body.innerText.toLowerCase().includes("weighted kappa")`)
	b.TabTo(`x.matches(".judge")`)
	b.Press("2")
	b.Wait(`document.querySelector(".judge").textContent.includes("Decided: Very good, by cy")`)
	b.TabTo(`x.matches(".judge summary")`)
	b.Press("Enter", "3")
	b.TabTo(`x.textContent === "Decide"`)
	b.Press("Enter")
	b.Wait(`document.querySelector(".judge").textContent.includes("Decided: Good, by cy")`)
	b.Eval(`location.hash = "#documents/model?as=cy"`)
	b.Wait(`document.querySelector("#view-documents button.go")?.disabled && document.body.innerText.includes("after 19 more documents")`)
}

// TestPageAnnotate: the page shows the blocks of the page with what is proposed, as text;
// keys label them, and what was labelled is in the set.
func TestPageAnnotate(t *testing.T) {
	s, dir := underAnnotation(t)
	doc := testkit.Visit(t, s.URL+"/#annotate/page/mill?as=ann", 1300, "Blocked script execution")
	rows := all(doc, func(n *html.Node) bool { return attribute(n, "role") == "option" })
	if len(rows) != 4 || !strings.Contains(textOf(rows[2]), "<script>alert(1)</script> Since Sunday") || textOf(all(doc, func(n *html.Node) bool { return n.Data == "h1" })...) == "" {
		t.Fatalf("%d rows: %s", len(rows), textOf(rows...))
	}
	if made := all(doc, func(n *html.Node) bool { return n.Data == "img" }); len(made) > 0 {
		t.Error("an element is made of text of a page")
	}
	frames := all(doc, func(n *html.Node) bool { return n.Data == "iframe" })
	if len(frames) != 1 || !slices.ContainsFunc(frames[0].Attr, func(a html.Attribute) bool { return a.Key == "sandbox" && a.Val == "" }) {
		t.Errorf("%d frames: wanted one in which nothing may run", len(frames))
	}
	b := testkit.Open(t, s.URL+"/#annotate/page/mill?as=ann", 1300, "Blocked script execution")
	const saved = `document.querySelector("#view-annotate .head [role=status]").textContent === "saved"`
	b.Wait(`document.activeElement.matches("[role=listbox]")`)
	for _, key := range []string{"t", "h", "u"} {
		b.Press(key)
		b.Wait(saved)
	}
	b.Press("1", "h") // the block by its number
	b.Wait(saved)
	b.Press("Enter")
	b.Wait(`!document.querySelector("#view-annotate [role=listbox]")`) // it was the last page
	roles, err := gold.ReadRolePages(filepath.Join(dir, "roles.tsv"))
	if err != nil || len(roles) != 1 {
		t.Fatalf("%v, %v", roles, err)
	}
	var got []string
	for _, s := range roles[0].Spans {
		got = append(got, s.Role.String())
	}
	if !slices.Equal(got[:2], []string{"title", "heading"}) {
		t.Errorf("the roles are %v", got)
	}
}

// TestPageJudge: the views of agreement and of the model show what there is.
func TestPageJudge(t *testing.T) {
	s, _ := underAnnotation(t)
	for _, who := range []string{"ann", "bo"} {
		body := fmt.Sprintf(`{"what":"accept","seq":0,"labels":[{"block":3,"label":%q}]}`, map[string]string{"ann": "notice", "bo": "other"}[who])
		r, text := s.post(t, "/v1/desk/pages/mill/labels?person="+who, "application/json", body)
		if r.StatusCode != http.StatusOK {
			t.Fatal(text)
		}
	}
	doc := testkit.Visit(t, s.URL+"/#annotate/agreement?as=ann", 1300)
	if got := textOf(classed(doc, "section", "judge")...); !strings.Contains(got, "Copyright 2026") || !strings.Contains(got, "ann: notice") || !strings.Contains(got, "bo: other") {
		t.Errorf("%q", got)
	}
	doc = testkit.Visit(t, s.URL+"/#annotate/model?as=ann", 360)
	if got := textOf(withID(doc, "view-annotate")...); !strings.Contains(got, "after 4 more pages") || !strings.Contains(got, "Your pages, in groups of five") || !strings.Contains(got, "kappa") {
		t.Errorf("%q", got)
	}
	doc = testkit.Visit(t, s.URL+"/#annotate?as=cy", 360)
	if got := textOf(withID(doc, "view-annotate")...); !strings.Contains(got, "The mill grinds") || !strings.Contains(got, "0 of 1 page") {
		t.Errorf("%q", got)
	}
}
