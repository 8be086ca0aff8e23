package job

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// SiteTable is a table of [WriteSites] that a user fills in, site by site. All columns and rows
// except the answers are kept unchanged.
type SiteTable struct {
	rows       [][]string // the first row is the header
	keep, site int
}

// ParseSiteTable parses a table of [WriteSites], answered completely, in part or not at all.
func ParseSiteTable(name string, text []byte) (*SiteTable, error) {
	if _, err := ParseSites(name, text); err != nil {
		return nil, err
	}
	t := &SiteTable{}
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		t.rows = append(t.rows, strings.Split(strings.TrimRight(string(line), "\r\n"), "\t"))
	}
	if len(t.rows) > 0 {
		t.keep, t.site = slices.Index(t.rows[0], columnKeep), slices.Index(t.rows[0], columnSite)
	}
	if len(t.rows) == 0 || t.keep < 0 || t.site < 0 {
		return nil, fmt.Errorf("%s: found no columns %s and %s, wanted the table that filter sites writes", name, columnKeep, columnSite)
	}
	t.rows = slices.DeleteFunc(t.rows, func(row []string) bool { return len(row) <= max(t.keep, t.site) })
	return t, nil
}

// Len returns the number of sites.
func (t *SiteTable) Len() int { return len(t.rows) - 1 }

// Site returns the host of site i and the other non-empty cells of its row, by column.
func (t *SiteTable) Site(i int) (host string, columns, values []string) {
	row := t.rows[i+1]
	for k, v := range row {
		if k != t.keep && k != t.site && k < len(t.rows[0]) && v != "" {
			columns, values = append(columns, t.rows[0][k]), append(values, v)
		}
	}
	return row[t.site], columns, values
}

// Answer returns the decision on site i: "yes", "no", or "".
func (t *SiteTable) Answer(i int) string {
	switch a := strings.ToLower(strings.Trim(t.rows[i+1][t.keep], " \"")); a {
	case "y":
		return "yes"
	case "n":
		return "no"
	default:
		return a
	}
}

// SetAnswer sets the decision on site i: "yes", "no", or "".
func (t *SiteTable) SetAnswer(i int, answer string) { t.rows[i+1][t.keep] = answer }

// Bytes returns the table as a file.
func (t *SiteTable) Bytes() []byte {
	var b bytes.Buffer
	for _, row := range t.rows {
		b.WriteString(strings.Join(row, "\t"))
		b.WriteByte('\n')
	}
	return b.Bytes()
}
