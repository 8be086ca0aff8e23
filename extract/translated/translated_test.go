package translated

import (
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// find looks for a mark in an element with attributes.
func find(m *Marks, element string, attrs ...string) string {
	return m.Of(element).Find(func(name string) (string, bool) { return valueOf(attrs, name) })
}

func valueOf(attrs []string, name string) (string, bool) {
	for i := 0; i < len(attrs); i += 2 {
		if attrs[i] == name {
			return attrs[i+1], true
		}
	}
	return "", false
}

func TestDefault(t *testing.T) {
	for _, c := range []struct {
		want, element string
		attrs         []string
	}{
		{"Google Translate", "html", []string{"lang", "de", "class", "no-js Translated-LTR"}},
		{"pasted Google Translate", "font", []string{"style", "Vertical-Align: inherit;"}},
		{"", "font", []string{"style", "color: red"}},
		{"", "html", []string{"class", "untranslated-ltr"}},
		{"language tag", "html", []string{"lang", "de-t-en-t0-und"}},
		{"", "html", []string{"lang", "de-t-en"}},
		{"Microsoft Translator", "h1", []string{"_msttexthash", "12"}},
		{"plugin GTranslate", "script", []string{"src", "https://cdn.gtranslate.net/widgets/latest/float.js"}},
		{"", "script", []string{"src", "/jquery.js"}},
		{"", "meta", []string{"name", "machine-translated", "content", "false"}},
		{"meta", "meta", []string{"name", "Machine-Translated", "content", "true"}},
		{"", "aside", nil},
	} {
		must.Equal(t, find(Default(), c.element, c.attrs...), c.want, c.element, c.attrs)
	}
}

// TestLoad: marks of a file follow the embedded marks, which remain; an error in a mark names
// its line.
func TestLoad(t *testing.T) {
	name := filepath.Join(t.TempDir(), "my.txt")
	load := func(text string) (*Marks, error) {
		must.Write(t, name, text)
		return Load(name)
	}
	m := must.Get(load("\ufeff# mine\nDIV data-robot CLASS=mt-* : my plug-in\r\nhtml lang=xx : other\n"))(t)
	for want, got := range map[string]string{
		"my plug-in":       find(m, "div", "class", "box MT-box", "data-robot", ""),
		"other":            find(m, "html", "lang", "XX"),
		"Google Translate": find(m, "html", "class", "translated-rtl"),
	} {
		must.Equal(t, got, want)
	}
	if find(m, "div", "class", "mt-box") != "" || find(Default(), "html", "lang", "xx") != "" {
		t.Error("a mark without all of its attributes, or one of a file among the embedded")
	}
	for text, want := range map[string]string{
		"# a\nhtml class=x\n": `my.txt: line 2: found "html class=x", wanted an element`,
		"html : x\n":          "line 1: found",
		"html =x : y\n":       `line 1: found "=x", wanted attribute=pattern`,
		"html a=b : x, y\n":   "line 1: found",
	} {
		must.Fail(t, must.Err(load(text)), want)
	}
	if _, err := Load(name + "x"); err == nil {
		t.Error("no error for a file that is not there")
	}
}

func TestLists(t *testing.T) {
	list := ""
	for _, name := range []string{"plugin X", "Google Translate", "pasted Y", "plugin X", "Google Translate"} {
		list = Append(list, name)
	}
	want := Names{Machine: []string{"Google Translate"}, Pasted: []string{"pasted Y"}, Plugins: []string{"plugin X"}}
	if got := Parse(list); list != "plugin X, Google Translate, pasted Y" || !reflect.DeepEqual(got, want) {
		t.Errorf("%q: %+v, want %+v", list, got, want)
	}
}

// FuzzMatches compares patterns with regular expressions.
func FuzzMatches(f *testing.F) {
	f.Add("*a*b", "xaxb")
	f.Add("a*a", "a")
	f.Fuzz(func(t *testing.T, pattern, value string) {
		if len(pattern) > 40 || len(value) > 200 {
			t.Skip()
		}
		e, err := regexp.Compile("(?s)^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*") + "$")
		if err != nil || strings.ToValidUTF8(pattern+value, "") != pattern+value {
			t.Skip()
		}
		if got := matches(strings.Split(pattern, "*"), value); got != e.MatchString(value) {
			t.Errorf("%q matches %q: %v", pattern, value, got)
		}
	})
}

// TestMayHold compares elements whose marks are searched for only if they may hold with a search of
// all marks.
func TestMayHold(t *testing.T) {
	pieces := []string{"", "https://cdn.", "GTranslate.net", "/plugins/translatepress", "/wordpress", "Translate.Google.com/translate_a/element.js", "weglot.com", "translated-ltr", "de-t-en-t0-und",
		"vertical-align:", "inherit", "\u212A", "\u0130", "lin\u0130guise.com", "linguise.com", "machine-translated", "translation-stats", "true", "?x"}
	rng := rand.New(rand.NewPCG(1, 2))
	for element, r := range Default().byElement {
		for range 3000 {
			attrs := []string{}
			for _, n := range r.need {
				attrs = append(attrs, n.attr, strings.Repeat("x", rng.IntN(9))+pieces[rng.IntN(len(pieces))]+pieces[rng.IntN(len(pieces))], "content", "true")
			}
			want := ""
			l := lowered{value: func(name string) (string, bool) { return valueOf(attrs, name) }}
			for i := range r.marks {
				if r.marks[i].holds(&l) {
					want = r.marks[i].name
					break
				}
			}
			if got := find(Default(), element, attrs...); got != want {
				t.Fatalf("%s %q: %q, want %q", element, attrs, got, want)
			}
		}
	}
}
