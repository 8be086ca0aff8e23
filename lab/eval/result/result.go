// Package result holds tables of figures in the one form that the evaluations of
// what cleaning is good for print, save and put into a report.
package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"chaffinch/internal/archive"
	"chaffinch/internal/files"
	"chaffinch/internal/table"
)

// Table is what systems reach at a task.
type Table struct {
	// Task is that of the command, such as "ir"; Data names what was measured on.
	Task string `json:"task"`
	Data string `json:"data"`
	// Note says how, in a sentence.
	Note    string   `json:"note,omitempty"`
	Columns []Column `json:"columns"`
	Rows    []Row    `json:"rows"`
}

// Column is a figure.
type Column struct {
	Name string `json:"name"`
	// Unit is what stands behind the name, such as "MB"; "%" has shares written times
	// 100.
	Unit string `json:"unit,omitempty"`
	// Digits is how many stand behind the point.
	Digits int `json:"digits"`
	// Less tells that a smaller figure is better; Neutral that neither is.
	Less    bool `json:"less,omitempty"`
	Neutral bool `json:"neutral,omitempty"`
}

// Row is a system with its figures, those of the columns in order.
type Row struct {
	System string   `json:"system"`
	Values []Figure `json:"values"`
}

// Figure is a number, NaN where there is none, with a mark behind it such as "↑".
type Figure struct {
	Value float64
	Mark  string
}

// MarshalJSON writes a number, a number with its mark, or null.
func (f Figure) MarshalJSON() ([]byte, error) {
	switch {
	case math.IsNaN(f.Value) || math.IsInf(f.Value, 0):
		return []byte("null"), nil
	case f.Mark == "":
		return json.Marshal(f.Value)
	}
	return json.Marshal([]any{f.Value, f.Mark})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Figure) UnmarshalJSON(b []byte) error {
	*f = Figure{Value: math.NaN()}
	if bytes.HasPrefix(b, []byte("[")) {
		return json.Unmarshal(b, &[]any{&f.Value, &f.Mark})
	}
	return json.Unmarshal(b, &f.Value) // null leaves NaN
}

// Text writes a figure as its column wants it, "-" where there is none.
func (c Column) Text(f Figure) string {
	if math.IsNaN(f.Value) {
		return "-"
	}
	v := f.Value
	if c.Unit == "%" {
		v *= 100
	}
	return strconv.FormatFloat(v, 'f', c.Digits, 64) + f.Mark
}

// Head is the name of the column with its unit.
func (c Column) Head() string {
	if c.Unit == "" || c.Unit == "%" {
		return c.Name
	}
	return c.Name + " (" + c.Unit + ")"
}

// Write writes the table for a terminal.
func (t *Table) Write(w io.Writer) error {
	head := []string{t.Data}
	for _, c := range t.Columns {
		head = append(head, ">"+c.Head())
	}
	out := table.New(head...)
	for _, r := range t.Rows {
		cells := []string{r.System}
		for i, c := range t.Columns {
			cells = append(cells, c.Text(r.Values[i]))
		}
		out.Add(cells...)
	}
	if err := out.Write(w, ""); err != nil || t.Note == "" {
		return err
	}
	_, err := fmt.Fprintln(w, t.Note)
	return err
}

// Save writes tables to a file as JSON.
func Save(path string, tables []*Table) error {
	b, err := json.MarshalIndent(tables, "", " ")
	if err != nil {
		return err
	}
	return files.WriteFile(path, append(b, '\n'))
}

// Load reads tables that [Save] wrote, or what eval clean prints as JSON.
func Load(path string) ([]*Table, error) {
	b, err := archive.ReadFile(path)
	if err != nil {
		return nil, err
	}
	tables, err := parse(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; wanted tables that an evaluation saved", path, err)
	}
	return tables, nil
}

func parse(b []byte) (tables []*Table, err error) {
	if bytes.HasPrefix(bytes.TrimSpace(b), []byte("{")) {
		return parseQuality(b)
	}
	if err := json.Unmarshal(b, &tables); err != nil {
		return nil, err
	}
	for i, t := range tables {
		if t == nil || len(t.Columns) == 0 {
			return nil, fmt.Errorf("table %d has no columns", i+1)
		}
		for _, r := range t.Rows {
			if len(r.Values) != len(t.Columns) {
				return nil, fmt.Errorf("table %d: system %s has %d figures, wanted %d", i+1, r.System, len(r.Values), len(t.Columns))
			}
		}
	}
	return tables, nil
}
