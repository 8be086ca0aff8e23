package job

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/filter"
	"chaffinch/filter/pii"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/text/langid"
)

// corpus writes n documents, with one unreadable piece among them.
func corpus(t *testing.T, n int) string {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	words := []string{"the", "ferry", "of", "harbour", "and", "island", "that", "came", "blue", "with", "mail", "boats"}
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "{\"id\":\"d%d\",\"lang\":\"en\",\"text\":\"", i)
		for range rnd.IntN(160) {
			b.WriteString(words[rnd.IntN(len(words))])
			b.WriteString([]string{" ", " ", " ", " ", `.\n`, ". It "}[rnd.IntN(6)])
		}
		if rnd.IntN(9) == 0 {
			b.WriteString("{ with it all.")
		}
		if rnd.IntN(4) == 0 {
			fmt.Fprintf(&b, " mail Anna Smith[1] at anna%d@post.example or +49 30 123456%d.", rnd.IntN(5), rnd.IntN(10))
		}
		b.WriteString("\"}\n")
		if i == n/2 {
			b.WriteString("no document\n")
		}
	}
	return must.File(t, "corpus.jsonl", b.Bytes())
}

func rules(t *testing.T, names ...string) *filter.Set {
	t.Helper()
	cfg := filter.Default
	for _, name := range names {
		must.Succeed(t, cfg.Add(name))
	}
	return must.Get(filter.New(cfg))(t)
}

func read(t *testing.T, path string) string {
	t.Helper()
	return string(must.Read(t, path))
}

// TestResume interrupts runs, with other numbers of workers each, and wants the
// bytes and the report of a run that was not.
func TestResume(t *testing.T) {
	testkit.Slow(t)
	in, dir := corpus(t, 640), t.TempDir()
	set := rules(t, "c4", "gopher_quality")
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, ext := range []string{".jsonl", ".jsonl.gz"} {
		whole := Config{Job: pipeline.Job{Inputs: []string{in}, Out: at("whole" + ext), Workers: 2}, Set: set, Dropped: at("whole-dropped" + ext),
			PII: "pseudonym", PIIKinds: append(slices.Clone(pii.Kinds), pii.Name), PseudonymKey: []byte("sixteen bytes key"), PIIReport: at("whole-pii" + ext)}
		want, err := Run(context.Background(), whole)
		must.Succeed(t, err)
		if want.In.Docs != 640 || want.Out.Docs == 0 || want.Bad != 1 || want.Outside != 12 || len(want.Dropped) < 3 {
			t.Fatalf("report %+v", want)
		}
		part := whole
		part.Out, part.Dropped, part.PIIReport, part.Checkpoint = at("part"+ext), at("part-dropped"+ext), at("part-pii"+ext), 1
		var got *Result
		stops, checkpoints := 0, 0
		for got == nil {
			ctx, stop := context.WithCancel(context.Background())
			reads := 0
			part.OnProgress = func(pipeline.Status) {
				if reads++; reads == 3+stops {
					stop()
				}
			}
			part.Workers = 1 + stops%3
			got, err = Run(ctx, part)
			stop()
			if err != nil {
				if !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				if Resumable(part.Out) {
					checkpoints++
				}
				if _, err := os.Stat(part.Out); err == nil {
					t.Fatal("an unfinished output has its name")
				}
				part.Resume = true
				if stops++; stops > 100 {
					t.Fatal("no end")
				}
			}
		}
		if stops < 3 {
			t.Errorf("%d interruptions", stops)
		}
		if ext == ".jsonl" && checkpoints == 0 { // a compressed output is not full yet
			t.Error("no interruption left a checkpoint")
		}
		for _, pair := range [][2]string{{whole.Out, part.Out}, {whole.Dropped, part.Dropped}, {whole.PIIReport, part.PIIReport}} {
			if read(t, pair[0]) != read(t, pair[1]) {
				t.Errorf("%s differs from %s", pair[1], pair[0])
			}
		}
		if want.PII["name"] < 10 || want.PII["email"] < 10 || !maps.Equal(got.PII, want.PII) {
			t.Errorf("personal data %v, want %v", got.PII, want.PII)
		}
		if g, w := fmt.Sprint(got.In, got.Out, got.Changed, got.Bad, got.Outside, got.Langs), fmt.Sprint(want.In, want.Out, want.Changed, want.Bad, want.Outside, want.Langs); g != w {
			t.Errorf("report %s, want %s", g, w)
		}
		if Resumable(part.Out) {
			t.Error("the checkpoint is left")
		}
		if _, err := Run(context.Background(), part); !errors.Is(err, pipeline.ErrComplete) {
			t.Errorf("resumed again: %v", err)
		}
	}
}

// TestChecks: what cannot be is refused before anything is written.
func TestChecks(t *testing.T) {
	in := corpus(t, 3)
	set := rules(t, "c4")
	job := func(in string) pipeline.Job { return pipeline.Job{Inputs: []string{in}, Out: in + ".x"} }
	for name, c := range map[string]Config{
		"no rules":          {Job: job(in)},
		"too many workers":  {Job: pipeline.Job{Inputs: []string{in}, Workers: 5000}, Set: set},
		"annotate and drop": {Job: pipeline.Job{Inputs: []string{in}}, Set: set, Annotate: true, Dropped: in + ".x"},
		"input as output":   {Job: pipeline.Job{Inputs: []string{in}, Out: in}, Set: set},
		"same outputs":      {Job: job(in), Set: set, Dropped: in + ".x"},
		"nothing to resume": {Job: pipeline.Job{Inputs: []string{"-"}, Out: in + ".x", Resume: true}, Set: set},
	} {
		if _, err := Run(context.Background(), c); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := os.Stat(in + ".x"); err == nil {
			t.Errorf("%s: wrote", name)
		}
	}
}

// TestErrorsInOrder: bad input and documents on which the rules fail are reported in the order of
// the input, one at a time.
func TestErrorsInOrder(t *testing.T) {
	detect := detector
	detector = func() (*langid.Detector, error) { panic("no model") }
	t.Cleanup(func() { detector = detect })
	var b bytes.Buffer
	var want []string
	for i := range 500 {
		switch {
		case i%7 == 3:
			b.WriteString("no document\n")
			want = append(want, fmt.Sprintf("line %d:", i+1))
		case i%5 == 0:
			fmt.Fprintf(&b, "{\"id\":\"d%d\",\"text\":\"It came.\"}\n", i)
			want = append(want, fmt.Sprintf("document d%d is kept", i))
		default:
			fmt.Fprintf(&b, "{\"id\":\"d%d\",\"lang\":\"en\",\"text\":\"It came.\"}\n", i)
		}
	}
	in := must.File(t, "in.jsonl", b.Bytes())
	var got []string
	cfg := Config{Job: pipeline.Job{Inputs: []string{in}, Stdout: io.Discard, Workers: 4}, Set: rules(t, "c4")}
	cfg.OnError = func(e *page.Error) { got = append(got, e.Error()) }
	must.Succeed(t, must.Err(Run(t.Context(), cfg)))
	if len(got) != len(want) {
		t.Fatalf("%d errors, wanted %d", len(got), len(want))
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Fatalf("error %d: %s, wanted %s", i, got[i], want[i])
		}
	}
}

// TestPlaces reads each row of the report of personal data back from the text of its document,
// also from lines that rules change, and finds none in documents and lines that rules drop.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	texts := map[string]string{
		"a": "Écrire à anna@post.example.\n\n\nThe reference [12] of it is PESEL: 44051401359 now.\nToo short b@post.example",
		"b": "Short b@post.example.",
	}
	var in strings.Builder
	for _, id := range []string{"a", "b"} {
		line := must.Get(json.Marshal(map[string]string{"id": id, "text": texts[id], "lang": "en"}))(t)
		in.Write(append(line, '\n'))
	}
	corpus := filepath.Join(dir, "in.jsonl")
	must.Write(t, corpus, in.String())
	cfg := filter.Default
	must.Succeed(t, cfg.AddFile([]byte(`{"use": ["c4"], "limits": {"c4.sentences": {"min": 2}}}`)))
	set := must.Get(filter.New(cfg))(t)
	c := Config{Job: pipeline.Job{Inputs: []string{corpus}, Out: filepath.Join(dir, "out.jsonl")}, Set: set, PII: "mask", PIIReport: filepath.Join(dir, "pii.jsonl")}
	must.Succeed(t, must.Err(Run(t.Context(), c)))
	var got []string
	for line := range strings.Lines(read(t, c.PIIReport)) {
		var p place
		must.Succeed(t, json.Unmarshal([]byte(line), &p))
		got = append(got, fmt.Sprintf("%s %s%s %s", p.ID, p.Kind, p.Country, string([]rune(texts[p.ID])[p.Start:p.End])))
	}
	must.Same(t, got, []string{"a email anna@post.example", "a idPL 44051401359"})
}

// TestUnchangedLines counts lines of tokens that a rule would change, also in documents of which
// no line is dropped.
func TestUnchangedLines(t *testing.T) {
	in := must.File(t, "in.vert", "<doc id=\"a\" lang=\"en\">\n<p>\nThe\nferry\n[1]\ncame\n.\n</p>\n</doc>\n")
	cfg := filter.Default
	must.Succeed(t, cfg.AddFile([]byte(`{"use": ["c4"], "limits": {"c4.sentences": {}}}`)))
	set := must.Get(filter.New(cfg))(t)
	rep := must.Get(Run(t.Context(), Config{Job: pipeline.Job{Inputs: []string{in}, Stdout: io.Discard}, Set: set}))(t)
	if rep.Unchanged != 1 || rep.Changed != 0 || rep.Out.Docs != 1 {
		t.Errorf("%d lines unchanged, %d of %d documents changed; want 1, 0 of 1", rep.Unchanged, rep.Changed, rep.Out.Docs)
	}
}

// TestScoredLang: the language of all documents has precedence over the recorded one.
func TestScoredLang(t *testing.T) {
	dir := t.TempDir()
	in, scored := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "scored.jsonl")
	must.Write(t, in, `{"id":"a","text":"The ferry came to the island, and it went on to the harbour of that town."}`+"\n")
	must.Succeed(t, must.Err(Run(t.Context(), Config{Job: pipeline.Job{Inputs: []string{in}, Out: scored}, Set: rules(t, "gopher_quality"), Annotate: true})))
	cfg := filter.Default
	must.Succeed(t, cfg.AddFile([]byte(`{"use": ["gopher_quality"], "limits": {"gopher_quality.words": {}}, "languages": {"gd": {"limits": {"gopher_quality.words": {"min": 50}}}}}`)))
	set := must.Get(filter.New(cfg))(t)
	for lang, want := range map[string]int64{"": 1, "en": 1, "gd": 0} {
		rep := must.Get(Run(t.Context(), Config{Job: pipeline.Job{Inputs: []string{scored}, Stdout: io.Discard}, Set: set, Lang: lang, Scored: true}))(t)
		if rep.Out.Docs != want {
			t.Errorf("language %q: %d documents kept, want %d; languages %v", lang, rep.Out.Docs, want, rep.Langs)
		}
	}
}

// TestSameSize wants rules that edit lines and other rules to count the same text.
func TestSameSize(t *testing.T) {
	in := corpus(t, 20)
	var read []Tally
	for _, name := range []string{"c4", "optout"} {
		rep, err := Run(t.Context(), Config{Job: pipeline.Job{Inputs: []string{in}, Out: filepath.Join(t.TempDir(), "out.jsonl")}, Set: rules(t, name)})
		must.Succeed(t, err)
		read = append(read, rep.In)
	}
	if read[0] != read[1] || read[0].Bytes == 0 {
		t.Errorf("read %+v", read)
	}
}
