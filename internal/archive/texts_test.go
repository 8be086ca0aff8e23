package archive

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

func TestPlaced(t *testing.T) {
	for p, want := range map[string]string{
		"guide/txt/de/intro.txt": "guide de", "guide/txt/de.txt": "guide de", "txt/de.txt": " de",
		"de.txt": " de", "news/de.txt": "news de", "news/pt_BR.utf8.txt": "news pt_BR",
	} {
		source, tag := sourceAndTag(p)
		must.Equal(t, source+" "+tag, want, p)
	}
}

func TestTexts(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "de.txt")
	for _, name := range []string{file, filepath.Join(dir, "de.words")} {
		must.Write(t, name, "Das ist es.")
	}
	for _, name := range []string{dir, file} {
		n := 0
		err := Texts(name, func(_, tag string, r io.Reader) error {
			n++
			b, err := io.ReadAll(r)
			if tag != "de" || string(b) != "Das ist es." {
				t.Errorf("%s: %s, %q", name, tag, b)
			}
			return err
		})
		if err != nil || n != 1 {
			t.Errorf("%s: %d texts, %v", name, n, err)
		}
		cause := errors.New("too long")
		if err := Texts(name, func(string, string, io.Reader) error { return cause }); !errors.Is(err, cause) || !strings.HasPrefix(err.Error(), name+": ") || !strings.Contains(err.Error(), "de.txt: too long") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := Texts(filepath.Join(dir, "nowhere.txt"), nil); err == nil {
		t.Error("no error for a missing file")
	}
}
