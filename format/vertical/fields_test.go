package vertical

import (
	"strings"
	"testing"

	"chaffinch/page"
)

// TestFields writes the fields that a page brought as attributes.
func TestFields(t *testing.T) {
	p := &page.Page{ID: "a", Fields: []page.Field{
		{Name: "register", Value: `"news \"a\" & b"`}, {Name: "year", Value: "1999"}, {Name: "ok", Value: "true"}, {Name: "tags", Value: `["x","y|z"]`},
		{Name: "in", Value: `{"a":1}`}, {Name: "2nd name", Value: "2"}, {Name: "длина", Value: "3"}, {Name: "file", Value: `"f"`},
	}, Blocks: []page.Block{{Text: "One.", Verdict: page.Verdict{Label: page.Good}}}}
	for out, register := range map[string]string{
		string(Encoder{}.Append(nil, p)): `'news "a" & b'`, string(Prevertical{}.Append(nil, p)): `"news &quot;a&quot; &amp; b"`,
	} {
		tag, _, _ := strings.Cut(out, "\n")
		if want := ` register=` + register + ` year="1999" ok="true" tags="x|y z" _2nd_name="2" input_file="f">`; !strings.HasSuffix(tag, want) {
			t.Errorf("%s\nwanted at the end\n%s", tag, want)
		}
	}
}
