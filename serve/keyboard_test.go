package serve

import (
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"chaffinch/corpus"
	"chaffinch/internal/report"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/serve/space"
)

// These tests work the page as a person does who has a keyboard alone.

// held tells that the element with the focus, x, is inside of what a selector finds.
const held = `(s => !!document.activeElement.closest(s))`

// TestKeysClean takes the example, goes through its blocks, changes what is kept, and
// looks at the other views.
func TestKeysClean(t *testing.T) {
	s := start(t, Config{})
	b := testkit.Open(t, s.URL+"/", 1000)
	b.Press("Tab", "Enter")
	b.Wait(`document.activeElement.id === "main"`) // the link past the head
	b.TabTo(`x.textContent === "Example"`)
	b.Press("Enter")
	b.Wait(`location.hash.includes("example=true") && document.querySelectorAll("#view-clean iframe").length === 2`)
	b.Eval(`document.getElementById("main").focus()`)
	all := b.Eval(`document.querySelectorAll("#view-clean .tabs a").length`)
	for _, view := range []string{"text", "diff", "rules"} {
		b.TabTo(`x.closest("#view-clean .tabs")`)
		b.Press("ArrowRight", "Enter")
		b.Wait(`location.hash.includes("view=` + view + `")`)
		b.Wait(`document.querySelector("#view-clean .out").innerText.length > 60 && !document.querySelector("[role=alert]")`)
		b.Eval(`document.getElementById("main").focus()`)
	}
	if all != "4" {
		t.Errorf("%s views", all)
	}
	// the field, by its key; what is pasted is cleaned and stands in the address
	b.Press("/")
	b.Wait(`document.activeElement.id === "paste"`)
	b.Press("Control+a")
	b.Type("<p>The chaffinch comes to the water early in the morning, when nobody else is there at all.</p>")
	b.TabTo(`x.textContent === "Clean"`)
	b.Press("Enter")
	b.Wait(`location.hash.includes("in=")`)
	b.Wait(`document.body.innerText.includes("of 17")`)
	// help, and back
	b.Eval(`document.activeElement.blur()`)
	b.Press("?")
	b.Wait(`document.getElementById("keys").open`)
	b.Press("Escape")
	b.Wait(`!document.getElementById("keys").open`)
}

// TestKeysCorpus asks a query with its completion, goes through the hits, opens one,
// labels some by name, and looks at every list.
func TestKeysCorpus(t *testing.T) {
	s := birds(t)
	b := testkit.Open(t, s.URL+"/#clean", 1000)
	b.TabTo(`x.closest("#parts")`)
	b.Press("ArrowRight", "Enter")
	b.Wait(`document.querySelector("#view-corpus input[role=combobox]")`)
	b.Press("/")
	b.Type(`[wo`)
	b.Wait(`!document.querySelector(".offers").hidden`)
	b.Press("ArrowDown", "Enter")
	if got := b.Eval(`document.activeElement.value`); !strings.HasPrefix(got, "[word") {
		t.Errorf("the completion makes %q", got)
	}
	b.Press("Escape", "Control+a")
	b.Type(`"finch"`)
	b.Press("Escape", "Enter")
	b.Wait(`document.querySelectorAll("tr.hit").length === 20`)
	b.TabTo(`x.matches("tr.hit")`)
	b.Press("ArrowDown", "Enter")
	b.Wait(`document.querySelector("tr.wide .snippet")`)
	b.Press("Escape")
	b.Wait(`!document.querySelector("tr.wide")`)
	b.Press("1", "2", "1")
	b.Wait(`document.querySelectorAll(".labels .label").length === 2`)
	b.TabTo(`x.matches(".labels input")`)
	b.Type("bird")
	b.Press("Enter", "Tab")
	// the labels and their names last
	b.Reload()
	b.Wait(`document.body?.dataset.ready && document.querySelector(".labels input")?.value === "bird" && document.querySelectorAll("tr.hit .label").length === 3`)
	for _, view := range []string{"profile", "freq", "collocations", "keywords", "trends", "words", "docs"} {
		b.TabTo(`x.closest("#view-corpus .tabs")`)
		b.Press("ArrowRight", "Enter")
		b.Wait(`location.hash.includes("/` + view + `")`)
		b.Wait(`document.querySelector("#view-corpus .out").innerText.length > 10`)
		b.Eval(`document.getElementById("main").focus()`)
	}
}

// TestKeysParts keeps a part of the corpus by name, and forgets it.
func TestKeysParts(t *testing.T) {
	s := birds(t)
	b := testkit.Open(t, s.URL+"/#corpus/finches/hits?patt="+url.QueryEscape(`"finch"`)+"&filter="+url.QueryEscape(`doc.year="2001"`), 1000)
	const kept = `String(localStorage.getItem("chaffinch.parts.finches"))`
	b.Wait(`document.querySelectorAll("tr.hit").length === 6`)
	b.TabTo(`x.textContent === "Save as …"`)
	b.Press("Enter")
	b.Type("one")
	b.Press("Enter")
	b.Wait(`document.getElementById("part").value === "one"`)
	if got := b.Eval(kept); got != `{"one":"doc.year=\"2001\""}` {
		t.Errorf("kept: %s", got)
	}
	b.TabTo(`x.textContent === "Delete"`)
	b.Press("Enter")
	b.Wait(`[...document.getElementById("part").options].every(o => o.value !== "one")`)
	if got := b.Eval(kept); got != "null" {
		t.Errorf("still kept: %s", got)
	}
}

// TestKeysName says who labels: the browser knows it the next time, until another name is asked for.
func TestKeysName(t *testing.T) {
	s, _ := underAnnotation(t)
	b := testkit.Open(t, s.URL+"/#annotate", 1000)
	b.TabTo(`x.name === "as"`)
	b.Type("ann")
	b.Press("Enter")
	b.Wait(`document.querySelector("#view-annotate .facts")?.innerText.includes("ann")`)
	b.Eval(`location.hash = "#annotate"`)
	b.Reload()
	b.Wait(`document.querySelector("#view-annotate .facts")?.innerText.includes("ann")`)
	b.TabTo(`x.textContent === "Change name"`)
	b.Press("Enter")
	b.Wait(`document.querySelector("#view-annotate input[name=as]")`)
	b.Reload()
	b.Wait(`document.querySelector("#view-annotate input[name=as]")`)
}

// TestKeysReports goes through a list of reports, whose names and HTML would like to be more than text,
// and sees a crawl grow.
func TestKeysReports(t *testing.T) {
	dir := t.TempDir()
	put := func(text string, parts ...string) {
		t.Helper()
		must.Write(t, filepath.Join(append([]string{dir}, parts...)...), text)
	}
	const take = `{"at":1,"take":{"Kind":2,"Host":0,"Origin":"http://<img src=x onerror=alert(1)>","Path":"/"}}` + "\n"
	const done = `{"at":2000000000,"done":{"Host":0,"Bytes":1000,"Clean":100},"page":{"lang":"<script>alert(2)</script>"}}` + "\n"
	put(`{"version": 4, "langs": ["<b>gd</b>"]}`, "crawl", "crawl.json")
	put(take+done, "crawl", "journal", "00000001.jsonl")
	put(`{"<img src=x onerror=alert(3)>": "<script>alert(4)</script>", "t": {"<i>": {"a": "<b>", "b": 2}}}`, "<img src=x onerror=alert(5)>.json")
	put(report.Mark+`<title>x</title><p id="p">text</p><script>document.getElementById("p").textContent = "ran"; top.document.body.textContent = "ran"; location = "https://example.org"</script>
<img src=x onerror="parent.postMessage('ran','*')"><a href="javascript:alert(6)">a</a><iframe src="/v1/about"></iframe><form action="/v1/clean" method="post"><button>b</button></form>`, "z.html")
	s := start(t, Config{Reports: dir})
	b := testkit.Open(t, s.URL+"/#reports", 1000, "Content Security Policy", "ERR_BLOCKED_BY_CSP", "sandboxed")
	b.Wait(`document.querySelectorAll("#view-reports tbody tr").length === 3`)
	elements := func() {
		t.Helper()
		for i, made := range strings.Split(b.Eval(`["#view-reports table img", "#view-reports b", "#view-reports script", "#view-reports i:not(.bar i)"].map(s => document.querySelectorAll(s).length).join()`), ",") {
			if made != "0" {
				t.Errorf("%s elements of kind %d were made of names and values", made, i)
			}
		}
	}
	b.TabTo(`x.matches("#view-reports tbody a")`)
	b.Press("Enter") // what runs stands first
	b.Wait(`document.querySelector("#view-reports h2")?.textContent === "crawl"`)
	b.Wait(`/pages\s1\b/i.test(document.querySelector("#view-reports .facts").innerText)`)
	put(take+done+take+done+take+done, "crawl", "journal", "00000001.jsonl")
	b.Wait(`[...document.querySelectorAll("#view-reports .facts div")].some(d => /^pages\s3$/i.test(d.innerText.trim()))`)
	if b.Eval(held+`("#view-reports tbody a")`) != "true" {
		t.Error("the focus has left the list when the crawl grew")
	}
	for _, name := range []string{"<img src=x onerror=alert(5)>.json", "z.html"} {
		b.Press("Home")
		for range 3 {
			if b.Eval(`document.activeElement.textContent`) != name {
				b.Press("ArrowDown")
			}
		}
		b.Press("Enter")
		b.Wait(`document.querySelector("#view-reports h2").textContent === ` + strconv.Quote(name))
		elements()
	}
	b.Wait(`document.querySelector("#view-reports iframe")`)
	b.Eval(`new Promise(r => setTimeout(r, 500))`)
	if b.Eval(`document.body.textContent.includes("ran") || location.hash !== "#reports?path=z.html"`) != "false" {
		t.Errorf("a script of a report ran: %s, %s", b.Eval(`location.hash`), b.Eval(`document.body.innerText`))
	}
}

// TestAccessible has axe-core look at every part in three widths and two themes. It is
// no part of the project: CHAFFINCH_AXE names its file axe.min.js (npm pack axe-core).
// With CHAFFINCH_PICTURES=DIR each is kept as a picture too.
func TestAccessible(t *testing.T) {
	name := os.Getenv("CHAFFINCH_AXE")
	if name == "" {
		t.Skip("CHAFFINCH_AXE names no axe.min.js")
	}
	axe := must.Read(t, name)
	dir := t.TempDir()
	index := filepath.Join(dir, "finches")
	must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader(vertical()), index, corpus.DefaultBuild)))
	nouns := filepath.Join(dir, "nouns")
	buildTagged(t, nouns)
	flock := filepath.Join(dir, "flock.shards")
	must.Write(t, flock, index+"\n")
	os.WriteFile(filepath.Join(dir, "figures.json"), []byte(`{"a": 1, "t": [{"name": "x", "value": 2}]}`), 0o666)
	os.WriteFile(filepath.Join(dir, "clean.eval"), []byte(`{"command": "chaffinch eval clean", "started": "2026-11-24T10:00:00Z", "step": "set one", "done": 1, "total": 3, "said": "system  bw_f\nblocks  94.3\n"}`), 0o666)
	set, _ := mills(t)
	sp := must.Get(space.Open(space.Config{Dir: filepath.Join(t.TempDir(), "store"), Contact: "ann@finch.example", Roots: []string{dir}}))(t)
	defer sp.Close()
	s := start(t, Config{Corpora: map[string]string{"finches": index, "nouns": nouns, "flock": flock}, Reports: dir, Desk: set, Space: sp})
	for _, p := range [][2]string{{"corpora", `{"name": "herons"}`}, {"saved", `{"name": "Finch", "corpus": "finches", "view": "hits", "params": {"patt": "finch"}}`}, {"subcorpora", `{"corpus": "finches", "name": "late", "filter": "doc.year>=2001"}`},
		{"history", `{"corpus": "finches", "view": "hits", "params": {"patt": "finch"}}`}} {
		s.post(t, "/v1/workspace/"+p[0], "application/json", p[1])
	}
	pictures := os.Getenv("CHAFFINCH_PICTURES")
	for part, hash := range map[string]string{
		"clean": "clean", "blocks": "clean?example=true", "text": "clean?example=true&view=text", "diff": "clean?example=true&view=diff", "rules": "clean?example=true&view=rules",
		"corpus": "corpus", "hits": "corpus/finches/hits?patt=%22finch%22", "freq": "corpus/finches/freq?group=doc.year&patt=%22finch%22", "collocations": "corpus/finches/collocations?min_hits=1&patt=%22finch%22",
		"keywords": "corpus/finches/keywords", "keywords list": "corpus/finches/keywords?reference=list:en", "scatter": "corpus/finches/keywords?reference=nouns&chart=scatter", "shards": "corpus/flock/hits?patt=finch", "shards words": "corpus/flock/words", "words": "corpus/finches/words", "docs": "corpus/finches/docs?patt=%22finch%22", "profile": "corpus/nouns/profile?word=finch", "trends": "corpus/nouns/trends", "terms": "corpus/nouns/terms", "sketch": "corpus/nouns/sketch?word=finch", "fault": "corpus/finches/hits?patt=%5Blema", "reports": "reports", "figures": "reports?path=figures.json", "eval": "reports?path=clean.eval",
		"annotate": "annotate?as=ann", "label": "annotate/page/mill?as=ann", "agreement": "annotate/agreement?as=ann", "model": "annotate/model?as=ann",
		"workspace": "workspace", "upload": "upload", "two": "corpus/finches/side?patt=finch", "two freq": "corpus/finches/side?patt=finch&what=freq", "subcorpus": "corpus/finches/docs?subcorpus=late",
	} {
		t.Run(part, func(t *testing.T) {
			b := testkit.Open(t, s.URL+"/#"+hash, 1400, "422", "sandboxed")
			b.Eval(string(axe) + ";0")
			for _, width := range []int{375, 900, 1400} {
				for _, dark := range []bool{false, true} {
					b.Width(width)
					b.Dark(dark)
					b.Eval(`new Promise(r => requestAnimationFrame(() => setTimeout(r, 150)))`)
					if found := b.Eval(`axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations.map(v => v.id + ": " + v.nodes.map(n => n.target.join(" ")).join(", ")).join("; "))`); found != "" {
						t.Errorf("%d pixels, dark %t: %s", width, dark, found)
					}
					if wide := b.Eval(`document.documentElement.scrollWidth > innerWidth`); wide != "false" {
						t.Errorf("%d pixels: wider than the window", width)
					}
					if pictures != "" {
						theme := map[bool]string{false: "light", true: "dark"}[dark]
						must.Write(t, filepath.Join(pictures, part+"-"+strings.Join([]string{strconv.Itoa(width), theme}, "-")+".png"), b.Picture())
					}
				}
			}
		})
	}
}
