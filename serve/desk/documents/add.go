package documents

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	_ "chaffinch/extract/documents/readers"
	_ "chaffinch/model/data/languages"

	"chaffinch"
	"chaffinch/extract/site"
	"chaffinch/format/sniff"
	"chaffinch/input"
	"chaffinch/internal/files"
	"chaffinch/internal/sorts"
	"chaffinch/page"
	"chaffinch/serve/desk/journal"
	"chaffinch/text/langid"
)

// doc is a document of a set: a line of documents.jsonl.
type doc struct {
	ID    string `json:"id"`
	URL   string `json:"url,omitempty"`
	Title string `json:"title,omitempty"`
	Lang  string `json:"lang,omitempty"`
	From  string `json:"from,omitempty"` // file and record
	Text  string `json:"text"`

	site   string
	hash   string  // of the text
	unsure float64 // uncertainty of the model, 0 to 1
}

// complete sets the fields that follow from others.
func (d *doc) complete() {
	sum := sha256.Sum256([]byte(d.Text))
	d.hash = hex.EncodeToString(sum[:8])
	d.site = site.Host(d.URL)
}

// readDocs reads documents.jsonl. Without the file it returns no documents.
func readDocs(dir string) (all []*doc, err error) {
	name := filepath.Join(dir, documentsFile)
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	seen := map[string]int{}
	n := 0
	for line := range bytes.Lines(b) {
		if n++; len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		d := new(doc)
		if err := json.Unmarshal(line, d); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		switch first := seen[d.ID]; {
		case d.ID == "":
			return nil, fmt.Errorf("%s:%d: id: missing: wanted the id of the document", name, n)
		case first > 0:
			return nil, fmt.Errorf("%s:%d: duplicate id %q, first in line %d: remove one of the lines", name, n, d.ID, first)
		case strings.TrimSpace(d.Text) == "":
			return nil, fmt.Errorf("%s:%d: document %q: empty text: remove the line", name, n, d.ID)
		}
		seen[d.ID] = n
		d.complete()
		all = append(all, d)
	}
	return all, nil
}

// Added counts the results of Add.
type Added struct {
	// Documents were added, Known are in the set already or have the text of another document,
	// Skipped could not be read.
	Documents, Known, Skipped int
}

// AddConfig configures Add.
type AddConfig struct {
	// Scheme is the scheme of a new set.
	Scheme *Scheme
	// Input configures the reading of files.
	Input input.Config
	// Sample limits the number of added documents, which are drawn at random; 0: all.
	Sample int
	Seed   uint64
	// Skipped is called with the error of each unreadable document.
	Skipped func(error)
}

// pagesFile is a file of every set of pages of package desk.
const pagesFile = "meta.jsonl"

// maxDocuments is the maximum number of documents of a set.
const maxDocuments = 20_000

// Add adds the documents of files, folders and archives to the set in dir, which is created if it
// is missing. Clean text is read in all formats of collections; HTML and web archives are cleaned.
// Documents of the set are skipped.
func Add(ctx context.Context, dir string, paths []string, cfg AddConfig) (a Added, err error) {
	for _, p := range paths {
		if files.Within(p, dir) || files.Within(dir, p) {
			return a, fmt.Errorf("%s and %s: one is inside the other: documents must come from outside the set", p, dir)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, pagesFile)); err == nil {
		return a, fmt.Errorf("%s: a set of pages, of which blocks are labelled (%s): wanted another folder for documents", dir, pagesFile)
	}
	have, err := readDocs(dir)
	if err != nil {
		return a, err
	}
	r := reader{cfg: cfg, added: &a, known: map[string]bool{}}
	for _, d := range have {
		r.known[d.hash] = true
	}
	for _, p := range paths {
		if err := r.read(ctx, p); err != nil {
			return a, err
		}
	}
	if cfg.Sample > 0 {
		r.cut(cfg.Sample)
	}
	if n := len(have) + len(r.found); n > maxDocuments {
		return a, fmt.Errorf("%d documents, wanted at most %d in a set under annotation: take a sample", n, maxDocuments)
	}
	places := map[string]string{}
	for _, d := range have {
		places[d.ID] = d.From
	}
	for _, d := range r.found {
		if other, ok := places[d.ID]; ok {
			return a, fmt.Errorf("%s: duplicate id %q, also of another text (%s): wanted a different id for each document", d.From, d.ID, other)
		}
		places[d.ID] = d.From
	}
	if a.Documents = len(r.found); a.Documents == 0 {
		return a, nil
	}
	lock, err := journal.Lock(dir, labelFolder)
	if err != nil {
		return a, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if cfg.Scheme != nil && !Is(dir) {
		if err := saveScheme(dir, cfg.Scheme); err != nil {
			return a, err
		}
	}
	out, err := journal.Lines(append(have, r.found...))
	if err != nil {
		return a, err
	}
	return a, files.WriteFile(filepath.Join(dir, documentsFile), out)
}

// reader reads documents.
type reader struct {
	cfg     AddConfig
	added   *Added
	known   map[string]bool // hashes of texts
	found   []*doc
	langs   *langid.Detector
	cleaner *chaffinch.Cleaner
}

// read reads the documents of a file, folder or archive.
func (r *reader) read(ctx context.Context, path string) error {
	cfg := r.cfg.Input
	cfg.Kept = cfg.Form != "html" && cfg.Form != "warc"
	err := r.readAs(ctx, path, cfg)
	if wrong := (*sniff.Error)(nil); cfg.Kept && errors.As(err, &wrong) && (wrong.Form == sniff.HTML || wrong.Form == sniff.WARC) {
		cfg.Kept = false
		err = r.readAs(ctx, path, cfg)
	}
	return err
}

// readAs reads documents. It returns the error of the first document if that is of another
// format.
func (r *reader) readAs(ctx context.Context, path string, cfg input.Config) (err error) {
	in, err := input.Open([]string{path}, cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	for first := true; ; first = false {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := in.Next()
		if err == io.EOF {
			return nil
		}
		if wrong := (*sniff.Error)(nil); first && cfg.Kept && errors.As(err, &wrong) {
			return err
		}
		if err == nil && !cfg.Kept && p.Drop == page.None {
			err = r.clean(ctx, p)
		}
		if bad := (*page.Error)(nil); err != nil && !errors.As(err, &bad) {
			return err
		}
		if err == nil {
			err = r.take(p)
		}
		if err != nil {
			if r.added.Skipped++; r.cfg.Skipped != nil {
				r.cfg.Skipped(err)
			}
			continue
		}
		if n := r.cfg.Sample; n > 0 && len(r.found) >= 2*n+200 {
			r.cut(n)
		} else if n == 0 && len(r.found) > maxDocuments {
			return fmt.Errorf("more than %d documents: take a sample", maxDocuments)
		}
	}
}

// clean labels the blocks of a page.
func (r *reader) clean(ctx context.Context, p *page.Page) (err error) {
	if r.cleaner == nil {
		if r.cleaner, err = chaffinch.New(chaffinch.Options{}); err != nil {
			return err
		}
	}
	return r.cleaner.Do(ctx, p)
}

// take adds the text of a page to the found documents.
func (r *reader) take(p *page.Page) (err error) {
	d := &doc{ID: p.ID, URL: p.URL, Title: strings.TrimSpace(p.Meta.Title), Lang: p.KnownLang(), From: p.Source.File, Text: strings.TrimSpace(p.Text())}
	if p.Source.Record != "" {
		d.From += "#" + p.Source.Record
	}
	if d.Text == "" {
		why := errors.New("empty text: wanted text to label")
		if p.Drop != page.None {
			why = errors.New(p.Drop.Sentence())
		}
		return &page.Error{File: p.Source.File, Record: p.Source.Record, Offset: -1, Err: why}
	}
	if d.ID == "" {
		d.ID = d.From
	}
	if d.complete(); r.known[d.hash] {
		r.added.Known++
		return nil
	}
	r.known[d.hash] = true
	if d.Lang == "" {
		if d.Lang, err = r.lang(d.Text); err != nil {
			return err
		}
	}
	r.found = append(r.found, d)
	return nil
}

// lang detects the language of a text, "" if there is none.
func (r *reader) lang(text string) (_ string, err error) {
	if r.langs == nil {
		if r.langs, err = langid.New(langid.Default); err != nil {
			return "", err
		}
	}
	if l := r.langs.Detect(text).Lang; l != langid.Undetermined && l != langid.NoLanguage {
		return l, nil
	}
	return "", nil
}

// cut keeps a random sample of n documents.
func (r *reader) cut(n int) {
	key := func(d *doc) uint64 { return journal.Draw(fmt.Sprintf("%d %s", r.cfg.Seed, d.hash)) }
	sorts.StableFunc(r.found, func(a, b *doc) int { return cmp.Compare(key(a), key(b)) })
	r.found = slices.Clip(r.found[:min(n, len(r.found))])
}
