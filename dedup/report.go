package dedup

import "chaffinch/collection"

// Tally counts text.
type Tally struct {
	Docs   int64 `json:"docs"`
	Paras  int64 `json:"paras"`
	Tokens int64 `json:"tokens"`
	Bytes  int64 `json:"bytes"`
}

// Report tells what a run did.
type Report struct {
	Method string `json:"method"`
	// In is what was read, Out what stays.
	In  Tally `json:"in"`
	Out Tally `json:"out"`
	// Reasons counts what was dropped, by reason: documents that were dropped
	// whole with all they hold, and paragraphs of documents that stay.
	Reasons map[string]*Tally `json:"reasons"`
	// Cut is the number of documents that lost a part.
	Cut int64 `json:"cut"`
	// TooShort is the number of documents dropped for the few words that
	// remained of them.
	TooShort int64 `json:"too_short"`
	// Counts are numbers of the method's own.
	Counts map[string]int64 `json:"counts,omitempty"`
	// Seconds is how long each step took.
	Seconds map[string]float64 `json:"seconds"`
	// Resumed tells that the run was broken off before.
	Resumed bool `json:"resumed,omitempty"`
}

// reason returns the tally of a reason.
func (r *Report) reason(name string) *Tally {
	t := r.Reasons[name]
	if t == nil {
		t = new(Tally)
		r.Reasons[name] = t
	}
	return t
}

func (t *Tally) addParas(d *collection.Doc, tokens []int, which func(i int) bool) {
	for i := range d.Paras {
		if which(i) {
			t.Paras++
			t.Tokens += int64(tokens[i])
			t.Bytes += int64(len(d.Paras[i].Text))
		}
	}
}
