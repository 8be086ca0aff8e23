package charset

import (
	"io"
	"path"
	"testing"

	"chaffinch/internal/archive"
	"chaffinch/internal/cputime"
	"chaffinch/internal/testkit"
)

// benchFiles reads the files of an archive whose path matches a pattern.
func benchFiles(b *testing.B, name, pattern string) (files [][]byte, bytes int64) {
	b.Helper()
	err := archive.Walk(testkit.Data(b, name), func(p string, r io.Reader) error {
		if ok, _ := path.Match(pattern, p); !ok {
			return nil
		}
		raw, err := io.ReadAll(r)
		files = append(files, raw)
		bytes += int64(len(raw))
		return err
	})
	if err != nil || len(files) == 0 {
		b.Fatalf("%d files: %v", len(files), err)
	}
	return files, bytes
}

func benchDecode(b *testing.B, name, pattern string) {
	files, bytes := benchFiles(b, name, pattern)
	Decode([]byte("\xE9"), "")
	b.SetBytes(bytes)
	b.ReportAllocs()
	start := cputime.Used()
	for b.Loop() {
		for _, f := range files {
			Decode(f, "")
		}
	}
	n := float64(b.N * len(files))
	b.ReportMetric(n/b.Elapsed().Seconds(), "pages/s")
	b.ReportMetric(n/(cputime.Used()-start).Seconds(), "pages/cpu-s")
}

// BenchmarkSynthetic decodes the short texts of the charset data.
func BenchmarkSynthetic(b *testing.B) {
	benchDecode(b, "charset/charset.tar.zst", "charset/synth-ntrex/*/*/*")
}

// BenchmarkPages decodes web pages, nearly all in UTF-8.
func BenchmarkPages(b *testing.B) { benchDecode(b, "eval/daniel.tar.zst", "daniel/html/*") }

// BenchmarkLegacy decodes texts that need the model.
func BenchmarkLegacy(b *testing.B) {
	benchDecode(b, "charset/charset.tar.zst", "charset/synth-ntrex/*/[ik]*/*")
}
