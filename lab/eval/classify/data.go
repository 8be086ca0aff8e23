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
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"chaffinch/internal/archive"
	"chaffinch/internal/packed"
	"chaffinch/lab/eval/floors"
	"chaffinch/lab/eval/texts"
	"chaffinch/page/weburl/registered"
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

// WriteTexts writes texts as JSON lines with id and text, for programs that compute vectors.
func WriteTexts(w io.Writer, p *texts.Pages, all []string) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for i, text := range all {
		if err := out.Encode(struct {
			ID   string `json:"id"`
			Text string `json:"text"`
		}{p.Pages[i].ID, text}); err != nil {
			return err
		}
	}
	return nil
}

// WriteFeatures writes the features of the documents of a split, as the linear learner uses them,
// in the format of LIBLINEAR: the labels, then INDEX:VALUE in ascending order, with indexes from 1.
func WriteFeatures(train, test io.Writer, x Vectors, labels [][]int, s Split) error {
	x = weighted(x, s.Train)
	write := func(to io.Writer, docs []int) error {
		w := bufio.NewWriter(to)
		var line []byte
		for _, i := range docs {
			line = line[:0]
			for k, c := range labels[i] {
				if k > 0 {
					line = append(line, ',')
				}
				line = strconv.AppendInt(line, int64(c), 10)
			}
			for _, f := range x[i] {
				line = strconv.AppendUint(append(line, ' '), uint64(f.id)+1, 10)
				line = strconv.AppendFloat(append(line, ':'), float64(f.value), 'g', -1, 32)
			}
			if _, err := w.Write(append(line, '\n')); err != nil {
				return err
			}
		}
		return w.Flush()
	}
	if err := write(train, s.Train); err != nil {
		return err
	}
	return write(test, s.Test)
}

// ReadVectors reads vectors of pages, JSON lines with id and vector in any order.
func ReadVectors(r io.Reader, p *texts.Pages) (Vectors, error) {
	number := make(map[string]int, len(p.Pages))
	for i, g := range p.Pages {
		number[g.ID] = i
	}
	out := make(Vectors, len(p.Pages))
	width, found := 0, 0
	in := json.NewDecoder(r)
	for n := 1; ; n++ {
		var v struct {
			ID     string
			Vector []float32
		}
		if err := in.Decode(&v); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("vector %d: %w", n, err)
		}
		i, ok := number[v.ID]
		if width == 0 {
			width = len(v.Vector)
		}
		switch {
		case !ok:
			return nil, fmt.Errorf("vector %d: id %q: no such page: wanted ids such as %s", n, v.ID, p.Pages[0].ID)
		case out[i] != nil:
			return nil, fmt.Errorf("vector %d: id %q has two", n, v.ID)
		case len(v.Vector) != width || width == 0 || width > 1<<bits:
			return nil, fmt.Errorf("vector %d: it has %d values, wanted %d as the first one, and 1 to %d", n, len(v.Vector), width, 1<<bits)
		}
		for k, value := range v.Vector {
			out[i] = append(out[i], feature{uint32(k), value})
		}
		found++
	}
	if found < len(out) {
		return nil, fmt.Errorf("%d of %d pages have no vector: wanted a line for each, with id and vector", len(out)-found, len(out))
	}
	return out, nil
}
