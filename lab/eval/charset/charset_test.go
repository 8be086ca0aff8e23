package charset

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/text/charset"
)

// write makes a folder with two sets: one with a table of its own, one listed
// beside.
func write(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must.WriteAll(t, dir, map[string]string{
		"index.tsv":            "set\tpath_in_set\ttrue_encoding\tlang\nold\tfr/latin1.txt\tISO-8859-1\tfr\nold\tgone.txt\tutf-8\tfr\nold\tfr/dos.txt\tibm850\t\n",
		"old/fr/latin1.txt":    "Les \xe9t\xe9s o\xf9 l'on va \xe0 la plage, et o\xf9 rien ne presse.",
		"old/fr/dos.txt":       "Les \x82t\x82s o\x97 l'on va \x85 la plage, et o\x97 rien ne presse.",
		"new/index.tsv":        "path\ttrue_encoding\tlang\nde/utf-8/1.txt\tutf-8\tdeu\n",
		"new/de/utf-8/1.txt":   "\ufeffgrün",
		"new/PROVENANCE.md":    "ours",
		"new/de/utf-8/more.md": "not listed",
	})
	return dir
}

func TestEvaluate(t *testing.T) {
	dir := write(t)
	files := must.Get(Open(dir, nil))(t)
	var got []string
	for _, f := range files {
		got = append(got, f.Set+" "+f.Path+" "+f.Name+" "+f.Lang)
	}
	if want := "new new/de/utf-8/1.txt utf-8 deu|old old/fr/dos.txt cp850 fr|old old/fr/latin1.txt windows-1252 fr"; strings.Join(got, "|") != want {
		t.Fatalf("files %q", got)
	}
	d := must.Get(charset.New(charset.Default))(t)
	ours := Run(d, files)
	if r := Evaluate("old", "ours", files, ours); r.All != (Score{2, 2}) || r.Web != (Score{1, 1}) || r.Legacy != (Score{1, 1}) || len(r.Wrong) != 0 {
		t.Errorf("ours on old: %+v", r)
	}
	if r := Evaluate("new", "ours", files, ours); r.All != (Score{1, 1}) || r.Legacy.Files != 0 || *r.ByLang["deu"] != (Score{1, 1}) {
		t.Errorf("ours on new: %+v", r)
	}
	theirs, err := ReadAnswers(strings.NewReader(`{"path":"old/fr/dos.txt","encoding":"windows-1252"}` + "\n" + `{"path":"old/fr/latin1.txt","encoding":"iso8859_9"}` + "\n"))
	must.Succeed(t, err)
	r := Evaluate("old", "theirs", files, theirs)
	if r.All != (Score{2, 1}) || len(r.Wrong) != 1 || r.Wrong[0] != (Confusion{"ibm850", "fr", "windows-1252", 1, "old/fr/dos.txt"}) {
		t.Errorf("theirs: %+v", r)
	}
	if r := Evaluate("new", "theirs", files, theirs); r.All != (Score{1, 0}) || r.Wrong[0].Answer != "none" {
		t.Errorf("theirs on new: %+v", r)
	}
	if _, err := Open(dir, []string{"none"}); err == nil {
		t.Error("no set is no error")
	}
	if _, err := ReadAnswers(strings.NewReader("x\n")); err == nil {
		t.Error("a line that is no JSON is no error")
	}
	a, b := Fingerprint("old", files), Fingerprint("new", files)
	if a == b || a.Files != 2 || a != Fingerprint("old", files) {
		t.Errorf("fingerprints %v %v", a, b)
	}
}
