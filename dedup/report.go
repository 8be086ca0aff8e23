package dedup

import "chaffinch/input/records"

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
	Rank   Rank   `json:"rank"`
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
	// SameIDs is the number of documents that had the id of another one, and
	// SameID one of these ids.
	SameIDs int64  `json:"same_ids"`
	SameID  string `json:"same_id,omitempty"`
	// Bad is the number of pieces of input that could not be read as documents.
	// They are passed on as they are.
	Bad int64 `json:"bad"`
	// Failed is the number of documents over which the method failed, a fault of
	// the program. They stay as they are.
	Failed int64 `json:"failed"`
	// Undated is the number of documents without a date that can be read, if the
	// rank asks for it.
	Undated int64 `json:"undated,omitempty"`
	// Outside is the number of bytes of input that belong to no document. They are
	// passed on as they are.
	Outside int64 `json:"outside_bytes"`
	// Disk is the most that the work folder held, in bytes.
	Disk int64 `json:"disk_bytes" merge:"max"`
}

// report completes the report of the rewriting.
func (r *run) report() *Report { return r.complete(r.m.Writing.Report) }

// complete adds to a report what the run has counted besides.
func (r *run) complete(rep *Report) *Report {
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
func (r *Report) reason(name string) *Tally {
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
