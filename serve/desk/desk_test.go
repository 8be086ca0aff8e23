package desk

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"chaffinch/input"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/gold"
	"chaffinch/lab/gold/origin"
	"chaffinch/page"
	"chaffinch/serve/desk/desktest"
	"chaffinch/serve/gate"
	"chaffinch/serve/problem"
)

// pageOf is a page of a site, with a menu that all its pages have.
func pageOf(site, n int) string {
	who := []string{"baker", "miller", "smith", "teacher", "ferryman", "priest", "doctor"}[n%7] + strings.Repeat("s", n/7)
	return fmt.Sprintf(`<!doctype html><meta charset=utf-8><title>Mill %d</title><link rel=canonical href="https://site%d.example/p%d"><body>
<nav><ul><li><a href=/>Home</a><li><a href=/about>About us</a></ul></nav>
<main><h1>The mill number %d</h1><p>Since Sunday the mill at the river grinds corn again, and the %s of the village is glad of it, for the winter was long.</p>
<p>The water was high in spring %d, so that the wheel had to stand still for three weeks, as it did in his father's days.</p><figure><figcaption>Photo: A. Berg</figcaption></figure></main>
<footer><p>Copyright %d &lt;img src=x onerror=alert(1)&gt;</p></footer>`, n, site, n, n, who, n, n)
}

// newSet makes a set of n pages of some sites, and a dump.
func newSet(t testing.TB, n, sites int) string {
	t.Helper()
	from, dir := t.TempDir(), filepath.Join(t.TempDir(), "mills")
	for i := range n {
		must.Write(t, filepath.Join(from, fmt.Sprintf("p%02d.html", i)), pageOf(i%sites, i))
	}
	must.Write(t, filepath.Join(from, "dump.txt"), "Home | About\nThe mill grinds corn again, and the miller is glad of it.\nCopyright 2026\n")
	a, err := Add(t.Context(), dir, []string{from}, AddConfig{Input: input.Default})
	if err != nil || a.Pages != n+1 || a.Skipped > 0 {
		t.Fatalf("%+v, %v", a, err)
	}
	if a, err = Add(t.Context(), dir, []string{from}, AddConfig{Input: input.Default}); err != nil || a.Pages != 0 || a.Known != n+1 {
		t.Fatalf("again: %+v, %v", a, err)
	}
	return dir
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
	t.Cleanup(func() { d.Close() })
	return testDesk{t, d, operations(d)}
}

func operations(d *Desk) *http.ServeMux {
	return desktest.Operations(func(a huma.API, g *gate.Gate) { Register(a, d, g) })
}

func (t testDesk) do(method, path string, body any, status int, out any) *problem.Problem {
	t.Helper()
	return desktest.Do(t, t.mux, method, "/v1/desk"+path, body, status, out)
}

type labels map[string]any

func (t testDesk) open(id, person string) (o Opened) {
	t.Helper()
	t.do("GET", "/pages/"+id+"?person="+person, nil, 200, &o)
	return o
}

func (t testDesk) label(id, person string, seq int, more labels) (c Changed) {
	t.Helper()
	body := labels{"what": "label", "seq": seq}
	maps.Copy(body, more)
	t.do("POST", "/pages/"+id+"/labels?person="+person, body, 200, &c)
	return c
}

// find returns the block with a text.
func find(t testing.TB, o Opened, text string) int {
	t.Helper()
	i := slices.IndexFunc(o.Blocks, func(b Block) bool { return strings.HasPrefix(b.Text, text) })
	if i < 0 {
		t.Fatalf("no block %q in %+v", text, o.Blocks)
	}
	return i
}

// TestGold: the labels are a gold set that the readers of sets accept: roles, gold text and
// lines.
func TestGold(t *testing.T) {
	dir := newSet(t, 3, 3)
	d := openDesk(t, Config{Dir: dir})
	var l List
	d.do("GET", "?person=ann", nil, 200, &l)
	if len(l.Pages) != 4 || l.Set != "mills" || len(l.Roles) != page.RoleCount || len(l.People) != 0 {
		t.Fatalf("%+v", l)
	}
	o := d.open("p01", "ann")
	if o.Blocks[0].Proposed == "" || o.Blocks[0].Score <= 0 || o.Seq != 0 {
		t.Fatalf("%+v", o.Blocks[0])
	}
	caption := find(t, o, "Photo")
	d.label("p01", "ann", 0, labels{"labels": []LabelItem{{caption, "aside"}}})
	if c := d.label("p01", "ann", 1, labels{"what": "accept"}); !c.Done || c.Labels[caption] != (Labeled{"aside", true}) || c.Labels[0].Hand || c.Labels[0].Label != o.Blocks[0].Proposed {
		t.Errorf("%+v", c)
	}
	two := d.open("dump", "ann")
	if !two.Two || len(two.Blocks) != 3 {
		t.Fatalf("%+v", two)
	}
	d.label("dump", "ann", 0, labels{"what": "accept", "labels": []LabelItem{{0, "boilerplate"}, {1, "text"}, {2, "boilerplate"}}})

	roles, err := gold.ReadRolePages(filepath.Join(dir, "roles.tsv"))
	if err != nil || len(roles) != 1 || roles[0].Key() != "mills/p01" {
		t.Fatalf("%+v, %v", roles, err)
	}
	set, err := gold.Open("", dir)
	if err != nil || len(set.Pages) != 1 || set.Pages[0].ID != "p01" || !strings.Contains(set.Pages[0].Text, "Since Sunday the mill") || strings.Contains(set.Pages[0].Text, "Copyright") {
		t.Fatalf("%+v, %v", set.Pages, err)
	}
	if err := roles[0].Check(set.Pages[0]); err != nil {
		t.Error(err)
	}
	if got := origin.Site(set.Pages[0], &page.Page{}); got != "" && got != "site1.example" {
		t.Errorf("site %q", got)
	}
	p := must.Get(d.read(t.Context(), d.byID["p01"]))(t)
	for i, r := range gold.RolesOf(p, roles[0].Spans) {
		want := o.Blocks[i].Proposed
		if i == caption {
			want = "aside"
		}
		if r.String() != want {
			t.Errorf("block %d is %s, wanted %s", i, r, want)
		}
	}
	docs, err := gold.ReadLineDocs(t.Context(), filepath.Join(dir, "lines.jsonl"))
	if err != nil || len(docs) != 1 || docs[0].Lang != "en" || !slices.Equal(docs[0].Labels, []bool{false, true, false}) {
		t.Fatalf("%+v, %v", docs, err)
	}
	// what is taken back is in no file
	if c := d.label("p01", "ann", 2, labels{"what": "undo"}); c.Page != "dump" || c.Done {
		t.Errorf("%+v", c)
	}
	d.label("p01", "ann", 2, labels{"what": "reopen"})
	for _, name := range []string{"lines.jsonl", "gold/p01.txt", "roles.tsv"} {
		if _, err := os.Stat(filepath.Join(dir, name)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTwice: who changes a page in two windows is told, and nothing is overwritten; two
// people on one page see each other, and their labels stay apart.
func TestTwice(t *testing.T) {
	dir := newSet(t, 1, 1)
	d := openDesk(t, Config{Dir: dir})
	d.open("p00", "ann")
	d.label("p00", "ann", 0, labels{"labels": []LabelItem{{0, "title"}}})
	p := d.do("POST", "/pages/p00/labels?person=ann", labels{"what": "label", "seq": 0, "labels": []LabelItem{{0, "body"}}}, 409, nil)
	if !strings.Contains(p.Detail, "nothing was overwritten") {
		t.Error(p.Detail)
	}
	o := d.open("p00", "bo")
	if len(o.Others) != 1 || o.Others[0] != (other{"ann", true, false, 1}) || o.Blocks[0].Label != "" {
		t.Errorf("%+v", o.Others)
	}
	must.Fail(t, must.Err(Open(t.Context(), Config{Dir: dir})), "another server")
	for _, bad := range []struct {
		path string
		body labels
	}{
		{"/pages/p00/labels?person=ann", labels{"what": "label", "seq": 1, "labels": []LabelItem{{99, "title"}}}},
		{"/pages/p00/labels?person=ann", labels{"what": "label", "seq": 1, "labels": []LabelItem{{0, "headline"}}}},
		{"/pages/p00/labels?person=..%2Fann", labels{"what": "label", "seq": 0}},
		{"/pages/p00/labels?person=judged", labels{"what": "label", "seq": 0}},
		{"/pages/p00/labels?person=Ann", labels{"what": "label", "seq": 0}},
		{"/pages/p00/labels?person=cy", labels{"what": "undo", "seq": 0}},
	} {
		d.do("POST", bad.path, bad.body, 422, nil)
	}
	d.do("GET", "/pages/..%2F..%2Fetc?person=ann", nil, 404, nil)
	files, err := os.ReadDir(filepath.Join(dir, "labels"))
	if err != nil || len(files) != 2 { // ann.jsonl and the lock
		t.Errorf("%v, %v", files, err)
	}
}

// TestAlike: a label goes to the like blocks of the site's other pages, but for those
// that have one, and is taken back from all at once.
func TestAlike(t *testing.T) {
	d := openDesk(t, Config{Dir: newSet(t, 6, 2)})
	o := d.open("p00", "ann")
	home := find(t, o, "About us")
	if o.Blocks[home].Alike != 2 {
		t.Fatalf("%+v", o.Blocks[home])
	}
	d.label("p02", "ann", 0, labels{"labels": []LabelItem{{home, "other"}}})
	c := d.label("p00", "ann", 0, labels{"labels": []LabelItem{{home, "notice"}}, "alike": "text"})
	if c.Pages != 1 {
		t.Errorf("%d pages", c.Pages)
	}
	of := func(id string) string { return d.open(id, "ann").Blocks[home].Label }
	if of("p00") != "notice" || of("p02") != "other" || of("p04") != "notice" || of("p01") != "" {
		t.Error(of("p00"), of("p02"), of("p04"), of("p01"))
	}
	if c := d.label("p00", "ann", 1, labels{"what": "undo"}); c.Pages != 1 || c.Page != "p00" {
		t.Errorf("%+v", c)
	}
	if of("p00") != "" || of("p02") != "other" || of("p04") != "" {
		t.Error(of("p00"), of("p02"), of("p04"))
	}
	if c := d.label("p00", "ann", 2, labels{"what": "undo"}); c.Page != "p02" {
		t.Errorf("the step before was on %s", c.Page)
	}
}

// TestReopen: what was labelled is there again after a start, steps can still be taken
// back, and a line that was not written to its end is cut off with a notice.
func TestReopen(t *testing.T) {
	dir := newSet(t, 2, 1)
	d := openDesk(t, Config{Dir: dir})
	d.label("p00", "ann", 0, labels{"labels": []LabelItem{{0, "title"}, {1, "body*"}}})
	d.label("p00", "ann", 1, labels{"labels": []LabelItem{{0, ""}}})
	d.Close()
	log := filepath.Join(dir, "labels", "ann.jsonl")
	whole, err := os.ReadFile(log)
	if err != nil || bytes.Count(whole, []byte("\n")) != 2 {
		t.Fatalf("%s, %v", whole, err)
	}
	must.Write(t, log, append(slices.Clone(whole), `{"page":"p00","seq":3,"la`...))
	d = openDesk(t, Config{Dir: dir})
	if len(d.notices) != 1 || !strings.Contains(d.notices[0], "bytes removed") {
		t.Error(d.notices)
	}
	if b, err := os.ReadFile(log); err != nil || !bytes.Equal(b, whole) {
		t.Errorf("the file is\n%s", b)
	}
	o := d.open("p00", "ann")
	if o.Seq != 2 || o.Blocks[0].Label != "" || o.Blocks[1].Label != "body*" {
		t.Errorf("%+v", o)
	}
	d.label("p00", "ann", 2, labels{"what": "undo"})
	if o := d.open("p00", "ann"); o.Blocks[0].Label != "title" {
		t.Errorf("%+v", o.Blocks[0])
	}
	d.Close()
	// a line that is broken in the middle is no torn one
	must.Write(t, log, append([]byte("{\n"), whole...))
	must.Fail(t, must.Err(Open(t.Context(), Config{Dir: dir})), "ann.jsonl:1")
}

// killEnv names the folder of the set that a killed process labels.
const killEnv = "CHAFFINCH_TEST_DESK"

// TestKilledHelper is the process that is killed: it labels on and on, and says what
// was answered.
func TestKilledHelper(t *testing.T) {
	dir := os.Getenv(killEnv)
	if dir == "" {
		t.Skip("is run by TestKilled")
	}
	d := must.Get(Open(context.Background(), Config{Dir: dir}))(t)
	p := must.Get(d.person("ann"))(t)
	x := d.byID["p00"]
	for seq := 0; ; seq++ {
		must.Succeed(t, must.Err(d.do(p, x, change{What: didLabel, Seq: seq, Labels: []LabelItem{{seq % len(x.spans), "body"}}}, nil)))
		fmt.Println("answered", seq+1)
	}
}

// TestKilled: no answered label is lost when the server is killed.
func TestKilled(t *testing.T) {
	dir := newSet(t, 1, 1)
	for round := range 3 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledHelper$")
		cmd.Env = append(os.Environ(), killEnv+"="+dir)
		if round > 0 { // each round begins with a new set of labels
			must.Succeed(t, os.Remove(filepath.Join(dir, "labels", "ann.jsonl")))
		}
		out := must.Get(cmd.StdoutPipe())(t)
		must.Succeed(t, cmd.Start())
		answered := 0
		for sc := bufio.NewScanner(out); sc.Scan(); {
			fmt.Sscanf(sc.Text(), "answered %d", &answered)
			if answered == 20+13*round {
				must.Succeed(t, cmd.Process.Kill())
			}
		}
		var killed *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &killed) || answered < 20 {
			t.Fatalf("%d answered, %v", answered, err)
		}
		d := must.Get(Open(t.Context(), Config{Dir: dir}))(t)
		p := must.Get(d.person("ann"))(t)
		if got := p.work(d.byID["p00"]).seq; got < answered || got > answered+1 {
			t.Errorf("%d steps are kept, %d were answered", got, answered)
		}
		d.Close()
	}
}

// TestAgreement: two people are compared as lab/annotate does, and the adjudicated label of a
// difference becomes the gold.
func TestAgreement(t *testing.T) {
	dir := newSet(t, 2, 2)
	d := openDesk(t, Config{Dir: dir})
	for _, who := range []string{"ann", "bo"} {
		for _, id := range []string{"p00", "p01"} {
			o := d.open(id, who)
			label := "caption"
			if who == "bo" && id == "p00" {
				label = "byline"
			}
			d.label(id, who, 0, labels{"what": "accept", "labels": []LabelItem{{find(t, o, "Photo"), label}}})
		}
	}
	var a Agreement
	d.do("GET", "/agreement", nil, 200, &a)
	blocks := len(d.byID["p00"].spans) + len(d.byID["p01"].spans)
	if len(a.People) != 1 || a.People[0].Pages != 2 || a.People[0].Blocks != blocks || a.Open != 1 || len(a.Differences) != 1 {
		t.Fatalf("%+v", a)
	}
	x := a.Differences[0]
	if x.Page != "p00" || x.Text != "Photo: A. Berg" || x.Labels["ann"] != "caption" || x.Labels["bo"] != "byline" || x.Judged != "" || x.Before == "" {
		t.Errorf("%+v", x)
	}
	spans := func() (r page.Role) {
		pages := must.Get(gold.ReadRolePages(filepath.Join(dir, "roles.tsv")))(t)
		at := d.byID["p00"].spans[x.Block]
		for _, s := range pages[0].Spans {
			if s.Start <= at[0] && at[1] <= s.End {
				r = s.Role
			}
		}
		return r
	}
	d.do("POST", "/pages/p00/judged?person=cy", labels{"block": x.Block, "label": "byline"}, 200, nil)
	if spans() != page.RoleByline {
		t.Errorf("the gold has %s", spans())
	}
	d.do("GET", "/agreement", nil, 200, &a)
	if a.Open != 0 || a.Differences[0].Judged != "byline" || a.Differences[0].By != "cy" {
		t.Errorf("%+v", a)
	}
	d.do("POST", "/pages/p00/judged?person=cy", labels{"block": x.Block, "label": ""}, 200, nil)
	if spans() != page.RoleCaption { // as many for one as for the other: that of the first name
		t.Errorf("the gold has %s", spans())
	}
}

// TestBias: shares of what is kept, shown and hidden, and the difference between them.
func TestBias(t *testing.T) {
	d := openDesk(t, Config{Dir: newSet(t, 12, 12)})
	for i := range 12 {
		id := fmt.Sprintf("p%02d", i)
		o := d.open(id, "ann")
		blank := i%3 == 0
		var items []LabelItem
		for k, b := range o.Blocks {
			l := b.Proposed
			if blank && k%2 == 0 {
				l = "other"
			}
			items = append(items, LabelItem{k, l})
		}
		d.label(id, "ann", 0, labels{"what": "accept", "labels": items, "blank": blank, "ms": 2000 * (i + 1)})
	}
	var b []Bias
	d.do("GET", "/bias", nil, 200, &b)
	if len(b) != 1 || b[0].Shown != (Share{0, 8, b[0].Shown.Blocks, 1}) || b[0].Blank.Pages != 4 || b[0].Blank.Value > .6 || b[0].Pull == nil || b[0].Pull.Low <= .3 || b[0].Seconds != 13 || len(b[0].Fives) != 3 {
		t.Errorf("%+v %+v", b, b[0].Pull)
	}
}

// TestBlank: without proposals a page cannot be accepted as it is, nor are they sent.
func TestBlank(t *testing.T) {
	d := openDesk(t, Config{Dir: newSet(t, 1, 1), Blank: true})
	o := d.open("p00", "ann")
	if !o.Blank || slices.ContainsFunc(o.Blocks, func(b Block) bool { return b.Proposed != "" || b.Score != 0 }) {
		t.Errorf("%+v", o)
	}
	d.do("POST", "/pages/p00/labels?person=ann", labels{"what": "accept", "seq": 0}, 422, nil)
}

// TestTrain: a training learns from the pages that are done, is measured, written, and
// taken for the proposals, which are others then; pages that are kept are not learned from.
func TestTrain(t *testing.T) {
	testkit.Slow(t)
	for _, kind := range []string{LabelRoles, LabelText} {
		dir := newSet(t, 30, 30)
		d := openDesk(t, Config{Dir: dir, Labels: kind})
		d.do("POST", "/trainings?person=ann", nil, 422, nil)
		before := map[string]Opened{}
		kept := 0
		for i := range 30 {
			id := fmt.Sprintf("p%02d", i)
			o := d.open(id, "ann")
			before[id] = o
			if o.Two != (kind == LabelText) {
				t.Fatalf("%s: two labels: %v", kind, o.Two)
			}
			if d.byID[id].kept() {
				kept++
			}
			label := "aside" // what the model takes for body
			if o.Two {
				label = "boilerplate"
			}
			d.label(id, "ann", 0, labels{"what": "accept", "labels": []LabelItem{{find(t, o, "Since Sunday"), label}, {find(t, o, "The water"), label}}})
		}
		var s TrainingStatus
		d.do("POST", "/trainings?person=ann", nil, 200, &s)
		for s.Running {
			time.Sleep(20 * time.Millisecond)
			d.do("GET", "/trainings", nil, 200, &s)
		}
		if len(s.Trainings) != 1 || s.Error != "" || kept == 0 || kept > 15 {
			t.Fatalf("%s: %+v, %d kept", kind, s, kept)
		}
		x := s.Trainings[0]
		if x.Number != 1 || x.Learned != 30-kept || x.Crossed != (kept < leastPages) || x.Gain == nil || len(x.Curve) != 3 || x.Curve[2].Pages != x.Learned || kind == LabelText && x.Gain.Low <= 0 {
			t.Errorf("%s: %+v %+v", kind, x, x.Gain)
		}
		d.do("POST", "/trainings/use", labels{"number": 2}, 404, nil)
		d.do("POST", "/trainings/use", labels{"number": 1}, 200, &s)
		d.Close()
		d = openDesk(t, Config{Dir: dir})
		if s = (TrainingStatus{}); d.model.Load().number != 1 {
			t.Errorf("%s: model %d after a start", kind, d.model.Load().number)
		}
		o := d.open("p00", "bo")
		i := find(t, o, "Since Sunday")
		if o.Blocks[i].Proposed == before["p00"].Blocks[i].Proposed && o.Blocks[i].Score >= before["p00"].Blocks[i].Score {
			t.Errorf("%s: proposed as before: %+v, %+v", kind, o.Blocks[i], before["p00"].Blocks[i])
		}
	}
}

// TestLabelsHold: the labels of a set stay those of its first start.
func TestLabelsHold(t *testing.T) {
	dir := newSet(t, 1, 1)
	openDesk(t, Config{Dir: dir, Labels: LabelText}).Close()
	must.Fail(t, must.Err(Open(t.Context(), Config{Dir: dir, Labels: LabelRoles})), "labelled by text")
	must.Fail(t, must.Err(Open(t.Context(), Config{Dir: t.TempDir()})), "meta.jsonl")
	must.Write(t, filepath.Join(dir, "html", "p00.html"), "other")
	must.Fail(t, must.Err(Open(t.Context(), Config{Dir: dir})), "SHA-256")
}
