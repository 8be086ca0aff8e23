package onion

import (
	"fmt"
	"strings"
	"testing"

	"chaffinch/dedup"
	"chaffinch/input/records"
	"chaffinch/internal/testkit/must"
)

// words writes different words of each name: "a20 b5" are twenty of a and five
// of b.
func words(spec string) string {
	var out []string
	for f := range strings.FieldsSeq(spec) {
		n := 0
		fmt.Sscan(f[1:], &n)
		for i := range n {
			out = append(out, fmt.Sprintf("%c%c%c", f[0], 'a'+i/26, 'a'+i%26))
		}
	}
	return strings.Join(out, " ")
}

func page(url string, specs ...string) *records.Doc {
	paras := make([]string, len(specs))
	for i, s := range specs {
		paras[i] = words(s)
	}
	return doc("", url, paras...)
}

// short shows verdicts: one letter per paragraph, in capitals if it stays.
func short(verdicts [][]verdict) string {
	var docs []string
	for _, d := range verdicts {
		s := ""
		for _, v := range d {
			c := map[dedup.Reason]string{dedup.Unique: "u", dedup.Copied: "c", dedup.Stub: "s", dedup.Template: "t"}[v.Reason]
			if !v.Drop {
				c = strings.ToUpper(c)
			}
			s += c
		}
		docs = append(docs, s)
	}
	return strings.Join(docs, " ")
}

// TestDecisions shows the decisions in the cases that docs/explanation/dedup-onion.md names.
func TestDecisions(t *testing.T) {
	a, b := "http://a.example/1", "http://b.example/1"
	cases := []struct {
		name   string
		docs   []*records.Doc
		set    func(*Config)
		want   string
		compat string // with the settings of the original, "" if not asked
	}{
		{"a copy goes", []*records.Doc{page("", "a30", "b30"), page("", "a30", "b30")}, nil, "UU cc", "UU cc"},
		{"exactly half is enough, but not for the original", []*records.Doc{page("", "a30"), page("", "a15 b15"), page("", "c40")}, nil, "U c U", "U U U"},
		{"a short document that is unique stays, but not with the original", []*records.Doc{page("", "a9")}, nil, "U", "s"},
		{"a copy of a document shorter than n goes", []*records.Doc{page("", "a2", "b3"), page("", "a2", "b3"), page("", "a2", "c3")}, nil, "UU cc UU", "ss ss ss"},
		{"a rest between copies goes", []*records.Doc{page("", "a30", "b30"), page("", "a30", "x9", "b30")}, nil, "UU csc", "UU csc"},
		{"a rest at the edge of a document that is mostly copied goes", []*records.Doc{page("", "a30"), page("", "x9", "a30", "y9")}, nil, "U scs", "U scs"},
		{"but not of one that is mostly its own", []*records.Doc{page("", "a30"), page("", "x9", "a30", "y31")}, nil, "U UcU", "U scU"},
		{"what goes is not seen: text never goes that stays nowhere",
			[]*records.Doc{page("", "a30"), page("", "a30 b25"), page("", "b25", "c40")}, nil, "U c UU", "U c UU"},
		{"nor does a rest that went make the next copy of it go",
			[]*records.Doc{page("", "a30", "b30"), page("", "a30", "x9", "b30"), page("", "x9", "y40")}, nil, "UU csc UU", ""},
		{"a paragraph that repeats itself stays, but not with the original",
			[]*records.Doc{page("", "a10 a10 a10 a10", "b40")}, nil, "UU", "cU"},
		{"what stands twice in a document goes once", []*records.Doc{page("", "a30", "b40", "a30")}, nil, "UUc", "UUc"},
		{"cut in two, n-grams across the border count", []*records.Doc{page("", "a10 b5 c10"), page("", "a10", "b5", "c10")}, func(c *Config) { c.Stub = 0 }, "U ccc", "U ccc"},
		{"template text of a host stays once", []*records.Doc{page(a, "t4", "a30"), page(a, "t4", "b30"), page(a, "t4", "c30"), page(b, "t4", "d30")},
			func(c *Config) { c.Template = 3 }, "TU tU tU UU", ""},
		{"or goes", []*records.Doc{page(a, "t4", "a30"), page(a, "t4", "b30"), page(a, "t4", "c30"), page(b, "t4", "d30")},
			func(c *Config) { c.Template, c.OnTemplate = 3, Drop }, "tU tU tU UU", ""},
		{"or stays", []*records.Doc{page(a, "t30", "a30"), page(a, "t30", "b30"), page(a, "t30", "c30"), page(b, "t30", "d30")},
			func(c *Config) { c.Template, c.OnTemplate = 3, Keep }, "TU TU TU cU", ""},
		{"pages that share their template alone keep a short text", []*records.Doc{page(a, "t30", "a30", "s30"), page(a, "t30", "x9", "s30"), page(a, "t30", "y9", "s30")},
			func(c *Config) { c.Template = 3 }, "TUT tUt tUt", ""},
		{"the document as the unit", []*records.Doc{page("", "a30", "b30"), page("", "a30", "c29"), page("", "a30", "c31")},
			func(c *Config) { c.Unit = Document }, "U c U", "U c U"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, x := range []struct {
				cfg  Config
				want string
			}{{Default, c.want}, {Compat, c.compat}} {
				if x.want == "" {
					continue
				}
				if c.set != nil {
					c.set(&x.cfg)
				}
				v := must.Get(find(c.docs, x.cfg))(t)
				if got := short(v); got != x.want {
					t.Errorf("compat %v: %s, want %s", x.cfg.Compat, got, x.want)
				}
			}
		})
	}
}

// TestFirst: the share and the document that a copy was seen in first.
func TestFirst(t *testing.T) {
	docs := []*records.Doc{page("", "a30", "c8"), page("", "b30"), page("", "a30"), page("", "c8 b30 x4")}
	v := must.Get(find(docs, Default))(t)
	if got, want := v[2][0], (verdict{true, dedup.Copied, 1, 0}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := v[3][0], (verdict{true, dedup.Copied, .9048, 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestConfig: settings that make no sense are refused.
func TestConfig(t *testing.T) {
	for _, set := range []func(*Config){
		func(c *Config) { c.Ngram = 0 },
		func(c *Config) { c.Percent = 101 },
		func(c *Config) { c.Stub = -1 },
		func(c *Config) { c.Template = 1 },
		func(c *Config) { c.Unit = "page" },
		func(c *Config) { c.OnTemplate = "hide" },
		func(c *Config) { c.Tokens.Unit = 1 },
	} {
		c := Default
		set(&c)
		if _, err := New(c); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
}

// TestHost: what counts as the host of an address.
func TestHost(t *testing.T) {
	for _, url := range []string{"https://WWW.example.org/x", "http://example.org:8080?q=a", "http://me:pw@example.org./#x"} {
		if hostOf(url) != hostOf("http://example.org") {
			t.Errorf("%s: another host than example.org", url)
		}
	}
	for _, url := range []string{"", "example.org", "mailto:a@example.org", "http:///x"} {
		if hostOf(url) != 0 {
			t.Errorf("%s: has a host", url)
		}
	}
	if hostOf("http://a.example.org") == hostOf("http://b.example.org") {
		t.Error("two hosts are one")
	}
}
