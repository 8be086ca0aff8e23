package files

import (
	"os"
	"path/filepath"
	"testing"

	"chaffinch/internal/testkit/must"
)

func TestList(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b", "a/z", "a/y"} {
		must.Write(t, filepath.Join(dir, name), name)
	}
	for _, name := range []string{".lock", "a/.gitkeep"} { // marks
		must.Write(t, filepath.Join(dir, name), "")
	}
	must.Write(t, filepath.Join(dir, "a", PageList), `{"file":"y"}`)
	must.Succeed(t, os.Symlink(dir, filepath.Join(dir, "c")))
	b := filepath.Join(dir, "b")
	list := List([]string{b, dir, filepath.Join(dir, "a") + "/../b", filepath.Join(dir, "none"), "-"})
	want := []File{
		{Name: b, Size: 1, Named: true},
		{Name: filepath.Join(dir, "a", "y"), Size: 3},
		{Name: filepath.Join(dir, "a", "z"), Size: 3},
		{Name: b, Size: 1},
		{Name: filepath.Join(dir, "c")},           // a loop
		{Name: filepath.Join(dir, "a") + "/../b"}, // named twice
		{Name: filepath.Join(dir, "none"), Named: true},
		{Name: "-", Size: -1, Named: true},
	}
	if len(list) != len(want) {
		t.Fatalf("%d files, wanted %d: %v", len(list), len(want), list)
	}
	for i, f := range list {
		if bad := i >= 4 && i <= 6; bad != (f.Err != nil) {
			t.Errorf("%s: %v", f.Name, f.Err)
		}
		if f.Err = nil; f != want[i] {
			t.Errorf("%+v, wanted %+v", f, want[i])
		}
	}
	if lock := filepath.Join(dir, ".lock"); len(List([]string{lock})) != 1 {
		t.Error("an empty file that was named is left out")
	}
	if pages := filepath.Join(dir, "a", PageList); len(List([]string{pages})) != 1 {
		t.Error("a list of pages that was named is left out")
	}
	id := Identity(list[:2])
	if id != Identity(list[:2]) || id == Identity(list[:1]) {
		t.Error("the identity is not that of the list")
	}
}

func TestBefore(t *testing.T) {
	list := []File{{Name: "a", Size: 3}, {Name: "-", Size: -1}, {Name: "b", Size: 4}}
	for _, c := range []struct {
		at    int
		name  string
		bytes int64
		ok    bool
	}{
		{0, "a", 0, true}, {2, "b", 3, true}, {3, "", 7, true},
		{1, "b", 0, false}, {3, "b", 0, false}, {4, "", 0, false}, {-1, "", 0, false},
	} {
		got, err := before(list, c.at, c.name)
		if got != c.bytes || (err == nil) != c.ok {
			t.Errorf("before %d %q: %d bytes, error %v", c.at, c.name, got, err)
		}
	}
}
