package crawl

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"chaffinch/crawl/scope"
	"chaffinch/format/warc"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit/must"
)

// TestForget removes a host from a crawl that has reached a limit, and resumes it.
func TestForget(t *testing.T) {
	disk.Lazy()
	dir := t.TempDir()
	w := scopedWeb()
	run := func(pages int64) *Result {
		cfg := scopedConfig(dir, w)
		cfg.Scope = scope.Rules{}
		cfg.Seeds = cfg.Seeds[:2]
		cfg.MaxPages = pages
		var report *Result
		synctest.Test(t, func(t *testing.T) {
			report = must.Get(Run(t.Context(), cfg))(t)
		})
		return report
	}
	run(8)
	list := must.Get(scope.NewList([]string{"news.example"}))(t)
	archive, text := must.Read(t, archiveName(dir, 1)), must.Read(t, textName(dir))
	dry := must.Get(Forget(t.Context(), dir, list, true))(t)
	if !bytes.Equal(must.Read(t, archiveName(dir, 1)), archive) || dry.Texts == 0 || dry.Records < 3*dry.Texts {
		t.Errorf("a dry run changed the archive, or found too little: %+v", dry)
	}
	got := must.Get(Forget(t.Context(), dir, list, false))(t)
	if got.Texts != dry.Texts || got.Records != dry.Records || got.Bytes != dry.Bytes {
		t.Errorf("%+v, a dry run found %+v", got, dry)
	}
	now := must.Read(t, textName(dir))
	if len(now) != len(text) || bytes.Contains(now, []byte("news.example")) || len(must.Read(t, archiveName(dir, 1))) != len(archive) {
		t.Errorf("text.jsonl: %q", now)
	}
	in := must.Get(os.Open(archiveName(dir, 1)))(t)
	defer in.Close()
	r := must.Get(warc.NewReader(in, warc.Default))(t)
	removed, others := 0, 0
	for rec, err := range r.All() {
		must.Succeed(t, err)
		b := must.Get(io.ReadAll(rec))(t)
		switch {
		case strings.Contains(rec.URI, "news.example"), bytes.Contains(b, []byte("Host: www.news.example")):
			t.Errorf("record %s %s", rec.Type, rec.URI)
		case bytes.HasPrefix(b, []byte("removed: on request")):
			removed++
		default:
			others++
		}
	}
	if removed == 0 || others == 0 {
		t.Errorf("%d fillers, %d other records", removed, others)
	}
	if again, err := Forget(t.Context(), dir, list, false); err != nil || again.Texts+again.Records != 0 {
		t.Errorf("second time: %+v, %v", again, err)
	}
	if report := run(0); report.Reason != Exhausted {
		t.Errorf("resumed: %s", report.Reason)
	}
}

// TestFiller wants fillers of each length.
func TestFiller(t *testing.T) {
	for _, n := range []int64{330, 331, 335, 336, 337, 600, 1000, 65_900, 66_100, 66_101, 66_105, 66_107, 200_000, 1_000_003} {
		var b bytes.Buffer
		must.Succeed(t, fillArchive(&b, part{7, 7 + n}))
		if int64(b.Len()) != n {
			t.Errorf("%d bytes, want %d", b.Len(), n)
		}
		r := must.Get(warc.NewReader(&b, warc.Default))(t)
		for rec, err := range r.All() {
			if err != nil || rec.Type != "metadata" || rec.Close() != nil {
				t.Errorf("%d bytes: %v, %v", n, rec, err)
			}
		}
	}
	if err := fillArchive(io.Discard, part{0, 40}); err == nil {
		t.Error("40 bytes are enough")
	}
}
