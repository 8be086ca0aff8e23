package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"chaffinch/format/pdf/roles"
	"chaffinch/lab/eval/stats"
	"chaffinch/lab/train/pdfroles"
	"chaffinch/page"
)

func foldOf(owner string, folds int) int {
	sum := sha256.Sum256([]byte(owner))
	return int(binary.LittleEndian.Uint32(sum[:]) % uint32(folds))
}

// matrix counts paragraphs by annotated and given role.
type matrix [roles.Count][roles.Count]int

// outcome holds the counts of a document.
type outcome struct {
	doc         *pdfroles.Doc
	rule, model matrix
}

func evaluate(docs []*pdfroles.Doc, m *roles.Model) []*outcome {
	var out []*outcome
	for _, d := range docs {
		o := &outcome{doc: d}
		given := m.Predict(d.Parts)
		for k, i := range d.At {
			if i < 0 {
				continue
			}
			rule := d.Parts.Paragraphs[i].Rule
			o.rule[d.Roles[k].Role][rule]++
			o.model[d.Roles[k].Role][given[i]]++
		}
		out = append(out, o)
	}
	return out
}

// kept reports whether the policy "text" keeps a role.
func kept(r roles.Role) bool {
	wanted, err := page.ParseRoles("text")
	if err != nil {
		panic(err) // a constant
	}
	return wanted.Has(pageRole(r))
}

// pageRole returns the role of a block of a paragraph.
func pageRole(r roles.Role) page.Role {
	switch r {
	case roles.Running:
		return page.RoleRunningHead
	case roles.References:
		return page.RoleReferences
	case roles.Contents:
		return page.RoleNavigation
	case roles.Other:
		return page.RoleAside
	}
	return page.RoleBody
}

func (m *matrix) plus(o *matrix) {
	for g := range m {
		for r := range m[g] {
			m[g][r] += o[g][r]
		}
	}
}

func (m *matrix) accuracy() float64 {
	right, all := 0, 0
	for g := range m {
		right += m[g][g]
		for _, n := range m[g] {
			all += n
		}
	}
	return percent(right, all)
}

// f1 returns F of a set of roles.
func (m *matrix) f1(in func(roles.Role) bool) float64 {
	hit, gold, given := 0, 0, 0
	for g := range m {
		for r, n := range m[g] {
			a, b := in(roles.Role(g)), in(roles.Role(r))
			if a && b {
				hit += n
			}
			if a {
				gold += n
			}
			if b {
				given += n
			}
		}
	}
	return percent(2*hit, gold+given)
}

func (m *matrix) macro() float64 {
	var sum, n float64
	for r := range roles.Count {
		if m.gold(r) > 0 {
			sum += m.f1(func(q roles.Role) bool { return q == r })
			n++
		}
	}
	return sum / n
}

func (m *matrix) gold(r roles.Role) (n int) {
	for _, x := range m[r] {
		n += x
	}
	return n
}

func percent(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return 100 * float64(a) / float64(b)
}

func dropped(r roles.Role) bool { return !kept(r) }

// measure is a figure of documents.
type measure struct {
	name string
	of   func(*matrix) float64
}

func measures() []measure {
	out := []measure{
		{"roles right", (*matrix).accuracy},
		{"macro F", (*matrix).macro},
		{"F of kept", func(m *matrix) float64 { return m.f1(kept) }},
		{"F of dropped", func(m *matrix) float64 { return m.f1(dropped) }},
	}
	for r := range roles.Count {
		out = append(out, measure{r.String(), func(m *matrix) float64 { return m.f1(func(q roles.Role) bool { return q == r }) }})
	}
	return out
}

const samples = 1000

// report writes the tables.
func report(w io.Writer, all []*outcome) {
	var rule, model matrix
	for _, o := range all {
		rule.plus(&o.rule)
		model.plus(&o.model)
	}
	type interval struct{ rule, model, gain []float64 }
	ms := measures()
	ivs := make([]interval, len(ms))
	stats.Resample(len(all), samples, 1, func(in []int) {
		var a, b matrix
		for _, i := range in {
			a.plus(&all[i].rule)
			b.plus(&all[i].model)
		}
		for k, m := range ms {
			x, y := m.of(&a), m.of(&b)
			ivs[k].rule, ivs[k].model, ivs[k].gain = append(ivs[k].rule, x), append(ivs[k].model, y), append(ivs[k].gain, y-x)
		}
	})
	fmt.Fprintf(w, "%d documents, %d paragraphs\n\n| | paragraphs | rules | model | gain |\n|---|---:|---:|---:|---:|\n", len(all), total(&rule))
	for k, m := range ms {
		n := ""
		if k >= 4 {
			n = fmt.Sprint(rule.gold(roles.Role(k - 4)))
		}
		x, y := m.of(&rule), m.of(&model)
		fmt.Fprintf(w, "| %s | %s | %.1f %s | %.1f %s | %.1f %s |\n", m.name, n, x, bounds(ivs[k].rule), y, bounds(ivs[k].model), y-x, bounds(ivs[k].gain))
	}
	groups(w, "kind", all, func(d *pdfroles.Doc) string { return d.Kind })
	groups(w, "languages", all, func(d *pdfroles.Doc) string { return group(d.Lang) })
	fmt.Fprint(w, "\n| |")
	for r := range roles.Count {
		fmt.Fprintf(w, " %s |", r)
	}
	fmt.Fprintln(w)
	for g := range roles.Count {
		fmt.Fprintf(w, "| %s |", g)
		for r := range roles.Count {
			fmt.Fprintf(w, " %d |", model[g][r])
		}
		fmt.Fprintln(w)
	}
}

func total(m *matrix) (n int) {
	for r := range roles.Count {
		n += m.gold(r)
	}
	return n
}

func bounds(v []float64) string {
	s := slices.Sorted(slices.Values(v))
	return fmt.Sprintf("(%.1f–%.1f)", s[len(s)*25/1000], s[len(s)*975/1000])
}

func groups(w io.Writer, name string, all []*outcome, of func(*pdfroles.Doc) string) {
	var keys []string
	for _, o := range all {
		if k := of(o.doc); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	fmt.Fprintf(w, "\n| %s | documents | roles right: rules | model | F of dropped: rules | model |\n|---|---:|---:|---:|---:|---:|\n", name)
	for _, k := range keys {
		var a, b matrix
		n := 0
		for _, o := range all {
			if of(o.doc) == k {
				a.plus(&o.rule)
				b.plus(&o.model)
				n++
			}
		}
		fmt.Fprintf(w, "| %s | %d | %.1f | %.1f | %.1f | %.1f |\n", k, n, a.accuracy(), b.accuracy(), a.f1(dropped), b.f1(dropped))
	}
}

// group returns the group of a language.
func group(lang string) string {
	switch lang {
	case "en":
		return "English"
	case "de", "nl", "sv", "da", "no":
		return "other Germanic"
	case "fr", "es", "pt", "it", "ca", "ro":
		return "Romance"
	case "ru", "uk", "mk", "pl", "cs", "sk", "sl", "hr", "sr":
		return "Slavic"
	case "zh", "ja", "ko":
		return "Chinese, Japanese, Korean"
	case "fa", "ar", "he", "th", "mr", "vi", "id":
		return "other Asian"
	}
	return "Finnish, Greek, Hungarian, Turkish"
}

// reportSecond writes the agreement of a second annotation with the first one.
func reportSecond(w io.Writer, docs, second []*pdfroles.Doc) error {
	var m matrix
	for _, s := range second {
		i := slices.IndexFunc(docs, func(d *pdfroles.Doc) bool { return d.SHA256 == s.SHA256 })
		if i < 0 || len(docs[i].Roles) != len(s.Roles) {
			return fmt.Errorf("second annotation of %s: wanted a test document with as many paragraphs", s.SHA256)
		}
		for k, g := range docs[i].Roles {
			m[g.Role][s.Roles[k].Role]++
		}
	}
	_, err := fmt.Fprintf(w, "\nsecond annotation: %d documents, %d paragraphs, roles right %.1f, macro F %.1f, F of dropped %.1f\n", len(second), total(&m), m.accuracy(), m.macro(), m.f1(dropped))
	return err
}
