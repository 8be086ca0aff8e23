package files

import (
	"os"
	"path/filepath"
	"testing"

	"chaffinch/internal/testkit" // waits for no disk
)

// TestApart gives one file by several names.
func TestApart(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.WriteFile(at("file"), []byte("x"), 0o666), os.WriteFile(at("other"), []byte("x"), 0o666), os.Mkdir(at("sub"), 0o777),
		os.Link(at("file"), at("hard")), os.Symlink("file", at("soft")), os.Symlink("sub", at("folder")), os.Symlink("nowhere", at("dangling")),
	} {
		if err != nil {
			testkit.Lacks(t, "links", err)
		}
	}
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"file", "file", true}, {"file", "hard", true}, {"soft", "file", true}, {"soft", "hard", true}, {"sub/../file", "file", true},
		{"file", "other", false}, {"file", "new", false}, {"new", "sub/../new", true}, {"sub/new", "folder/new", true}, {"new", "new2", false},
	} {
		if got := sameFile(at(c.a), at(c.b)); got != c.same {
			t.Errorf("%s and %s: %v, wanted %v", c.a, c.b, got, c.same)
		}
	}
	if sameFile(os.DevNull, os.DevNull) || sameFile("-", "-") || sameFile("", "") {
		t.Error("a device, standard output or nothing was taken for a file")
	}
	if err := CheckNotWithin([]Place{{"the input", at("sub")}}, []Place{{"--out", at("folder/new/out")}}); err == nil {
		t.Error("an output in an input, through a link, passed")
	}
	if err := CheckNotWithin([]Place{{"the input", at("sub")}}, []Place{{"--out", at("out")}}); err != nil {
		t.Error(err)
	}
}
