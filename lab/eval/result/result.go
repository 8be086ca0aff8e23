// Package result contains the tables of figures that evaluations of downstream tasks print, save
// with [Save] and combine into a report with [WriteHTML].
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

// Table holds the figures of systems for a task.
type Table struct {
	// Task is the task of the command, such as "ir". Data is the name of the data.
	Task string `json:"task"`
	Data string `json:"data"`
	// Note describes the measurement in one sentence.
	Note    string   `json:"note,omitempty"`
	Columns []Column `json:"columns"`
	Rows    []Row    `json:"rows"`
}

// Column describes a figure.
type Column struct {
	Name string `json:"name"`
	// Unit is written after the name, such as "MB". With "%", fractions are multiplied by 100.
	Unit string `json:"unit,omitempty"`
	// Digits is the number of decimal places.
	Digits int `json:"digits"`
	// Less is set if smaller figures are better, Neutral if neither is better.
	Less    bool `json:"less,omitempty"`
	Neutral bool `json:"neutral,omitempty"`
}

// Row holds the figures of a system in the order of the columns.
type Row struct {
	System string   `json:"system"`
	Values []Figure `json:"values"`
}

// Figure is a number, NaN if there is none, with an optional mark such as "↑".
type Figure struct {
	Value float64
	Mark  string
}

// MarshalJSON writes a number, a list of a number and its mark, or null.
func (f Figure) MarshalJSON() ([]byte, error) {
	switch {
	case math.IsNaN(f.Value) || math.IsInf(f.Value, 0):
		return []byte("null"), nil
	case f.Mark == "":
		return json.Marshal(f.Value)
	}
	return json.Marshal([]any{f.Value, f.Mark})
}

// UnmarshalJSON reads the output of MarshalJSON.
func (f *Figure) UnmarshalJSON(b []byte) error {
	*f = Figure{Value: math.NaN()}
	if bytes.HasPrefix(b, []byte("[")) {
		return json.Unmarshal(b, &[]any{&f.Value, &f.Mark})
	}
	return json.Unmarshal(b, &f.Value) // null leaves NaN
}

// Text formats a figure of the column, "-" if there is none.
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

// Head returns the name of the column with its unit.
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
	return files.WriteJSON(path, tables, " ")
}

// Load reads tables from [Save], or the JSON output of eval clean.
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
