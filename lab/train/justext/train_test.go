package justext

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/clean/justext"
	"chaffinch/internal/testkit/must"
)

func train(t *testing.T, cfg Config, texts map[string]string) []Trained {
	t.Helper()
	tr := must.Get(NewTrainer(cfg))(t)
	for place, text := range texts { // in any order
		source, lang, _ := strings.Cut(place, "/")
		must.Succeed(t, must.Err(tr.Add(source, lang, strings.NewReader(text))))
	}
	lists, _ := tr.Lists()
	return lists
}

// lines makes n lines that all have the given words and two of their own.
func lines(n int, words, own string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s %s%c%c %s%c\n", words, own, 'a'+i%26, 'a'+i/26%26, own, 'a'+i%20)
	}
	return b.String()
}

// TestCut has a language whose lines hold two frequent words, "the" twice and
// "and" once, and two others. Both cover .60 of unseen lines, which counts as
// .47 of unseen text, "the" alone .31.
func TestCut(t *testing.T) {
	cfg := Config{Cover: .45, MinWords: 100, MinSoleWords: 100, MinSourceWords: 10, MinCount: 3}
	got := train(t, cfg, map[string]string{"a/en": lines(500, "the, AND the.", "x")})
	if len(got) != 1 || !slices.Equal(got[0].Words(), []string{"and", "the"}) {
		t.Fatalf("%+v", got)
	}
	if l := got[0]; l.TextWords != 2500 || l.Cover < .46 || l.Cover > .48 || l.Lang != "en" {
		t.Errorf("text %d, cover %v, language %s; want 2500, .47, en", l.TextWords, l.Cover, l.Lang)
	}
}

// TestSourcesMustAgree has words that are frequent in one of two sources: the
// word of both ranks first, though it is rarer than each of them.
func TestSourcesMustAgree(t *testing.T) {
	tr := must.Get(NewTrainer(Default))(t)
	tr.Add("novel", "en", strings.NewReader(lines(400, "she the she", "n")))
	tr.Add("manual", "en", strings.NewReader(lines(400, "click the click", "m")))
	sources := pool(tr.langs["en"], 100)
	must.Equal(t, rank(sources, whole, 1)[0].word, "the", "ranks first in two sources")
	must.Equal(t, rank(sources[:1], whole, 1)[0].word, "click", "ranks first in the manual")
	// "the" alone covers a fifth of the novel by the ranking of the manual.
	got := gain(across(sources), 0) + gain(across(sources), 1)
	if got < .19 || got > .21 {
		t.Errorf("two words of the other source cover %.3f, want .20", got)
	}
}

func TestPool(t *testing.T) {
	tr, _ := NewTrainer(Default)
	for source, n := range map[string]int{"a": 100, "b": 300, "c": 10, "d": 12} {
		tr.Add(source, "en", strings.NewReader(lines(n, "the", "x"))) // three words per line
	}
	sizes := func(least int) (out []int) {
		for _, c := range pool(tr.langs["en"], least) {
			out = append(out, c.size())
		}
		return out
	}
	for least, want := range map[int][]int{1: {300, 900, 30, 36}, 60: {300, 900, 66}, 100: {300, 966}, 5000: {1266}} {
		if got := sizes(least); !slices.Equal(got, want) {
			t.Errorf("sources of %d words or more: %v, want %v", least, got, want)
		}
	}
}

func TestEnoughText(t *testing.T) {
	cfg := Config{Cover: .4, MinWords: 1000, MinSoleWords: 2000, MinSourceWords: 10, MinCount: 3}
	for _, c := range []struct {
		name  string
		texts map[string]string
		want  string
	}{
		{"two sources", map[string]string{"a/de": lines(110, "der die und", "x"), "b/de": lines(110, "der die und", "y")}, "de"},
		{"too little", map[string]string{"a/de": lines(90, "der die und", "x"), "b/de": lines(90, "der die und", "y")}, ""},
		{"one source", map[string]string{"a/de": lines(390, "der die und", "x")}, ""},
		{"one large source", map[string]string{"a/de": lines(410, "der die und", "x")}, "de"},
		{"no spaces", map[string]string{"a/zh": lines(410, "的 是 了", "x"), "a/th": lines(410, "ที่ และ ใน", "x")}, ""},
		{"no language", map[string]string{"a/README": lines(410, "the the and", "x")}, ""},
		{"variants are one", map[string]string{"a/pt": lines(110, "o a de", "x"), "b/pt-BR": lines(110, "o a de", "y")}, "pt"},
	} {
		got := ""
		for _, l := range train(t, cfg, c.texts) {
			got += l.Lang
		}
		if got != c.want {
			t.Errorf("%s: lists for %q, want %q", c.name, got, c.want)
		}
	}
}

// TestForeignScript has a text with English in it, and one in two scripts.
func TestForeignScript(t *testing.T) {
	cfg := Config{Cover: .5, MinWords: 100, MinSoleWords: 100, MinSourceWords: 10, MinCount: 3}
	for _, c := range []struct{ lang, words, want string }{
		{"ru", "и и на the the the 1", "и|на"},
		{"en", "и и на the the on", "on|the"},
		{"sr", "и и на the the on", "on|the|и|на"},
	} {
		got := train(t, cfg, map[string]string{"a/" + c.lang: strings.Repeat(c.words+"\n", 100)})[0].Words()
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s %q: %q, want %q", c.lang, c.words, got, c.want)
		}
	}
}

// TestWriteIsRepeatable trains twice and compares the files byte by byte.
func TestWriteIsRepeatable(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		must.Write(t, filepath.Join(dir, "text", name), text)
	}
	write("news/txt/de/1.txt", lines(300, "der die und", "x"))
	write("news/txt/de/2.txt", lines(300, "der das und", "y"))
	write("talk/txt/de.txt", lines(300, "und der ich", "z"))
	write("talk/txt/README.txt", "no language\n")
	write("talk/index.tsv", "de\t900\n")
	cfg := Config{Cover: .4, MinWords: 1000, MinSoleWords: 2000, MinSourceWords: 10, MinCount: 3}
	var files [2][]byte
	for i := range files {
		tr := must.Get(NewTrainer(cfg))(t)
		n, skipped, err := tr.Read(filepath.Join(dir, "text"), "", sha256.New())
		if err != nil || n != 3 || skipped != 1 {
			t.Fatalf("%d files, %d left out, %v; want 3 and 1", n, skipped, err)
		}
		path := filepath.Join(dir, "a.chf")
		must.Succeed(t, must.Err(tr.Add("talk", "mt", strings.NewReader("few words"))))
		lists, few := tr.Lists()
		if !slices.Equal(few, []string{"mt"}) {
			t.Errorf("languages with too few words: %q, want mt", few)
		}
		must.Succeed(t, Write(path, lists, cfg, "sum", "tool 1"))
		files[i], _ = os.ReadFile(path)
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the same text made two different files")
	}
	l, err := justext.Parse("a.chf", files[0])
	must.Succeed(t, err)
	if c := l.Cards(); len(c) != 1 || !slices.Equal(c[0].Sources, []string{"news", "talk"}) || c[0].TextWords != 4500 {
		t.Errorf("%+v", c)
	}
	s, err := l.Get("de-CH")
	if err != nil || !s.Has("UND") {
		t.Errorf("%v, %v", s, err)
	}
}

func TestReadNames(t *testing.T) {
	tr, _ := NewTrainer(Default)
	if _, _, err := tr.Read(t.TempDir(), "", sha256.New()); err == nil || !strings.Contains(err.Error(), "no text file") {
		t.Errorf("empty folder: %v", err)
	}
	if _, err := NewTrainer(Config{Cover: 1}); err == nil {
		t.Error("cover 1 was taken")
	}
}
