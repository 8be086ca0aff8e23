package job

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"chaffinch/filter/pii"
)

// place is a row of [Config.PIIReport].
type place struct {
	ID      string   `json:"id"`
	Start   int      `json:"start"`
	End     int      `json:"end"`
	Kind    pii.Kind `json:"kind"`
	Country string   `json:"country,omitempty"`
}

// appendPlaces appends the places of matches in a line that begins after chars code points.
func appendPlaces(dst []place, line string, chars int, found []pii.Match) []place {
	at := 0
	for _, m := range found {
		chars += utf8.RuneCountInString(line[at:m.Start])
		end := chars + utf8.RuneCountInString(line[m.Start:m.End])
		dst = append(dst, place{Start: chars, End: end, Kind: m.Kind, Country: m.Country})
		chars, at = end, m.End
	}
	return dst
}

// placesHead is the first line of a report in TSV.
const placesHead = "id\tstart\tend\tkind\tcountry\n"

// placesJSON reports whether a report of personal data is JSON lines, by its name.
func placesJSON(name string) bool {
	return strings.HasSuffix(strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst"), ".jsonl")
}

// cellSpace replaces characters that end cells and rows.
var cellSpace = strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")

// writePlaces writes the rows of a document to the report of personal data.
func (r *run) writePlaces(id string, places []place) error {
	r.rows = r.rows[:0]
	for _, p := range places {
		if placesJSON(r.cfg.PIIReport) {
			p.ID = id
			b, err := json.Marshal(p)
			if err != nil {
				return err
			}
			r.rows = append(append(r.rows, b...), '\n')
			continue
		}
		r.rows = append(append(r.rows, cellSpace.Replace(id)...), '\t')
		r.rows = append(strconv.AppendInt(r.rows, int64(p.Start), 10), '\t')
		r.rows = append(strconv.AppendInt(r.rows, int64(p.End), 10), '\t')
		r.rows = append(append(append(append(r.rows, p.Kind...), '\t'), p.Country...), '\n')
	}
	_, err := r.places.Write(r.rows)
	return err
}
