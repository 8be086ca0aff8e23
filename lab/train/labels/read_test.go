package labels

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// upper is a Clean function that marks cleaned pages.
func upper(html []byte) (string, error) { return strings.ToUpper(string(html)), nil }

func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	must.WriteAll(t, dir, files)
	return dir
}

func shown(docs []Doc) string {
	var b strings.Builder
	for _, d := range docs {
		fmt.Fprintf(&b, "%s %s %s %q %q;", d.ID, d.URL, d.Lang, d.Labels, d.Text)
	}
	return b.String()
}

func TestReadWrongType(t *testing.T) {
	dir := writeFiles(t, map[string]string{"d.jsonl": `{"text":"t","labels":"x y"}`})
	_, err := Read([]string{filepath.Join(dir, "d.jsonl")}, ReadConfig{})
	must.Fail(t, err, `line 1: field "labels" is a string: wanted strings, and for labels a list`)
}

// TestReadLegacy rejects windows-1252, whose letters would all become U+FFFD.
func TestReadLegacy(t *testing.T) {
	for name, text := range map[string]string{"d.jsonl": "{\"text\":\"caf\xe9\",\"label\":\"x\"}\n", "d.tsv": "x\tcaf\xe9\n"} {
		_, err := Read([]string{filepath.Join(writeFiles(t, map[string]string{name: text}), name)}, ReadConfig{})
		must.Fail(t, err, "line 1: not UTF-8")
	}
}

func TestRead(t *testing.T) {
	var packedTSV, archive bytes.Buffer
	z := gzip.NewWriter(&packedTSV)
	fmt.Fprint(z, "a\tx\n")
	must.Succeed(t, z.Close())
	tw := tar.NewWriter(&archive)
	must.Succeed(t, tw.WriteHeader(&tar.Header{Name: "set/a/1.txt", Size: 1, Mode: 0o644}))
	fmt.Fprint(tw, "x")
	must.Succeed(t, tw.WriteHeader(&tar.Header{Name: "set/b/1.txt", Size: 1, Mode: 0o644}))
	fmt.Fprint(tw, "y")
	must.Succeed(t, tw.Close())
	for _, c := range []struct {
		name        string
		files       map[string]string
		input, want string
		unlabelled  string
	}{
		{"jsonl", map[string]string{"d.jsonl": `{"id":7,"url":"http://a.b","lang":"en","labels":["x","y"],"text":"t"}` + "\n\n" + `{"text":"u","label":"x"}` + "\n" + `{"text":"n","labels":[]}` + "\n" + `{"text":"v"}` + "\n"},
			"d.jsonl", `7 http://a.b en ["x" "y"] "t";d.jsonl:3  de ["x"] "u";d.jsonl:4  de [] "n";`, `d.jsonl:5  de [] "v";`},
		{"header", map[string]string{"d.tsv": "text\tid\tLabel\r\na\\tb\\nc\\\\n\t1\tx,y/z\r\n"}, "d.tsv", "1  de [\"x\" \"y/z\"] \"a\\tb\\nc\\\\n\";", ""},
		{"two columns", map[string]string{"d.tsv": "x\tone\n\ttwo\n"}, "d.tsv", `d.tsv:1  de ["x"] "one";d.tsv:2  de [] "two";`, ""},
		{"compressed", map[string]string{"d.tsv.gz": packedTSV.String()}, "d.tsv.gz", `d.tsv.gz:1  de ["a"] "x";`, ""},
		{"folders", map[string]string{"s/a/1.txt": "x", "s/a/sub/2.html": "y", "s/b c/3.txt": "z", "s/readme.md": "no"}, "s", `a/1.txt  de ["a"] "x";a/sub/2.html  de ["a/sub"] "Y";b c/3.txt  de ["b_c"] "z";`, ""},
		{"one folder", map[string]string{"s/deep/1.txt": "x"}, "s", `deep/1.txt  de ["s"] "x";`, ""},
		{"archive", map[string]string{"s.tar": archive.String()}, "s.tar", `set/a/1.txt  de ["a"] "x";set/b/1.txt  de ["b"] "y";`, ""},
		{"annotated set", map[string]string{"s/labels.jsonl": `{"id":"1","labels":["a"],"text":"x"}`, "s/labels.tsv": "a\tx\n", "s/pages/1.txt": "x"}, "s", `1  de ["a"] "x";`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := must.Get(Read([]string{filepath.Join(writeFiles(t, c.files), c.input)}, ReadConfig{Clean: upper, Lang: "de"}))(t)
			if shown(got.Docs) != c.want || shown(got.Unlabelled) != c.unlabelled {
				t.Errorf("documents %s\nunlabelled %s\nwanted %s\nunlabelled %s", shown(got.Docs), shown(got.Unlabelled), c.want, c.unlabelled)
			}
		})
	}
}

func TestCandidates(t *testing.T) {
	r := &Report{Classes: []Class{{Name: "a"}, {Name: "b"}}, Predictions: []Prediction{
		{ID: "right", Labels: []string{"a"}, Found: []string{"a"}, P: []float64{.9, .1}},
		{ID: "wrong", Labels: []string{"a"}, Found: []string{"b"}, P: []float64{.1, .9}},
		{ID: "worse", Labels: []string{"b"}, Found: []string{"a"}, P: []float64{.99, .01}},
	}, Confusion: [][]int{{5, 1}, {3, 4}}}
	must.Equal(t, fmt.Sprint(r.Doubtful(5)), "[{worse b 0.01 a} {wrong a 0.1 b}]", "doubtful")
	must.Equal(t, fmt.Sprint(r.Doubtful(1)), "[{worse b 0.01 a}]", "doubtful")
	must.Equal(t, fmt.Sprint(r.Confusions(1)), "[{b a 3}]", "confusions")
	if _, err := Scales([]string{"words", "colour"}); err == nil {
		t.Error("unknown features: no error")
	}
}
