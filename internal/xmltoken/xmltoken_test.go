package xmltoken

import (
	"fmt"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// list writes the tokens of s in short form.
func list(s string, cfg Config) string {
	var b strings.Builder
	for r := New(s, cfg); r.Next(); {
		switch r.Kind {
		case Start:
			b.WriteString("<" + r.Name)
			for _, a := range r.Attrs {
				fmt.Fprintf(&b, " %s=%q", a.Name, a.Value)
			}
			b.WriteString(">")
		case End:
			b.WriteString("</" + r.Name + ">")
		case Text:
			b.WriteString(r.Text)
		}
	}
	return b.String()
}

func TestReader(t *testing.T) {
	office := Config{Prefixes: map[string]string{"urn:w": "w"}}
	for _, c := range []struct {
		in, want string
		cfg      Config
	}{
		{`<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "y">]><a b="1" c='&lt;2'>t&amp;&#233;&x;</a>`, `<a b="1" c="<2">t&é&x;</a>`, Config{}},
		{`<a><!-- <b> --><![CDATA[<c>&amp;]]></a>`, `<a><c>&amp;</a>`, Config{}},
		{`<n:p xmlns:n="urn:w" n:v="1" v="2"><n:t/></n:p><n:p/>`, `<w:p xmlns:n="urn:w" w:v="1" v="2"><w:t></w:t></w:p><n:p></n:p>`, office},
		{`<p xmlns="urn:w" v="2"><q xmlns="other"/><t/></p>`, `<w:p xmlns="urn:w" v="2"><q xmlns="other"></q><w:t></w:t></w:p>`, office},
		{`<a><b>x</a>y</b>z`, `<a><b>x</b></a>yz`, Config{}},
		{`<a 1 < 2 <b>x`, `<a 1="">< 2 <b>x</b></a>`, Config{}},
		{"<a>1\r\n2\r3", "<a>1\n2\n3</a>", Config{}},
		{`<a b="x`, `<a></a>`, Config{}},
		{`<a b=x c>y</a`, `<a b="x" c="">y</a>`, Config{}},
		{`<P>a<br>b<Script>if (a<b) {}</Script></P>`, `<p>a<br></br>b<script></script></p>`, Config{HTML: true}},
		{`<a><b><c>x</c></b>y</a>`, `<a><b>x</b>y</a>`, Config{MaxDepth: 2}},
	} {
		must.Equal(t, list(c.in, c.cfg), c.want, c.in)
	}
}

func TestSkip(t *testing.T) {
	r := New(`<a><b>x<b>y</b></b><c/>z</a>`, Config{})
	got := ""
	for r.Next() {
		if r.Kind == Start && r.Name != "a" {
			r.Skip()
			got += r.Name + " "
		} else if r.Kind == Text {
			got += r.Text
		}
	}
	must.Equal(t, got, "b c z")
}

// FuzzReader reads any bytes: tags are balanced, and the number of tokens is bounded by the bytes.
func FuzzReader(f *testing.F) {
	f.Add(`<a b="1">t<c/></a>`, false)
	f.Add(`<!DOCTYPE x [ ]><p>a<br>b`, true)
	f.Add(`<a><![CDATA[x`, false)
	f.Fuzz(func(t *testing.T, s string, html bool) {
		var open []string
		tokens := 0
		r := New(s, Config{MaxDepth: 20, HTML: html})
		for r.Next() {
			if tokens++; tokens > 2*len(s)+2 {
				t.Fatal("the reader does not end")
			}
			switch r.Kind {
			case Start:
				open = append(open, r.Name)
			case End:
				if len(open) == 0 || open[len(open)-1] != r.Name {
					t.Fatalf("end of %q, open %q", r.Name, open)
				}
				open = open[:len(open)-1]
			}
			if r.Depth() != len(open) || len(open) > 20 {
				t.Fatalf("depth %d, open %d", r.Depth(), len(open))
			}
		}
		if len(open) > 0 {
			t.Errorf("open at the end: %q", open)
		}
	})
}
