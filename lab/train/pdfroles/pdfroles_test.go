package pdfroles_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/format/pdf"
	"chaffinch/format/pdf/roles"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/train/pdfroles"
)

func read(t *testing.T, text string) ([]*pdfroles.Doc, error) {
	name := must.File(t, "gold.tsv", text)
	return pdfroles.Read(name)
}

func TestRead(t *testing.T) {
	docs := must.Get(read(t, "# comment\ndoc ab report de village\n00000001 title\n00000002 body\ndoc cd form fi town\n00000003 other\n"))(t)
	if len(docs) != 2 || len(docs[0].Roles) != 2 || docs[1].Owner != "town" || docs[1].Roles[0].Role != roles.Other {
		t.Errorf("%+v", docs)
	}
	for text, want := range map[string]string{
		"00000001 title\n":                          "wanted a document",
		"doc ab report de village\n00000001 poem\n": `role "poem"`,
		"doc ab report de\n":                        "wanted a document",
	} {
		must.Fail(t, must.Err(read(t, text)), want)
	}
}

// TestLoad rejects a file with another hash.
func TestLoad(t *testing.T) {
	sum := sha256.Sum256([]byte("another"))
	doc := &pdfroles.Doc{SHA256: hex.EncodeToString(sum[:])}
	folder := t.TempDir()
	must.Write(t, filepath.Join(folder, doc.SHA256+".pdf"), "this")
	must.Fail(t, must.Err(pdfroles.Load(t.Context(), &pdf.Reader{}, folder, []*pdfroles.Doc{doc})), "another hash")
	if _, err := pdfroles.Load(t.Context(), &pdf.Reader{}, t.TempDir(), []*pdfroles.Doc{doc}); !os.IsNotExist(err) && err == nil {
		t.Error("a missing file is accepted")
	}
}

// synthetic returns documents whose large paragraphs are headings and whose fixed ones are code.
func synthetic(n int) []*pdfroles.Doc {
	var docs []*pdfroles.Doc
	for i := range n {
		d := &pdfroles.Doc{SHA256: fmt.Sprint(i), Owner: fmt.Sprint(i), Parts: &roles.Document{Size: 10, Sheets: []roles.Sheet{{Width: 595, Height: 842}}}}
		for k := range 30 {
			p := roles.Paragraph{X0: 72, X1: 500, Y0: float32(20 * k), Y1: float32(20*k + 12), Size: 1, Lines: 1, Text: strings.Repeat("ship ", 3+(i+k)%5), Image: 1e4}
			role := roles.Body
			switch (k + i) % 3 {
			case 0:
				p.Size, role = 1.5, roles.Heading
			case 1:
				p.Fixed, role = 1, roles.Code
			}
			d.Parts.Paragraphs = append(d.Parts.Paragraphs, p)
			d.Roles, d.At = append(d.Roles, pdfroles.Gold{Role: role}), append(d.At, k)
		}
		docs = append(docs, d)
	}
	return docs
}

func TestTrain(t *testing.T) {
	cfg := pdfroles.Default
	cfg.Forest.Trees = 60
	docs := synthetic(20)
	wrongly := cfg
	wrongly.Reach = -1
	if _, err := pdfroles.Train(t.Context(), wrongly, docs); err == nil {
		t.Error("a negative reach is accepted")
	}
	docs[0].At[3] = -1 // not found any more
	m := must.Get(pdfroles.Train(context.Background(), cfg, docs))(t)
	wrong := 0
	held := synthetic(22)[20:]
	for _, d := range held {
		for k, role := range m.Predict(d.Parts) {
			if role != d.Roles[k].Role {
				wrong++
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d are wrong", wrong, 30*len(held))
	}
	a, b := filepath.Join(t.TempDir(), "a.chf"), filepath.Join(t.TempDir(), "b.chf")
	must.Succeed(t, pdfroles.Save(a, m, docs, cfg))
	again := must.Get(pdfroles.Train(context.Background(), cfg, docs))(t)
	must.Succeed(t, pdfroles.Save(b, again, docs, cfg))
	x := must.Read(t, a)
	y := must.Get(os.ReadFile(b))(t)
	if string(x) != string(y) {
		t.Error("two trainings differ")
	}
}
