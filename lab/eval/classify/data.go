package classify

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/zeebo/xxh3"
	"golang.org/x/net/html"

	"chaffinch/internal/archive"
	"chaffinch/internal/packed"
	"chaffinch/lab/eval/floors"
	"chaffinch/lab/eval/texts"
	"chaffinch/page/weburl/registered"
	"chaffinch/text/label"
)

// Task is a classification task: pages or texts with classes.
type Task struct {
	*texts.Pages
	Classes []string
	// Labels holds the labels of each page; Several is set if a page may have any number.
	Labels  [][]int
	Several bool
	Splits  []Split
	// Groups holds the group of each page. Decisions on pages of one group are dependent.
	Groups []string
	// Facts holds facts about each page: words of its title, headings and address. It is nil for
	// texts.
	Facts [][]string
	// Data identifies the bytes of the data.
	Data floors.Fingerprint
}

// universities lists the universities of WebKB that are held out in turn. Pages of others ("misc")
// are always used for training.
var universities = []string{"cornell", "texas", "washington", "wisconsin"}

// maxLine is the maximum length of a line in bytes.
const maxLine = 64 << 20

// eachLine calls fn with each line of the files with an ending in a folder or archive,
// decompressed, and returns the hash of all bytes.
func eachLine(data, ending string, fn func(file string, line []byte) error) (string, error) {
	found, err := archive.Find(data)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	err = archive.Walk(found, func(name string, r io.Reader) error {
		base := path.Base(name)
		if !strings.HasSuffix(strings.TrimSuffix(base, ".gz"), ending) {
			return nil
		}
		in, err := packed.NewReader(io.TeeReader(r, sum), packed.Config{})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		defer in.Close()
		s := bufio.NewScanner(in)
		s.Buffer(nil, maxLine)
		for n := 1; s.Scan(); n++ {
			if len(bytes.TrimSpace(s.Bytes())) == 0 {
				continue
			}
			if err := fn(base, s.Bytes()); err != nil {
				return fmt.Errorf("%s: line %d: %w", name, n, err)
			}
		}
		if err := s.Err(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

// WebKB reads the pages of WebKB, JSON lines with cls, univ, url and html. It has seven classes;
// each of four universities is held out once.
func WebKB(data string) (*Task, error) {
	t, universityOf, err := webKB(data)
	if err != nil {
		return nil, err
	}
	for _, u := range universities {
		s := Split{Name: u}
		for i := range t.Labels {
			if universityOf[i] == u {
				s.Test = append(s.Test, i)
			} else {
				s.Train = append(s.Train, i)
			}
		}
		if len(s.Test) > 0 {
			t.Splits = append(t.Splits, s)
		}
	}
	return t, nil
}

// WebKBOthers reads the pages of WebKB that [WebKB] never tests on, in five folds by domain, for
// choosing settings.
func WebKBOthers(data string) (*Task, error) {
	t, universityOf, err := webKB(data)
	if err != nil {
		return nil, err
	}
	t.Pages.Name = "webkb-misc"
	part := func(i int) int {
		host, _, _ := strings.Cut(t.Groups[i], "/")
		return int(xxh3.HashString(registered.Site("http://"+host)) % folds)
	}
	for k := range folds {
		s := Split{Name: fmt.Sprint(k + 1)}
		for i, u := range universityOf {
			switch {
			case slices.Contains(universities, u):
			case part(i) == k:
				s.Test = append(s.Test, i)
			default:
				s.Train = append(s.Train, i)
			}
		}
		t.Splits = append(t.Splits, s)
	}
	return t, nil
}

// webKB reads the pages and returns the university of each.
func webKB(data string) (t *Task, universityOf []string, err error) {
	t = &Task{Pages: &texts.Pages{Name: "webkb"}, Classes: []string{"course", "department", "faculty", "project", "staff", "student", "other"}}
	var pages [][]byte
	hash, err := eachLine(data, ".jsonl", func(_ string, line []byte) error {
		var p struct{ Cls, Univ, URL, HTML string }
		if err := json.Unmarshal(line, &p); err != nil {
			return err
		}
		c := slices.Index(t.Classes, p.Cls)
		if c < 0 {
			return fmt.Errorf("class %q: wanted one of %s", p.Cls, strings.Join(t.Classes, ", "))
		}
		t.Pages.Pages = append(t.Pages.Pages, texts.Page{ID: fmt.Sprintf("%05d", len(pages)), Lang: "en"})
		t.Labels = append(t.Labels, []int{c})
		t.Groups = append(t.Groups, folder(p.URL))
		t.Facts = append(t.Facts, facts(p.HTML, strings.ReplaceAll(p.URL, "\uf03a", ":")))
		pages, universityOf = append(pages, []byte(p.HTML)), append(universityOf, p.Univ)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	if len(pages) == 0 {
		return nil, nil, fmt.Errorf("%s: no pages: wanted JSON lines with cls, univ, url and html", data)
	}
	t.Each = texts.InMemory(pages)
	t.Data = floors.Fingerprint{SHA256: hash, Pages: len(pages)}
	return t, universityOf, nil
}

// folder returns the host and at most the first three folders of an address, which identify a
// course or a person. WebKB writes ":" as U+F03A.
func folder(address string) string {
	_, rest, _ := strings.Cut(strings.ReplaceAll(address, "\uf03a", ":"), "://")
	parts := strings.Split(strings.ToLower(rest), "/")
	return strings.Join(parts[:min(4, max(1, len(parts)-1))], "/")
}

// folds is the number of folds of documents without a published split.
const folds = 5

// Registers reads SweCORE or FreCORE, files NAME.LANG.SPLIT.jsonl.gz with labels and text: plain
// texts with any number of registers. The part train is used for training and dev for testing;
// without train, dev is divided into five folds.
func Registers(data, name string) (*Task, error) {
	t := &Task{Pages: &texts.Pages{Name: strings.ToLower(name), Plain: true}, Classes: []string{"NA", "IN", "OP", "ID", "IP", "HI", "LY", "SP"}, Several: true}
	var pages [][]byte
	parts := map[string][]int{}
	hash, err := eachLine(data, ".jsonl", func(file string, line []byte) error {
		f := strings.Split(file, ".")
		if !strings.EqualFold(f[0], name) || len(f) < 4 {
			return nil
		}
		var d struct {
			Labels []string
			Text   string
		}
		if err := json.Unmarshal(line, &d); err != nil {
			return err
		}
		var labels []int
		for _, l := range d.Labels {
			if c := slices.Index(t.Classes, l); c >= 0 && !slices.Contains(labels, c) {
				labels = append(labels, c)
			}
		}
		slices.Sort(labels)
		parts[f[2]] = append(parts[f[2]], len(pages))
		t.Pages.Pages = append(t.Pages.Pages, texts.Page{ID: fmt.Sprintf("%05d", len(pages)), Lang: f[1]})
		t.Labels = append(t.Labels, labels)
		pages = append(pages, []byte(d.Text))
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(parts["dev"]) == 0 {
		return nil, fmt.Errorf("%s: no %s.LANG.dev.jsonl.gz", data, name)
	}
	if len(parts["train"]) > 0 {
		t.Splits = []Split{{Name: "dev", Train: parts["train"], Test: parts["dev"]}}
	} else {
		for k := range folds {
			s := Split{Name: fmt.Sprint(k + 1)}
			for n, i := range parts["dev"] {
				if n%folds == k {
					s.Test = append(s.Test, i)
				} else {
					s.Train = append(s.Train, i)
				}
			}
			t.Splits = append(t.Splits, s)
		}
	}
	for _, g := range t.Pages.Pages {
		t.Groups = append(t.Groups, g.ID) // texts are independent
	}
	t.Each = texts.InMemory(pages)
	t.Data = floors.Fingerprint{SHA256: hash, Files: len(pages)}
	return t, nil
}

// facts returns the words of the title, the headings and the path of a page.
func facts(page, address string) (list []string) {
	for _, f := range label.URLFacts(address) {
		if !strings.HasPrefix(f, "host ") { // the hosts of the test pages are unknown
			list = append(list, f)
		}
	}
	if strings.Contains(address, "/~") {
		list = append(list, "home folder")
	}
	z := html.NewTokenizer(strings.NewReader(page))
	element := ""
	for {
		switch z.Next() {
		case html.ErrorToken:
			return list
		case html.StartTagToken:
			switch name, _ := z.TagName(); string(name) {
			case "title":
				element = "title "
			case "h1", "h2", "h3":
				element = "heading "
			}
		case html.EndTagToken:
			element = ""
		case html.TextToken:
			if element == "" {
				continue
			}
			for _, w := range strings.FieldsFunc(strings.ToLower(string(z.Text())), func(r rune) bool { return !unicode.IsLetter(r) }) {
				list = append(list, element+w)
			}
		}
	}
}
