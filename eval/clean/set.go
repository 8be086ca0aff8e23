package clean

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"chaffinch/internal/archive"
	"chaffinch/internal/pytext"
)

// Set is a collection of pages with gold text.
type Set struct {
	// Name is the name of its folder or archive, such as "cleaneval-en-dev".
	Name string
	// Pages are in the order of their IDs.
	Pages []*Gold
	// SHA256 is over the names and contents of all files of the set, pages
	// included: that of the sorted lines that sha256sum prints for them.
	SHA256 string
	path   string
}

// Gold is what people say a page should become.
type Gold struct {
	ID string
	// Text is the gold text, one paragraph a line; Raw is the text as it was
	// distributed, with markers, or the same.
	Text, Raw string
	// Segments is the gold cut into typed segments; nil where the set has no
	// types in CleanEval's terms.
	Segments []Segment
	// With and Without are snippets that must, and must not, appear.
	With, Without []string
	// Meta is the page's line in meta.jsonl.
	Meta map[string]any

	snippetsOnly bool // the set has no full gold text
	variants     bool // the set is one of CleanEval's
	once         sync.Once
	form         form
}

// form is a gold text prepared for measuring.
type form struct {
	spread             bool
	normal, raw, strip []int32
	words, tokens      []string
	sentences          [][]string
}

// prepare makes the form on first use. It is safe for concurrent use.
func (g *Gold) prepare() *form {
	g.once.Do(func() {
		f := &g.form
		text := g.Text
		if f.spread = isUnspaced(text); f.spread {
			text = spread(text)
		}
		f.normal = runes(pytext.Collapse(g.Text))
		if g.variants {
			f.raw = runes(g.Raw)
			f.strip = runes(pytext.Strip(marker.ReplaceAllString(address.ReplaceAllString(g.Raw, ""), "")))
		}
		f.words = alignmentWords(text)
		f.tokens = pytext.Words(text)
		f.sentences = sentences(text)
	})
	return &g.form
}

// Sets lists the names of the sets in a data folder, in order.
func Sets(data string) ([]string, error) {
	var names []string
	for _, dir := range []string{filepath.Join(data, "eval"), data} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			name := trimArchive(e.Name())
			if e.IsDir() {
				if _, err := os.Stat(filepath.Join(dir, name, "meta.jsonl")); err != nil {
					continue
				}
			} else if name == e.Name() {
				continue
			}
			names = append(names, name)
		}
		if len(names) > 0 {
			slices.Sort(names)
			return slices.Compact(names), nil
		}
	}
	return nil, fmt.Errorf("%s: no evaluation sets (folders or .tar.zst archives, here or below eval/): name the data folder with --data", data)
}

var archiveEndings = []string{".tar.zst", ".tar.gz", ".tgz", ".tar"}

func trimArchive(name string) string {
	for _, e := range archiveEndings {
		if s, ok := strings.CutSuffix(name, e); ok {
			return s
		}
	}
	return name
}

// find returns the path of a set: name itself where it is a path, else a
// folder or archive of that name in data/eval or data. Folders come first.
func find(data, name string) (string, error) {
	places := []string{filepath.Join(data, "eval", name), filepath.Join(data, name)}
	if strings.ContainsAny(name, `/\`) {
		places = []string{name}
	}
	for _, p := range places {
		for _, e := range append([]string{""}, archiveEndings...) {
			if _, err := os.Stat(p + e); err == nil {
				return p + e, nil
			}
		}
	}
	msg := fmt.Sprintf("set %s: neither folder nor archive in %s", name, data)
	if known, err := Sets(data); err == nil {
		msg += ": there are " + strings.Join(known, ", ")
	} else {
		msg += ": name the data folder with --data"
	}
	return "", errors.New(msg)
}

// Open reads the gold of a set. The set is a folder or an archive (.tar,
// .tar.gz, .tar.zst) with html/ID.html, gold/ID.txt or segments/ID.json, and
// perhaps gold_raw/, gold_typed/ and meta.jsonl, at its top or in a folder of
// the set's name.
func Open(data, name string) (*Set, error) {
	path, err := find(data, name)
	if err != nil {
		return nil, err
	}
	s := &Set{Name: trimArchive(filepath.Base(path)), path: path}
	if err := s.read(); err != nil {
		return nil, fmt.Errorf("set %s: %w", s.Name, err)
	}
	return s, nil
}

// read fills s from its files.
func (s *Set) read() error {
	files := map[string][]byte{} // gold and what goes with it, by path in the set
	sums := []string{}
	err := archive.Walk(s.path, func(path string, r io.Reader) error {
		rel := strings.TrimPrefix(path, s.Name+"/")
		dir, _, _ := strings.Cut(rel, "/")
		h := sha256.New()
		r = io.TeeReader(r, h)
		switch dir {
		case "gold", "gold_raw", "gold_typed", "segments", "meta.jsonl":
			b, err := io.ReadAll(r)
			if err != nil {
				return err
			}
			files[rel] = b
		default:
			if _, err := io.Copy(io.Discard, r); err != nil {
				return err
			}
		}
		sums = append(sums, fmt.Sprintf("%x  %s\n", h.Sum(nil), rel))
		return nil
	})
	if err != nil {
		return err
	}
	slices.Sort(sums)
	s.SHA256 = digest(sums)
	meta, err := readMeta(files["meta.jsonl"])
	if err != nil {
		return fmt.Errorf("meta.jsonl: %w", err)
	}
	full := false
	for path := range files {
		full = full || strings.HasPrefix(path, "gold/")
	}
	for path, b := range files {
		var g *Gold
		if id, ok := idOf(path, "gold/", ".txt"); ok && full {
			if g, err = s.gold(id, b, files); err != nil {
				return err
			}
		} else if id, ok := idOf(path, "segments/", ".json"); ok && !full {
			g = &Gold{ID: id, snippetsOnly: true}
			if g.With, g.Without, err = readSnippets(b); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		} else {
			continue
		}
		g.Meta = meta[g.ID]
		s.Pages = append(s.Pages, g)
	}
	if len(s.Pages) == 0 {
		return fmt.Errorf("%s: no gold/ID.txt and no segments/ID.json", s.path)
	}
	slices.SortFunc(s.Pages, func(a, b *Gold) int { return strings.Compare(a.ID, b.ID) })
	return nil
}

func digest(lines []string) string {
	h := sha256.New()
	for _, l := range lines {
		io.WriteString(h, l)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func idOf(path, dir, ending string) (string, bool) {
	id, ok := strings.CutPrefix(path, dir)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(id, ending)
}

// gold makes the gold of one page of a set with full text.
func (s *Set) gold(id string, text []byte, files map[string][]byte) (*Gold, error) {
	g := &Gold{ID: id, Text: pytext.Decode(text)}
	g.variants = strings.HasPrefix(s.Name, "cleaneval") || strings.HasPrefix(s.Name, "cleanportal")
	g.Raw = g.Text
	if b, ok := files["gold_raw/"+id+".txt"]; ok {
		g.Raw = pytext.Decode(b)
	}
	if b, ok := files["gold_raw/"+id+".json"]; ok && strings.HasPrefix(s.Name, "wcxb") {
		var err error
		if g.With, g.Without, err = readSnippets(b); err != nil {
			return nil, fmt.Errorf("gold_raw/%s.json: %w", id, err)
		}
	}
	if b, ok := files["gold_typed/"+id+".tsv"]; ok {
		g.Segments = readTyped(b)
	}
	return g, nil
}

// readMeta reads one JSON object a line, by the field "id".
func readMeta(b []byte) (map[string]map[string]any, error) {
	out := map[string]map[string]any{}
	sc := bufio.NewScanner(bytes.NewReader(b))
	sc.Buffer(nil, 1<<26)
	for n := 1; sc.Scan(); n++ {
		if len(bytes.TrimSpace(sc.Bytes())) == 0 {
			continue
		}
		var m map[string]any
		if err := json.Unmarshal(sc.Bytes(), &m); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		id, ok := m["id"]
		if !ok {
			return nil, fmt.Errorf(`line %d: no field "id"`, n)
		}
		out[fmt.Sprint(id)] = m
	}
	return out, sc.Err()
}

// readSnippets reads {"with": [...], "without": [...]}, at the top or below
// "ground_truth".
func readSnippets(b []byte) (with, without []string, err error) {
	type lists struct{ With, Without []string }
	var in struct {
		lists
		Truth *lists `json:"ground_truth"`
	}
	if err := json.Unmarshal(b, &in); err != nil {
		return nil, nil, err
	}
	l := in.lists
	if in.Truth != nil {
		l = *in.Truth
	}
	return l.With, l.Without, nil
}

// readTyped reads lines of type, TAB, text. It returns nil where a type is not
// one of CleanEval's: p, h, l, or - for text under no marker.
func readTyped(b []byte) []Segment {
	out := []Segment{}
	for line := range strings.Lines(pytext.Decode(b)) {
		line = strings.TrimRight(line, "\r\n")
		kind, text, ok := strings.Cut(line, "\t")
		if !ok && line == "" {
			continue
		}
		switch kind {
		case "p", "h", "l":
			out = append(out, Segment{kind[0], text})
		case "-":
			out = append(out, Segment{0, text})
		default:
			return nil
		}
	}
	return out
}

// Only keeps the pages with the given IDs. It returns the IDs that the set
// does not have.
func (s *Set) Only(ids []string) (unknown []string) {
	want := map[string]bool{}
	for _, id := range ids {
		want[id] = true
	}
	s.Pages = slices.DeleteFunc(s.Pages, func(g *Gold) bool {
		keep := want[g.ID]
		delete(want, g.ID)
		return !keep
	})
	for _, id := range ids {
		if want[id] {
			unknown = append(unknown, id)
		}
	}
	return unknown
}

// EachPage calls fn with the bytes of each page of the set, in the order of
// the folder or archive. The bytes are fn's to keep. Pages that the set was
// told to leave out are not read.
func (s *Set) EachPage(fn func(g *Gold, html []byte) error) error {
	byID := make(map[string]*Gold, len(s.Pages))
	for _, g := range s.Pages {
		byID[g.ID] = g
	}
	err := archive.Walk(s.path, func(path string, r io.Reader) error {
		id, ok := idOf(strings.TrimPrefix(path, s.Name+"/"), "html/", ".html")
		g := byID[id]
		if !ok || g == nil {
			return nil
		}
		b, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		return fn(g, b)
	})
	if err != nil {
		return fmt.Errorf("set %s: %w", s.Name, err)
	}
	return nil
}

// Field returns a field of the page's metadata as text, "-" if it has none.
func (g *Gold) Field(name string) string {
	v, ok := g.Meta[name]
	if !ok || v == nil {
		return "-"
	}
	return fmt.Sprint(v)
}
