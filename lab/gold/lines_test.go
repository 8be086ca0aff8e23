package gold

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// lineFiles writes files to a new folder.
func lineFiles(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	must.WriteAll(t, dir, files)
	return dir
}

func TestReadLineDocs(t *testing.T) {
	dir := lineFiles(t, map[string]string{
		"sv.dev.jsonl":   `{"id":"a","text":["Menyn","En hel mening."],"labels":["0","1"]}` + "\n\n" + `{"id":7,"lang":"nn","split":"train","register":"news","lines":["x",""],"labels":[true,0]}` + "\n" + `{"text":["z"],"labels":["Boilerplate"]}`,
		"sv.dev.tsv":     "0\t9\tnot read, since there is the other",
		"fi.tsv":         "\ufeff3\t1\tEn rad.\r\n3\t0\t\"Meny\"\twith a tab\r\n\r\n5\tb\t \n",
		"own.tsv":        "lang\tdocument\tlabel\tline\tnote\nde\tm1\ttext\t\"Er sagte \"\"ja\"\".\"\tok\nde\tm1\tboilerplate\t\"Ja\" sagte er\t\nde\tm2\tT\t\"a\tb\"\t\n",
		"PROVENANCE.md":  "not lines",
		"pt-BR.test.tsv": "d\t1\tUma linha.\n",
	})
	docs := must.Get(ReadLineDocs(t.Context(), dir))(t)
	want := []*LineDoc{
		{"fi.3", "", "", "", []string{"En rad.", "\"Meny\"\twith a tab"}, []bool{true, false}, 0},
		{"fi.5", "", "", "", []string{" "}, []bool{false}, 0},
		{"m1", "de", "", "", []string{`Er sagte "ja".`, `"Ja" sagte er`}, []bool{true, false}, 0},
		{"m2", "de", "", "", []string{"a\tb"}, []bool{true}, 0},
		{"pt-BR.test.d", "pt-BR", "test", "", []string{"Uma linha."}, []bool{true}, 0},
		{"a", "sv", "dev", "", []string{"Menyn", "En hel mening."}, []bool{false, true}, 0},
		{"7", "nn", "train", "news", []string{"x", ""}, []bool{true, false}, 0},
		{"sv.dev#4", "sv", "dev", "", []string{"z"}, []bool{false}, 0},
	}
	if len(docs) != len(want) {
		t.Fatalf("%d documents, want %d", len(docs), len(want))
	}
	for i := range want {
		if !reflect.DeepEqual(docs[i], want[i]) {
			t.Errorf("document %d:\n got %+v\nwant %+v", i, docs[i], want[i])
		}
	}
}

// TestBadLineFiles: each error has file, line, found, wanted or the way out.
func TestBadLineFiles(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"a.jsonl", `{"id":"x","text":["a","b"],"labels":["1"]}`, `a.jsonl:1: document x: 2 lines in "text", 1 in "labels"`},
		{"a.jsonl", "\n" + `{"id":"x","text":["a"],"labels":["2"]}`, `a.jsonl:2: document x: label 1 is "2": wanted 1 or text`},
		{"a.jsonl", `{"id":"x","text":["a"],"labels":[["1"]]}`, `label 1 is`},
		{"a.jsonl", `{"id":"x","text":["a"],"labels":[null]}`, `label 1 is`},
		{"a.jsonl", `{"id":"x","text":[],"labels":[]}`, "a.jsonl:1: document x has no lines"},
		{"a.jsonl", `{"id":[1],"text":["a"],"labels":[1]}`, "neither text nor a number"},
		{"a.jsonl", `{"id":"x","text":["a"]}`, `1 lines in "text", 0 in "labels"`},
		{"a.jsonl", `{"id":"x","text":"a","labels":[1]}`, "wanted one object per line"},
		{"a.jsonl", `{"id":"x","split":"rest","text":["a"],"labels":[1]}`, `of the part "rest": write train, dev, test`},
		{"a.jsonl", "{\"id\":\"x\",\"text\":[\"\xff\"],\"labels\":[1]}", "a.jsonl:1: not UTF-8"},
		{"a.jsonl", "{\"id\":\"x\",\"text\":[\"a\"],\"labels\":[1]}\n{\"id\":\"x\",\"text\":[\"a\"],\"labels\":[1]}", "a.jsonl:2: document x: duplicate id (first at "},
		{"a.jsonl", "\n", "no document"},
		{"a.tsv", "", "no document"},
		{"a.tsv", "1\t1\tx\n1\t1", "a.tsv:2: 2 columns, wanted 3: a tab between"},
		{"a.tsv", "1\t1\tx\n1\tmaybe\ty", `a.tsv:2: label "maybe": wanted 1 or text`},
		{"a.tsv", "name\tclass\tsentence", "names the columns document, label and line"},
		{"a.tsv", "document\tlabel\tline\nd\t1\ta\tb", "4 columns, wanted 3"},
		{"a.tsv", "document\tlabel\tline\n\t1\ta", "no document in the first column"},
		{"a.tsv", "1\t1\tx\n2\t1\tx\n3\t1\tx\n1\t1\ty", "a.tsv:4: document 1 again, whose lines ended at line 1"},
		{"a.tsv", "1\t1\t\xff", "a.tsv:1: not UTF-8"},
		{"a.txt", "x", "no labelled lines: wanted a .jsonl or .tsv file"},
	} {
		_, err := ReadLineDocs(t.Context(), lineFiles(t, map[string]string{c.name: c.file}))
		must.Fail(t, err, c.want)
	}
	dir := lineFiles(t, map[string]string{"a.tsv": "document\tlabel\tline\nd\t1\tx", "b.jsonl": `{"id":"d","text":["a"],"labels":[1]}`})
	must.Fail(t, must.Err(ReadLineDocs(t.Context(), dir)), "b.jsonl:1: document d: duplicate id")
	if _, err := ReadLineDocs(t.Context(), filepath.Join(dir, "c.tsv")); !os.IsNotExist(err) {
		t.Errorf("no file: %v", err)
	}
}

// manyDocs makes documents of two languages.
func manyDocs(n int) []*LineDoc {
	var docs []*LineDoc
	for i := range n {
		docs = append(docs, &LineDoc{ID: fmt.Sprint("d", i), Lang: []string{"sv", "sv", "fi"}[i%3], Lines: []string{fmt.Sprint("x", i)}, Labels: []bool{true}})
	}
	return docs
}

func TestSplitLineDocs(t *testing.T) {
	docs := manyDocs(300)
	train, dev, test := SplitLineDocs(docs, 1)
	fi := func(ds []*LineDoc) (n int) {
		for _, d := range ds {
			if d.Lang == "fi" {
				n++
			}
		}
		return n
	}
	if len(train) != 210 || len(dev) != 45 || len(test) != 45 || fi(dev) != 15 || fi(test) != 15 {
		t.Errorf("%d train, %d dev with %d fi, %d test with %d fi", len(train), len(dev), fi(dev), len(test), fi(test))
	}
	of := map[*LineDoc]int{}
	for _, part := range [][]*LineDoc{train, dev, test} {
		for _, d := range part {
			of[d]++
		}
	}
	if len(of) != len(docs) {
		t.Errorf("%d documents in the parts, want %d, each once", len(of), len(docs))
	}
	// Who goes where depends on ids and seed, not on the order of documents.
	back := slices.Clone(docs)
	slices.Reverse(back)
	_, _, again := SplitLineDocs(back, 1)
	slices.Reverse(again)
	if !slices.Equal(test, again) {
		t.Error("the order of documents changes the split")
	}
	if _, _, other := SplitLineDocs(docs, 2); slices.Equal(test, other) {
		t.Error("another seed gives the same split")
	}
	train, dev, test = SplitLineDocs(docs[:5], 1) // 4 sv, 1 fi
	if len(train) != 3 || len(dev) != 1 || len(test) != 1 {
		t.Errorf("5 documents: %d, %d, %d", len(train), len(dev), len(test))
	}
}

func TestLineFolds(t *testing.T) {
	docs := manyDocs(100)
	folds := must.Get(LineFolds(docs, 5, 1))(t)
	all, fi := make([]int, 5), make([]int, 5)
	for i, f := range folds {
		all[f]++
		if docs[i].Lang == "fi" {
			fi[f]++
		}
	}
	if slices.Max(all) != 20 || slices.Min(all) != 20 || slices.Max(fi) > 7 || slices.Min(fi) < 6 {
		t.Errorf("folds of %v documents, %v of them fi", all, fi)
	}
	for _, k := range []int{1, 101} {
		if _, err := LineFolds(docs, k, 1); err == nil {
			t.Errorf("%d folds of 100 documents", k)
		}
	}
}

// TestNearDuplicatesStayTogether: copies, and copies of copies, come into one part.
func TestNearDuplicatesStayTogether(t *testing.T) {
	docs := manyDocs(60)
	for i, d := range docs {
		d.Lines, d.Labels = []string{fmt.Sprintf("page %d has words of its own, %x and %x", i, mix(uint64(i)), mix(uint64(i+900)))}, []bool{true}
	}
	long := "one two three four five six seven eight nine ten eleven twelve thirteen"
	for k, i := range []int{3, 17, 41} {
		docs[i].Lines = []string{long + strings.Repeat(" and more", k)}
	}
	for seed := range uint64(8) {
		folds := must.Get(LineFolds(docs, 5, seed))(t)
		if folds[3] != folds[17] || folds[17] != folds[41] {
			t.Errorf("seed %d: near-duplicates in folds %d, %d, %d", seed, folds[3], folds[17], folds[41])
		}
	}
	alone := 0
	for _, c := range LineClusters(docs) {
		if len(c) == 1 {
			alone++
		} else if !slices.Equal(c, []int{3, 17, 41}) {
			t.Errorf("cluster %v", c)
		}
	}
	must.Equal(t, alone, 57, "documents without copies")
}

// TestTurkuLines reads the set that the labeller is trained on.
func TestTurkuLines(t *testing.T) {
	docs := must.Get(ReadLineDocs(t.Context(), testkit.Data(t, "lines/turku-lines.tar.zst")))(t)
	lines := 0
	of := map[string]int{}
	for _, d := range docs {
		lines += len(d.Lines)
		of[d.Lang+"."+d.Split]++
	}
	if of["sv.dev"] != 315 || of["fr.dev"] != 278 || of["de.train"] != 80 {
		t.Errorf("documents: %v", of)
	}
	var b bytes.Buffer
	must.Succeed(t, writeLineTSV(&b, docs))
	back := must.Get(ReadLineDocs(t.Context(), filepath.Join(lineFiles(t, map[string]string{"all.tsv": b.String()}), "all.tsv")))(t)
	if !reflect.DeepEqual(docs, back) {
		t.Error("the set is not what it was after it was written as TSV and read")
	}
}

func FuzzLineTSV(f *testing.F) {
	for _, s := range []string{"", "1\t1\tx\n1\t0\t\"y\"", "document\tlabel\tline\na\ttext\t\"x \"\"y\"\"\"\na\tb\t\"x\" y\n", "id\ttext\tlabel\tlang\nq\t\"a\tb\"\t0\tsv\r\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r := lineReader{place: "x.tsv", file: "x.tsv", seen: map[string]string{}}
		if r.tsv(b) == nil {
			roundTrip(t, r.docs)
		}
	})
}

func FuzzLineJSONL(f *testing.F) {
	for _, s := range []string{"", `{"id":"a","text":["x\ty","\"z\""],"labels":["1",0]}`, `{"id":1,"lines":["\u0000"],"labels":[false],"split":"dev"}` + "\n{}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r := lineReader{place: "x.jsonl", file: "x.jsonl", seen: map[string]string{}}
		if r.jsonl(b) == nil {
			roundTrip(t, r.docs)
		}
	})
}

// roundTrip writes documents in both forms and reads them again: nothing but
// line breaks inside a line may differ.
func roundTrip(t *testing.T, docs []*LineDoc) {
	flat := func(s string) string { return strings.ReplaceAll(s, "\n", " ") }
	for _, form := range []string{"jsonl", "tsv"} {
		r := lineReader{place: form, file: "y." + form, seen: map[string]string{}}
		var b bytes.Buffer
		write, read := writeLineJSONL, r.jsonl
		if form == "tsv" {
			write, read = writeLineTSV, r.tsv
		}
		ids := map[string]bool{}
		for _, d := range docs {
			if id := strings.TrimSpace(flat(d.ID)); ids[id] {
				return // became one by a line break in it
			} else {
				ids[id] = true
			}
		}
		must.Succeed(t, write(&b, docs))
		if err := read(b.Bytes()); err != nil {
			t.Fatalf("%v\n%s", err, b.Bytes())
		}
		if len(r.docs) != len(docs) {
			t.Fatalf("%d documents, want %d\n%s", len(r.docs), len(docs), b.Bytes())
		}
		for i, d := range docs {
			got, want := r.docs[i].Lines, d.Lines
			if form == "tsv" {
				want = nil
				for _, l := range d.Lines {
					want = append(want, flat(l))
				}
			}
			if !slices.Equal(got, want) || !slices.Equal(r.docs[i].Labels, d.Labels) {
				t.Fatalf("%s: %q %v, want %q %v", form, got, r.docs[i].Labels, want, d.Labels)
			}
		}
	}
}

func TestPartLineDocs(t *testing.T) {
	docs := manyDocs(40)
	for _, c := range []struct {
		how               string
		splits            []string // of the first documents
		took              string
		train, dev, tests int
	}{
		{"auto", nil, "new", 28, 6, 6},
		{"auto", []string{Dev}, "given", 39, 1, 0},
		{"given", []string{Test, Dev, Train}, "given", 38, 1, 1},
		{"new", []string{Test, Dev}, "new", 28, 6, 6},
		{"none", []string{Test, Dev}, "none", 40, 0, 0},
	} {
		for i, d := range docs {
			d.Split = ""
			if i < len(c.splits) {
				d.Split = c.splits[i]
			}
		}
		train, dev, test, took, err := PartLineDocs(docs, c.how, 1)
		if err != nil || took != c.took || len(train) != c.train || len(dev) != c.dev || len(test) != c.tests {
			t.Errorf("%s %v: %s, %d, %d, %d, %v", c.how, c.splits, took, len(train), len(dev), len(test), err)
		}
	}
	for _, d := range docs {
		d.Split = Dev
	}
	if _, _, _, _, err := PartLineDocs(docs, "given", 1); err == nil || !strings.Contains(err.Error(), "all of 40 documents are of the parts dev and test") {
		t.Errorf("nothing to learn from: %v", err)
	}
	if _, _, _, _, err := PartLineDocs(docs, "half", 1); err == nil {
		t.Error("split half")
	}
	must.Fail(t, must.Err(JoinLineDocs(docs, docs[:1])), "document d0 is in two")
	a, _ := SumLineDocs(docs)
	docs[3].Labels[0] = false
	if b, _ := SumLineDocs(docs); a == b || len(a) != 64 {
		t.Errorf("sums %s, %s", a, b)
	}
}
