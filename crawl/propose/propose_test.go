package propose

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestLanguages fails if pages of the sections of a language are missing, or if others are listed.
func TestLanguages(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		must.Write(t, filepath.Join(dir, name), text)
	}
	write("README.md", "# Languages\n\n- https://readme.example/\n")
	write("manx.md", `# Web Language: Manx

Additional names:
- Gaelg https://names.example/

News:
- https://one.example/gv/ (radio)
- [Two](https://two.example/a_(b)) and https://three.example.
- https://one.example/gv/

Government:
- 
- HTTPS://four.example

Informative links (in English):
- https://about.example/

Additional Information:
- ISO-639-3 code: glv
- https://en.wikipedia.example/

## Instructions

- https://help.example/
`)
	write("irish.md", "# Web Language: Irish\n\nNews:\n- https://irish.example/\n\nAdditional Information:\n- ISO-639-3 code: gle\n")
	for _, lang := range []string{"gv", "Manx", "glv"} {
		list := must.Get(Languages(t.Context(), dir, lang))(t)
		want := []Proposal{
			{"https://one.example/gv/", "web-languages: News"},
			{"https://two.example/a_(b)", "web-languages: News"},
			{"https://three.example/", "web-languages: News"},
		}
		if !slices.Equal(list, want) {
			t.Errorf("%s: %v, want %v", lang, list, want)
		}
	}
	if _, err := Languages(t.Context(), dir, "br"); err == nil || !strings.Contains(err.Error(), "no file about") {
		t.Errorf("a language without a file: %v", err)
	}
	write("big.md", strings.Repeat("x", maxLanguageFile+1))
	if _, err := Languages(t.Context(), dir, "gv"); err == nil {
		t.Error("a file above the limit is read")
	}
}

// TestIndex fails if hosts are not ordered by the pages in a language, or unusable lines are proposed.
func TestIndex(t *testing.T) {
	x := must.Get(NewIndex("sv"))(t)
	line := func(url, languages string) string {
		return `example,x)/ 20260101000000 {"url": "` + url + `", "status": "200", "languages": "` + languages + `"}` + "\n"
	}
	in := line("https://few.example/1", "swe") +
		line("http://many.example/1", "swe,eng") + line("http://many.example/2", "swe") + line("http://many.example/3", "eng") +
		line("https://minor.example/1", "swe") + line("https://minor.example/2", "swe") + line("https://minor.example/3", "swe") + strings.Repeat(line("https://minor.example/4", "eng,swe"), 9) +
		line("https://other.example/", "dan") + line("https://none.example/", "") +
		"no index\n" + `{"url": "https://missing.example/", "status": "404", "languages": "swe"}` + "\n"
	must.Succeed(t, x.Read(t.Context(), strings.NewReader(in)))
	want := []Proposal{
		{"http://many.example/", "index: 2 of 3 pages"},
		{"https://few.example/", "index: 1 of 1 page"},
		{"https://minor.example/", "index: 3 of 12 pages"},
	}
	if got := x.Proposals(); !slices.Equal(got, want) || x.Bad != 1 || x.Unknown != 1 || x.Lines != 20 {
		t.Errorf("%v of %+v, want %v", got, x, want)
	}
}

// TestQueries fails if queries repeat, differ between runs, or use words outside the medium range.
func TestQueries(t *testing.T) {
	var words []string
	for i := range 100 {
		words = append(words, "word"+strings.Repeat("a", i))
	}
	list := must.Get(ReadWords(strings.NewReader("# comment\nword_form\tcount\nthe\t9000\nk'oad 3\n42\n")))(t)
	if !slices.Equal(list, []string{"the", "k'oad"}) {
		t.Errorf("words: %q", list)
	}
	a := must.Get(Queries(words, 50, 3, 1))(t)
	b := must.Get(Queries(words, 50, 3, 1))(t)
	c := must.Get(Queries(words, 50, 3, 2))(t)
	if len(a) != 50 || !slices.Equal(a, b) || slices.Equal(a, c) {
		t.Errorf("%d queries, the same again: %t, with another seed: %t", len(a), slices.Equal(a, b), slices.Equal(a, c))
	}
	seen := map[string]bool{}
	for _, q := range a {
		f := strings.Fields(q)
		if len(f) != 3 || seen[q] || slices.Contains(f, words[0]) || slices.Contains(f, words[1]) || f[0] == f[1] || f[1] == f[2] {
			t.Errorf("query %q", q)
		}
		seen[q] = true
	}
	if _, err := Queries(words[:6], 5, 3, 1); err != nil {
		t.Error(err)
	}
	if _, err := Queries(words[:5], 5, 3, 1); err == nil {
		t.Error("a list of five words is accepted")
	}
}
