package dedup

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// invented returns n texts of invented words.
func invented(n int) []*base {
	r := rand.New(rand.NewPCG(7, 7))
	var out []*base
	for range n {
		b := &base{lang: "art", group: "invented"}
		for b.words < 150 {
			var p strings.Builder
			k := 20 + r.IntN(60)
			for i := range k {
				if i > 0 {
					p.WriteByte(' ')
				}
				fmt.Fprintf(&p, "Wo%dor", r.IntN(5000))
			}
			b.paras = append(b.paras, p.String()+".")
			b.words += k
		}
		out = append(out, b)
	}
	return out
}

func TestPieces(t *testing.T) {
	for text, want := range map[string]string{
		"":                "",
		"One, two.":       "One|two",
		"“Don't” – no!":   "|Don|t|no",
		"我爱 Go1.26":       "我|爱|Go1|26",
		"cafe\u0301 näh ": "cafe\u0301|näh",
	} {
		ps := pieces(text)
		var words []string
		for _, p := range ps {
			words = append(words, p.word)
		}
		if got := strings.Join(words, "|"); got != want {
			t.Errorf("%q: words %q, want %q", text, got, want)
		}
		must.Equal(t, join(ps), text, "comes back as")
	}
}

// TestPlant looks at every kind of document.
func TestPlant(t *testing.T) {
	testkit.Slow(t)
	cfg := Config{Half: Dev, Seed: 3}
	set := plant(invented(600), cfg)
	again := plant(invented(600), cfg)
	if set.Digest() != again.Digest() {
		t.Error("planted twice, the documents differ")
	}
	cfg.Seed = 4
	if set.Digest() == plant(invented(600), cfg).Digest() {
		t.Error("another seed plants the same documents")
	}
	truth := NewTruth(set)
	_, similarity := truth.closest()
	byKind := map[Kind][]int{}
	ids := map[string]bool{}
	for i, d := range set.Docs {
		byKind[d.Kind] = append(byKind[d.Kind], i)
		if ids[d.ID] {
			t.Errorf("two documents have the ID %s", d.ID)
		}
		ids[d.ID] = true
		for k, p := range d.Paras {
			if p.Text == "" || strings.Contains(p.Text, "\n") || p.Words != count(p.Text) {
				t.Fatalf("%s: paragraph %d of %d words is %q", d.Kind, k, p.Words, p.Text)
			}
		}
	}
	mean := func(k Kind) float64 {
		var s float64
		for _, i := range byKind[k] {
			s += similarity[i]
		}
		return s / float64(len(byKind[k]))
	}
	for _, k := range kinds {
		if len(byKind[k]) == 0 {
			t.Errorf("no document of kind %s", k)
		}
	}
	for _, want := range []struct {
		kind      Kind
		low, high float64
	}{
		{Exact, 1, 1}, {Layout, 1, 1}, {Passage10, .75, .95}, {Passage20, .6, .75}, {Edit5, .5, .75}, {Edit10, .35, .5}, {Edit20, .1, .3}, {Edit40, 0, .06},
		{FirstHalf, .45, .55}, {Middle, .55, .65}, {HalfMore, .6, .8}, {ShortExact, 1, 1}, {FramedExact, 1, 1}, {FramedEdit5, .5, .95},
		{Alone, 0, 0}, {Quoting, 0, 0},
	} {
		if m := mean(want.kind); m < want.low || m > want.high {
			t.Errorf("%s: mean similarity %.3f with what it was made from, want %.2f to %.2f", want.kind, m, want.low, want.high)
		}
	}
	for _, i := range byKind[Edit20] {
		d := set.Docs[i]
		var changed, words float64
		for _, p := range d.Paras {
			changed += p.Edited * float64(p.Words)
			words += float64(p.Words)
		}
		if share := changed / words; share < .15 || share > .21 {
			t.Errorf("edit20: %.3f of the words changed", share)
		}
	}
}

// TestHalves checks on the data that the halves share no text.
func TestHalves(t *testing.T) {
	if !testkit.Whole() {
		t.Skip("reads and compares some thousand texts, which change only with the data")
	}
	testkit.Data(t, "eval/daniel.tar.zst")
	read := must.Get(readBases(context.Background(), testkit.DataDir(), Config{}))(t)
	seen := map[uint64]bool{}
	var sets [2]int
	for i, half := range []Half{Dev, Test} {
		all := choose(slices.Clone(read), Config{Half: half, Seed: 1})
		sets[i] = len(all)
		langs := map[string]bool{}
		for _, b := range all {
			langs[b.lang] = true
			hashes := sampled(shingles(b.paras))
			shared := 0
			for _, h := range hashes {
				if half == Test && seen[h] {
					shared++
				}
			}
			if shared*20 > len(hashes) {
				t.Errorf("%d of %d n-grams of a text of the test half are in the other half: %.100q", shared, len(hashes), b.paras)
			}
			if half == Dev {
				for _, h := range hashes {
					seen[h] = true
				}
			}
		}
		for _, l := range []string{"en", "de", "fr", "es", "zh", "pl", "el", "ru"} {
			if !langs[l] {
				t.Errorf("half %s has no text in %s", half, l)
			}
		}
	}
	if sets[0] < 2000 || sets[1] < 2000 {
		t.Errorf("%d and %d texts in the halves, want some thousands", sets[0], sets[1])
	}
}

// TestTruth compares the index of n-grams with a comparison of all pairs.
func TestTruth(t *testing.T) {
	testkit.Slow(t)
	set := plant(invented(30), Config{Half: Dev, Seed: 5})
	truth := NewTruth(set)
	found := map[[2]int]float64{}
	for _, p := range truth.Pairs {
		found[[2]int{p.A, p.B}] = p.Jaccard
	}
	for b := range set.Docs {
		for a := range b {
			in := map[string]int{}
			for side, d := range []*Doc{set.Docs[a], set.Docs[b]} {
				words := strings.FieldsFunc(strings.ToLower(d.Text()), func(r rune) bool { return !wordRune(r) })
				for i := 0; i+5 <= len(words); i++ {
					in[strings.Join(words[i:i+5], " ")] |= 1 << side
				}
			}
			both := 0
			for _, m := range in {
				if m == 3 {
					both++
				}
			}
			want := float64(both) / float64(len(in))
			if got := truth.jaccard(a, b); math.Abs(got-want) > 1e-12 {
				t.Fatalf("documents %d and %d: similarity %v, want %v", a, b, got, want)
			}
			if got, ok := found[[2]int{a, b}]; want >= leastPair && got != truth.jaccard(a, b) || want < leastPair && ok {
				t.Fatalf("documents %d and %d: pair %v %v, want %v", a, b, ok, got, want)
			}
			if want >= Threshold && truth.Cluster[a] != truth.Cluster[b] {
				t.Fatalf("documents %d and %d, similarity %v, are in two clusters", a, b, want)
			}
		}
	}
}

// TestOrigin checks the relations of documents by how they were made.
func TestOrigin(t *testing.T) {
	docs := []*Doc{
		{Roots: []int{1}}, {Roots: []int{1}, Edited: .2}, {Roots: []int{1}, Edited: .05}, {Roots: []int{1, 2}, Part: true}, {Roots: []int{2}}, {Roots: []int{3}},
	}
	truth := &Truth{Set: &Set{Docs: docs}}
	want := [][]Origin{{}, {Copies}, {Copies, Related}, {Related, Related, Related}, {Unrelated, Unrelated, Unrelated, Related}, {Unrelated, Unrelated, Unrelated, Unrelated, Unrelated}}
	for b := range docs {
		for a := range b {
			if got := truth.origin(a, b); got != want[b][a] {
				t.Errorf("documents %d and %d: %d, want %d", a, b, got, want[b][a])
			}
		}
	}
}

// TestGrow checks that a grown collection is the same twice and has its size.
func TestGrow(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	for _, b := range invented(40) {
		text.WriteString(strings.Join(b.paras, "\n") + "\n")
	}
	file := filepath.Join(dir, "art.txt")
	must.Write(t, file, text.String())
	cfg := Config{Half: Dev, Seed: 1, Texts: []string{file}}
	for _, vertical := range []bool{false, true} {
		var a, b bytes.Buffer
		g := Growth{Bytes: 300_000, Seed: 1, Vertical: vertical}
		docs, words, err := Grow(context.Background(), &a, "", cfg, g)
		must.Succeed(t, err)
		if _, _, err := Grow(context.Background(), &b, "", cfg, g); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("grown twice, the collections differ (%v)", err)
		}
		if a.Len() < 300_000 || a.Len() > 600_000 || docs < 20 || words < 100*docs {
			t.Errorf("vertical %v: %d bytes, %d documents, %d words", vertical, a.Len(), docs, words)
		}
		if !vertical {
			lines := bytes.Split(a.Bytes(), []byte("\n"))
			texts := make([]string, len(lines))
			for i, l := range lines {
				if _, text, ok := strings.Cut(string(l), `"text":`); ok {
					_, texts[i], _ = strings.Cut(text, `\n`) // without the template
				}
			}
			slices.Sort(texts)
			if copies := len(texts) - len(slices.Compact(texts)); copies < int(docs)/20 {
				t.Errorf("%d exact copies among %d documents", copies, docs)
			}
		}
	}
}
