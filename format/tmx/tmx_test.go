package tmx

import (
	"io"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"chaffinch/internal/testkit/must"
)

const memory = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4">
<header srclang="en" datatype="plaintext"><note>a note</note></header>
<body>
<tu tuid="17"><note>skipped</note>
<tuv xml:lang="EN_us"><prop type="x">skipped</prop><seg>Press <bpt i="1">&lt;b></bpt>OK<ept i="1">&lt;/b></ept> &amp; <hi type="x">wait</hi><ph>x<sub>, please</sub>y</ph>.</seg></tuv>
<tuv lang="de"><seg>OK drücken</seg></tuv>
</tu>
<tu><tuv xml:lang="fr"><seg/></tuv></tu>
</body></tmx>`

func TestReader(t *testing.T) {
	want := []*Unit{
		{ID: "17", Variants: []Variant{{"en-US", "Press OK & wait, please."}, {"de", "OK drücken"}}},
		{Variants: []Variant{{"fr", ""}}},
	}
	wide := "\ufeff" + strings.Replace(memory, "UTF-8", "UTF-16", 1)
	var bytes []byte
	for _, u := range utf16.Encode([]rune(wide)) {
		bytes = append(bytes, byte(u), byte(u>>8))
	}
	for name, text := range map[string]string{"UTF-8": memory, "UTF-16": string(bytes)} {
		var got []*Unit
		for u, err := range NewReader(strings.NewReader(text)).All() {
			must.Succeed(t, err)
			got = append(got, u)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, wanted %+v", name, got, want)
		}
	}
}

// TestReaderErrors: damaged and hostile files are errors, and no other file is read.
func TestReaderErrors(t *testing.T) {
	for text, want := range map[string]string{
		"<TEI/>":     "wanted tmx",
		"":           "no element tmx",
		"<tmx><tu>":  "unexpected EOF",
		"<tmx></tu>": "byte",
		`<?xml version="1.0" encoding="koi8-r"?><tmx/>`:                                                                     "encoding koi8-r",
		"<tmx><tu>" + strings.Repeat("<a>", 101):                                                                            "deep",
		"<tmx><tu>" + strings.Repeat(`<tuv lang="en"/>`, 1001):                                                              "variants",
		"<tmx><tu><tuv><seg>" + strings.Repeat("a", 9<<20):                                                                  "8 MB",
		`<!DOCTYPE tmx [<!ENTITY a SYSTEM "file:///etc/hostname">]><tmx><tu><tuv lang="en"><seg>&a;</seg></tuv></tu></tmx>`: "entity &a;",
	} {
		r := NewReader(strings.NewReader(text))
		var err error
		for err == nil {
			_, err = r.Next()
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: error %v, wanted %s", text, err, want)
		}
		if _, err := r.Next(); err != io.EOF {
			t.Errorf("%.40q: error %v after an error", text, err)
		}
	}
}
