package langid_test

import (
	"io"
	"strings"
	"testing"

	"chaffinch/internal/archive"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/model/data"
	"chaffinch/text/langid"
)

// lines reads the lines of the parallel news texts, in all languages.
func lines(b *testing.B) (out []string, bytes int64) {
	must.Succeed(b, archive.Walk(testkit.Data(b, "text/ntrex.tar.zst"), func(path string, r io.Reader) error {
		if !strings.HasSuffix(path, ".txt") {
			return nil
		}
		raw, err := io.ReadAll(r)
		for _, l := range strings.Split(string(raw), "\n") {
			out = append(out, l)
			bytes += int64(len(l))
		}
		return err
	}))
	return out, bytes
}

// BenchmarkLine detects single lines of 128 languages.
func BenchmarkLine(b *testing.B) { benchmark(b, 1, langid.Default) }

// BenchmarkDocument detects ten lines at once.
func BenchmarkDocument(b *testing.B) { benchmark(b, 10, langid.Default) }

// BenchmarkLineAll and BenchmarkDocumentAll read all of each text.
func BenchmarkLineAll(b *testing.B)     { benchmark(b, 1, langid.Config{ReadAll: true}) }
func BenchmarkDocumentAll(b *testing.B) { benchmark(b, 10, langid.Config{ReadAll: true}) }

func benchmark(b *testing.B, join int, cfg langid.Config) {
	d := must.Get(langid.New(cfg))(b)
	all, _ := lines(b)
	var texts []string
	bytes := int64(0)
	for i := 0; i < len(all); i += join {
		texts = append(texts, strings.Join(all[i:min(len(all), i+join)], "\n"))
		bytes += int64(len(texts[len(texts)-1]))
	}
	b.SetBytes(bytes)
	b.ResetTimer()
	for b.Loop() {
		for _, t := range texts {
			d.Detect(t)
		}
	}
}

// BenchmarkLoad decodes the embedded model.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		must.Succeed(b, must.Err(langid.Parse("embedded", data.Langid)))
	}
}
