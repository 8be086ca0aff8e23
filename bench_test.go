package chaffinch_test

import (
	"io"
	"path"
	"testing"

	"chaffinch"
	"chaffinch/clean/method"
	"chaffinch/internal/archive"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// BenchmarkClean cleans the pages of wcxb-dev in memory on one core, with each
// method. Figures: bytes and pages per second.
func BenchmarkClean(b *testing.B) {
	var pages [][]byte
	var size int64
	err := archive.Walk(testkit.Data(b, "eval/wcxb-dev.tar.zst"), func(name string, r io.Reader) error {
		if path.Ext(name) != ".html" || len(pages) == 400 {
			return nil
		}
		raw, err := io.ReadAll(r)
		pages = append(pages, raw)
		size += int64(len(raw))
		return err
	})
	if err != nil || len(pages) == 0 {
		b.Fatalf("%d pages, error %v", len(pages), err)
	}
	for _, m := range method.Names() {
		b.Run(m, func(b *testing.B) {
			c, err := chaffinch.New(chaffinch.Options{Method: m})
			must.Succeed(b, err)
			b.SetBytes(size)
			for b.Loop() {
				for _, raw := range pages {
					if _, err := c.Clean(b.Context(), raw); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(len(pages)*b.N)/b.Elapsed().Seconds(), "pages/s")
		})
	}
}
