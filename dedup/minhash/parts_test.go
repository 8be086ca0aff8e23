package minhash

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"chaffinch/dedup"
	"chaffinch/input/records"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// TestParts: what some processes mark, each a part, is what one marks, also where documents
// are too many for memory.
func TestParts(t *testing.T) {
	testkit.Slow(t)
	dir := t.TempDir()
	in := filepath.Join(dir, "in.jsonl")
	var lines bytes.Buffer
	for _, d := range copies(300, 5) {
		b := must.Get(json.Marshal(map[string]string{"id": d.ID, "text": string(d.Raw)}))(t)
		lines.Write(append(b, '\n'))
	}
	must.Write(t, in, lines.Bytes())
	for i, cfg := range []Config{{Threshold: .7}, {Verify: .8, Bands: 30, Rows: 3}, {Preset: "fineweb"}} {
		m := must.Get(New(cfg))(t)
		made := func(name string, do func(cfg dedup.Config) error) []byte {
			cfg := dedup.Config{Job: pipeline.Job{Inputs: []string{in}, Workers: 2, Memory: 64 << 20}, Input: records.Config{Format: records.JSONL}, Method: m, Annotate: true}
			cfg.Out, cfg.Work = filepath.Join(dir, fmt.Sprint(name, i)), filepath.Join(dir, fmt.Sprint(name, i, ".work"))
			if err := do(cfg); err != nil {
				t.Fatalf("%+v, %s: %v", cfg, name, err)
			}
			return must.Read(t, cfg.Out)
		}
		want := made("one", func(cfg dedup.Config) error {
			rep, err := dedup.Run(t.Context(), cfg)
			if err == nil && rep.Out.Docs > rep.In.Docs-50 {
				t.Errorf("%+v: %d of %d documents stay: not much of a test", cfg, rep.Out.Docs, rep.In.Docs)
			}
			return err
		})
		for _, sorting := range []bool{false, true} {
			m.sorting = sorting
			got := made(fmt.Sprint("parts", sorting), func(cfg dedup.Config) error {
				work := cfg.Work
				at := func(name string) string {
					cfg.Work = work + name
					return filepath.Join(dir, fmt.Sprint(name, i, sorting))
				}
				sketch := at("sketch")
				s, err := dedup.SketchShard(t.Context(), cfg, 1, sketch)
				if err != nil {
					return err
				}
				group := at("group")
				if err := dedup.GroupKeys(t.Context(), cfg, []dedup.Sketched{*s}, []string{filepath.Join(sketch, dedup.KeysName(0))}, group); err != nil {
					return err
				}
				var marks []string
				for p := range 3 {
					to := at(fmt.Sprint("marks", p))
					_, err := dedup.MarkShards(t.Context(), cfg, []dedup.Sketched{*s}, []string{filepath.Join(sketch, dedup.RestName)}, []string{group}, dedup.Part{Number: p, Of: 3}, to)
					if err != nil {
						return err
					}
					if to = filepath.Join(to, dedup.MarksName(0)); p > 0 {
						if st, err := os.Stat(to); err != nil || !st.IsDir() {
							t.Errorf("%+v: part %d has marked nothing", cfg, p)
						}
					}
					marks = append(marks, to)
				}
				at("rewrite")
				_, err = dedup.RewriteShard(t.Context(), cfg, marks...)
				return err
			})
			if !bytes.Equal(got, want) {
				t.Errorf("%+v, by sorting %v: %d bytes of parts, wanted %d", cfg, sorting, len(got), len(want))
			}
		}
	}
}
