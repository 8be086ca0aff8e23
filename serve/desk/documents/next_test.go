package documents

import (
	"strings"
	"testing"
	"time"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestSelection selects documents: spread over languages and sites, for a second annotator, and
// by uncertainty once there is a model.
func TestSelection(t *testing.T) {
	testkit.Slow(t)
	dir := newSet(t, "natural", 60)
	cfg := Config{Dir: dir, Double: .5, Random: .3, Seed: 1}
	d := openDesk(t, cfg)
	next := func(person string) (o Document) {
		d.do("GET", "/next?person="+person, nil, 200, &o)
		return o
	}
	decide := func(o Document, person string) {
		label := "natural"
		if strings.Contains(o.Text, "cheap") {
			label = "unnatural"
		}
		d.label(person, o.ID, label)
	}
	sites, langs := map[string]int{}, map[string]int{}
	for range 10 {
		o := next("ann")
		if again := next("ann"); again.ID != o.ID || again.How != bySpread {
			t.Fatalf("%s (%s), want the open document %s", again.ID, again.How, o.ID)
		}
		sites[strings.Split(o.URL, "/")[2]]++
		langs[o.Lang]++
		decide(o, "ann")
	}
	if len(sites) != 10 || langs["en"] != 5 {
		t.Errorf("sites %v, languages %v, want each site once", sites, langs)
	}
	a, b := next("ann"), next("bo")
	if a.ID == b.ID && d.wanted(d.byID[a.ID]) == 1 {
		t.Errorf("two annotators have %s open", a.ID)
	}
	second := 0
	for _, x := range d.docs {
		if len(d.done(x)) == 1 && d.wanted(x) == 2 {
			second++
		}
	}
	if second == 0 {
		t.Fatal("no document is for two annotators")
	}
	for range second {
		decide(b, "bo")
		b = next("bo")
	}
	d.do("POST", "/labels"+at("bo", b.ID), body{"what": "skip", "seq": 0}, 200, nil)
	if c := next("bo"); c.ID == b.ID {
		t.Errorf("%s again, which was skipped", b.ID)
	}
	var s ModelStatus
	if p := d.do("POST", "/trainings?person=ann", body{}, 422, nil); !strings.Contains(p.Detail, "wanted at least 20") {
		t.Errorf("%+v", p)
	}
	for range 15 {
		decide(next("ann"), "ann")
	}
	d.do("POST", "/trainings?person=ann", body{}, 200, nil)
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if d.do("GET", "/trainings", nil, 200, &s); !s.Running || time.Now().After(end) {
			break
		}
	}
	if s.Error != "" || s.Model != 1 || len(s.Trainings) != 1 {
		t.Fatalf("%+v", s)
	}
	if x := s.Trainings[0]; x.All.Documents != s.Labelled || x.All.Same < .9 || x.Random.Documents != s.Labelled || x.Random.Same != x.All.Same || len(x.Learning) != 4 || len(x.Labels) != 2 || x.Labels[0].Label != "natural" {
		t.Errorf("%+v", x)
	}
	how := map[string]int{}
	for range 12 {
		d.mu.Lock()
		d.people.All()["ann"].doc = nil // not the open document
		d.mu.Unlock()
		o := next("ann")
		how[o.How]++
		if o.How == byUnsure {
			for _, y := range d.docs {
				if len(d.done(y)) == 0 && y.unsure > d.byID[o.ID].unsure {
					t.Errorf("%s has uncertainty %.2f, %s %.2f", o.ID, d.byID[o.ID].unsure, y.ID, y.unsure)
				}
			}
		}
		decide(o, "ann")
	}
	if how[byUnsure] < 5 || how[byRandom] == 0 {
		t.Errorf("selected %v", how)
	}
	must.Succeed(t, d.Close())
	again := openDesk(t, cfg)
	for end := time.Now().Add(20 * time.Second); again.job.State().Running && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
	if d = again; d.used != 1 || next("ann").How == bySpread {
		t.Errorf("model %d after opening again: %+v", d.used, d.job.State())
	}
	again.do("POST", "/trainings/use", body{"number": 7}, 404, nil)
}

// TestLeft labels all documents: then no document is left.
func TestLeft(t *testing.T) {
	d := openDesk(t, Config{Dir: newSet(t, "quality", 4), Double: 1})
	for _, who := range []string{"ann", "bo"} {
		for i := range 5 {
			var o Document
			d.do("GET", "/next?person="+who, nil, 200, &o)
			if (o.ID == "") != (i == 4) {
				t.Fatalf("%s, document %d: %+v", who, i, o)
			}
			if o.ID != "" {
				d.label(who, o.ID, "3")
			}
		}
	}
	var o Document
	if d.do("GET", "/next?person=cy", nil, 200, &o); o.ID != "" {
		t.Errorf("a third annotator gets %s", o.ID)
	}
}
