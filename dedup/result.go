package dedup

import "chaffinch/input/records"

// Tally counts text.
type Tally struct {
	Docs   int64 `json:"docs"`
	Paras  int64 `json:"paras"`
	Tokens int64 `json:"tokens"`
	Bytes  int64 `json:"bytes"`
}

// Result describes the results of a run.
type Result struct {
	Method string `json:"method"`
	Rank   Rank   `json:"rank"`
	// In counts the input, Out the text that stays.
	In  Tally `json:"in"`
	Out Tally `json:"out"`
	// Reasons counts the dropped text by reason: whole documents with all their
	// paragraphs, and paragraphs of documents that stay.
	Reasons map[string]*Tally `json:"reasons"`
	// Cut is the number of documents that lost a part.
	Cut int64 `json:"cut"`
	// TooShort is the number of documents dropped because fewer than [Config.MinWords]
	// words remained.
	TooShort int64 `json:"too_short"`
	// Counts holds the counters of the method, by name.
	Counts map[string]int64 `json:"counts,omitempty"`
	// Seconds holds the duration of each step, in seconds.
	Seconds map[string]float64 `json:"seconds"`
	// SameIDs is the number of documents that had the id of another one, and
	// SameID one of these ids.
	SameIDs int64  `json:"same_ids"`
	SameID  string `json:"same_id,omitempty"`
	// Bad is the number of pieces of input that could not be read as documents. They
	// are copied unchanged.
	Bad int64 `json:"bad"`
	// Failed is the number of documents on which the method failed through a fault of
	// the program. They stay unchanged.
	Failed int64 `json:"failed"`
	// Undated is the number of documents without a valid date, if the rank is
	// [ByDate].
	Undated int64 `json:"undated,omitempty"`
	// Outside is the number of bytes of input outside documents. They are copied
	// unchanged.
	Outside int64 `json:"outside_bytes"`
	// Disk is the largest size of the work folder at a checkpoint, in bytes.
	Disk int64 `json:"disk_bytes" merge:"max"`
	// Details holds the data of [Config.ReportFile], nil without it.
	Details *Details `json:"details,omitempty"`
}

// report completes the report of the rewriting.
func (r *run) report() *Result { return r.complete(r.m.Writing.Report) }

// complete adds the other counts of the run to a report.
func (r *run) complete(rep *Result) *Result {
	m := r.m
	rep.Counts, rep.Seconds, rep.SameIDs, rep.Bad, rep.Failed, rep.Disk = m.Counts, m.Times, m.SameIDs, m.Bad, m.Failed, m.Disk
	if m.SameIDs > 0 {
		if names, err := readIDs(r.dir, workIDs); err == nil {
			rep.SameID, _ = names.at(m.SameID - m.Indexed)
			names.close()
		}
	}
	return rep
}

// reason returns the tally of a reason.
func (r *Result) reason(name string) *Tally {
	t := r.Reasons[name]
	if t == nil {
		t = new(Tally)
		r.Reasons[name] = t
	}
	return t
}

func (t *Tally) addParas(d *records.Doc, tokens []int, which func(i int) bool) {
	for i := range d.Paras {
		if which(i) {
			t.Paras++
			t.Tokens += int64(tokens[i])
			t.Bytes += int64(len(d.Paras[i].Text))
		}
	}
}
