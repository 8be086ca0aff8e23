package plagiarism

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"chaffinch/internal/testkit/must"
)

const panGold = `<?xml version="1.0" encoding="UTF-8"?>
<document reference="suspicious-document00001.txt">
<feature name="about" authors="A. Nobody" />
<feature name="artificial-plagiarism" type="artificial" obfuscation="high" this_offset="24" this_length="80"
 source_reference="source-document00009.txt" source_offset="203" source_length="83" />
<feature name="plagiarism" this_offset="1" this_length="2" />
</document>`

func TestPAN(t *testing.T) {
	ref, cases, err := ReadPAN(strings.NewReader(panGold), GoldFeature)
	must.Succeed(t, err)
	want := []Annotation{{Passage{"suspicious-document00001.txt", "source-document00009.txt", 24, 104, 203, 286, 0, 0}, "artificial", "high"}}
	if ref != "suspicious-document00001.txt" || !reflect.DeepEqual(cases, want) {
		t.Errorf("%q %+v", ref, cases)
	}
	var b bytes.Buffer
	must.Succeed(t, WritePAN(&b, `<"&'>`, []Passage{want[0].Passage, {Source: "a&b\"", SuspiciousEnd: 1, SourceEnd: 1}}))
	ref, back, err := ReadPAN(&b, DetectedFeature)
	if err != nil || ref != `<"&'>` || len(back) != 2 || back[0].SourceEnd != 286 || back[1].Source != `a&b"` {
		t.Errorf("%q %+v %v", ref, back, err)
	}
	latin := "<?xml version='1.0' encoding='iso-8859-1'?><document reference='caf\xe9.txt'/>"
	if ref, _, err := ReadPAN(strings.NewReader(latin), GoldFeature); ref != "café.txt" || err != nil {
		t.Errorf("%q %v", ref, err)
	}
	for _, bad := range []string{"", "x", "<document>", "<document reference='a'><feature name='plagiarism' source_reference='b' this_offset='-1'/></document>", "<document reference='a'>"} {
		if _, _, err := ReadPAN(strings.NewReader(bad), GoldFeature); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestPANFile(t *testing.T) {
	for id, want := range map[string]string{"suspicious-document1.txt": "suspicious-document1.xml", "https://a.b/c?d": "https___a.b_c_d.xml", "../x": "_x.xml", "..": "_.xml"} {
		if got := PANFile(id); got != want {
			t.Errorf("%q: %q, wanted %q", id, got, want)
		}
	}
	long := "https://a.example/" + strings.Repeat("é", 200)
	one, two := PANFile(long+"1"), PANFile(long+"2")
	if one == two || max(len(one), len(two)) > 255 || !utf8.ValidString(one) || !strings.HasPrefix(one, "https___a.example_éé") {
		t.Errorf("long ids: %q and %q, wanted two names of at most 255 bytes", one, two)
	}
}

func FuzzReadPAN(f *testing.F) {
	f.Add(panGold)
	f.Add("<document reference='&amp;'/>")
	f.Add("<?xml version='1.0' encoding='latin1'?><document reference='a'>")
	f.Fuzz(func(t *testing.T, s string) {
		ref, cases, err := ReadPAN(strings.NewReader(s), GoldFeature)
		if err != nil {
			return
		}
		var ps []Passage
		for _, c := range cases {
			if c.SuspiciousStart < 0 || c.SuspiciousEnd < c.SuspiciousStart || c.SourceStart < 0 || c.SourceEnd < c.SourceStart {
				t.Fatalf("%+v", c)
			}
			ps = append(ps, c.Passage)
		}
		var b bytes.Buffer
		must.Succeed(t, WritePAN(&b, ref, ps))
		again, back, err := ReadPAN(&b, DetectedFeature)
		if err != nil || again != ref || len(back) != len(cases) {
			t.Fatalf("written and read: %q %d %v, was %q %d", again, len(back), err, ref, len(cases))
		}
		for i := range back {
			if back[i].Passage != cases[i].Passage {
				t.Fatalf("%+v, was %+v", back[i], cases[i])
			}
		}
	})
}

// TestReadLongPAN rejects a file beyond the limit, in any encoding, and reads no byte more.
func TestReadLongPAN(t *testing.T) {
	defer func(was int64) { maxPAN = was }(maxPAN)
	maxPAN = 200
	for _, head := range []string{"", "<?xml version='1.0' encoding='iso-8859-1'?>"} {
		whole := head + "<document reference='a'></document>"
		if _, _, err := ReadPAN(strings.NewReader(whole+strings.Repeat(" ", 200-len(whole))), GoldFeature); err != nil {
			t.Errorf("%q, at the limit: %v", head, err)
		}
		r := strings.NewReader(whole + strings.Repeat(" ", 1000))
		if _, _, err := ReadPAN(r, GoldFeature); err == nil || !strings.Contains(err.Error(), "more than 200 bytes") || r.Len() == 0 {
			t.Errorf("%q: %v, %d bytes not read", head, err, r.Len())
		}
	}
}
