package nontext

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	trainnontext "chaffinch/lab/train/nontext"
	"chaffinch/lab/train/nontext/generate"
)

// TestCount: rows by field, and documents that cannot be judged stay and count.
func TestCount(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.jsonl")
	const text = `{"id":"1","lang":"en","set":"a","text":"bad"}
{"id":"2","lang":"en","set":"b","text":"good"}

{"id":"3","lang":"de","set":"a","text":"short"}
{"text":"bad"}
`
	must.Write(t, name, text)
	docs, err := Read(name)
	if err != nil || len(docs) != 4 || docs[3].ID != "5" || docs[2].Lang != "de" {
		t.Fatalf("%v, error %v", docs, err)
	}
	judge := func(d *Doc) (gone, ok bool) { return d.Text == "bad", d.Text != "short" }
	want := []Row{{"(none)", 1, 0, 1}, {"a", 2, 1, 1}, {"b", 1, 0, 0}}
	got := Count(docs, "set", judge)
	if len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("found %v, wanted %v", got, want)
	}
	if all := Count(docs, "", judge); len(all) != 1 || all[0] != (Row{"all", 4, 1, 2}) || all[0].Share() != 0.5 {
		t.Errorf("found %v", all)
	}
	if s := Sample(docs, 2); len(s) != 2 || len(Sample(docs, 0)) != 4 {
		t.Errorf("a sample of %d", len(s))
	}
	var b bytes.Buffer
	if err := Write(&b, docs[:1]); err != nil || !strings.Contains(b.String(), `"set":"a"`) {
		t.Errorf("wrote %s, error %v", b.String(), err)
	}
	os.WriteFile(name, []byte(`{"text":"a"}`+"\n{\"id\":1}\n"), 0o666)
	must.Fail(t, must.Err(Read(name)), "line 2: no field text")
}

// TestPrecision: of 9 bad and 91 good, of which 70 % and 3 % go.
func TestPrecision(t *testing.T) {
	if p := Precision(0.09, 0.7, 0.03); math.Abs(p-0.063/(0.063+0.0273)) > 1e-12 {
		t.Errorf("precision %v", p)
	}
	if p := Precision(0.5, 0, 0); p != 0 {
		t.Errorf("precision %v of nothing", p)
	}
}

// TestLeaveOneOut: each kind has a row of the text made of it alone.
func TestLeaveOneOut(t *testing.T) {
	testkit.Slow(t)
	words := strings.Fields("harbour island ferry captain window letter garden bridge winter lantern village stranger kitchen morning teacher mountain river lighthouse shepherd orchard blanket candle market sailor meadow fountain chimney")
	var docs []Doc
	for i := range 60 {
		var b strings.Builder
		for k := range 12 {
			b.WriteString("The " + words[(i*7+k*3)%len(words)] + " of the " + words[(i+k*5)%len(words)] + " was near a " + words[(i*3+k)%len(words)] + " in the " + words[(i*i+k)%len(words)] + ". ")
		}
		docs = append(docs, Doc{Text: b.String(), Lang: "en"})
	}
	kinds := must.Get(generate.KindsNamed([]string{"code", "lists"}))(t)
	cfg := trainnontext.Default
	cfg.Shapes, cfg.Folds = true, 2
	list := must.Get(LeaveOneOut(context.Background(), cfg, docs[:50], docs[50:], kinds, 1))(t)
	if len(list) != 2 || list[0].Kind != "code" || list[1].Bad.Docs != 10 || list[1].Good.Docs != 10 {
		t.Errorf("found %+v", list)
	}
}
