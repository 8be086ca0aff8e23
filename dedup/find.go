package dedup

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"chaffinch/input/records"
	"chaffinch/internal/workdir"
	"chaffinch/pipeline"
)

// Docs is a collection in memory. It implements [Source]; use a copy for each reading.
type Docs struct {
	List []*records.Doc
	at   int
}

// Next returns the next document, or io.EOF after the last one.
func (d *Docs) Next() (*records.Doc, error) {
	if d.at == len(d.List) {
		return nil, io.EOF
	}
	d.at++
	return d.List[d.at-1], nil
}

// Release does nothing.
func (d *Docs) Release(*records.Doc) {}

// Mark returns the position after the last document, as JSON.
func (d *Docs) Mark() ([]byte, error) { return json.Marshal(d.at) }

// Goto moves to a position that Mark returned.
func (d *Docs) Goto(mark []byte) error { return json.Unmarshal(mark, &d.at) }

// Identity returns a string with the number of documents.
func (d *Docs) Identity() string { return fmt.Sprintf("%d documents in memory", len(d.List)) }

// Progress returns the number of documents read and the total.
func (d *Docs) Progress() (done, total int64) { return int64(d.at), int64(len(d.List)) }

// Close does nothing.
func (d *Docs) Close() error { return nil }

// Find returns the marks of documents in memory, sorted by document and paragraph.
// Documents are numbered by their position in docs. Find uses only the fields Method,
// Rank, Memory and Workers of cfg. Work files are in the temporary folder of the system.
func Find(ctx context.Context, docs []*records.Doc, cfg Config) ([]Mark, error) {
	cfg, err := Config{
		Job:    pipeline.Job{Workers: cfg.Workers, Memory: max(cfg.Memory, MinMemory), Checkpoint: 1 << 62},
		Method: cfg.Method, Rank: cfg.Rank,
	}.withDefaults()
	if err != nil {
		return nil, err
	}
	work, err := workdir.Temp()
	if err != nil {
		return nil, err
	}
	defer work.Close()
	r := &run{cfg: cfg, plan: newPlan(cfg.Memory - cfg.held()), dir: work.Path, part: wholeTask}
	unlock, err := r.openFolder()
	if err != nil {
		return nil, err
	}
	defer unlock()
	src := &Docs{List: docs}
	if err := r.begin(src); err != nil {
		return nil, err
	}
	defer r.ranks.close()
	if err := r.sketch(ctx, src); err != nil {
		return nil, err
	}
	if err := r.group(ctx); err != nil {
		return nil, err
	}
	var marks []Mark
	for rec, err := range r.scan(marksTable.Name, r.plan.merge, nil, nil) {
		if err != nil {
			return nil, err
		}
		var m Mark
		m.get(rec)
		marks = append(marks, m)
	}
	return marks, nil
}
