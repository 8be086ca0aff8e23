package clean

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func view(t *testing.T, name string, systems ...string) View {
	t.Helper()
	v := View{Set: open(t, name)}
	for _, sys := range systems {
		o, err := ReadPredictions("testdata/reference/predictions/"+sys, sys, v.Set)
		if err != nil {
			t.Fatal(err)
		}
		v.Outputs = append(v.Outputs, o)
		v.Results = append(v.Results, measure(t, v.Set, o, Default))
	}
	if len(systems) > 1 {
		v.Comparisons = Compare(v.Results[0], v.Results[1])
	}
	return v
}

// TestHTML: the page needs no network, says the same each time, and its data
// are those of the set.
func TestHTML(t *testing.T) {
	views := []View{view(t, "cleaneval-mini", "a", "b"), view(t, "snippets-mini", "b"), view(t, "wcxb-mini", "b", "a")}
	views[0].Outputs[0].Name = `<script>"&`
	views[0].Results[0].System = `<script>"&`
	var first, second bytes.Buffer
	for _, b := range []*bytes.Buffer{&first, &second} {
		if err := WriteHTML(b, views); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two pages of the same results differ")
	}
	out := first.String()
	if m := regexp.MustCompile(`(?i)(src|href)=["']?(https?:)?//|@import|url\(`).FindString(out); m != "" {
		t.Errorf("the page loads something: %q", m)
	}
	if strings.Contains(out, `<script>"&`) {
		t.Error("a name is not escaped")
	}
	if n := strings.Count(out, "<svg"); n != 4+1+1+2+1+4+1+1 {
		t.Errorf("%d plots", n)
	}
	_, rest, _ := strings.Cut(out, "const SETS = ")
	var sets []setData
	if err := json.NewDecoder(strings.NewReader(rest)).Decode(&sets); err != nil {
		t.Fatal(err)
	}
	if len(sets) != 3 || len(sets[0].Pages) != len(views[0].Set.Pages) || len(sets[0].Metrics) != len(sets[0].Pages[0].Scores) {
		t.Fatalf("data of %d sets", len(sets))
	}
	for i, p := range sets[0].Pages {
		z, err := base64.StdEncoding.DecodeString(p.Packed)
		if err != nil {
			t.Fatal(err)
		}
		r, err := gzip.NewReader(bytes.NewReader(z))
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		var texts pageTexts
		if err := json.Unmarshal(b, &texts); err != nil {
			t.Fatal(err)
		}
		gold := alignmentWords(texts.Gold)
		if p.Words != len(gold) {
			t.Errorf("%s: %d words, want %d", p.ID, p.Words, len(gold))
		}
		for k, o := range texts.Outputs {
			words := alignmentWords(o.Text)
			same := 0
			for _, b := range o.Blocks {
				if !slices.Equal(words[b[0]:b[0]+b[2]], gold[b[1]:b[1]+b[2]]) {
					t.Errorf("%s: block %v joins different words", p.ID, b)
				}
				same += b[2]
			}
			// Chinese and Japanese are scored by characters, but shown by words.
			if s := views[0].Results[k].Scores[i]; p.ID != "zh" && p.ID != "ja" && same != s.Words.TP {
				t.Errorf("%s: %d words the same, scored %d", p.ID, same, s.Words.TP)
			}
		}
	}
}
