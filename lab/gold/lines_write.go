package gold

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"chaffinch/format/suffix"
)

// The labels of lines in files.
const (
	textLabel        = "text"
	boilerplateLabel = "boilerplate"
)

// LineLabel returns the label as a word.
func LineLabel(text bool) string {
	if text {
		return textLabel
	}
	return boilerplateLabel
}

// WriteLineDocs writes the documents to w in the format for the suffix of name: JSON lines for
// .jsonl, otherwise a table.
func WriteLineDocs(w io.Writer, name string, docs []*LineDoc) error {
	if suffix.Of(name).Format == "jsonl" {
		return writeLineJSONL(w, docs)
	}
	return writeLineTSV(w, docs)
}

// writeLineTSV writes the documents as a table for spreadsheets, one line per row, with a header:
// document, lang, split, register, label, line. Columns without values are omitted
// (docs/reference/formats/lines.md). Fields that begin with a quote or contain a tab or a carriage
// return are quoted. A line feed within a line becomes a space.
func writeLineTSV(w io.Writer, docs []*LineDoc) error {
	b := bufio.NewWriter(w)
	var lang, split, register bool
	for _, d := range docs {
		lang, split, register = lang || d.Lang != "", split || d.Split != "", register || d.Register != ""
	}
	row := func(id, l, s, r, label, line string) {
		b.WriteString(id)
		for _, c := range []struct {
			on bool
			v  string
		}{{lang, l}, {split, s}, {register, r}, {true, label}, {true, line}} {
			if c.on {
				b.WriteByte('\t')
				b.WriteString(c.v)
			}
		}
		b.WriteByte('\n')
	}
	row("document", "lang", "split", "register", "label", "line")
	for _, d := range docs {
		if len(d.Lines) != len(d.Labels) {
			return fmt.Errorf("document %s: %d lines, %d labels: one label per line", d.ID, len(d.Lines), len(d.Labels))
		}
		id, l, s, r := field(d.ID), field(d.Lang), field(d.Split), field(d.Register)
		for i, line := range d.Lines {
			row(id, l, s, r, LineLabel(d.Labels[i]), field(line))
		}
	}
	return b.Flush()
}

// field formats a field of a table and quotes it if necessary.
func field(s string) string {
	s = strings.ReplaceAll(s, "\n", " ")
	if strings.HasPrefix(s, `"`) || strings.ContainsAny(s, "\t\r") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// writeLineJSONL writes one document per line: {"id", "lang", "split",
// "register", "text": [lines], "labels": [1 or 0]}.
func writeLineJSONL(w io.Writer, docs []*LineDoc) error {
	b := bufio.NewWriter(w)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	for _, d := range docs {
		if len(d.Lines) != len(d.Labels) {
			return fmt.Errorf("document %s: %d lines, %d labels: one label per line", d.ID, len(d.Lines), len(d.Labels))
		}
		labels := make([]int, len(d.Labels))
		for i, text := range d.Labels {
			if text {
				labels[i] = 1
			}
		}
		if err := enc.Encode(struct {
			ID       string   `json:"id"`
			Lang     string   `json:"lang,omitempty"`
			Split    string   `json:"split,omitempty"`
			Register string   `json:"register,omitempty"`
			Text     []string `json:"text"`
			Labels   []int    `json:"labels"`
		}{d.ID, d.Lang, d.Split, d.Register, d.Lines, labels}); err != nil {
			return err
		}
	}
	return b.Flush()
}
