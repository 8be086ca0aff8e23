package words

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"chaffinch/internal/cputime"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// BenchmarkTrain makes models of the novels in text/en, from the packed
// archive to the finished file with its card. MB/s is by the bytes of text and
// by the clock, cpu-MB/s by processor time, of which reading and counting use
// two cores.
func BenchmarkTrain(b *testing.B) {
	data := testkit.Data(b, "text/en.tar.zst")
	for _, order := range []int{2, 3} {
		b.Run(fmt.Sprintf("order=%d", order), func(b *testing.B) {
			cfg := Default
			cfg.Order = order
			var card *Card
			from := cputime.Used()
			for b.Loop() {
				var err error
				card, _, err = Train(context.Background(), cfg, []Input{{Path: data, Files: "en/en-eltec/*.txt", Weight: 1}},
					Options{Out: filepath.Join(b.TempDir(), "m.chf"), Split: Sentences})
				must.Succeed(b, err)
			}
			b.SetBytes(card.Data[0].Bytes)
			b.ReportMetric(float64(card.Data[0].Bytes)*float64(b.N)/1e6/(cputime.Used()-from).Seconds(), "cpu-MB/s")
			b.ReportMetric(float64(card.Tokens)*float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
		})
	}
}
