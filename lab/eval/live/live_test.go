package live

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "chaffinch/internal/testkit" // which lets syncs pass
	"chaffinch/internal/testkit/must"
)

// TestTeller: the file holds the state of the evaluation from the beginning to its end.
func TestTeller(t *testing.T) {
	dir := t.TempDir()
	read := func() *State {
		t.Helper()
		return must.Get(Read(os.DirFS(dir), "a"+Ending))(t)
	}
	name := filepath.Join(dir, "a"+Ending)
	a := must.Get(Begin(name, "chaffinch eval clean"))(t)
	if s := read(); !s.Alive || s.Command != "chaffinch eval clean" || s.Started.IsZero() {
		t.Errorf("at the beginning it says %+v", s)
	}
	a.Progress("pages", 3, 10)
	a.Write([]byte("set one\n"))
	must.Succeed(t, a.write())
	if s := read(); s.Step != "pages" || s.Done != 3 || s.Total != 10 || s.Said != "set one\n" {
		t.Errorf("on the way it says %+v", s)
	}
	old := time.Now().Add(-time.Minute)
	must.Succeed(t, os.Chtimes(name, old, old))
	if s := read(); s.Alive {
		t.Error("a minute after its last sign it counts as alive")
	}
	must.Succeed(t, a.End(errors.New("no room")))
	if s := read(); s.Alive || s.Ended.IsZero() || s.Error != "no room" || s.Step != "" || s.Said != "set one\n" {
		t.Errorf("at the end it says %+v", s)
	}
	var nobody *Recorder
	nobody.Progress("pages", 1, 1)
	must.Succeed(t, nobody.End(nil))
}

// TestCut: of much that is printed the end is kept, in whole lines.
func TestCut(t *testing.T) {
	a := must.Get(Begin(filepath.Join(t.TempDir(), "a"+Ending), "x"))(t)
	defer a.End(nil)
	line := strings.Repeat("x", 99) + "\n"
	for range maxOutput/len(line) + 50 {
		a.Write([]byte(line))
	}
	if s := a.now.Said; !a.now.Cut || len(s) > maxOutput || len(s) < maxOutput-2*len(line) || len(s)%len(line) != 0 {
		t.Errorf("%d bytes are kept, cut %t", len(s), a.now.Cut)
	}
}

// TestName: another name would not be found in a folder of reports.
func TestName(t *testing.T) {
	must.Fail(t, must.Err(Begin(filepath.Join(t.TempDir(), "a.json"), "x")), "ends in .eval")
}
