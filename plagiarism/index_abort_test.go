package plagiarism

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// openFiles returns the number of open files in a folder, removed ones included.
func openFiles(dir string) (n int) {
	links, _ := filepath.Glob("/proc/self/fd/*")
	for _, l := range links {
		if name, err := os.Readlink(l); err == nil && strings.HasPrefix(name, dir) {
			n++
		}
	}
	return n
}

// TestAbort closes all temporary files, so that their space on the disk is free.
func TestAbort(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("the open files are not known on this system")
	}
	dir := t.TempDir()
	b := must.Get(NewIndexBuilder(dir, DefaultIndex, 1, ""))(t)
	b.common = newWordSet(nil)
	before := openFiles(dir)
	for i, text := range madeTexts(200, 60) {
		must.Succeed(t, b.Add(fmt.Sprint(i), text))
	}
	if openFiles(dir) == before {
		t.Error("no temporary files of fingerprints: wanted more texts")
	}
	must.Succeed(t, b.Abort())
	if n := openFiles(dir); n > 0 {
		t.Errorf("%d open files", n)
	}
}
