package documents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"chaffinch/input"
	"chaffinch/internal/panics"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/serve/desk/desktest"
	"chaffinch/serve/desk/journal"
	"chaffinch/serve/gate"
	"chaffinch/serve/problem"
)

// scheme returns an embedded scheme.
func scheme(t testing.TB, name string) *Scheme {
	t.Helper()
	return must.Get(ReadScheme(name))(t)
}

// newSet creates a set of n documents of ten sites: a third of them is poor, of one word.
func newSet(t testing.TB, name string, n int) string {
	t.Helper()
	from, dir := filepath.Join(t.TempDir(), "docs.jsonl"), filepath.Join(t.TempDir(), "mills")
	var out bytes.Buffer
	for i := range n {
		text := fmt.Sprintf("The mill number %d grinds corn again.\nThe miller is glad\tof it \\o/.", i)
		if n > 10 { // enough words for a model, and no near-duplicates
			text += words(i, "the a miller priest smith boat river water came went saw was in at and high cold slowly")
		}
		if i%3 == 0 {
			text = words(i, "cheap flights hotels london paris rome best price online buy free download rent car")
		}
		b, err := json.Marshal(map[string]string{"id": fmt.Sprintf("d/%d", i), "url": fmt.Sprintf("https://site%d.example/%d", i%10, i), "title": fmt.Sprintf("Mill %d", i), "lang": []string{"en", "de"}[i%2], "text": text})
		must.Succeed(t, err)
		out.Write(append(b, '\n'))
	}
	must.Write(t, from, out.String())
	a, err := Add(t.Context(), dir, []string{from}, AddConfig{Scheme: scheme(t, name), Input: input.Default})
	if err != nil || a != (Added{Documents: n}) {
		t.Fatalf("%+v, %v", a, err)
	}
	return dir
}

// words returns a text of pseudo-random words of a list.
func words(seed int, list string) string {
	all, out := strings.Fields(list), ""
	for k := range 40 {
		out += fmt.Sprintf(" %s", all[journal.Draw(fmt.Sprint(seed, k))>>20%uint64(len(all))])
	}
	return out
}

// testDesk is a desk with its operations.
type testDesk struct {
	*testing.T
	*Desk
	mux *http.ServeMux
}

func openDesk(t *testing.T, cfg Config) testDesk {
	t.Helper()
	d := must.Get(Open(t.Context(), cfg))(t)
	t.Cleanup(func() { d.close() })
	return testDesk{t, d, operations(d)}
}

func operations(d *Desk) *http.ServeMux {
	return desktest.Operations(func(a huma.API, g *gate.Gate) { Register(a, d, g) })
}

func (t testDesk) do(method, path string, body any, status int, out any) *problem.Problem {
	t.Helper()
	return desktest.Do(t, t.mux, method, "/v1/documents"+path, body, status, out)
}

type body map[string]any

func at(person, id string) string {
	return "?" + url.Values{"person": {person}, "id": {id}}.Encode()
}

// label labels a document as a person who has it open.
func (t testDesk) label(person, id, labels string) (o Document) {
	t.Helper()
	t.do("GET", "/document"+at(person, id), nil, 200, &o)
	t.do("POST", "/labels"+at(person, id), body{"what": "label", "seq": o.Seq, "labels": strings.Fields(labels)}, 200, &o)
	return o
}

// TestLabel labels, skips, undoes, and opens the set again: it has the same state.
func TestLabel(t *testing.T) {
	dir := newSet(t, "registers", 6)
	d := openDesk(t, Config{Dir: dir})
	if o := d.label("ann", "d/1", "ne"); !slices.Equal(o.Labels, []string{"NA", "ne"}) || o.Seq != 1 || !o.Done || o.Count != 1 {
		t.Errorf("%+v", o)
	}
	d.label("ann", "d/1", "")
	if o := d.label("ann", "d/2", "HI OP"); !slices.Equal(o.Labels, []string{"OP", "HI"}) {
		t.Errorf("%+v", o)
	}
	d.do("POST", "/labels"+at("ann", "d/3"), body{"what": "skip", "seq": 0}, 200, nil)
	var o Document
	d.do("POST", "/labels"+at("ann", "d/4"), body{"what": "undo", "seq": 0}, 200, &o) // of d/3
	if o.ID != "d/3" || o.Skip || o.Done || o.Seq != 2 {
		t.Errorf("undone: %+v", o)
	}
	d.do("POST", "/labels"+at("ann", "d/3"), body{"what": "undo", "seq": 2}, 200, &o)
	if o.ID != "d/2" || o.Done || len(o.Labels) > 0 {
		t.Errorf("undone: %+v", o)
	}
	d.do("POST", "/labels"+at("ann", "d/2"), body{"what": "undo", "seq": 2}, 200, &o)
	if o.ID != "d/1" || !slices.Equal(o.Labels, []string{"NA", "ne"}) {
		t.Errorf("undone: %+v", o)
	}
	d.do("POST", "/labels"+at("ann", "d/5"), body{"what": "label", "seq": 0, "labels": []string{"IN"}, "unsure": true, "ms": 4000}, 200, nil)
	overview := func(d testDesk) (v Overview) {
		d.do("GET", "?person=ann", nil, 200, &v)
		return v
	}
	first := overview(d)
	if len(first.People) != 1 || first.People[0] != (Person{Name: "ann", Labelled: 2, Unsure: 1, Seconds: 2}) || first.Labelled != 2 || first.Labels[0] != 1 || first.Recent[0].ID != "d/5" {
		t.Errorf("%+v", first)
	}
	must.Succeed(t, d.Close())
	again := openDesk(t, Config{Dir: dir})
	second := overview(again)
	a, _ := json.Marshal(first)
	b, _ := json.Marshal(second)
	if !bytes.Equal(a, b) {
		t.Errorf("opened again:\n%s, want\n%s", b, a)
	}
	again.do("POST", "/labels"+at("ann", "d/5"), body{"what": "undo", "seq": 1}, 200, &o)
	if o.ID != "d/5" || o.Done {
		t.Errorf("undone after opening again: %+v", o)
	}
}

// TestProblems rejects requests, with the place, the problem and the expected value.
func TestProblems(t *testing.T) {
	d := openDesk(t, Config{Dir: newSet(t, "natural", 3)})
	label := body{"what": "label", "seq": 0, "labels": []string{"natural"}}
	for _, c := range []struct {
		method, path string
		body         any
		status       int
		want         string
	}{
		{"GET", "/document" + at("ann", "none"), nil, 404, `document "none": the set mills has no such document`},
		{"GET", "/next?person=Ann", nil, 422, `person "Ann": wanted up to 60 bytes of lower-case letters`},
		{"GET", "/next?person=judged", nil, 422, `person "judged": reserved`},
		{"POST", "/labels" + at("judged", "d/1"), label, 422, "reserved"},
		{"POST", "/labels" + at("ann", "d/1"), body{"what": "label", "seq": 0, "labels": []string{"spam"}}, 422, `label "spam": wanted one of natural, unnatural`},
		{"POST", "/labels" + at("ann", "d/1"), body{"what": "label", "seq": 0, "labels": []string{}}, 422, "wanted exactly one label"},
		{"POST", "/labels" + at("ann", "d/1"), body{"what": "label", "seq": 3, "labels": []string{"natural"}}, 409, "0 steps there, 3 here"},
		{"POST", "/labels" + at("ann", "d/1"), body{"what": "undo", "seq": 0}, 422, "nothing to undo"},
		{"POST", "/judged" + at("ann", "d/1"), body{"labels": []string{"x"}}, 422, `label "x"`},
	} {
		if p := d.do(c.method, c.path, c.body, c.status, nil); !strings.Contains(p.Detail, c.want) {
			t.Errorf("%s %s: %s, want %s", c.method, c.path, p.Detail, c.want)
		}
	}
}

// TestAdd reads documents of several formats, and rejects duplicate ids.
func TestAdd(t *testing.T) {
	from := t.TempDir()
	write := func(name, text string) string {
		must.Write(t, filepath.Join(from, name), text)
		return filepath.Join(from, name)
	}
	add := func(dir string, paths ...string) (a Added, skipped []string, err error) {
		a, err = Add(t.Context(), dir, paths, AddConfig{Scheme: scheme(t, "quality"), Input: input.Default, Skipped: func(err error) { skipped = append(skipped, err.Error()) }})
		return a, skipped, err
	}
	dir := filepath.Join(t.TempDir(), "set")
	long := "<p>Since Sunday the mill at the river grinds corn again, and the miller of the village is glad of it, for the winter was long.</p>"
	a, skipped, err := add(dir,
		write("a.jsonl", `{"id":"1","text":"The first text.","lang":"en","title":" One ","url":"https://mill.example/"}`+"\n"+`{"id":"2","text":" \n "}`+"\n"+`{"id":"3","text":"The first text."}`+"\n"),
		write("b.txt", "A text.\nIts second line.\n\nAnother text.\n"),
		write("c.vert", "<doc id=\"v\">\n<p>\nWater\nruns\n</p>\n</doc>\n"),
		write("d.html", "<!doctype html><title>Mill</title><body><nav><a href=/>Home</a></nav>"+strings.Repeat(long, 4)))
	must.Succeed(t, err)
	if a.Documents != 5 || a.Known != 1 || a.Skipped != 1 || len(skipped) != 1 || !strings.Contains(skipped[0], "a.jsonl: record 2") {
		t.Errorf("%+v, %q", a, skipped)
	}
	docs := must.Get(readDocs(dir))(t)
	texts := map[string]string{}
	for _, d := range docs {
		texts[filepath.Base(d.ID)] = d.Title + "|" + d.Lang + "|" + d.Text
	}
	if got := texts["1"]; got != "One|en|The first text." {
		t.Errorf("%q", got)
	}
	if got := texts["v"]; !strings.HasSuffix(got, "Water runs") {
		t.Errorf("%q in %q", got, texts)
	}
	if got := texts["d.html"]; !strings.HasPrefix(got, "Mill|en|Since Sunday") || strings.Contains(got, "Home") {
		t.Errorf("%q in %q", got, texts)
	}
	_, _, err = add(dir, write("e.jsonl", `{"id":"1","text":"A different text."}`+"\n"))
	if err == nil || !strings.Contains(err.Error(), `e.jsonl#1: duplicate id "1", also of another text (`) || !strings.Contains(err.Error(), "wanted a different id") {
		t.Errorf("%v", err)
	}
	if _, _, err := add(dir, dir); err == nil || !strings.Contains(err.Error(), "one is inside the other") {
		t.Errorf("%v", err)
	}
	pages := t.TempDir()
	must.Write(t, filepath.Join(pages, pagesFile), "")
	if _, _, err := add(pages, filepath.Join(from, "b.txt")); err == nil || !strings.Contains(err.Error(), "a set of pages") {
		t.Errorf("%v", err)
	}
	a, err = Add(t.Context(), filepath.Join(t.TempDir(), "s"), []string{filepath.Join(from, "b.txt"), filepath.Join(from, "a.jsonl")}, AddConfig{Input: input.Default, Sample: 2})
	if err != nil || a.Documents != 2 {
		t.Errorf("sample: %+v, %v", a, err)
	}
}

// TestTwoWriters opens a set once at a time.
func TestTwoWriters(t *testing.T) {
	dir := newSet(t, "quality", 3)
	d := openDesk(t, Config{Dir: dir})
	const want = "open in another server"
	if _, err := Open(t.Context(), Config{Dir: dir}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	more := must.File(t, "x.txt", "More text.")
	if _, err := Add(t.Context(), dir, []string{more}, AddConfig{Input: input.Default}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	must.Succeed(t, d.Close())
	openDesk(t, Config{Dir: dir})
}

// TestSchemeOfSet changes the scheme of a set: texts may change, labels in use may not disappear.
func TestSchemeOfSet(t *testing.T) {
	dir := newSet(t, "natural", 3)
	d := openDesk(t, Config{Dir: dir})
	d.label("ann", "d/1", "keywords")
	must.Succeed(t, d.Close())
	other := *scheme(t, "natural")
	other.Question, other.Labels = "Is it natural?", slices.Clone(other.Labels)
	again := must.Get(Open(t.Context(), Config{Dir: dir, Scheme: &other}))(t)
	must.Succeed(t, again.Close())
	if s, err := ReadScheme(filepath.Join(dir, schemeFile)); err != nil || s.Question != "Is it natural?" {
		t.Errorf("%+v, %v", s, err)
	}
	other.Labels = slices.DeleteFunc(other.Labels, func(l Label) bool { return l.Label == "keywords" })
	if _, err := Open(t.Context(), Config{Dir: dir, Scheme: &other}); err == nil || !strings.Contains(err.Error(), `ann.jsonl:1: document "d/1": label "keywords": wanted one of natural`) {
		t.Errorf("%v", err)
	}
	if _, err := Open(t.Context(), Config{Dir: dir, Scheme: scheme(t, "quality")}); err == nil || !strings.Contains(err.Error(), "scheme natural (single), not quality (scale)") {
		t.Errorf("%v", err)
	}
	if _, err := Open(t.Context(), Config{Dir: t.TempDir()}); !errors.Is(err, ErrNoSet) {
		t.Errorf("%v", err)
	}
	if _, err := Open(t.Context(), Config{Dir: dir, Double: 1.5}); err == nil || !strings.Contains(err.Error(), "double: share 1.5: wanted 0 to 1") {
		t.Errorf("%v", err)
	}
}

// TestAgreement measures agreement by mode, and adjudicates.
func TestAgreement(t *testing.T) {
	for _, c := range []struct {
		scheme   string
		ann, bo  []string // labels of d/0, d/1, ...
		same     float64
		kappa    float64
		weighted float64
		near     float64
		open     int
	}{
		{"natural", []string{"natural", "keywords", "natural", "generated"}, []string{"natural", "keywords", "generated", "generated"}, .75, 7. / 11, 0, 0, 1},
		// Per label: NA 1, HI 0 (of 2 documents by ann, none by bo).
		{"registers", []string{"NA", "HI", "NA HI", "NA"}, []string{"NA", "", "NA", "NA"}, .5, .5, 0, 0, 2},
		{"quality", []string{"0", "2", "4", "5"}, []string{"0", "2", "3", "5"}, .75, 9. / 13, 1 - 1/28., 1, 1},
	} {
		d := openDesk(t, Config{Dir: newSet(t, c.scheme, 5)})
		for i := range c.ann {
			d.label("ann", fmt.Sprintf("d/%d", i), c.ann[i])
			d.label("bo", fmt.Sprintf("d/%d", i), c.bo[i])
		}
		var a Agreements
		d.do("GET", "/agreement", nil, 200, &a)
		near := func(p *float64, want float64) bool { return p != nil && *p > want-.001 && *p < want+.001 }
		p := a.People[0]
		if p.Documents != 4 || p.Same != c.same || !near(p.Kappa, c.kappa) || p.Alpha == nil || a.Open != c.open || len(a.Differences) != c.open {
			t.Errorf("%s: %+v, kappa %v, %d open", c.scheme, p, *p.Kappa, a.Open)
		}
		if c.weighted > 0 && (!near(p.Weighted, c.weighted) || !near(p.Near, c.near)) {
			t.Errorf("%s: weighted %v, near %v, want %g, %g", c.scheme, *p.Weighted, *p.Near, c.weighted, c.near)
		}
		x := a.Differences[0]
		judged := x.Labels["bo"]
		d.do("POST", "/judged"+at("cy", x.ID), body{"labels": judged}, 200, &a)
		if a.Open != c.open-1 {
			t.Errorf("%s: %d open after a decision", c.scheme, a.Open)
		}
		for _, e := range d.examples() {
			if e.ID == x.ID && !slices.Equal(e.labels, judged) {
				t.Errorf("%s: labels %q, want the adjudicated labels %q", c.scheme, e.labels, judged)
			}
		}
	}
}

// TestMajority decides by the majority, then by the first annotator.
func TestMajority(t *testing.T) {
	d := openDesk(t, Config{Dir: newSet(t, "registers", 3)})
	d.label("ann", "d/0", "ne")
	d.label("bo", "d/0", "ne OP")
	d.label("cy", "d/0", "OP")
	d.label("ann", "d/1", "HI")
	d.label("bo", "d/1", "IN")
	d.label("ann", "d/2", "")
	got := map[string]string{}
	for _, x := range d.examples() {
		got[x.ID] = strings.Join(x.labels, " ")
	}
	if fmt.Sprint(got) != "map[d/0:NA ne OP d/1:HI d/2:]" {
		t.Error(got)
	}
	d = openDesk(t, Config{Dir: newSet(t, "natural", 3)})
	d.label("ann", "d/0", "natural")
	d.label("bo", "d/0", "keywords")
	d.label("cy", "d/0", "keywords")
	if x := d.examples(); len(x) != 1 || !slices.Equal(x[0].labels, []string{"unnatural", "keywords"}) {
		t.Errorf("%+v", x)
	}
}

// TestExport writes the labelled documents as JSON lines and as a table.
func TestExport(t *testing.T) {
	dir := newSet(t, "registers", 3)
	d := openDesk(t, Config{Dir: dir})
	d.label("ann", "d/1", "ne OP")
	d.do("POST", "/labels"+at("ann", "d/2"), body{"what": "label", "seq": 0, "labels": []string{}, "unsure": true}, 200, nil)
	var lines, table, sure string
	d.do("GET", "/export", nil, 200, &lines)
	d.do("GET", "/export?format=tsv", nil, 200, &table)
	d.do("GET", "/export?format=tsv&sure=true", nil, 200, &sure)
	const first = `{"id":"d/1","url":"https://site1.example/1","lang":"de","labels":["NA/ne","OP"],"text":"The mill number 1 grinds corn again.\nThe miller is glad\tof it \\o/."}` + "\n"
	if !strings.HasPrefix(lines, first) || !strings.Contains(lines, `"labels":[],`) {
		t.Errorf("%s, want\n%s", lines, first)
	}
	const head = "id\tlabels\tlang\turl\ttext\nd/1\tNA/ne OP\tde\thttps://site1.example/1\tThe mill number 1 grinds corn again.\\nThe miller is glad\\tof it \\\\o/.\n"
	if sure != head || !strings.HasPrefix(table, head+"d/2\t\ten\t") {
		t.Errorf("%s\n%s, want\n%s", table, sure, head)
	}
	must.Succeed(t, d.Close())
	for name, want := range map[string]string{"labels.jsonl": lines, "labels.tsv": table} {
		if got := string(must.Read(t, filepath.Join(dir, name))); got != want {
			t.Errorf("%s: %s, want\n%s", name, got, want)
		}
	}
}

// TestDamaged changes each value of the files of a set: it is not opened, with an error that names
// the file, or it answers.
func TestDamaged(t *testing.T) {
	dir := newSet(t, "natural", 2)
	d := openDesk(t, Config{Dir: dir})
	d.label("ann", "d/0", "keywords")
	d.label("ann", "d/1", "natural")
	must.Succeed(t, d.Close())
	must.Succeed(t, os.MkdirAll(filepath.Join(dir, modelFolder), 0o777))
	must.Write(t, filepath.Join(dir, modelFolder, trainingsFile), `{"model":0,"trainings":[{"number":1,"time":"2026-01-01T00:00:00Z","by":"ann","learned":20,"kept":5,"curve":[{"same":0.5}],"labels":[]}]}`)
	tried := 0
	for _, file := range []string{filepath.Join(dir, schemeFile), filepath.Join(dir, documentsFile), filepath.Join(dir, modelFolder, trainingsFile), filepath.Join(dir, labelFolder, "ann"+journal.Ending)} {
		whole := must.Read(t, file)
		for what, b := range testkit.Damaged(whole) {
			if tried++; !testkit.Part(tried, 5) {
				continue
			}
			must.Write(t, file, b)
			err := panics.Catch(func() error {
				d, err := Open(t.Context(), Config{Dir: dir})
				if err != nil {
					return err
				}
				defer d.Close()
				mux := operations(d)
				for _, path := range []string{"?person=ann", "/next?person=ann", "/document" + at("ann", "d/0"), "/agreement", "/export", "/trainings"} {
					mux.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/v1/documents"+path, nil))
				}
				return nil
			})
			if err != nil && (!strings.Contains(err.Error(), dir) || strings.Contains(panics.Detail(err), "goroutine ")) {
				t.Errorf("%s: %s: %s", file, what, panics.Detail(err))
			}
		}
		must.Write(t, file, whole)
	}
	if tried < 100 {
		t.Errorf("%d changes were tried", tried)
	}
}
