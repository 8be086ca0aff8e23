package metadata_test

import (
	"io"
	"path"
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/archive"
	"chaffinch/internal/cputime"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// BenchmarkMetadata extracts real pages without and with their metadata: the difference is the
// cost. us/page is processor time.
func BenchmarkMetadata(b *testing.B) {
	for _, set := range []string{"cleaneval-en-dev", "wcxb-dev", "daniel"} {
		var pages [][]byte
		var size int64
		must.Succeed(b, archive.Walk(testkit.Data(b, "eval/"+set+".tar.zst"), func(name string, r io.Reader) error {
			if path.Ext(name) != ".html" || len(pages) == 300 {
				return nil
			}
			raw, err := io.ReadAll(r)
			pages = append(pages, raw)
			size += int64(len(raw))
			return err
		}))
		for _, on := range []bool{false, true} {
			b.Run(set+map[bool]string{false: "/off", true: "/on"}[on], func(b *testing.B) {
				cfg := extract.Default
				cfg.Metadata = on
				e := must.Get(extract.New(cfg))(b)
				b.SetBytes(size)
				b.ReportAllocs()
				start := cputime.Used()
				for b.Loop() {
					for _, raw := range pages {
						must.Succeed(b, e.Do(b.Context(), &page.Page{Raw: raw, MIME: "text/html"}))
					}
				}
				b.ReportMetric(float64((cputime.Used()-start).Microseconds())/float64(len(pages)*b.N), "us/page")
				b.ReportMetric(float64(len(pages)*b.N)/b.Elapsed().Seconds(), "pages/s")
			})
		}
	}
}
