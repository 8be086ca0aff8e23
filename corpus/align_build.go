package corpus

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"chaffinch/internal/bitpack"
	"chaffinch/internal/timecheck"
	"chaffinch/model"
)

// AlignConfig configures how the segments of two corpora are aligned.
type AlignConfig struct {
	// Unit is the structure of the segments in both corpora. Default: align if both have it, else s.
	Unit string
	// Attr is an attribute of the segments that identifies them. Default: none; segments are numbered
	// from 0.
	Attr string
	// Mapping holds the beads, one per line: the segments of both corpora, separated by a tab.
	// Without Attr it is a mapping file of Manatee: 5, the range 2,4, the run 6:8, or -1. With Attr, each
	// side holds values of the attribute, separated by spaces. If nil, segments with the same value
	// of Attr correspond; without Attr, the segments with the same number.
	Mapping io.Reader
	// Names are the names of the two corpora in queries. Default: the names of their folders
	// without suffix.
	Names [2]string
	// Tool is the program and version that aligned the corpora. It is stored in the files.
	Tool string
}

// AlignReport describes an alignment.
type AlignReport struct {
	Names [2]string
	Beads int
	// Segments are the segments of both corpora, and Aligned how many of them are in a bead.
	Segments, Aligned [2]int
}

// bead is a range of segments of each corpus, ends exclusive.
type bead struct {
	start, end [2]int
	line       int // of the mapping; 0: none
}

// maxBeadLine is the maximum length of a line of a mapping in bytes.
const maxBeadLine = 1 << 20

// aligner aligns two corpora.
type aligner struct {
	cfg   AlignConfig
	of    [2]*Corpus
	units [2]*Struct
	ids   [2]map[string]int // segment of each value of Attr
	beads []bead
	work  timecheck.Watch
}

// Align aligns the segments of two corpora and stores the alignment in the folders of both indexes.
// Beads may cross, but each segment is in at most one bead, and the segments of a bead are adjacent.
func Align(ctx context.Context, first, second *Corpus, cfg AlignConfig) (rep AlignReport, err error) {
	a := &aligner{cfg: cfg, of: [2]*Corpus{first, second}, work: timecheck.New(ctx)}
	if err := a.prepare(); err != nil {
		return rep, err
	}
	if cfg.Mapping != nil {
		err = a.read()
	} else {
		err = a.match()
	}
	if err != nil {
		return rep, err
	}
	if len(a.beads) == 0 {
		return rep, fmt.Errorf("align: no structures <%s> correspond%s: wanted a mapping, or an attribute with the same values", a.cfg.Unit, a.examples())
	}
	for _, side := range []int{1, 0} { // at last in the order of the first corpus
		if err := a.sort(side); err != nil {
			return rep, err
		}
	}
	rep.Names, rep.Beads = a.cfg.Names, len(a.beads)
	for i := range rep.Segments {
		rep.Segments[i] = a.units[i].Len()
		for _, b := range a.beads {
			rep.Aligned[i] += b.end[i] - b.start[i]
		}
	}
	if err := a.write(0); err != nil {
		return rep, err
	}
	if err := a.sort(1); err != nil {
		return rep, err
	}
	return rep, a.write(1)
}

// examples returns the first values of Attr, for an error.
func (a *aligner) examples() string {
	if a.cfg.Attr == "" || a.units[0].Len() == 0 || a.units[1].Len() == 0 {
		return ""
	}
	return fmt.Sprintf(": %s begins with %q and %q", a.cfg.Attr, a.units[0].Value(a.cfg.Attr, 0), a.units[1].Value(a.cfg.Attr, 0))
}

// prepare finds the names, the structures and the identifiers.
func (a *aligner) prepare() error {
	if a.cfg.Unit == "" {
		a.cfg.Unit = "align"
		for _, c := range a.of {
			if !slices.Contains(c.Structs(), a.cfg.Unit) {
				a.cfg.Unit = "s"
			}
		}
	}
	for i, c := range a.of {
		if c.sub != nil {
			return errors.New("align: a part of a corpus, wanted the whole one")
		}
		if a.cfg.Names[i] == "" {
			base := filepath.Base(c.dir)
			a.cfg.Names[i] = strings.TrimSuffix(base, filepath.Ext(base))
		}
		if !isName(a.cfg.Names[i]) {
			return inField("Names", fmt.Errorf("align: name %q: wanted a letter, then letters, digits, _ and -", a.cfg.Names[i]))
		}
		var err error
		if a.units[i], err = c.Struct(a.cfg.Unit); err != nil {
			return inField("Unit", err)
		}
		if a.cfg.Attr == "" {
			continue
		}
		if a.ids[i], err = a.identify(i); err != nil {
			return inField("Attr", err)
		}
	}
	if a.cfg.Names[0] == a.cfg.Names[1] {
		return inField("Names", fmt.Errorf("align: both corpora are named %q: give each another name", a.cfg.Names[0]))
	}
	return nil
}

// identify returns the segment of each value of Attr.
func (a *aligner) identify(side int) (map[string]int, error) {
	x, err := a.units[side].Attr(a.cfg.Attr)
	if err != nil {
		return nil, fmt.Errorf("corpus %s: %w", a.of[side].dir, err)
	}
	ids := make(map[string]int, a.units[side].Len())
	for i := range a.units[side].Len() {
		if err := a.work.Done(0); err != nil {
			return nil, err
		}
		v := x.Word(x.At(int64(i)))
		if v == "" {
			continue
		}
		if _, twice := ids[v]; twice {
			return nil, fmt.Errorf("corpus %s: <%s %s=%q> occurs twice: wanted an attribute with a different value for each segment", a.of[side].dir, a.cfg.Unit, a.cfg.Attr, v)
		}
		ids[v] = i
	}
	return ids, nil
}

// match aligns the segments with the same value of Attr, or with the same number.
func (a *aligner) match() error {
	if a.cfg.Attr == "" {
		n, m := a.units[0].Len(), a.units[1].Len()
		if n != m {
			return fmt.Errorf("align: %d structures <%s> in %s, %d in %s: wanted equal numbers, a mapping, or an attribute that identifies the segments", n, a.cfg.Unit, a.of[0].dir, m, a.of[1].dir)
		}
		a.beads = make([]bead, n)
		for i := range a.beads {
			a.beads[i] = bead{start: [2]int{i, i}, end: [2]int{i + 1, i + 1}}
		}
		return nil
	}
	for v, i := range a.ids[0] {
		if j, ok := a.ids[1][v]; ok {
			a.beads = append(a.beads, bead{start: [2]int{i, j}, end: [2]int{i + 1, j + 1}})
		}
	}
	return nil
}

// read reads the mapping.
func (a *aligner) read() error {
	lines := bufio.NewScanner(a.cfg.Mapping)
	lines.Buffer(nil, maxBeadLine)
	n := 0
	for lines.Scan() {
		n++
		if err := a.work.Done(0); err != nil {
			return err
		}
		line := strings.TrimSuffix(lines.Text(), "\r")
		if line == "" {
			continue
		}
		if err := a.line(line, n); err != nil {
			return inField("Mapping", fmt.Errorf("align: mapping, line %d: %w", n, err))
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return inField("Mapping", fmt.Errorf("align: mapping, line %d: longer than %d bytes: is it a mapping?", n+1, maxBeadLine))
	}
	return lines.Err()
}

// line adds the beads of a line.
func (a *aligner) line(line string, n int) error {
	fields := strings.Split(line, "\t")
	if len(fields) != 2 {
		return fmt.Errorf("%d columns, wanted 2, separated by a tab", len(fields))
	}
	b := bead{line: n}
	var runs [2]bool
	for i, f := range fields {
		var err error
		if a.cfg.Attr == "" {
			b.start[i], b.end[i], runs[i], err = segments(f)
		} else {
			b.start[i], b.end[i], err = a.named(i, f)
		}
		if err != nil {
			return err
		}
		if most := a.units[i].Len(); b.end[i] > most {
			return fmt.Errorf("%q: corpus %s has %d structures <%s>, numbered from 0", f, a.of[i].dir, most, a.cfg.Unit)
		}
	}
	empty := b.start[0] == b.end[0] || b.start[1] == b.end[1]
	switch {
	case empty:
		return nil
	case runs[0] != runs[1]:
		return fmt.Errorf("%q: wanted a run such as 6:8 in both columns, or in neither", line)
	case runs[0] && b.end[0]-b.start[0] != b.end[1]-b.start[1]:
		return fmt.Errorf("%q: runs of %d and %d segments, wanted equal lengths", line, b.end[0]-b.start[0], b.end[1]-b.start[1])
	case runs[0]:
		for i := range b.end[0] - b.start[0] {
			s, t := b.start[0]+i, b.start[1]+i
			a.beads = append(a.beads, bead{[2]int{s, t}, [2]int{s + 1, t + 1}, n})
		}
		return nil
	}
	a.beads = append(a.beads, b)
	return nil
}

// segments parses 5, 2,4, 6:8 or -1.
func segments(f string) (start, end int, run bool, err error) {
	f = strings.TrimSpace(f)
	if f == "-1" {
		return 0, 0, false, nil
	}
	from, to, ranged := strings.Cut(f, ",")
	if !ranged {
		from, to, run = strings.Cut(f, ":")
	}
	if !ranged && !run {
		to = from
	}
	first, err1 := strconv.ParseUint(from, 10, 32)
	last, err2 := strconv.ParseUint(to, 10, 32)
	if err1 != nil || err2 != nil || first > last {
		return 0, 0, false, fmt.Errorf("%q: wanted the number of a segment from 0, a range such as 2,4, a run such as 6:8, or -1", f)
	}
	return int(first), int(last) + 1, run, nil
}

// named finds segments by their values of Attr.
func (a *aligner) named(side int, f string) (start, end int, err error) {
	for i, v := range strings.Fields(f) {
		if v == "-1" && len(strings.Fields(f)) == 1 {
			return 0, 0, nil
		}
		at, ok := a.ids[side][v]
		if !ok {
			return 0, 0, fmt.Errorf("%q: corpus %s has no <%s %s=%q>", f, a.of[side].dir, a.cfg.Unit, a.cfg.Attr, v)
		}
		if i == 0 {
			start, end = at, at
		}
		if at != end {
			return 0, 0, fmt.Errorf("%q: the segments are not adjacent and in order: wanted a line for each run of adjacent segments", f)
		}
		end = at + 1
	}
	return start, end, nil
}

// sort sorts the beads by the segments of one side, which must not be in two beads.
func (a *aligner) sort(side int) error {
	slices.SortFunc(a.beads, func(x, y bead) int { return cmp.Compare(x.start[side], y.start[side]) })
	for i, b := range a.beads {
		if i > 0 && b.start[side] < a.beads[i-1].end[side] {
			return inField("Mapping", fmt.Errorf("align: mapping, lines %d and %d: segment %d of %s is in both: wanted one line for all segments that belong together", min(a.beads[i-1].line, b.line), max(a.beads[i-1].line, b.line), b.start[side], a.of[side].dir))
		}
	}
	return nil
}

// write writes the alignment beside the index of one side. The beads are in its order.
func (a *aligner) write(side int) error {
	other := 1 - side
	own, to := a.of[side], a.of[other]
	m := alignedMeta{Index: own.Checksum(), Unit: a.cfg.Unit, Beads: len(a.beads)}
	m.Other.Dir, m.Other.Index, m.Other.Unit = relative(own.dir, to.dir), to.Checksum(), a.cfg.Unit
	config, err := json.Marshal(m)
	if err != nil {
		return err
	}
	path := filepath.Join(own.dir, alignedPrefix+a.cfg.Names[other]+alignedSuffix)
	w, err := model.Create(path, model.Header{Kind: alignedKind, Behaviour: alignedBehaviour, Tool: a.cfg.Tool, Config: config})
	if err != nil {
		return err
	}
	for _, x := range []struct {
		name string
		of   int
	}{{"own", side}, {"other", other}} {
		width := bitpack.Width(uint64(a.units[x.of].Len()))
		for _, end := range []bool{false, true} {
			w.Section(x.name + map[bool]string{false: "/starts", true: "/ends"}[end])
			out := bitpack.NewWriter(w, width)
			for _, b := range a.beads {
				if end {
					out.Add(uint64(b.end[x.of]))
				} else {
					out.Add(uint64(b.start[x.of]))
				}
			}
			if err := out.Close(); err != nil {
				w.Abort()
				return err
			}
		}
	}
	return w.Close()
}

// relative returns the path of the folder to from the folder from, so that both can be moved together.
func relative(from, to string) string {
	a, err1 := filepath.Abs(from)
	b, err2 := filepath.Abs(to)
	if err1 == nil && err2 == nil {
		if rel, err := filepath.Rel(a, b); err == nil { // no relative path exists between volumes
			return filepath.ToSlash(rel)
		}
		return filepath.ToSlash(b)
	}
	return filepath.ToSlash(to)
}
