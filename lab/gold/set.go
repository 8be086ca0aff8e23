package gold

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"chaffinch/internal/archive"
	"chaffinch/internal/pytext"
	"chaffinch/page"
)

// Set is a collection of pages with their gold.
type Set struct {
	// Name is the name of the folder or archive, such as "cleaneval-en-dev".
	Name string
	// Pages are ordered by ID.
	Pages []*Page
	// Policy defines what counts as text in the set: [Text], [Main], [Article], running, or a
	// name known to a method. [Open] sets it from conventions.
	Policy string
	// Keep lists the roles of blocks in the gold, for methods with roles (see [page.ParseRoles]).
	Keep string
	// Weight is the weight of a page in training. Default: 1.
	Weight float64
	// Convention is the entry of conventions, "" for an unknown set.
	Convention string
	// SHA256 identifies the names and contents of all files of the set, including pages: it is the
	// hash of the sorted output of sha256sum for them.
	SHA256 string
	path   string
}

// Open reads the gold of the set called name in a data folder (or in its folder eval), or at that
// path. The set is a folder or an archive (.tar, .tar.gz, .tar.zst) with html/ID.html and
// gold/ID.txt or segments/ID.json. It may contain gold_raw/, gold_typed/, gold_comments/ and
// meta.jsonl. The files are at its top or in a folder with the name of the set.
func Open(data, name string) (*Set, error) {
	path, err := find(data, name)
	if err != nil {
		return nil, err
	}
	s := &Set{Name: SetName(path), path: path}
	s.follow(ConventionOf(s.Name))
	if err := s.read(); err != nil {
		return nil, fmt.Errorf("set %s: %w", s.Name, err)
	}
	return s, nil
}

// follow sets the convention of s.
func (s *Set) follow(c Convention) {
	s.Policy, s.Keep, s.Weight, s.Convention = c.Policy, c.Keep, c.Weight, ""
	if c.Policy != Text && (c.Set != s.Name || slices.Contains(conventions, c)) {
		s.Convention = c.Set
	}
}

// Follow sets a policy that may differ from the convention of s: one of [Text], [Main], [Article]
// and running, or a list of roles.
func (s *Set) Follow(policy string) error {
	if _, err := page.ParseRoles(keepOf(policy)); err != nil {
		return fmt.Errorf("set %s: policy %q: wanted text, main, article, running or a list of roles: %w", s.Name, policy, err)
	}
	s.Policy, s.Keep, s.Convention = policy, keepOf(policy), ""
	return nil
}

// read reads the files of s.
func (s *Set) read() error {
	files := map[string][]byte{} // gold and related files, by path in the set
	sums := []string{}
	pages := map[string]string{} // SHA-256 of each page, by its ID
	err := archive.Walk(s.path, func(path string, r io.Reader) error {
		rel := strings.TrimPrefix(path, s.Name+"/")
		dir, _, _ := strings.Cut(rel, "/")
		h := sha256.New()
		r = io.TeeReader(r, h)
		switch dir {
		case "gold", "gold_comments", "gold_raw", "gold_typed", "segments", "meta.jsonl":
			b, err := archive.ReadAll(r)
			if err != nil {
				return err
			}
			files[rel] = b
		default:
			if _, err := io.Copy(io.Discard, r); err != nil {
				return err
			}
		}
		sum := hex.EncodeToString(h.Sum(nil))
		if id, ok := idOf(rel, "html/", ".html"); ok {
			pages[id] = sum
		}
		sums = append(sums, sum+"  "+rel+"\n")
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
		var g *Page
		if id, ok := idOf(path, "gold/", ".txt"); ok && full {
			if g, err = s.gold(id, b, files); err != nil {
				return err
			}
		} else if id, ok := idOf(path, "segments/", ".json"); ok && !full {
			g = &Page{ID: id, SnippetsOnly: true}
			if g.With, g.Without, err = readSnippets(b); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		} else {
			continue
		}
		g.Meta, g.SHA256 = meta[g.ID], pages[g.ID]
		s.Pages = append(s.Pages, g)
	}
	if len(s.Pages) == 0 {
		return fmt.Errorf("%s: no gold/ID.txt and no segments/ID.json", s.path)
	}
	if !slices.ContainsFunc(s.Pages, func(g *Page) bool { return g.Comments != "" }) {
		for _, g := range s.Pages {
			g.Commented = false
		}
	}
	slices.SortFunc(s.Pages, func(a, b *Page) int { return strings.Compare(a.ID, b.ID) })
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

// gold returns the gold of a page of a set with full text.
func (s *Set) gold(id string, text []byte, files map[string][]byte) (*Page, error) {
	g := &Page{ID: id, Text: pytext.Decode(text)}
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
		g.Segments = ReadTyped(b)
		g.Comments = readComments(b)
		g.Commented = true // unless the set has no comments at all
	}
	if b, ok := files["gold_comments/"+id+".txt"]; ok {
		g.Comments, g.Commented = pytext.Decode(b), true
	}
	return g, nil
}

// Only keeps the pages with the given IDs. It returns the IDs that are not in the set.
func (s *Set) Only(ids []string) (unknown []string) {
	want := map[string]bool{}
	for _, id := range ids {
		want[id] = true
	}
	s.Pages = slices.DeleteFunc(s.Pages, func(g *Page) bool {
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

// EachPage calls fn with the bytes of each page of the set in the order of the folder or archive.
// fn may keep the bytes. Pages that were removed from the set are skipped.
func (s *Set) EachPage(fn func(g *Page, html []byte) error) error {
	byID := make(map[string]*Page, len(s.Pages))
	for _, g := range s.Pages {
		byID[g.ID] = g
	}
	err := archive.Walk(s.path, func(path string, r io.Reader) error {
		id, ok := idOf(strings.TrimPrefix(path, s.Name+"/"), "html/", ".html")
		g := byID[id]
		if !ok || g == nil {
			return nil
		}
		b, err := archive.ReadAll(r)
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

// Path returns the folder or archive that the set was read from.
func (s *Set) Path() string { return s.path }
