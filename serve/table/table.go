// Package table writes tables as CSV, TSV, JSON lines, XML and Excel workbooks, row
// by row, so that a table of any length takes no memory.
//
// Unstable: this package may change in any release.
package table

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"
)

// Table is a table with named columns.
type Table struct {
	// Name is the name of the table, such as "freq": the name of its file and
	// of its sheet.
	Name    string
	Columns []string
	// Rows have a value for each column: a string, an int64, a float64, a bool.
	Rows iter.Seq2[[]any, error]
}

// Format is a way to write a table.
type Format struct {
	Name, MediaType, Help string

	write func(w io.Writer, t Table) error
}

// Formats are all of them.
var Formats = []Format{
	{"csv", "text/csv; charset=utf-8", "comma-separated values, quoted as in RFC 4180", writeCSV},
	{"tsv", "text/tab-separated-values; charset=utf-8", "tab-separated values; tabs and line breaks in values become spaces", writeTSV},
	{"jsonl", "application/x-ndjson", "a JSON object per row", writeJSONL},
	{"xml", "application/xml; charset=utf-8", "one element per row, with values in elements named after the columns", writeXML},
	{"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "an Excel workbook", writeXLSX},
}

// Named returns the format of that name.
func Named(name string) (Format, bool) {
	for _, f := range Formats {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// Write writes t. An error of t's rows ends it.
func (f Format) Write(w io.Writer, t Table) error {
	buffered := bufio.NewWriterSize(w, 64<<10)
	if err := f.write(buffered, t); err != nil {
		return fmt.Errorf("table %s: %w", t.Name, err)
	}
	return buffered.Flush()
}

// text returns a value as CSV, TSV and XML have it.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	return fmt.Sprint(v)
}

// eachLine calls fn for the names of the columns and for each row, as text.
func eachLine(t Table, fn func(line []string) error) error {
	if err := fn(t.Columns); err != nil {
		return err
	}
	line := make([]string, len(t.Columns))
	for values, err := range t.Rows {
		if err != nil {
			return err
		}
		for i, v := range values {
			line[i] = text(v)
		}
		if err := fn(line); err != nil {
			return err
		}
	}
	return nil
}

func writeCSV(w io.Writer, t Table) error {
	c := csv.NewWriter(w)
	if err := eachLine(t, c.Write); err != nil {
		return err
	}
	c.Flush()
	return c.Error()
}

// oneLine makes blanks of what ends a cell or a row of TSV.
var oneLine = strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")

func writeTSV(w io.Writer, t Table) error {
	cells := make([]string, len(t.Columns))
	return eachLine(t, func(line []string) error {
		for i, c := range line {
			cells[i] = oneLine.Replace(c)
		}
		_, err := io.WriteString(w, strings.Join(cells, "\t")+"\n")
		return err
	})
}

func writeJSONL(w io.Writer, t Table) error {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		b, err := json.Marshal(c)
		if err != nil {
			return err
		}
		names[i] = string(b) + ":"
	}
	for values, err := range t.Rows {
		if err != nil {
			return err
		}
		line := []byte{'{'}
		for i, v := range values {
			if i > 0 {
				line = append(line, ',')
			}
			if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
				v = nil // what JSON has no number for
			}
			b, err := json.Marshal(v)
			if err != nil {
				return err
			}
			line = append(append(line, names[i]...), b...)
		}
		if _, err := w.Write(append(line, '}', '\n')); err != nil {
			return err
		}
	}
	return nil
}

// element returns a column's name as the name of an element.
func element(column string) string {
	name := []rune(column)
	for i, r := range name {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || i > 0 && (r >= '0' && r <= '9' || r == '.' || r == '-') {
			continue
		}
		name[i] = '_'
	}
	if len(name) == 0 {
		return "_"
	}
	return string(name)
}

func writeXML(w io.Writer, t Table) error {
	if _, err := fmt.Fprintf(w, "%s<table name=\"%s\">\n", xml.Header, escaped(t.Name)); err != nil {
		return err
	}
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = element(c)
	}
	for values, err := range t.Rows {
		if err != nil {
			return err
		}
		var line strings.Builder
		line.WriteString("<row>")
		for i, v := range values {
			fmt.Fprintf(&line, "<%s>%s</%[1]s>", names[i], escaped(text(v)))
		}
		line.WriteString("</row>\n")
		if _, err := io.WriteString(w, line.String()); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "</table>\n")
	return err
}

// escaped returns s as character data; what XML cannot hold becomes U+FFFD.
func escaped(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s)) // into memory, cannot fail
	return b.String()
}
