package serve

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"chaffinch"
	"chaffinch/corpus"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
	"chaffinch/serve/corpora"
)

// These tests open the page in Chromium at addresses that say what is to be shown, and
// compare what stands there with what the library or the API says.

// all returns the elements that a test lets through.
func all(n *html.Node, is func(*html.Node) bool) (found []*html.Node) {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && is(d) {
			found = append(found, d)
		}
	}
	return found
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// classed finds elements by tag and class.
func classed(n *html.Node, tag, class string) []*html.Node {
	return all(n, func(n *html.Node) bool {
		return n.Data == tag && strings.Contains(" "+attribute(n, "class")+" ", " "+class+" ")
	})
}

func textOf(nodes ...*html.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		for d := range n.Descendants() {
			if d.Type == html.TextNode {
				b.WriteString(d.Data)
			}
		}
	}
	return b.String()
}

// TestPageCleans: the page shows the text that the library keeps of the example.
func TestPageCleans(t *testing.T) {
	js := must.Get(view.ReadFile("view/example.js"))(t)
	_, example, _ := strings.Cut(string(js), "`")
	example, _, _ = strings.Cut(example, "`")
	s := start(t, Config{})
	for settings, o := range map[string]chaffinch.Options{
		"keep=body":             {Keep: "body"},
		"method=keep&keep=body": {Method: "keep"}, // a method without roles takes no policy: the page leaves it out
	} {
		want := cleaned(t, o, "text", false, &page.Page{Raw: []byte(example), MIME: "text/html", HTTPCharset: "utf-8"})
		doc := testkit.Visit(t, s.URL+"/#clean?example=true&view=text&"+settings, 1300)
		var lines []string
		for _, b := range all(doc, func(n *html.Node) bool { return attribute(n, "id") == "cleantext" }) {
			for p := range b.ChildNodes() {
				lines = append(lines, textOf(p))
			}
		}
		if got := strings.Join(lines, "\n"); got != strings.TrimRight(want, "\n") || len(lines) < 10 {
			t.Errorf("%s: the page shows\n%s\nwanted\n%s", settings, got, want)
		}
	}
}

// TestPagePasted: what is pasted is shown, even if the address is read again while the page
// packs it.
func TestPagePasted(t *testing.T) {
	b := testkit.Open(t, start(t, Config{}).URL+"/#clean?example=true&view=rules", 1000)
	b.Wait(`document.body.innerText.includes("of 297")`)
	b.Press("/")
	b.Type("<p>The chaffinch comes to the water early in the morning, when nobody else is there at all.</p>")
	b.Eval(`document.querySelector("#view-clean button.go").click(); dispatchEvent(new HashChangeEvent("hashchange"))`)
	b.Wait(`location.hash.includes("in=") && document.body.innerText.includes("of 17")`)
}

// TestPageTabsStay: after cleaning, the tabs stay in the window when the page is scrolled,
// the labels of the settings share a line, and the frame of the blocks does not repeat the
// title and the figures.
func TestPageTabsStay(t *testing.T) {
	s := start(t, Config{})
	for _, width := range []int{360, 1280, 1440} {
		b := testkit.Open(t, s.URL+"/#clean?example=true", width)
		b.Wait(`document.querySelectorAll("#view-clean iframe").length === 2`)
		b.Eval(`scrollTo(0, 400)`)
		for _, name := range []string{"Text and downloads", "Quality"} {
			if got := b.Eval(`(r => r.top >= 0 && r.bottom < innerHeight && r.left >= 0 && r.right <= innerWidth)([...document.querySelectorAll("#view-clean .tabs a")].find(a => a.textContent === "` + name + `").getBoundingClientRect())`); got != "true" {
				t.Errorf("%d columns: the tab %s is not visible", width, name)
			}
		}
		b.Eval(`document.querySelector("#view-clean details.how").open = true`)
		if got := b.Eval(`(l => String(new Set(l.filter(x => Math.abs(x[0] - l[0][0]) < 40).map(x => Math.round(x[1]))).size))([...document.querySelectorAll("#view-clean .options .field > span")].map(x => { const r = x.getBoundingClientRect(); return [r.top, r.bottom]; }))`); got != "1" {
			t.Errorf("%d columns: the labels of a row are on %s lines", width, got)
		}
	}
}

// TestPageFiles: several files are a table with what became of each, and one file to
// download.
func TestPageFiles(t *testing.T) {
	var files []string
	dir := t.TempDir()
	for i, text := range []string{"<title>A</title>" + article, "<title>B</title>", "<title>C</title>" + article} {
		files = append(files, filepath.Join(dir, fmt.Sprint("page", i, ".html")))
		must.Write(t, files[i], text)
	}
	b := testkit.Open(t, start(t, Config{}).URL+"/#clean?view=text", 1000)
	b.Wait(`document.getElementById("files")`)
	b.Files("#files", files...)
	b.Wait(`document.querySelectorAll(".walk tbody tr").length === 3 && [...document.querySelectorAll(".walk tbody tr")].every(r => r.lastChild.textContent)`)
	got := b.Eval(`[...document.querySelectorAll(".walk tbody tr")].map(r => r.lastChild.textContent.split(":")[0]).join()`)
	if got != "kept,dropped,kept" {
		t.Errorf("results %s", got)
	}
	if n := b.Eval(`document.querySelectorAll(".walk .files button").length`); n != "2" {
		t.Errorf("%s downloads", n)
	}
}

// TestPageQuality: scores are shown beside their limits.
func TestPageQuality(t *testing.T) {
	doc := testkit.Visit(t, start(t, Config{}).URL+"/#clean?example=true&view=rules&rules=gopher_quality", 1000)
	if got := textOf(all(doc, func(n *html.Node) bool { return n.Data == "table" })...); !strings.Contains(got, "50 to 100,000") {
		t.Errorf("no limits in %q", got)
	}
}

// twoCorpora builds indexes of two corpora, finches and gulls.
func twoCorpora(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	at := map[string]string{}
	for _, name := range []string{"finches", "gulls"} {
		at[name] = filepath.Join(dir, name)
		must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader(strings.ReplaceAll(vertical(), "finch", strings.TrimSuffix(name, "s"))), at[name], corpus.DefaultBuild)))
	}
	return at
}

// TestPageKeywords: keywords and word lists take no query, and the other corpus is the reference.
func TestPageKeywords(t *testing.T) {
	b := testkit.Open(t, start(t, Config{Corpora: twoCorpora(t)}).URL+"/#corpus/finches/keywords?patt="+url.QueryEscape(`"finch"`), 1300)
	b.Wait(`document.querySelector("#view-corpus .out tbody tr")`)
	if got := b.Eval(`[document.querySelector("input[role=combobox]").disabled, document.querySelector("select[name=reference]").value].join()`); got != "true,gulls" {
		t.Errorf("disabled, reference: %s", got)
	}
	const tools = `[...document.querySelectorAll("form.query button[aria-controls]")].map(x => x.textContent + (x.disabled ? " off" : "")).join()`
	if got := b.Eval(tools); got != "Builder off,Filter hits off" {
		t.Errorf("tools beside a disabled query: %s", got)
	}
	b.Eval(`location.hash = "#corpus/finches/words?patt=%22finch%22"`)
	b.Wait(`document.querySelector("input[role=combobox]").disabled && document.querySelector("input[role=combobox]").title.includes("counts all words")`)
	b.Eval(`location.hash = "#corpus/finches/hits?patt=%22water%22"`)
	b.Wait(`!document.querySelector("input[role=combobox]").disabled && document.querySelector("tr.hit")`)
	if got := b.Eval(tools); got != "Builder,Filter hits" {
		t.Errorf("tools beside a query: %s", got)
	}
}

// TestPageWords: contexts end with whole words and fill their columns.
func TestPageWords(t *testing.T) {
	words := strings.Fields("The chaffinch comes to the water early in the morning when nobody else is there at all")
	var text strings.Builder
	text.WriteString("<doc>\n")
	for i := range 400 {
		text.WriteString(words[i*i/3%len(words)] + "\n")
	}
	text.WriteString("</doc>\n")
	dir := filepath.Join(t.TempDir(), "a")
	must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader(text.String()), dir, corpus.DefaultBuild)))
	s := start(t, Config{Corpora: map[string]string{"a": dir}})
	for _, width := range []int{360, 1440} {
		b := testkit.Open(t, s.URL+"/#corpus/a/hits?patt=%22water%22", width)
		b.Wait(`document.querySelector("tr.hit")`)
		var sides []string
		if err := json.Unmarshal([]byte(b.Eval(`JSON.stringify([...document.querySelectorAll("tr.hit :is(.left, .right) bdi")].map(x => x.textContent))`)), &sides); err != nil || len(sides) < 10 {
			t.Fatal(err, sides)
		}
		for _, side := range sides {
			for _, w := range strings.Fields(side) {
				if !slices.Contains(words, w) {
					t.Errorf("%d columns: %q is cut: %q", width, w, side)
				}
			}
		}
		if got := b.Eval(`(r => r.some(x => x.scrollWidth > x.clientWidth + 1) ? "over" : r.filter(x => x.firstChild.getBoundingClientRect().width > .6 * x.clientWidth).length > r.length / 2 ? "filled" : "short")([...document.querySelectorAll("tr.hit :is(.left, .right) div")])`); got != "filled" {
			t.Errorf("%d columns: the contexts are %s", width, got)
		}
	}
}

// birds is a server with a corpus of that name.
func birds(t *testing.T) *testServer {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "finches")
	must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader(vertical()), dir, corpus.DefaultBuild)))
	return start(t, Config{Corpora: map[string]string{"finches": dir}})
}

// vertical is that of the corpus finches.
func vertical() string {
	var text strings.Builder
	for i := range 30 {
		fmt.Fprintf(&text, "<doc id=\"d%d\" title=\"&lt;img src=x onerror=alert(1)>Finch %[1]d\" year=\"%d\" date=\"%[2]d-%02[3]d-01\">\n<s>\nThe\nfinch\ndrinks\nwater\nno%[4]d\n</s>\n<s>\nשלום\nעולם\n</s>\n</doc>\n", i, 2000+i%5, 1+i/5, i%4)
	}
	return text.String()
}

// TestPageHits: the concordance shows the hits of the API, those written from right to
// left the other way round.
func TestPageHits(t *testing.T) {
	s := birds(t)
	patt := `"drinks"|"עולם"`
	var want corpora.Hits
	_, body := s.get(t, "/v1/corpora/finches/hits?first=20&refs=doc.title&context=60&patt="+url.QueryEscape(patt))
	if err := json.Unmarshal([]byte(body), &want); err != nil || len(want.Hits) != 20 {
		t.Fatalf("%v: %s", err, body)
	}
	for _, width := range []int{1300, 360} {
		doc := testkit.Visit(t, s.URL+"/#corpus/finches/hits?first=20&patt="+url.QueryEscape(patt), width)
		rows := classed(doc, "tr", "hit")
		if len(rows) != len(want.Hits) {
			t.Fatalf("%d hits, wanted %d", len(rows), len(want.Hits))
		}
		for i, h := range want.Hits {
			left, right := h.Left, h.Right
			if h.RTL {
				left, right = right, left
			}
			cell := func(class string) string { return textOf(classed(rows[i], "td", class)...) }
			if width < 700 { // the context is cut to the words that fit
				left, right = cutTo(left, cell("left")), cutTo(right, cell("right"))
			}
			if cell("left") != left || cell("match") != h.Match || cell("right") != right || cell("ref") != h.Refs["doc.title"] {
				t.Errorf("hit %d is %q %q %q of %q, wanted %+v", i, cell("left"), cell("match"), cell("right"), cell("ref"), h)
			}
		}
		if made := all(doc, func(n *html.Node) bool { return n.Data == "img" }); len(made) > 0 {
			t.Error("an element is made of text of a page")
		}
		if got := textOf(classed(doc, "p", "total")...); !strings.HasPrefix(got, "60 hits · ") {
			t.Errorf("total %q", got)
		}
	}
}

// cutTo returns what is shown of a text if that is an end of it, at least half as long and
// cut at a blank, else all of the text.
func cutTo(text, shown string) string {
	before, isEnd := strings.CutSuffix(text, shown)
	after, isBeginning := strings.CutPrefix(text, shown)
	if len(shown) >= len(text)/2 && (isEnd && strings.HasSuffix(before, " ") || isBeginning && strings.HasPrefix(after, " ")) {
		return shown
	}
	return text
}

// TestPageViews: the other views show their rows, and no error.
func TestPageViews(t *testing.T) {
	s := birds(t)
	patt := "patt=" + url.QueryEscape(`"finch"`)
	for view, want := range map[string]struct {
		rows  int
		holds string
	}{
		"freq?group=doc.year&" + patt:                          {5, "Hits per million tokens by year (doc.year)"},
		"freq?group=doc.date&patt=" + url.QueryEscape(`"no1"`): {8, "2003: 23,810, 1 hit in 42 tokens"}, // the dates without hits count
		"freq?group=word@2&" + patt:                            {1, "1 value of word@2 in 30 hits"},
		"collocations?min_hits=1&min_freq=1&" + patt:           {9, "9 collocates of 30 hits"},
		"keywords?filter=" + url.QueryEscape("doc.year=2000"):  {0, "against"},
		"words?number=20":                                      {0, "in 210 tokens"},
		"docs?" + patt:                                         {30, "<img src=x onerror=alert(1)>Finch 7"},
	} {
		doc := testkit.Visit(t, s.URL+"/#corpus/finches/"+view, 1300)
		out := classed(doc, "div", "out")
		var rows []*html.Node
		for _, o := range out {
			for _, b := range all(o, func(n *html.Node) bool { return n.Data == "tbody" }) {
				rows = append(rows, all(b, func(n *html.Node) bool { return n.Data == "tr" })...)
			}
			if alerts := all(o, func(n *html.Node) bool { return attribute(n, "role") == "alert" }); len(alerts) > 0 {
				t.Errorf("%s: %s", view, textOf(alerts...))
			}
		}
		if want.rows > 0 && len(rows) != want.rows || len(rows) == 0 {
			t.Errorf("%s: %d rows, wanted %d", view, len(rows), want.rows)
		}
		got := textOf(out...)
		for _, o := range out {
			for _, item := range all(o, func(n *html.Node) bool { return strings.Contains(attribute(n, "class"), "item") }) {
				got += attribute(item, "aria-label") + "\n"
			}
		}
		if want.holds != "" && !strings.Contains(got, want.holds) {
			t.Errorf("%s: no %q in %q", view, want.holds, got)
		}
	}
}

// TestPageStart opens a corpus without a query: the page has queries to click, and bars of the
// documents by language, year and site that lead to the documents.
func TestPageStart(t *testing.T) {
	var text strings.Builder
	for i := range 30 {
		fmt.Fprintf(&text, "<doc lang=\"%s\" year=\"%d\" host=\"&lt;b>%d.example\">\n<s>\nchaffinch\ndrinks\nfreshwater\n</s>\n</doc>\n", []string{"en", "de", "en"}[i%3], 2000+i, i%4)
	}
	dir := filepath.Join(t.TempDir(), "birds")
	must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader(text.String()), dir, corpus.DefaultBuild)))
	b := testkit.Open(t, start(t, Config{Corpora: map[string]string{"birds": dir}}).URL+"/#corpus/birds/hits", 360)
	b.Wait(`document.querySelectorAll(".division li").length == 2 + 12 + 4 && document.querySelectorAll(".examples a").length == 5`)
	for what, want := range map[string]string{
		`[...document.querySelectorAll(".division h2")].map(x => x.textContent).join()`:             "Languages,Years,Sites",
		`document.querySelector(".division li").textContent`:                                        "en20",
		`document.querySelectorAll(".division")[1].querySelector("li").textContent`:                 "20181",
		`document.querySelector(".facts").textContent.startsWith("documents30")`:                    "true",
		`document.documentElement.scrollWidth > innerWidth`:                                         "false",
		`[...document.querySelectorAll(".examples code")].some(x => x.textContent == "freshwater")`: "true",
	} {
		if got := b.Eval(what); got != want {
			t.Errorf("%s: %s, wanted %s", what, got, want)
		}
	}
	b.Eval(`document.querySelectorAll(".division")[2].querySelector("a").click()`)
	b.Wait(`document.querySelectorAll("#view-corpus .out tbody tr").length == 8`)
	b.Eval(`history.back()`)
	b.Wait(`document.querySelector(".examples a")`)
	b.Eval(`document.querySelector(".examples a").click()`)
	b.Wait(`document.querySelector("tr.hit")`)
	// Words without quotes are a simple query; its CQL is shown.
	b.Eval(`(i => { i.value = " drinks freshwater"; i.form.requestSubmit(); })(document.querySelector("input[role=combobox]"))`)
	b.Wait(`new URLSearchParams(location.hash.split("?")[1]).get("patt").trim() == "drinks freshwater" && document.querySelector(".total code")?.textContent == '"drinks"%c "freshwater"%c' && document.querySelectorAll("tr.hit").length == 20`)
}

// TestPageNarrow: lists fit into the window of a telephone.
func TestPageNarrow(t *testing.T) {
	s := start(t, Config{Corpora: twoCorpora(t)})
	patt := "patt=" + url.QueryEscape(`"water"`)
	for _, view := range []string{"keywords", "words", "freq?group=doc.year&" + patt, "collocations?min_hits=1&min_freq=1&" + patt} {
		b := testkit.Open(t, s.URL+"/#corpus/finches/"+view, 360)
		b.Wait(`document.querySelector("#view-corpus .out tbody tr")`)
		if got := b.Eval(`(x => x.scrollWidth > x.clientWidth)(document.querySelector("#view-corpus .out .scroll"))`); got != "false" {
			t.Errorf("%s: the table is wider than the window", view)
		}
	}
}

// TestPageFault: a query that cannot be understood is shown with the place.
func TestPageFault(t *testing.T) {
	doc := testkit.Visit(t, birds(t).URL+"/#corpus/finches/hits?patt="+url.QueryEscape(`"é" [lema="go"]`), 1300, "422")
	if got := textOf(classed(doc, "span", "wrong")...); got != "lema" {
		t.Errorf("%q is marked, wanted lema", got)
	}
	if got := textOf(classed(doc, "p", "fault")...); !strings.Contains(got, "no attribute 'lema'") {
		t.Errorf("the fault is %q", got)
	}
}

// TestPageProblem shows the message of an error without the name of its HTTP status.
func TestPageProblem(t *testing.T) {
	doc := testkit.Visit(t, birds(t).URL+"/#corpus/finches/words?attr=lema", 1300, "lema")
	if got := textOf(classed(doc, "div", "notice")...); !strings.Contains(got, "lema") || strings.Contains(got, "Unprocessable") {
		t.Errorf("the problem is %q", got)
	}
}

// TestPageDocs: the documentation has every operation, with an example whose method and type of body
// the operation takes.
func TestPageDocs(t *testing.T) {
	s := everything(t)
	_, body := s.get(t, "/openapi.json")
	var api struct {
		Paths map[string]map[string]struct{ OperationID string }
	}
	if err := json.Unmarshal([]byte(body), &api); err != nil || len(api.Paths) < 10 {
		t.Fatalf("%v: %d paths", err, len(api.Paths))
	}
	doc := testkit.Visit(t, s.URL+"/docs", 1300)
	for path, operations := range api.Paths {
		for method, o := range operations {
			found := all(doc, func(n *html.Node) bool { return attribute(n, "id") == "op-"+o.OperationID })
			if len(found) != 1 || !strings.HasPrefix(textOf(found...), strings.ToUpper(method)+" "+path) {
				t.Errorf("%s %s is not documented", method, path)
			}
			example := textOf(all(doc, func(n *html.Node) bool { return attribute(n, "class") == "code curl" && n.Parent == found[0] })...)
			body := strings.Contains(example, "--data-binary @FILE")
			if method != "get" && !body && !strings.Contains(example, "-X "+strings.ToUpper(method)+" ") || method == "get" && body || strings.Contains(example, "form-data") {
				t.Errorf("%s %s: example %s", method, path, example)
			}
		}
	}
}

// TestTokenPage: a browser without the token can give it in a form, also a wrong one first, and
// is then where it wanted to be.
func TestTokenPage(t *testing.T) {
	s := start(t, Config{Token: "sesame"})
	b := testkit.Open(t, s.URL+"/?x=1#clean?example=true&view=rules", 1000, "401")
	focused := "document.activeElement?.id === 'token'" // a page gives the focus only once it is drawn
	b.Wait(focused)
	b.Type("wrong")
	b.Press("Enter")
	b.Wait("document.querySelector('.wrong')?.textContent === 'Wrong token.' && " + focused)
	b.Type("sesame")
	b.Press("Enter")
	b.Wait("document.body?.dataset.ready === 'yes' && !document.querySelector('#token')")
	if at := b.Eval("location.search + location.hash"); !strings.HasPrefix(at, "?x=1#clean?example=true") {
		t.Errorf("at %s", at)
	}
}
