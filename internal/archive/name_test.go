package archive

import (
	"io/fs"
	"path/filepath"
	"testing"

	"chaffinch/internal/testkit/must"
)

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.tar.gz", "a.tar.zst", "b.tgz", "c.zip", "d.tar", "d"} {
		must.Write(t, filepath.Join(dir, name), "")
	}
	for name, want := range map[string]string{"a": "a.tar.zst", "b": "b.tgz", "c": "c.zip", "c.zip": "c.zip", "d": "d"} {
		got, err := Find(filepath.Join(dir, name))
		if err != nil || got != filepath.Join(dir, want) {
			t.Errorf("Find(%s) is %s, %v, wanted %s", name, got, err, want)
		}
		if stem := Stem(want); stem != Stem(name) {
			t.Errorf("Stem(%s) is %s, wanted %s", want, stem, Stem(name))
		}
	}
	must.Is(t, must.Err(Find(filepath.Join(dir, "e"))), fs.ErrNotExist)
}
