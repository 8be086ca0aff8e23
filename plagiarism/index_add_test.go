package plagiarism

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"chaffinch/input/records"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestAddFiles builds the index that Add builds from the same documents, and reports the same
// ones, for any number of processors.
func TestAddFiles(t *testing.T) {
	testkit.Slow(t)
	dir := t.TempDir()
	var b strings.Builder
	size := 0
	for i := 0; size < 3*sampleBytes/2; i++ {
		var text strings.Builder
		for k := range 100 + i%7*300 {
			fmt.Fprintf(&text, "word%d of %d ", (i*i+k*k)%5000, k%97)
		}
		if i == 20 || i == 900 { // taken section by section, before and behind the sample
			text.WriteString(strings.Repeat(text.String(), 2+longDocument/text.Len()))
		}
		size += text.Len()
		fmt.Fprintf(&b, "{\"id\":\"d%d\",\"text\":%q}\n", i-i%50/49, text.String()) // each 50th id is there before
		if i%100 == 7 {
			b.WriteString("no JSON\n")
		}
	}
	file := filepath.Join(dir, "in.jsonl")
	must.Write(t, file, b.String())
	build := func(add func(b *IndexBuilder, cfg ReadConfig, tell func(string, error)) error) (index []byte, told string) {
		t.Helper()
		b := must.Get(NewIndexBuilder("", DefaultIndex, 8<<20, ""))(t)
		tell := func(who string, err error) { told += who + ": " + err.Error() + "\n" }
		cfg := ReadConfig{Collection: records.Config{TextField: "text"}, OnError: func(e *page.Error) { tell("-", e) }}
		must.Succeed(t, add(b, cfg, tell))
		must.Succeed(t, b.finish(t.Context()))
		index = must.Get(b.w.Bytes())(t)
		return index, told
	}
	want, wantTold := build(func(b *IndexBuilder, cfg ReadConfig, tell func(string, error)) error {
		for d, err := range Documents([]string{file}, cfg) {
			if err != nil {
				return err
			}
			if err := b.Add(d.ID, d.Text); err != nil {
				tell(d.ID, err)
			}
		}
		return nil
	})
	if strings.Count(wantTold, "is there twice") == 0 || strings.Count(wantTold, "-: ") == 0 {
		t.Fatalf("nothing wrong is told: %q", wantTold)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, processors := range []int{1, 3} {
		runtime.GOMAXPROCS(processors)
		got, told := build(func(b *IndexBuilder, cfg ReadConfig, tell func(string, error)) error {
			return b.AddFiles(t.Context(), []string{file}, cfg, func(d Document, err error) { tell(d.ID, err) })
		})
		if !bytes.Equal(got, want) {
			t.Errorf("%d processors: another index", processors)
		}
		if told != wantTold {
			t.Errorf("%d processors: told %q, want %q", processors, told, wantTold)
		}
	}
	must.Is(t, mustBuilder(t).AddFiles(t.Context(), []string{filepath.Join(dir, "none")}, ReadConfig{}, nil), os.ErrNotExist)
}

func mustBuilder(t *testing.T) *IndexBuilder {
	return must.Get(NewIndexBuilder("", DefaultIndex, 8<<20, ""))(t)
}
