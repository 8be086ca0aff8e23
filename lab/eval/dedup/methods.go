package dedup

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"chaffinch/dedup"
	"chaffinch/dedup/exact"
	"chaffinch/dedup/minhash"
	"chaffinch/dedup/onion"
	"chaffinch/input/records"
	"chaffinch/internal/cputime"
	"chaffinch/internal/settings"
	"chaffinch/pipeline"
)

// methods lists the names of the methods of this project.
var methods = []string{"exact", "minhash", "onion"}

// DefaultMethods returns the specifications of the methods that are scored by default.
func DefaultMethods() []string {
	specs := []string{"exact:page", "exact:paragraph"}
	for _, p := range minhash.PresetNames() {
		specs = append(specs, "minhash:"+p)
	}
	return append(specs, `minhash{"threshold":0.7}`, `minhash{"verify":0.7}`, "onion", "onion:document")
}

// Method parses the specification of a method: its name, a colon and a preset of minhash or a unit
// of the others, different settings as a JSON object, and after = a name for the tables, for
// example `minhash:fineweb{"verify":0.7}=x`.
func Method(spec string) (name string, m dedup.Method, err error) {
	head, config := spec, ""
	if i := strings.IndexByte(spec, '{'); i >= 0 {
		end := strings.LastIndexByte(spec, '}')
		if end < i {
			return "", nil, fmt.Errorf("method %q: the settings have no end", spec)
		}
		head, config = spec[:i]+spec[end+1:], spec[i:end+1]
	}
	head, name, labelled := strings.Cut(head, "=")
	if !labelled {
		name = head + config
	}
	kind, preset, _ := strings.Cut(head, ":")
	set := func(cfg any) error {
		if config == "" {
			return nil
		}
		if err := settings.Parse([]byte(config), cfg); err != nil {
			return fmt.Errorf("method %q: %w", spec, err)
		}
		return nil
	}
	switch kind {
	case "exact":
		cfg := exact.Default
		if preset != "" {
			cfg.Unit = preset
		}
		if err := set(&cfg); err != nil {
			return "", nil, err
		}
		m, err = exact.New(cfg)
	case "minhash":
		cfg := minhash.Config{Preset: preset}
		if err := set(&cfg); err != nil {
			return "", nil, err
		}
		m, err = minhash.New(cfg)
	case "onion":
		cfg := onion.Default
		if preset != "" {
			cfg.Unit = onion.Unit(preset)
		}
		if err := set(&cfg); err != nil {
			return "", nil, err
		}
		m, err = onion.New(cfg)
	default:
		return "", nil, fmt.Errorf("method %q: wanted one of %s", kind, strings.Join(methods, ", "))
	}
	return name, m, err
}

// collected returns the documents like a collection reader.
func (s *Set) collected() []*records.Doc {
	out := make([]*records.Doc, len(s.Docs))
	for i, d := range s.Docs {
		c := &records.Doc{Num: int64(i), ID: d.ID, URL: d.URL, Date: d.Date, Lang: d.Lang}
		for _, p := range d.Paras {
			start := len(c.Raw)
			c.Raw = append(append(c.Raw, p.Text...), '\n')
			c.Paras = append(c.Paras, records.Para{Text: []byte(p.Text), Start: start, End: len(c.Raw)})
		}
		out[i] = c
	}
	return out
}

// FindDuplicates finds the duplicates of a set with a method and jobs workers. The best ranked copy is kept.
func FindDuplicates(ctx context.Context, s *Set, name string, m dedup.Method, jobs int) (*Answers, error) {
	docs := s.collected()
	begun, used := time.Now(), cputime.Used()
	marks, err := dedup.Find(ctx, docs, dedup.Config{Job: pipeline.Job{Workers: jobs, Memory: 1 << 30}, Method: m})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	a := &Answers{System: name, Ours: true, Seconds: time.Since(begun).Seconds(), CPU: (cputime.Used() - used).Seconds(), Drop: make([]bool, len(docs))}
	links := newLinks(len(docs))
	clusters, paras, seen := false, false, false
	for _, k := range marks {
		if k.Para != dedup.Whole {
			paras = true
			continue
		}
		if other := sameAs(k); other >= 0 {
			clusters = true
			links.join(int(other), int(k.Doc))
		}
		seen = seen || k.Drop && k.Reason == dedup.Copied
		a.Drop[k.Doc] = a.Drop[k.Doc] || k.Drop
	}
	if clusters || !paras && !seen {
		a.Cluster = links.clusters()
	}
	if paras {
		a.Paras = make([][]bool, len(docs))
		for i, d := range docs {
			a.Paras[i] = make([]bool, len(d.Paras))
		}
		for _, k := range marks {
			if k.Para != dedup.Whole && k.Drop {
				a.Paras[k.Doc][k.Para] = true
			}
		}
		for i, p := range a.Paras {
			// A document without paragraphs is removed.
			a.Drop[i] = a.Drop[i] || !slices.Contains(p, false)
		}
	}
	return a, nil
}

// sameAs returns the document of which the document of a mark is a complete copy, -1 if there is
// none. Text that occurs in several documents makes no cluster.
func sameAs(k dedup.Mark) int64 {
	switch {
	case k.Cluster >= 0:
		return k.Cluster
	case k.Reason == dedup.Same || k.Reason == dedup.SameURL || k.Reason == dedup.Near:
		return k.First
	}
	return -1
}
