package lines

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"chaffinch/internal/archive"
	"chaffinch/internal/truth"
	"chaffinch/lab/gold"
)

// prediction is a line of a JSONL file of predictions (docs/reference/formats/lines.md).
type prediction struct {
	ID       string            `json:"id"`
	System   string            `json:"system,omitempty"`
	Protocol string            `json:"protocol,omitempty"`
	Seed     uint64            `json:"seed,omitempty"`
	Fold     int               `json:"fold,omitempty"`
	Scores   []float32         `json:"scores,omitempty"`
	Labels   []json.RawMessage `json:"labels,omitempty"`
}

// predicted is the protocol of predictions without a protocol.
const predicted = "predicted"

// WritePredictions writes the scores of the runs, one JSON object per document and run: {"id",
// "system", "protocol", "seed", "fold", "scores"}.
func WritePredictions(w io.Writer, s *Set, runs []*Run) error {
	out := bufio.NewWriter(w)
	for _, run := range runs {
		for i, scores := range run.Scores {
			if scores == nil {
				continue
			}
			p := prediction{ID: s.Docs[i].ID, System: run.System, Protocol: run.Protocol, Seed: run.Seed, Fold: run.Folds[i]}
			for _, x := range scores {
				p.Scores = append(p.Scores, rounded(x))
			}
			b, err := json.Marshal(p)
			if err != nil {
				return err
			}
			out.Write(b)
			out.WriteByte('\n')
		}
	}
	return out.Flush()
}

// rounded rounds a probability to four digits without crossing the threshold.
func rounded(x float32) float32 {
	r := float32(math.Round(float64(x)*1e4) / 1e4)
	if x < threshold && r >= threshold {
		return 0.4999
	}
	return r
}

// ReadPredictions reads the predictions of a program for documents of the set: JSON lines as
// written by WritePredictions, in which only id and scores or labels are required, or a table
// (.tsv) with a line of a document in each row: id, TAB, score or label. name is the default name
// of the system. Documents that are not in the set, and wrong numbers of lines, are errors.
// Documents without predictions remain unscored.
func ReadPredictions(path, name string, s *Set) ([]*Run, error) {
	b, err := archive.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parsePredictions(b, path, name, s)
}

// parsePredictions is ReadPredictions for a file in memory.
func parsePredictions(b []byte, path, name string, s *Set) ([]*Run, error) {
	r := &predictionReader{path: path, name: name, set: s, runs: map[runKey]*Run{}}
	read := r.json
	if strings.HasSuffix(path, ".tsv") {
		read = r.table
	}
	if err := read(b); err != nil {
		return nil, err
	}
	if len(r.order) == 0 {
		return nil, fmt.Errorf("predictions %s: none in it: wanted a JSON object or a row id, TAB, score on each line", path)
	}
	return r.order, nil
}

type runKey struct {
	system, protocol string
	seed             uint64
}

type predictionReader struct {
	path, name string
	set        *Set
	runs       map[runKey]*Run
	order      []*Run
}

// fail returns an error with the file and the line.
func (r *predictionReader) fail(line int, format string, args ...any) error {
	return fmt.Errorf("predictions %s: line %d: %s", r.path, line, fmt.Sprintf(format, args...))
}

// add adds the scores of a document to its run.
func (r *predictionReader) add(line int, p prediction, scores []float32) error {
	i, ok := r.set.index[p.ID]
	if !ok {
		return r.fail(line, "set %s has no document %q", r.set.Name, p.ID)
	}
	if n := len(r.set.Docs[i].Lines); len(scores) != n {
		return r.fail(line, "document %s: %d lines predicted, it has %d: empty lines count too", p.ID, len(scores), n)
	}
	p.System = cmp.Or(p.System, r.name)
	p.Protocol = cmp.Or(p.Protocol, predicted)
	key := runKey{p.System, p.Protocol, p.Seed}
	run := r.runs[key]
	if run == nil {
		run = &Run{System: p.System, Protocol: p.Protocol, Seed: p.Seed, Scores: make([][]float32, len(r.set.Docs)), Folds: make([]int, len(r.set.Docs))}
		r.runs[key] = run
		r.order = append(r.order, run)
	}
	if run.Scores[i] != nil {
		return r.fail(line, "document %s is there twice", p.ID)
	}
	run.Scores[i], run.Folds[i] = scores, p.Fold
	return nil
}

func (r *predictionReader) json(b []byte) error {
	sc := bufio.NewScanner(bytes.NewReader(b))
	sc.Buffer(nil, 1<<28)
	n := 1
	for ; sc.Scan(); n++ {
		if len(bytes.TrimSpace(sc.Bytes())) == 0 {
			continue
		}
		var p prediction
		if err := json.Unmarshal(sc.Bytes(), &p); err != nil {
			return r.fail(n, "%v", err)
		}
		scores := p.Scores
		if scores == nil {
			for _, l := range p.Labels {
				x, err := parseScore(strings.Trim(string(l), `"`))
				if err != nil {
					return r.fail(n, "document %s: %v", p.ID, err)
				}
				scores = append(scores, x)
			}
		}
		if err := checkScores(scores); err != nil {
			return r.fail(n, "document %s: %v", p.ID, err)
		}
		if err := r.add(n, p, scores); err != nil {
			return err
		}
	}
	if err := sc.Err(); err != nil {
		return r.fail(n, "%v", err)
	}
	return nil
}

// table reads rows, which are grouped by document.
func (r *predictionReader) table(b []byte) error {
	var id string
	var scores []float32
	n, at := 0, 1
	flush := func() error {
		if scores == nil {
			return nil
		}
		err := r.add(n, prediction{ID: id}, scores)
		scores = nil
		return err
	}
	for row := range strings.Lines(string(b)) {
		row = strings.TrimRight(row, "\r\n")
		if row == "" {
			n++
			continue
		}
		fields := strings.Split(row, "\t")
		if n == 0 {
			if i := headerColumn(fields); i > 0 {
				at = i
				n++
				continue
			}
		}
		if len(fields) <= at {
			return r.fail(n+1, "wanted id, TAB, score or label; found %q", row)
		}
		x, err := parseScore(fields[at])
		if err != nil {
			return r.fail(n+1, "%v", err)
		}
		if fields[0] != id {
			if err := flush(); err != nil {
				return err
			}
			id = fields[0]
		}
		scores = append(scores, x)
		n++
	}
	return flush()
}

// headerColumn returns the column called score or label in a header, 0 if there is none: a file of
// labelled lines can be read as predictions.
func headerColumn(fields []string) int {
	for i, f := range fields {
		if i > 0 && (i == 1 || isLineHeader(fields[0])) && (f == "score" || f == "label") {
			return i
		}
	}
	return 0
}

// isLineHeader reports whether s is a heading of the column of ids in a table of labelled lines.
func isLineHeader(s string) bool { return s == "document" || s == "doc" || s == "id" }

// parseScore parses a probability or a label.
func parseScore(s string) (float32, error) {
	if text, ok := gold.ParseLineLabel(s); ok {
		return truth.Float32(text), nil
	}
	x, err := strconv.ParseFloat(s, 32)
	if err != nil {
		return 0, fmt.Errorf("%q is neither a probability nor a label (1, 0, text, boilerplate)", s)
	}
	return float32(x), checkScores([]float32{float32(x)})
}

func checkScores(scores []float32) error {
	if slices.ContainsFunc(scores, func(x float32) bool { return !(x >= 0 && x <= 1) }) {
		return errors.New("a score is not within 0 and 1")
	}
	return nil
}
