package plagiarism

import (
	"testing"

	"chaffinch/internal/testkit/must"
)

// write writes files below a folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	must.WriteAll(t, dir, files)
	return dir
}

func gold(ref string) string {
	return `<document reference="` + ref + `"><feature name="plagiarism" obfuscation="low" this_offset="1" this_length="2" source_reference="b.txt" source_offset="3" source_length="4"/></document>`
}

// The layouts of the workshops of 2009 to 2011 and of 2012 to 2015.
func TestOpen(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"beside": {"x/susp/a.txt": "abc", "x/susp/a.xml": gold("a.txt"), "x/src/b.txt": "abcdefg"},
		"parts":  {"susp/part1/a.txt": "abc", "susp/part1/a.xml": gold("a.txt"), "src/part2/b.txt": "abcdefg"},
		"pairs":  {"susp/a.txt": "abc", "02-low/a-b.xml": gold("a.txt"), "src/b.txt": "abcdefg"},
		"apart":  {"one/susp/a.txt": "abc", "one/susp/a.xml": gold("a.txt"), "two/src/b.txt": "abcdefg"},
	} {
		t.Run(name, func(t *testing.T) {
			sets := must.Get(Open(write(t, files)))(t)
			if len(sets) != 1 {
				t.Fatalf("%d sets", len(sets))
			}
			s := sets[0]
			if len(s.Suspicious) != 1 || s.Suspicious[0] != (Document{"a.txt", "abc"}) || len(s.Sources) != 1 || s.Sources[0].ID != "b.txt" {
				t.Errorf("%+v", s)
			}
			if len(s.Cases) != 1 || s.Cases[0].Passage != p("a.txt", "b.txt", 1, 3, 3, 7) || s.Cases[0].Obfuscation != "low" {
				t.Errorf("cases %+v", s.Cases)
			}
			if a, b := s.Part("dev"), s.Part("test"); len(a.Cases)+len(b.Cases) != 1 || len(a.Suspicious)+len(b.Suspicious) != 1 {
				t.Errorf("halves %+v %+v", a, b)
			}
		})
	}
	must.Fail(t, must.Err(Open(write(t, map[string]string{"susp/a.txt": "", "susp/a.xml": "<document"}))), "a.xml")
	if _, err := Open(write(t, map[string]string{"src/a.txt": ""})); err == nil {
		t.Error("sources alone are a set")
	}
}
