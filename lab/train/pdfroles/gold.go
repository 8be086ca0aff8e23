// Package pdfroles trains the model of format/pdf/roles from annotated PDF documents.
package pdfroles

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"chaffinch/format/document"
	"chaffinch/format/pdf"
	"chaffinch/format/pdf/roles"
	"chaffinch/internal/parallel"
)

// Doc is an annotated document.
type Doc struct {
	SHA256 string
	Kind   string // paper, report, leaflet, thesis, form, slides, book or newspaper
	Lang   string
	Owner  string // publisher: documents of a publisher stay together
	Roles  []Gold
	// Parts holds the paragraphs, and At the index of each annotated one; see Load.
	Parts *roles.Document
	At    []int
}

// Gold is the role of a paragraph.
type Gold struct {
	Key  string // see key
	Role roles.Role
}

// key returns the key of a paragraph in annotations: a hash of its page and text.
func key(p *roles.Paragraph) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\t%s", p.Page+1, p.Text))
	return hex.EncodeToString(sum[:4])
}

// Read reads annotations. A line "doc SHA256 KIND LANG OWNER" begins a document; the lines after it
// have the key and the role of a paragraph.
func Read(name string) ([]*Doc, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []*Doc
	s := bufio.NewScanner(f)
	for n := 1; s.Scan(); n++ {
		w := strings.Fields(s.Text())
		switch {
		case len(w) == 0 || strings.HasPrefix(w[0], "#"):
		case w[0] == "doc" && len(w) == 5:
			out = append(out, &Doc{SHA256: w[1], Kind: w[2], Lang: w[3], Owner: w[4]})
		case len(w) == 2 && len(out) > 0:
			role, err := roles.Parse(w[1])
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, n, err)
			}
			d := out[len(out)-1]
			d.Roles = append(d.Roles, Gold{w[0], role})
		default:
			return nil, fmt.Errorf("%s:%d: %q (wanted a document, or a key and a role)", name, n, s.Text())
		}
	}
	return out, s.Err()
}

// Load reads the documents from the files of a folder with their hashes as names, and finds the
// annotated paragraphs. missing counts the paragraphs that the reader no longer gives.
func Load(ctx context.Context, r *pdf.Reader, folder string, docs []*Doc) (missing int, err error) {
	errs := make([]error, len(docs))
	lost := make([]int, len(docs))
	parallel.Each(0, len(docs), func(i int) { lost[i], errs[i] = docs[i].load(ctx, r, folder) })
	for i, err := range errs {
		if err != nil {
			return missing, fmt.Errorf("%s: %w", docs[i].SHA256, err)
		}
		missing += lost[i]
	}
	return missing, nil
}

func (d *Doc) load(ctx context.Context, r *pdf.Reader, folder string) (missing int, err error) {
	raw, err := os.ReadFile(filepath.Join(folder, d.SHA256+".pdf"))
	if err != nil {
		return 0, err
	}
	if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != d.SHA256 {
		return 0, fmt.Errorf("the file has another hash")
	}
	if d.Parts, err = r.Parts(ctx, raw, document.Limits{MaxPages: 300}); err != nil {
		return 0, err
	}
	at := map[string][]int{} // paragraphs of a key, in order
	for i := range d.Parts.Paragraphs {
		k := key(&d.Parts.Paragraphs[i])
		at[k] = append(at[k], i)
	}
	for _, g := range d.Roles {
		if places := at[g.Key]; len(places) > 0 {
			d.At, at[g.Key] = append(d.At, places[0]), places[1:]
			continue
		}
		d.At = append(d.At, -1)
		missing++
	}
	return missing, nil
}
