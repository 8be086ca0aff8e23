// Package rowfile reads and writes the training rows of trainable methods with [Read] and
// [Table.Write]. The format is a folder of plain arrays that Python can read without a library:
// meta.json, and a file NAME.u8 or NAME.f32 (little-endian) for each array.
package rowfile

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
)

// NoClass is the class of a row with an unknown class.
const NoClass = 255

// Table holds rows for training and testing.
type Table struct {
	Meta
	// Columns holds the binned columns, each of Rows values with Pad more on both sides.
	Columns [][]uint8
	// Parts holds the part of each row: 0 for a row between two documents, which is ignored.
	Parts []uint8
	// Classes holds the class of each row, or NoClass. It is nil for a table without classes.
	Classes []uint8
	// Target is 1 for positive rows. Weight is the weight of a row in training, Count its weight in
	// the figures.
	Target, Weight, Count []float32
	// Dense holds the values of the columns before binning, Width for each row. It is nil for a
	// table without networks.
	Dense []float32
}

// Meta is the content of meta.json.
type Meta struct {
	Rows int `json:"rows"`
	Pad  int `json:"pad"`
	// Features lists pairs of a column and the row offset from which it is read.
	Features [][2]int `json:"features"`
	// Tests lists the parts to test on, each with a model trained on the other parts.
	Tests []int `json:"tests"`
	// ClassNames holds the names of the classes.
	ClassNames []string `json:"class_names,omitempty"`
	// Width is the number of values of a row of Dense.
	Width int `json:"width"`
	// Trees, Shape and Net hold the settings of the method.
	Trees any `json:"trees"`
	Shape any `json:"shape,omitempty"`
	Net   any `json:"net,omitempty"`
}

// Write writes t to a folder, which it creates.
func (t *Table) Write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	meta, err := json.Marshal(t.Meta)
	if err != nil {
		return err
	}
	files := map[string][]byte{"meta.json": meta, "columns.u8": bytes.Join(t.Columns, nil), "parts.u8": t.Parts}
	if t.Classes != nil {
		files["classes.u8"] = t.Classes
	}
	for name, values := range map[string][]float32{"target": t.Target, "weight": t.Weight, "count": t.Count, "dense": t.Dense} {
		if values != nil {
			files[name+".f32"] = Bytes(values)
		}
	}
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Bytes returns the bytes of a file of values.
func Bytes(values []float32) []byte {
	b, _ := binary.Append(nil, binary.LittleEndian, values)
	return b
}

// Read reads a table that Write wrote.
func Read(dir string) (*Table, error) {
	t := new(Table)
	b, err := os.ReadFile(filepath.Join(dir, "meta.json"))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(b, &t.Meta); err != nil {
		return nil, err
	}
	columns, err := os.ReadFile(filepath.Join(dir, "columns.u8"))
	if err != nil {
		return nil, err
	}
	for height := t.Rows + 2*t.Pad; len(columns) > 0; columns = columns[height:] {
		t.Columns = append(t.Columns, columns[:height:height])
	}
	if t.Parts, err = os.ReadFile(filepath.Join(dir, "parts.u8")); err != nil {
		return nil, err
	}
	if len(t.ClassNames) > 0 {
		if t.Classes, err = os.ReadFile(filepath.Join(dir, "classes.u8")); err != nil {
			return nil, err
		}
	}
	for name, to := range map[string]*[]float32{"target": &t.Target, "weight": &t.Weight, "count": &t.Count} {
		if *to, err = floats(dir, name); err != nil {
			return nil, err
		}
	}
	if t.Width > 0 {
		t.Dense, err = floats(dir, "dense")
	}
	return t, err
}

func floats(dir, name string) ([]float32, error) {
	b, err := os.ReadFile(filepath.Join(dir, name+".f32"))
	if err != nil {
		return nil, err
	}
	values := make([]float32, len(b)/4)
	_, err = binary.Decode(b, binary.LittleEndian, values)
	return values, err
}
