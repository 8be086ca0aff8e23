package annotate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"chaffinch/internal/archive"
	"chaffinch/internal/sorts"
	"chaffinch/lab/gold"
)

// shownMistakes is the maximum number of mistakes per file of labels in an error.
const shownMistakes = 10

// ReadRoleLabels reads the labels in a folder of dir and returns the annotated pages in the order
// of set and id. unread lists the sheets without labels. Mistakes are returned as one error that
// names all of them by file and line.
func ReadRoleLabels(dir, folder string) (pages []gold.RolePage, unread []string, err error) {
	sheets, err := filepath.Glob(filepath.Join(escapeGlob(dir), SheetFolder, "*.json"))
	if err != nil {
		return nil, nil, err
	}
	if len(sheets) == 0 {
		return nil, nil, fmt.Errorf("%s: no sheets: wanted NAME.json, as the command that writes sheets makes them", filepath.Join(dir, SheetFolder))
	}
	var mistakes []error
	read := map[string]bool{}
	of := map[string]string{} // file of labels of each page
	for _, path := range sheets {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		labels := filepath.Join(dir, folder, name+".txt")
		b, err := archive.ReadFile(labels)
		if errors.Is(err, fs.ErrNotExist) {
			unread = append(unread, name)
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		read[name] = true
		s, err := readSheet(path)
		if err != nil {
			return nil, nil, err
		}
		p, wrong := s.label(labels, string(b))
		if other := of[p.Key()]; other != "" {
			wrong = append(wrong, fmt.Errorf("%s: page %s has labels in %s too", labels, p.Key(), other))
		}
		of[p.Key()] = labels
		if len(wrong) > shownMistakes {
			wrong = append(wrong[:shownMistakes], fmt.Errorf("%s: %d mistakes more", labels, len(wrong)-shownMistakes))
		}
		mistakes = append(mistakes, wrong...)
		pages = append(pages, p)
	}
	labels, err := filepath.Glob(filepath.Join(escapeGlob(dir), escapeGlob(folder), "*.txt"))
	if err != nil {
		return nil, nil, err
	}
	for _, path := range labels {
		if name := strings.TrimSuffix(filepath.Base(path), ".txt"); !read[name] {
			mistakes = append(mistakes, fmt.Errorf("%s: no sheet %s: the labels of which page are they?", path, filepath.Join(dir, SheetFolder, name+".json")))
		}
	}
	if len(mistakes) > 0 {
		return nil, nil, errors.Join(mistakes...)
	}
	if len(pages) == 0 {
		return nil, nil, fmt.Errorf("%s: no labels: wanted NAME.txt for a sheet, such as %s.txt", filepath.Join(dir, folder), unread[0])
	}
	sorts.Func(pages, func(a, b gold.RolePage) int { return strings.Compare(a.Key(), b.Key()) })
	return pages, unread, nil
}

// escapeGlob returns a pattern that matches only the path.
func escapeGlob(path string) string {
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(path)
}

func readSheet(path string) (*Sheet, error) {
	b, err := archive.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var s Sheet
	if err := json.Unmarshal(b, &s); err != nil {
		return nil, fmt.Errorf("%s: %w: wanted an object with set, id, sha256 and blocks, as it came with the sheet", path, err)
	}
	if s.Set == "" || s.ID == "" || s.SHA256 == "" {
		return nil, fmt.Errorf("%s: set %q, id %q, sha256 %q: wanted all of them", path, s.Set, s.ID, s.SHA256)
	}
	return &s, nil
}

// Same reports whether the sheet at path has the same blocks of the same bytes.
func (s *Sheet) Same(path string) (bool, error) {
	old, err := readSheet(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return old.SHA256 == s.SHA256 && slices.Equal(old.Blocks, s.Blocks), nil
}

// blockLabel is the label of a block.
type blockLabel struct {
	gold.RoleSpan
	line int // in the file, from 1; 0 if the block has no label
}

// label parses labels, lines of FROM-TO ROLE or NUMBER ROLE with # before comments. It returns the
// page, with adjacent blocks of one role as one span, and the mistakes.
func (s *Sheet) label(path, text string) (p gold.RolePage, wrong []error) {
	p = gold.RolePage{Set: s.Set, ID: s.ID, SHA256: s.SHA256}
	labels := make([]blockLabel, len(s.Blocks))
	n := 0
	for line := range strings.Lines(text) {
		n++
		line, _, _ = strings.Cut(strings.TrimPrefix(line, "\ufeff"), "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if err := labelBlocks(labels, line, n); err != nil {
			wrong = append(wrong, fmt.Errorf("%s:%d: %w", path, n, err))
		}
	}
	for from := 0; from < len(labels); from++ {
		if labels[from].line > 0 {
			continue
		}
		to := from
		for to+1 < len(labels) && labels[to+1].line == 0 {
			to++
		}
		wrong = append(wrong, fmt.Errorf("%s: no role for %s of %d", path, blockNames(from, to), len(labels)))
		from = to
	}
	if wrong != nil {
		return p, wrong
	}
	for i, l := range labels {
		l.Start, l.End = s.Blocks[i][0], s.Blocks[i][1]
		k := len(p.Spans) - 1
		if k >= 0 && p.Spans[k].Role == l.Role && p.Spans[k].Further == l.Further {
			p.Spans[k].End = max(p.Spans[k].End, l.End)
			continue
		}
		p.Spans = append(p.Spans, l.RoleSpan)
	}
	return p, nil
}

// labelBlocks applies a line of labels.
func labelBlocks(labels []blockLabel, line string, n int) error {
	fields := strings.Fields(line)
	if len(fields) != 2 {
		return fmt.Errorf("%q: wanted FROM-TO ROLE, such as 3-7 body", line)
	}
	first, last, isRange := strings.Cut(fields[0], "-")
	from, err := strconv.Atoi(first)
	to := from
	if err == nil && isRange {
		to, err = strconv.Atoi(last)
	}
	if err != nil || from < 0 || to < from {
		return fmt.Errorf("blocks %q: wanted FROM-TO, such as 3-7, or one number", fields[0])
	}
	if to >= len(labels) {
		return fmt.Errorf("block %d: the page has %d, numbered from 0", to, len(labels))
	}
	role, further, err := gold.ParseRole(fields[1])
	if err != nil {
		return err
	}
	for i := from; i <= to; i++ {
		if old := labels[i].line; old > 0 {
			return fmt.Errorf("block %d has a role already, from line %d", i, old)
		}
		labels[i] = blockLabel{gold.RoleSpan{Role: role, Further: further}, n}
	}
	return nil
}

func blockNames(from, to int) string {
	if from == to {
		return fmt.Sprintf("block %d", from)
	}
	return fmt.Sprintf("blocks %d to %d", from, to)
}
