package lines

import (
	"fmt"
	"slices"
	"strings"

	"chaffinch/lab/gold"
)

// Protocol describes the training data of a system.
type Protocol struct{ Name, Help string }

// The protocols, by name.
const (
	Embedded     = "embedded"
	Monolingual  = "monolingual"
	Multilingual = "multilingual"
	ZeroShot     = "zero-shot"
)

// Protocols lists all protocols with their descriptions.
var Protocols = []Protocol{
	{Embedded, "the system as it comes, nothing is trained"},
	{Monolingual, "for each language, trained on other documents of that language alone"},
	{Multilingual, "trained on other documents of all languages"},
	{ZeroShot, "for each language, trained on the documents of all other languages"},
}

// Plan configures the division of documents.
type Plan struct {
	// Folds is the number of folds of the cross-validation.
	Folds int
	// Split scores the part "test" of each language, or "dev" if there is none, and trains on all
	// others, instead of folds.
	Split bool
	// DevShare is the fraction of the training documents of each language that is used only for
	// early stopping. Default: none. All documents are then used for training with the configured
	// number of epochs, like the embedded model.
	DevShare float64
}

// DefaultPlan is five folds without early stopping: with 901 documents, the missing training data
// costs more than early stopping gains.
var DefaultPlan = Plan{Folds: 5}

// job is a training with the indexes of its documents.
type job struct {
	train, dev, test []int
	fold             int // from 1
}

// jobs returns the trainings of a protocol. No document is scored by a system that was trained on
// it. Languages with too few documents for the folds are omitted from monolingual trainings.
func (s *Set) jobs(protocol string, p Plan, seed uint64) ([]job, error) {
	all := s.of(func(*gold.LineDoc) bool { return true })
	if protocol == Embedded {
		if p.Split {
			all = slices.DeleteFunc(all, func(i int) bool { return !s.held(i) })
		}
		return []job{{test: all, fold: 1}}, nil
	}
	var out []job
	switch protocol {
	case Multilingual:
		out = s.deal(all, p, seed)
	case Monolingual:
		for _, lang := range s.langs() {
			for _, j := range s.deal(s.of(func(d *gold.LineDoc) bool { return d.Lang == lang }), p, seed) {
				j.fold = len(out) + 1
				out = append(out, j)
			}
		}
	case ZeroShot:
		for _, lang := range s.langs() {
			j := job{fold: len(out) + 1}
			for i, d := range s.Docs {
				switch {
				case d.Lang != lang:
					j.train = append(j.train, i)
				case !p.Split || s.held(i):
					j.test = append(j.test, i)
				}
			}
			if len(j.train) > 0 && len(j.test) > 0 {
				out = append(out, j)
			}
		}
	default:
		return nil, fmt.Errorf("protocol %q: take %s", protocol, protocolNames())
	}
	if len(out) == 0 {
		what := "too few documents for it"
		if p.Split {
			what = "no language has parts for training and for testing"
		}
		return nil, fmt.Errorf("set %s: protocol %s: %s", s.Name, protocol, what)
	}
	for i := range out {
		s.holdOut(&out[i], p, seed)
	}
	return out, nil
}

// deal divides documents into folds, or into the parts of the set. Near-duplicates of scored
// documents are excluded from training.
func (s *Set) deal(docs []int, p Plan, seed uint64) (out []job) {
	if p.Split {
		j := job{fold: 1}
		for _, cluster := range gold.LineClusters(s.pick(docs)) {
			held := slices.ContainsFunc(cluster, func(n int) bool { return s.held(docs[n]) })
			for _, n := range cluster {
				switch i := docs[n]; {
				case s.held(i):
					j.test = append(j.test, i)
				case !held:
					j.train = append(j.train, i)
				}
			}
		}
		slices.Sort(j.test)
		slices.Sort(j.train)
		if len(j.test) == 0 || len(j.train) == 0 {
			return nil
		}
		return []job{j}
	}
	folds, err := gold.LineFolds(s.pick(docs), p.Folds, seed)
	if err != nil {
		return nil // too few documents
	}
	out = make([]job, p.Folds)
	for k := range out {
		out[k].fold = k + 1
		for n, i := range docs {
			if folds[n] == k {
				out[k].test = append(out[k].test, i)
			} else {
				out[k].train = append(out[k].train, i)
			}
		}
	}
	return out
}

// held reports whether the document is in the part that is scored with Plan.Split: "test", or "dev"
// if its language has no "test" and has another part.
func (s *Set) held(i int) bool {
	parts := map[string]bool{}
	for _, d := range s.Docs {
		if d.Lang == s.Docs[i].Lang {
			parts[d.Split] = true
		}
	}
	part := "dev"
	if parts["test"] {
		part = "test"
	}
	return len(parts) > 1 && s.Docs[i].Split == part
}

// holdOut moves a fraction of the training documents of each language to dev. Near-duplicates are
// moved together unless they exceed the fraction.
func (s *Set) holdOut(j *job, p Plan, seed uint64) {
	dev := map[int]bool{}
	for _, lang := range s.langs() {
		var of []int
		for _, i := range j.train {
			if s.Docs[i].Lang == lang {
				of = append(of, i)
			}
		}
		left := int(p.DevShare * float64(len(of)))
		seen := map[int]bool{}
		for _, i := range s.shuffled(of, seed, "dev") {
			c := s.clusters()[i]
			if seen[c] {
				continue
			}
			seen[c] = true
			near := slices.DeleteFunc(slices.Clone(of), func(k int) bool { return s.clusters()[k] != c })
			if len(near) > left {
				continue
			}
			left -= len(near)
			for _, k := range near {
				dev[k] = true
				j.dev = append(j.dev, k)
			}
		}
	}
	slices.Sort(j.dev)
	j.train = slices.DeleteFunc(j.train, func(i int) bool { return dev[i] })
}

// copiesOf returns the clusters of near-duplicates of the documents.
func (s *Set) copiesOf(docs []int) map[int]bool {
	out := map[int]bool{}
	for _, i := range docs {
		out[s.clusters()[i]] = true
	}
	return out
}

func protocolNames() string {
	var names []string
	for _, p := range Protocols {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}
