package ncleaner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"chaffinch/clean/ncleaner"
	"chaffinch/extract"
	"chaffinch/internal/archive"
	"chaffinch/page"
)

// ReadPages reads training pages from a folder or an archive in the layout of the evaluation sets:
// html/ID.html and gold/ID.txt, one paragraph per line, optionally in a folder. The raw segments
// are the visible blocks of package extract. Pages without gold text and collections without pages
// are errors. Ids in skip are omitted. Examples are ordered by id.
func ReadPages(ctx context.Context, name string, skip []string) ([]Example, error) {
	x, err := extract.New(extract.Default)
	if err != nil {
		return nil, err
	}
	html, gold := map[string][]byte{}, map[string]string{}
	err = archive.Walk(name, func(p string, r io.Reader) error {
		id, ext, kind := path.Base(p), path.Ext(p), path.Base(path.Dir(p))
		id = strings.TrimSuffix(id, ext)
		if !(kind == "html" && (ext == ".html" || ext == ".htm") || kind == "gold" && ext == ".txt") || slices.Contains(skip, id) {
			return nil
		}
		b, err := archive.ReadAll(r)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", name, p, err)
		}
		if kind == "html" {
			html[id] = b
		} else {
			gold[id] = string(b)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(html) == 0 {
		return nil, fmt.Errorf("%s: no pages: wanted html/ID.html and gold/ID.txt", name)
	}
	return pair(html, gold, name, CleanLines, func(id string, raw []byte) (*page.Page, error) {
		p := &page.Page{ID: id, Raw: raw, MIME: "text/html"}
		return p, x.Do(ctx, p)
	})
}

// ReadDumps reads training pages from two folders or archives of text dumps with the same file
// names: raw, divided by [ncleaner.Segments], and manually cleaned, one paragraph per line or
// wrapped with empty lines between paragraphs. Examples are ordered by id, the name without its
// suffix. Ids in skip are omitted.
func ReadDumps(ctx context.Context, raw, cleaned string, skip []string) ([]Example, error) {
	x, err := extract.New(extract.Default)
	if err != nil {
		return nil, err
	}
	rawText, err := readTexts(raw, skip)
	if err != nil {
		return nil, err
	}
	cleanText, err := readTexts(cleaned, skip)
	if err != nil {
		return nil, err
	}
	if len(rawText) == 0 {
		return nil, fmt.Errorf("%s: no files", raw)
	}
	gold := map[string]string{}
	for id, b := range cleanText {
		gold[id] = string(b)
	}
	return pair(rawText, gold, cleaned, dumpLines, func(id string, b []byte) (*page.Page, error) {
		p := &page.Page{ID: id, Raw: b, MIME: "text/plain"}
		return p, x.Do(ctx, p)
	})
}

func readTexts(name string, skip []string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := archive.Walk(name, func(p string, r io.Reader) error {
		id := strings.TrimSuffix(p, path.Ext(p))
		if slices.Contains(skip, id) {
			return nil
		}
		b, err := archive.ReadAll(r)
		files[id] = b
		return err
	})
	return files, err
}

// pair returns the examples of raw files and gold texts by id.
func pair(raw map[string][]byte, gold map[string]string, name string,
	cutGold func(string) []string, cut func(id string, raw []byte) (*page.Page, error)) ([]Example, error) {
	var ids, missing []string
	for id := range raw {
		ids = append(ids, id)
		if _, ok := gold[id]; !ok {
			missing = append(missing, id)
		}
	}
	slices.Sort(ids)
	if len(missing) > 0 {
		slices.Sort(missing)
		return nil, fmt.Errorf("%s: %d pages have no clean text, the first is %q: add it or leave the page out", name, len(missing), missing[0])
	}
	examples := make([]Example, len(ids))
	var errs []error
	for i, id := range ids {
		p, err := cut(id, raw[id])
		if err != nil {
			errs = append(errs, fmt.Errorf("page %s: %w", id, err))
		}
		examples[i] = Example{Page: p, Clean: cutGold(valid(gold[id]))}
	}
	return examples, errors.Join(errs...)
}

func valid(text string) string { return strings.ToValidUTF8(text, "\ufffd") }

// CleanLines returns the nonempty lines of a gold text.
func CleanLines(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// dumpLines returns the texts of the segments of a text dump.
func dumpLines(text string) []string {
	return ncleaner.PageSegments(&page.Page{MIME: "text/plain", HTML: text})
}
