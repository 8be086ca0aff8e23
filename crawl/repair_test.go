package crawl

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/internal/disk"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// brokenOff crawls a part of the small web without a checkpoint and returns the folder, as
// after a kill.
func brokenOff(t *testing.T, net *smallNet) string {
	t.Helper()
	disk.Lazy()
	dir, killed := t.TempDir(), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		cfg := testConfig(dir, net)
		ctx, cancel := context.WithCancel(t.Context())
		var before Snapshot
		cfg.OnSnapshot = func(s Snapshot) {
			quiet := reflect.DeepEqual(s.Totals, before.Totals) && s.Running == before.Running // all is on the disk
			before = s
			if s.Totals.Pages >= 25 && quiet && ctx.Err() == nil {
				if err := os.CopyFS(killed, os.DirFS(dir)); err != nil {
					t.Error(err)
				}
				cancel()
			}
		}
		must.Succeed(t, must.Err(Run(ctx, cfg)))
	})
	return killed
}

// TestPowerFailure takes from a folder what a power failure may take, and wants the
// crawl to go on with nothing lost but that.
func TestPowerFailure(t *testing.T) {
	testkit.Slow(t)
	const archive, text, journal = "warc/crawl-00001.warc.gz", "text.jsonl", "journal/00000001.jsonl"
	cut := func(n int) func([]byte) []byte { return func(b []byte) []byte { return b[:max(len(b)-n, 0)] } }
	zeros := func(n int) func([]byte) []byte {
		return func(b []byte) []byte {
			clear(b[len(b)-n:])
			return b
		}
	}
	folder := brokenOff(t, newSmallNet())
	for _, c := range []struct {
		name, file string
		change     func([]byte) []byte
		told       bool
		refused    string
	}{
		{"end of the archive", archive, cut(3000), true, ""},
		{"all of the archive", archive, cut(1 << 30), true, ""},
		{"zeros in the archive", archive, zeros(4096), true, ""},
		{"a lost block in the archive", archive, func(b []byte) []byte { clear(b[len(b)/2:][:2048]); return b }, true, ""},
		{"a lost block in the records", text, func(b []byte) []byte { clear(b[len(b)/2:][:2048]); return b }, true, ""},
		{"other bytes in the middle", archive, func(b []byte) []byte {
			for i := range 32 {
				b[len(b)/2+i] ^= 1
			}
			return b
		}, false, "it was changed"},
		{"end of the records", text, cut(900), true, ""},
		{"all of the records", text, cut(1 << 30), true, ""},
		{"zeros in the journal", journal, zeros(600), false, ""},
		{"more in the archive", archive, func(b []byte) []byte { return append(b, "more"...) }, false, "it was changed"},
		{"other bytes in the archive", archive, func(b []byte) []byte { b[len(b)-20] ^= 1; return b }, false, "it was changed"},
		{"more records", text, func(b []byte) []byte { return append(b, "more"...) }, false, "it was changed"},
		{"an end without a line", text, func(b []byte) []byte { b[len(b)-1] = 'x'; return b }, false, "it was changed"},
	} {
		dir := t.TempDir()
		must.Succeed(t, os.CopyFS(dir, os.DirFS(folder)))
		name := filepath.Join(dir, c.file)
		b, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(name, c.change(bytes.Clone(b)), 0o666)
		}
		must.Succeed(t, err)
		net := newSmallNet()
		var told []string
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(time.Hour)
			cfg := testConfig(dir, net)
			cfg.OnRepair = func(e *page.Error) { told = append(told, e.Error()) }
			_, err = Run(t.Context(), cfg)
		})
		switch {
		case c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)):
			t.Errorf("%s: error %v, want %q", c.name, err, c.refused)
		case c.refused != "":
			continue
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
			continue
		case (len(told) > 0) != c.told:
			t.Errorf("%s: told %q", c.name, told)
		}
		checkCrawl(t, dir, net, 1)
	}
}
