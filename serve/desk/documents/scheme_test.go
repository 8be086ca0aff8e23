package documents

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestEmbedded reads the embedded schemes: each label has a guideline.
func TestEmbedded(t *testing.T) {
	want := map[string]int{"natural": 7, "quality": 6, "registers": 25}
	if names := Embedded(); len(names) != len(want) {
		t.Errorf("schemes %q", names)
	}
	for name, n := range want {
		s, err := ReadScheme(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if s.Name != name || len(s.Labels) != n {
			t.Errorf("%s: %q with %d labels, want %d", name, s.Name, len(s.Labels), n)
		}
		for _, l := range s.Labels {
			if l.Help == "" || len(l.Examples) == 0 {
				t.Errorf("%s: label %s: no guideline or no example", name, l.Label)
			}
		}
	}
}

// TestBadScheme reports the place, the problem and the expected value.
func TestBadScheme(t *testing.T) {
	const head = `{"name":"x","question":"Which?","mode":"single","labels":[`
	good := head + `{"label":"a","key":"a","name":"A"},{"label":"b","key":"b","name":"B"}]}`
	if _, err := parseScheme("good.json", []byte(good)); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"{\n\"name\": 5}": "bad.json:2: ",
		good + "x":        "text after the scheme: wanted one JSON object",
		strings.Replace(good, `"mode"`, `"modus"`, 1):                     `unknown field "modus"`,
		strings.Replace(good, "single", "some", 1):                        `mode "some": wanted single, multi or scale`,
		strings.Replace(good, "Which?", " ", 1):                           "question: missing",
		head + `{"label":"a","key":"a","name":"A"}]}`:                     "labels: 1: wanted at least 2",
		strings.Replace(good, `"label":"b"`, `"label":"a"`, 1):            `labels[1] "a": duplicate label: rename one`,
		strings.Replace(good, `"label":"b"`, `"label":"b c"`, 1):          `labels[1] "b c": label: wanted`,
		strings.Replace(good, `"key":"b"`, `"key":"a"`, 1):                `labels[1] "b": key "a": also the key of "a": change one`,
		strings.Replace(good, `"key":"b"`, `"key":"bb"`, 1):               `key "bb": wanted one letter`,
		strings.Replace(good, `"key":"b"`, `"key":"u"`, 1):                `key "u": reserved: wanted a key other than u g`,
		strings.Replace(good, `"name":"B"`, `"name":""`, 1):               `labels[1] "b": name: missing`,
		strings.Replace(good, `"name":"B"`, `"name":"B","parent":"c"`, 1): `parent "c": wanted a label above`,
		strings.Replace(good, `"key":"b"`, `"key":"a","parent":"a"`, 1):   `key "a": also the key of "a"`,
		strings.Replace(good, "]}", `,{"label":"c","key":"c","name":"C","parent":"a"},{"label":"d","key":"d","name":"D","parent":"c"}]}`, 1): `parent "c": it has a parent too`,
		strings.Replace(good, "]}", `,{"label":"c","key":"d","name":"C","parent":"a"},{"label":"d","key":"d","name":"D"}]}`, 1):              `key "d": also the key of`,
		strings.Replace(strings.Replace(good, "single", "scale", 1), `"name":"B"`, `"name":"B","parent":"a"`, 1):                             "a scale has no sublabels",
	} {
		if _, err := parseScheme("bad.json", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), "bad.json:") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n%v, want %s", text, err, want)
		}
	}
	if _, err := ReadScheme(filepath.Join(t.TempDir(), "none.json")); err == nil || !strings.Contains(err.Error(), "wanted a JSON file, or one of natural, quality, registers") {
		t.Error(err)
	}
}

// TestNormalize adds the parents of labels, and checks the number of labels.
func TestNormalize(t *testing.T) {
	registers := must.Get(ReadScheme("registers"))(t)
	natural := must.Get(ReadScheme("natural"))(t)
	for _, c := range []struct {
		s     *Scheme
		given string
		want  string // or the error
	}{
		{registers, "re ne", "NA ne HI re"},
		{registers, "NA", "NA"},
		{registers, "", ""},
		{registers, "xx", `label "xx": wanted one of NA, ne`},
		{natural, "keywords", "unnatural keywords"},
		{natural, "unnatural", "unnatural"},
		{natural, "unnatural keywords", "unnatural keywords"},
		{natural, "natural keywords", "wanted exactly one label (mode single)"},
		{natural, "keywords generated", "wanted exactly one label"},
		{natural, "", "wanted exactly one label"},
	} {
		got, err := c.s.normalize(strings.Fields(c.given))
		if err != nil {
			if !strings.Contains(err.Error(), c.want) || c.want == "" {
				t.Errorf("%s %q: %v, want %s", c.s.Name, c.given, err, c.want)
			}
		} else if !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%s %q: %q, want %q", c.s.Name, c.given, got, c.want)
		}
	}
}
