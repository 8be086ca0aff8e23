package onion

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chaffinch/dedup"
	"chaffinch/input/records"
	"chaffinch/internal/testkit/property"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// doc makes a document of paragraphs of running text.
func doc(id, url string, paras ...string) *records.Doc {
	d := &records.Doc{ID: id, URL: url}
	for _, p := range paras {
		d.Raw = append(append(d.Raw, p...), '\n')
		d.Paras = append(d.Paras, records.Para{Text: []byte(p)})
	}
	d.Raw = append(d.Raw, '\n')
	return d
}

// unheld is the method with sketches that are not held.
type unheld struct{ testedMethod }

type testedMethod interface {
	dedup.Method
	dedup.SingletonIgnorer
}

func (m unheld) Sketcher() dedup.Sketcher { return struct{ dedup.Sketcher }{m.testedMethod.Sketcher()} }

// external is find by the method. Documents are numbered by their places in docs and
// ranked by the rule. firsts is the number of n-grams whose first documents are in memory.
// Sketches are held unless inTables is set.
func external(t testing.TB, docs []*records.Doc, cfg Config, rank dedup.Rank, jobs int, firsts uint64, inTables bool) [][]verdict {
	m := must.Get(New(cfg))(t)
	m.(*method).firsts = firsts
	if inTables {
		m = unheld{m.(*method)}
	}
	marks := must.Get(dedup.Find(t.Context(), docs, dedup.Config{Method: m, Rank: rank, Job: pipeline.Job{Workers: jobs}}))(t)
	verdicts := make([][]verdict, len(docs))
	for i, d := range docs {
		n := len(d.Paras)
		if cfg.Unit == Document {
			n = min(n, 1)
		}
		verdicts[i] = make([]verdict, n)
		for k := range verdicts[i] {
			verdicts[i][k].First = -1
		}
	}
	for _, m := range marks {
		verdicts[m.Doc][max(m.Para, 0)] = verdict{Drop: m.Drop, Reason: m.Reason, Share: m.Share, First: m.First}
	}
	return verdicts
}

// random draws documents of few words, many of them copies of parts of others.
func random(t *rapid.T) []*records.Doc {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	words := 2 + r.IntN(30)
	paragraph := func() string {
		p := make([]string, r.IntN(14))
		for i := range p {
			p[i] = fmt.Sprint("w", r.IntN(words))
		}
		return strings.Join(p, " ")
	}
	var all []string
	docs := make([]*records.Doc, rapid.IntRange(0, 12).Draw(t, "docs"))
	for i := range docs {
		paras := make([]string, r.IntN(7))
		for k := range paras {
			if len(all) > 0 && r.IntN(2) == 0 {
				paras[k] = all[r.IntN(len(all))]
			} else {
				paras[k] = paragraph()
			}
			all = append(all, paras[k])
		}
		if i > 0 && r.IntN(4) == 0 {
			paras = nil
			for _, p := range docs[r.IntN(i)].Paras {
				paras = append(paras, string(p.Text))
			}
		}
		docs[i] = doc(fmt.Sprintf("%03d", r.IntN(1000)), []string{"", "http://a.example/", "http://www.b.example/x"}[r.IntN(3)], paras...)
	}
	return docs
}

// TestExternal: the method and the maps of find decide the same, with any number of workers,
// whatever the order of the input, with sketches in memory or in tables.
func TestExternal(t *testing.T) {
	property.Check(t, func(rt *rapid.T) {
		docs := random(rt)
		cfg := Default
		if rapid.Bool().Draw(rt, "compat") {
			cfg = Compat
		}
		cfg.Ngram = rapid.IntRange(1, 5).Draw(rt, "n")
		cfg.Percent = float64(rapid.IntRange(0, 10).Draw(rt, "percent")) * 10
		cfg.Stub = rapid.IntRange(0, 12).Draw(rt, "stub")
		if !cfg.Compat {
			cfg.Template = rapid.SampledFrom([]int{0, 2, 3}).Draw(rt, "template")
			cfg.OnTemplate = rapid.SampledFrom([]Rule{First, Drop, Keep}).Draw(rt, "rule")
		}
		cfg.Unit = rapid.SampledFrom([]Unit{Paragraph, Document}).Draw(rt, "unit")
		jobs := rapid.IntRange(1, 3).Draw(rt, "jobs")

		rank, order := dedup.ByInput, make([]int, len(docs))
		for i := range order {
			order[i] = i
		}
		if rapid.Bool().Draw(rt, "by id") {
			rank = dedup.ByID
			for i, k := range rand.New(rand.NewPCG(7, 7)).Perm(len(docs)) {
				docs[i].ID = fmt.Sprintf("%05d", k)
			}
			slices.SortFunc(order, func(a, b int) int { return strings.Compare(docs[a].ID, docs[b].ID) })
		}
		ranked := make([]*records.Doc, len(docs))
		for i, k := range order {
			ranked[i] = docs[k]
		}
		want := must.Get(find(ranked, cfg))(rt)
		got := external(t, docs, cfg, rank, jobs, rapid.SampledFrom([]uint64{0, 10, 1 << 20}).Draw(rt, "firsts"), rapid.Bool().Draw(rt, "in tables"))
		for i, k := range order {
			for p, v := range want[i] {
				if v.First >= 0 {
					v.First = int64(order[v.First])
				}
				if got[k][p] != v {
					rt.Fatalf("document %d, unit %d: %+v, want %+v", k, p, got[k][p], v)
				}
			}
		}
	})
}
