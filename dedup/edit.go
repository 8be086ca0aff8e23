package dedup

import (
	"cmp"
	"strconv"
	"unsafe"

	"chaffinch/input/records"
	"chaffinch/text/token"
)

// tooShort is the reason of documents with fewer remaining words than [Config.MinWords].
const tooShort = "too-short"

// editor turns the marks of a document into an edit and counts.
type editor struct {
	run     *run
	rep     *Result
	id      func(doc int64) (string, error)
	edit    records.Edit
	rest    records.Edit // of the dropped parts, for Config.Dropped
	marks   []Mark       // of the document
	tokens  []int        // of its paragraphs
	whole   Mark
	stays   bool // the document stays, whole or in part
	counted bool // the report has the document
	paras   []Mark
}

// do decides on a document, given e.marks and e.tokens.
func (e *editor) do(d *records.Doc, num int64) error {
	n := len(d.Paras)
	e.whole = Mark{Doc: num, Para: Whole, First: -1, Cluster: -1}
	e.paras = e.paras[:0]
	for i := range n {
		e.paras = append(e.paras, Mark{Doc: num, Para: int32(i), First: -1, Cluster: -1})
	}
	for _, m := range e.marks {
		if m.Para == Whole {
			e.whole = m
		} else if int(m.Para) < n {
			e.paras[m.Para] = m
		}
	}
	why := e.decide()
	e.stays = why == ""
	e.count(d, why)
	e.edit.Drop = why != "" // a writer that annotates keeps it all the same
	e.edit.Attrs, e.edit.Paras = e.edit.Attrs[:0], e.edit.Paras[:0]
	e.rest.Paras = e.rest.Paras[:0]
	e.rest.Drop = why == ""
	some := false
	for i := range e.paras {
		e.edit.Paras = append(e.edit.Paras, records.ParaEdit{Drop: e.paras[i].Drop})
		e.rest.Paras = append(e.rest.Paras, records.ParaEdit{Drop: why == "" && !e.paras[i].Drop})
		some = some || e.paras[i].Drop
	}
	if some {
		e.rest.Drop = false
	}
	if e.run.cfg.Annotate || e.run.cfg.Explain && !e.rest.Drop {
		return e.annotate(why)
	}
	return nil
}

// writeUnchanged keeps a document unchanged after do has failed.
func (e *editor) writeUnchanged(d *records.Doc) {
	if !e.counted {
		e.rep.In.Docs++
		e.rep.Out.Docs++
	}
	e.stays = true
	e.edit = records.Edit{Paras: make([]records.ParaEdit, len(d.Paras))}
	e.rest = records.Edit{Drop: true, Paras: make([]records.ParaEdit, len(d.Paras))}
}

// decide returns the reason why the whole document is dropped, "" if it stays.
func (e *editor) decide() string {
	if e.whole.Drop {
		return e.whole.Reason.String()
	}
	left, words, all := 0, 0, 0
	by := map[Reason]int{}
	for i, m := range e.paras {
		all += e.tokens[i]
		if m.Drop {
			by[m.Reason] += e.tokens[i] + 1
		} else {
			left++
			words += e.tokens[i]
		}
	}
	if left == 0 && len(by) > 0 {
		best := Unique
		for w, n := range by {
			if cmp.Or(cmp.Compare(n, by[best]), cmp.Compare(best, w)) > 0 {
				best = w
			}
		}
		return best.String()
	}
	if words < e.run.cfg.MinWords {
		return tooShort
	}
	return ""
}

// count adds the document to the report.
func (e *editor) count(d *records.Doc, why string) {
	r := e.rep
	e.counted = true
	r.In.Docs++
	r.In.addParas(d, e.tokens, func(int) bool { return true })
	if why != "" {
		r.reason(why).Docs++
		r.reason(why).addParas(d, e.tokens, func(int) bool { return true })
		if why == tooShort {
			r.TooShort++
		}
		return
	}
	cut := false
	for i, m := range e.paras {
		if m.Drop {
			cut = true
			r.reason(m.Reason.String()).addParas(d, e.tokens, func(j int) bool { return i == j })
		}
	}
	if cut {
		r.Cut++
	}
	r.Out.Docs++
	r.Out.addParas(d, e.tokens, func(i int) bool { return !e.paras[i].Drop })
}

// annotate writes the marks as attributes. Paragraphs get dup (share seen in better
// ranked text), first (id of the document with that text) and dedup (the verdict).
// Documents get cluster, cluster_size, similarity, dedup and kept_by, and dup and
// first if they share text with a test set.
func (e *editor) annotate(why string) error {
	for i, m := range e.paras {
		a := []records.Attr{{Name: "dup", Value: decimal(m.Share), Number: true}}
		if m.First >= 0 {
			id, err := e.first(&m)
			if err != nil {
				return err
			}
			a = append(a, records.Attr{Name: "first", Value: id})
		}
		a = append(a, records.Attr{Name: "dedup", Value: verdict(m.Drop, m.Reason.String())})
		e.edit.Paras[i].Attrs = a
	}
	a := e.edit.Attrs
	w := &e.whole
	if w.Reason == Contaminated {
		id, err := e.first(w)
		if err != nil {
			return err
		}
		a = append(a, records.Attr{Name: "dup", Value: decimal(w.Share), Number: true}, records.Attr{Name: "first", Value: id})
	}
	if w.Cluster >= 0 {
		id, err := e.id(w.Cluster)
		if err != nil {
			return err
		}
		a = append(a, records.Attr{Name: "cluster", Value: id},
			records.Attr{Name: "cluster_size", Value: strconv.Itoa(int(w.Size)), Number: true})
		if w.Cluster != w.Doc {
			a = append(a, records.Attr{Name: "similarity", Value: decimal(w.Similarity), Number: true})
		} else if why == "" {
			a = append(a, records.Attr{Name: "kept_by", Value: string(e.run.cfg.Rank)})
		}
	}
	e.edit.Attrs = append(a, records.Attr{Name: "dedup", Value: verdict(why != "", why)})
	e.rest.Attrs = e.edit.Attrs
	for i := range e.rest.Paras {
		e.rest.Paras[i].Attrs = e.edit.Paras[i].Attrs
	}
	return nil
}

// first returns the id of the document that Mark.First names.
func (e *editor) first(m *Mark) (string, error) {
	if n, ok := e.run.cfg.Method.(Namer); ok {
		return n.NameFirst(m.First), nil
	}
	return e.id(m.First)
}

// verdict returns "keep", or the reason.
func verdict(drop bool, why string) string {
	if drop {
		return why
	}
	return "keep"
}

// decimal formats a share.
func decimal(x float32) string { return strconv.FormatFloat(float64(x), 'f', 3, 32) }

// countWords returns the number of words of a paragraph, counted by [token.Count].
// Tokenized paragraphs are converted to running text first.
func countWords(p *records.Para, tokenized bool) int {
	text := p.Text
	if tokenized {
		text = p.Running(nil)
	}
	return token.Count(unsafe.String(unsafe.SliceData(text), len(text)))
}
