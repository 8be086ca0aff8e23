package plagiarism

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"chaffinch/plagiarism"
)

// Run indexes the sources of a set in memory and searches them for passages of every suspicious
// document.
func Run(ctx context.Context, s *Set, index plagiarism.IndexConfig, search plagiarism.SearchConfig) ([]plagiarism.Passage, error) {
	b, err := plagiarism.NewIndexBuilder("", index, 1<<30, "")
	if err != nil {
		return nil, err
	}
	for _, d := range s.Sources {
		if err := b.Add(d.ID, d.Text); err != nil {
			return nil, err
		}
	}
	x, err := b.Index()
	if err != nil {
		return nil, err
	}
	f, err := plagiarism.NewSearcher(x, search)
	if err != nil {
		return nil, err
	}
	var out []plagiarism.Passage
	for _, d := range s.Suspicious {
		found, err := f.Search(ctx, d.ID, d.Text)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// Row is the score of a subset of the cases.
type Row struct {
	// Half is "dev", "test" or "all"; Kind is the obfuscation, or "all".
	Half, Kind string
	Score
}

// Rows scores detections by half of the set and by kind of obfuscation. The row of a kind has its
// cases and the detections that overlap with them; wrong detections count only in the row of all
// kinds.
func Rows(s *Set, found []plagiarism.Passage) []Row {
	var rows []Row
	kinds := map[string]bool{}
	for _, c := range s.Cases {
		kinds[kind(c)] = true
	}
	for _, half := range []string{"dev", "test", "all"} {
		var cases []plagiarism.Annotation
		for _, c := range s.Cases {
			if half == "all" || Half(c.Suspicious) == half {
				cases = append(cases, c)
			}
		}
		var ours, all []plagiarism.Passage
		for _, p := range found {
			if half == "all" || Half(p.Suspicious) == half {
				ours = append(ours, p)
			}
		}
		for _, c := range cases {
			all = append(all, c.Passage)
		}
		rows = append(rows, Row{half, "all", measure(all, ours)})
		for _, k := range slices.Sorted(maps.Keys(kinds)) {
			var cs, ds []plagiarism.Passage
			for _, c := range cases {
				if kind(c) == k {
					cs = append(cs, c.Passage)
				}
			}
			for _, d := range ours {
				if slices.ContainsFunc(cs, func(c plagiarism.Passage) bool { return Overlap(c, d) }) {
					ds = append(ds, d)
				}
			}
			rows = append(rows, Row{half, k, measure(cs, ds)})
		}
	}
	return rows
}

// Floored returns the figures that have floors: plagdet by half and kind.
func Floored(rows []Row) map[string]float64 {
	out := map[string]float64{}
	for _, r := range rows {
		if r.Cases > 0 {
			out[r.Half+" "+r.Kind] = r.Plagdet
		}
	}
	return out
}

func kind(c plagiarism.Annotation) string { return cmp.Or(c.Obfuscation, c.Kind, "unknown") }
