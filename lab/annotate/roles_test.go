package annotate

import (
	"bytes"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/lab/gold"
	"chaffinch/page"
)

// work makes a folder with a sheet of four blocks and its labels, and more files.
func work(t *testing.T, labels string, more map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{
		"sheets/a.json": `{"set":"s","id":"x/a","sha256":"0123456789abcdef","blocks":[[5,10],[12,31],[20,25],[40,44]]}`,
		"labels/a.txt":  labels,
	}
	maps.Copy(files, more)
	must.WriteAll(t, dir, files)
	return dir
}

func TestReadRoleLabels(t *testing.T) {
	dir := work(t, "\ufeff# mine\r\n1-2 body*   # both\r\n3\tbody\r\n\r\n0-0 title\r\n", map[string]string{
		"sheets/b.json": `{"set":"r","id":"b","sha256":"0123456789abcdef","blocks":[[1,2]]}`,
		"sheets/c.json": `{"set":"r","id":"a","sha256":"0123456789abcdef","blocks":[[1,2]]}`,
		"labels/c.txt":  "0 post\n",
	})
	pages, unread, err := ReadRoleLabels(dir, LabelFolder)
	must.Succeed(t, err)
	var out bytes.Buffer
	must.Succeed(t, gold.WriteRolePages(&out, pages))
	want := "page\tr/a\t0123456789abcdef\n1\t2\tpost\npage\ts/x/a\t0123456789abcdef\n5\t10\ttitle\n12\t31\tbody*\n40\t44\tbody\n"
	must.Equal(t, out.String(), want)
	if len(unread) != 1 || unread[0] != "b" {
		t.Errorf("sheets without labels: %v, want b", unread)
	}
}

func TestRoleLabelMistakes(t *testing.T) {
	for _, c := range []struct {
		labels string
		more   map[string]string
		want   []string
	}{
		{"0-3 main\n", nil, []string{`a.txt:1: role "main": wanted one of title, `, "a.txt: no role for blocks 0 to 3 of 4"}},
		{"0-1 title\n1-4 body\n", nil, []string{"a.txt:2: block 4: the page has 4, numbered from 0", "a.txt: no role for blocks 2 to 3 of 4"}},
		{"0-1 title\n1-3 body\n", nil, []string{"a.txt:2: block 1 has a role already, from line 1"}},
		{"0-3 title body\n", nil, []string{`a.txt:1: "0-3 title body": wanted FROM-TO ROLE`}},
		{"3-0 title\n", nil, []string{`a.txt:1: blocks "3-0": wanted FROM-TO`}},
		{"x title\n-1 title\n1- body\n", nil, []string{`a.txt:1: blocks "x"`, `a.txt:2: blocks "-1"`, `a.txt:3: blocks "1-"`}},
		{"0-1 title\n3 body\n", nil, []string{"a.txt: no role for block 2 of 4"}},
		{strings.Repeat("x y z\n", 12), nil, []string{"a.txt: 3 mistakes more"}},
		{"0-3 body\n", map[string]string{"labels/z.txt": "0 body\n"}, []string{"z.txt: no sheet "}},
		{"0-3 body\n", map[string]string{"sheets/b.json": `{"set":"s","id":"x/a","sha256":"0","blocks":[[1,2]]}`, "labels/b.txt": "0 body\n"}, []string{"b.txt: page s/x/a has labels in "}},
		{"0-3 body\n", map[string]string{"sheets/a.json": "[[1,2]]"}, []string{"a.json: ", "wanted an object with set, id, sha256 and blocks"}},
		{"0-3 body\n", map[string]string{"sheets/a.json": "{}"}, []string{`a.json: set "", id "", sha256 "": wanted all of them`}},
	} {
		_, _, err := ReadRoleLabels(work(t, c.labels, c.more), LabelFolder)
		for _, want := range c.want {
			must.Fail(t, err, want)
		}
	}
	if _, _, err := ReadRoleLabels(work(t, "0-3 body\n", nil), "second"); err == nil || !strings.Contains(err.Error(), "no labels: wanted NAME.txt for a sheet, such as a.txt") {
		t.Errorf("no labels: error %v", err)
	}
	if _, _, err := ReadRoleLabels(t.TempDir(), LabelFolder); err == nil || !strings.Contains(err.Error(), "no sheets") {
		t.Errorf("no sheets: error %v", err)
	}
}

func TestSheet(t *testing.T) {
	long := strings.Repeat("é", 100) + strings.Repeat("m", 60) + strings.Repeat("z", 40)
	p := &page.Page{URL: "http://mill.org/", Meta: page.Metadata{Title: "The\nMill"}, Blocks: []page.Block{
		{Text: "Home", Path: "html.body.nav.ul.li", LinkChars: 4, Start: 3, End: 7},
		{Text: "a\nb\u2028c", Path: "html.pre", Hidden: true, Start: 10, End: 15},
		{Text: long, Path: "p", Start: 20, End: 320},
	}}
	s := NewSheet("set", "a", []byte("bytes"), p)
	var out bytes.Buffer
	must.Succeed(t, s.WriteText(&out))
	want := "# set a  address: http://mill.org/\n# title of the page: The Mill\n" +
		"0 <nav.ul.li> L Home\n1 <html.pre> H a ⏎ b c\n2 <p> " + strings.Repeat("é", 100) + strings.Repeat("m", 20) + " …[200 chars]… " + strings.Repeat("z", 40) + "\n"
	must.Equal(t, out.String(), want)
	path := filepath.Join(t.TempDir(), "a.json")
	if same, err := s.Same(path); err != nil || !same {
		t.Errorf("no earlier sheet: %v, %v", same, err)
	}
	out.Reset()
	must.Succeed(t, s.WriteSpans(&out))
	must.Write(t, path, out.Bytes())
	if same, err := s.Same(path); err != nil || !same {
		t.Errorf("the same sheet: %v, %v", same, err)
	}
	p.Blocks[2].End = 321
	if same, err := NewSheet("set", "a", []byte("bytes"), p).Same(path); err != nil || same {
		t.Errorf("another block: %v, %v", same, err)
	}
	p.Blocks[2].End = 320
	if same, err := NewSheet("set", "a", []byte("other"), p).Same(path); err != nil || same {
		t.Errorf("other bytes: %v, %v", same, err)
	}
}
