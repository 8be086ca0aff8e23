package onion

import (
	"bytes"
	"path/filepath"
	"testing"

	"chaffinch/dedup"
	"chaffinch/input/records"
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// TestReference: with Compat the output is that of onion 1.2, byte for byte;
// see testdata/reference/README.md.
func TestReference(t *testing.T) {
	for _, c := range []struct {
		file  string
		strip bool
		para  string
		set   func(*Config)
	}{
		{file: "default.out"},
		{file: "strip.out", strip: true},
		{file: "n4-t0.3.out", set: func(c *Config) { c.Ngram, c.Percent = 4, 30 }},
		{file: "l8.out", set: func(c *Config) { c.Stub = 8 }},
		{file: "m.out", set: func(c *Config) { c.Stub = 0 }},
		{file: "pdoc.out", para: "doc"},
	} {
		t.Run(c.file, func(t *testing.T) {
			cfg := Compat
			if c.set != nil {
				c.set(&cfg)
			}
			m, err := New(cfg)
			must.Succeed(t, err)
			out := filepath.Join(t.TempDir(), "out.vert")
			_, err = dedup.Run(t.Context(), dedup.Config{
				Job:      pipeline.Job{Inputs: []string{"testdata/reference/small.vert"}, Out: out},
				Input:    records.Config{Compat: records.Onion, Para: c.para},
				Method:   m,
				Rank:     dedup.ByInput,
				Annotate: !c.strip,
			})
			must.Succeed(t, err)
			got := must.Read(t, out)
			want := must.Read(t, filepath.Join("testdata/reference", c.file))
			g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
			for i := range min(len(g), len(w)) {
				if !bytes.Equal(g[i], w[i]) {
					t.Fatalf("line %d: %q, want %q", i+1, g[i], w[i])
				}
			}
			if len(g) != len(w) {
				t.Fatalf("%d lines, want %d", len(g), len(w))
			}
		})
	}
}
