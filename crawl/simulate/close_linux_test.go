package simulate

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"chaffinch/build/store"
	"chaffinch/crawl/schedule"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit/must"
)

// TestRankCloses fails if a rank that cannot start leaves files open.
func TestRankCloses(t *testing.T) {
	full := errors.New("no space left on device")
	defer disk.Watch(func(op disk.Op, path string) error {
		if op == disk.OpCreate && filepath.Base(filepath.Dir(path)) == "sent" {
			return full
		}
		return nil
	})()
	cfg := RanksConfig{Ranks: 1, Store: store.Folder(t.TempDir()), Config: Config{Dir: t.TempDir(), Schedule: schedule.Default}}
	var clock time.Duration
	w := NewWeb(DefaultWeb)
	must.Is(t, must.Err(newSimRank(w, &cfg, "rank", &clock)), full)
	before := openFiles(t)
	for range 4 {
		must.Is(t, must.Err(newSimRank(w, &cfg, "rank", &clock)), full)
	}
	if n := openFiles(t); n > before {
		t.Errorf("%d open files, wanted %d", n, before)
	}
}

func openFiles(t *testing.T) int {
	list := must.Get(os.ReadDir("/proc/self/fd"))(t)
	return len(list)
}
