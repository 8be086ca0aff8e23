// Package ir measures retrieval: [Collections] reads collections with judged topics, [Build]
// indexes and ranks, [Score] computes the measures of trec_eval and [Compare] tests differences. It
// also measures the cost of an index and the effect of cleaning on all of these.
package ir

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"chaffinch/internal/archive"
	"chaffinch/lab/eval/floors"
)

// Topic is a query with its name in the judgements.
type Topic struct{ ID, Text string }

// Doc is a document: a title, which may be empty, and text.
type Doc struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// All returns the title and the text.
func (d *Doc) All() string {
	if d.Title == "" {
		return d.Text
	}
	return d.Title + "\n" + d.Text
}

// Qrels holds relevance judgements by topic and document. Missing documents were not judged.
type Qrels map[string]map[string]int

// Collection is a set of documents with topics and judgements.
type Collection struct {
	Name   string
	Docs   []Doc
	Topics []Topic
	Qrels  Qrels
	// Data identifies the bytes of the collection.
	Data floors.Fingerprint
}

// Collections reads the collections of a folder or archive in the order of their names. A
// collection is a folder with docs.jsonl (id, title, text), qrels.txt in TREC's four columns, and
// topics as queries.tsv (id, TAB, text) or topics.trec. wanted selects collections; empty means
// all.
func Collections(data string, wanted []string) ([]*Collection, error) {
	found, err := archive.Find(data)
	if err != nil {
		return nil, err
	}
	all := map[string]map[string][]byte{}
	err = archive.Walk(found, func(name string, r io.Reader) error {
		dir, base := path.Split(name)
		dir = path.Base(path.Clean("/" + dir))
		if dir == "/" {
			dir = archive.Stem(filepath.Base(found))
		}
		switch base {
		case "docs.jsonl", "qrels.txt", "queries.tsv", "topics.trec":
		default:
			return nil
		}
		if len(wanted) > 0 && !slices.Contains(wanted, dir) {
			return nil
		}
		b, err := archive.ReadAll(r)
		if err != nil {
			return err
		}
		if all[dir] == nil {
			all[dir] = map[string][]byte{}
		}
		all[dir][base] = b
		return nil
	})
	if err != nil {
		return nil, err
	}
	var out []*Collection
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c, err := newCollection(name, all[name])
		if err != nil {
			return nil, fmt.Errorf("%s: collection %s: %w", data, name, err)
		}
		out = append(out, c)
	}
	for _, w := range wanted {
		if !slices.ContainsFunc(out, func(c *Collection) bool { return c.Name == w }) {
			return nil, fmt.Errorf("%s: no collection %s: wanted a folder of that name with docs.jsonl, queries.tsv and qrels.txt", data, w)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no collection: wanted folders with docs.jsonl, queries.tsv and qrels.txt", data)
	}
	return out, nil
}

func newCollection(name string, parts map[string][]byte) (*Collection, error) {
	c := &Collection{Name: name}
	sum := sha256.New()
	for _, part := range slices.Sorted(maps.Keys(parts)) {
		sum.Write(parts[part])
	}
	seen := map[string]bool{}
	for n, line := range bytes.Split(parts["docs.jsonl"], []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var d Doc
		if err := json.Unmarshal(line, &d); err != nil {
			return nil, fmt.Errorf("docs.jsonl: line %d: %w", n+1, err)
		}
		if d.ID == "" || seen[d.ID] || strings.ContainsAny(d.ID, " \t\r\n") {
			return nil, fmt.Errorf("docs.jsonl: line %d: id %q: wanted a unique id without spaces", n+1, d.ID)
		}
		seen[d.ID] = true
		c.Docs = append(c.Docs, d)
	}
	var err error
	if b, ok := parts["topics.trec"]; ok {
		c.Topics, err = ReadTopics(bytes.NewReader(b), nil)
	} else {
		c.Topics, err = ReadQueries(bytes.NewReader(parts["queries.tsv"]))
	}
	if err != nil {
		return nil, err
	}
	if c.Qrels, err = ReadQrels(bytes.NewReader(parts["qrels.txt"])); err != nil {
		return nil, err
	}
	switch {
	case len(c.Docs) == 0:
		return nil, errors.New("docs.jsonl has no documents: wanted lines of id, title and text")
	case len(c.Topics) == 0:
		return nil, errors.New("it has no topics: wanted queries.tsv, lines of ID, TAB, text, or topics.trec")
	}
	c.Data = floors.Fingerprint{SHA256: hex.EncodeToString(sum.Sum(nil)), Files: len(c.Docs), Lines: len(c.Topics)}
	return c, nil
}

// lines calls fn with each nonempty line. Errors of fn are wrapped with the line number, from 1.
func lines(r io.Reader, what string, fn func(line string) error) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, 16<<20)
	n := 0
	for s.Scan() {
		n++
		if strings.TrimSpace(s.Text()) == "" {
			continue
		}
		if err := fn(s.Text()); err != nil {
			return fmt.Errorf("%s: line %d: %w", what, n, err)
		}
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("%s: line %d: %w", what, n+1, err)
	}
	return nil
}

// ReadQueries reads topics, one per line: id, TAB, text.
func ReadQueries(r io.Reader) (topics []Topic, err error) {
	err = lines(r, "queries", func(line string) error {
		id, text, ok := strings.Cut(line, "\t")
		if !ok {
			return fmt.Errorf("%.40q has no tab: wanted ID, TAB, text", line)
		}
		topics = append(topics, Topic{strings.TrimSpace(id), strings.TrimSpace(text)})
		return nil
	})
	return topics, err
}

// ReadTopics reads topics in TREC's format: <top>, <num>, <title>, <desc>, <narr>, with or without
// end tags. fields are the fields of the query. Default: title.
func ReadTopics(r io.Reader, fields []string) ([]Topic, error) {
	if len(fields) == 0 {
		fields = []string{"title"}
	}
	var topics []Topic
	parts := map[string]string{}
	field := ""
	add := func(text string) { parts[field] += " " + text }
	err := lines(r, "topics", func(line string) error {
		line = strings.TrimSpace(line)
		for line != "" {
			if !strings.HasPrefix(line, "<") {
				text, rest, more := strings.Cut(line, "<")
				add(text)
				if line = ""; more {
					line = "<" + rest
				}
				continue
			}
			tag, rest, ok := strings.Cut(line[1:], ">")
			if !ok {
				return fmt.Errorf("%.40q: a tag that does not end", line)
			}
			line = strings.TrimSpace(rest)
			tag, _, _ = strings.Cut(strings.ToLower(tag), " ")
			switch {
			case tag == "top" || tag == "topic":
				clear(parts)
			case tag == "/top" || tag == "/topic":
				t := Topic{ID: afterLabel(parts["num"], "number:")}
				for _, f := range fields {
					text := parts[f]
					for _, label := range []string{"topic:", "description:", "narrative:"} {
						text = afterLabel(text, label)
					}
					t.Text = strings.TrimSpace(t.Text + " " + strings.Join(strings.Fields(text), " "))
				}
				if t.ID == "" || t.Text == "" {
					return fmt.Errorf("topic %q has no number or no text in %s", t.ID, strings.Join(fields, ", "))
				}
				topics = append(topics, t)
				field = ""
			case strings.HasPrefix(tag, "/"):
				field = ""
			default:
				field = tag
			}
		}
		return nil
	})
	return topics, err
}

// afterLabel removes a label such as "Number:" from the beginning of text.
func afterLabel(text, label string) string {
	text = strings.TrimSpace(text)
	if len(text) >= len(label) && strings.EqualFold(text[:len(label)], label) {
		text = strings.TrimSpace(text[len(label):])
	}
	return text
}

// ReadQrels reads judgements: topic, 0, document, relevance.
func ReadQrels(r io.Reader) (Qrels, error) {
	q := Qrels{}
	err := lines(r, "qrels", func(line string) error {
		f := strings.Fields(line)
		if len(f) != 4 {
			return fmt.Errorf("%.60q: wanted TOPIC 0 DOCUMENT RELEVANCE", line)
		}
		rel, err := strconv.Atoi(f[3])
		if err != nil || rel > maxRelevance {
			return fmt.Errorf("relevance %q: wanted a whole number of at most %d", f[3], maxRelevance)
		}
		if q[f[0]] == nil {
			q[f[0]] = map[string]int{}
		}
		q[f[0]][f[2]] = rel
		return nil
	})
	if err == nil && len(q) == 0 {
		err = errors.New("qrels: no judgements: wanted lines of TOPIC 0 DOCUMENT RELEVANCE")
	}
	return q, err
}

// maxRelevance limits 2^relevance, so that sums do not overflow.
const maxRelevance = 100

// Write writes judgements in TREC's format, sorted.
func (q Qrels) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	for _, t := range slices.Sorted(maps.Keys(q)) {
		for _, d := range slices.Sorted(maps.Keys(q[t])) {
			fmt.Fprintf(out, "%s 0 %s %d\n", t, d, q[t][d])
		}
	}
	return out.Flush()
}

// Entry is a document listed by a run for a topic.
type Entry struct {
	Doc   string
	Score float64
}

// Run holds the ranked documents of a program for each topic.
type Run struct {
	Name   string
	Topics map[string][]Entry
}

// ReadRun reads a run in TREC's format: topic, Q0, document, rank, score, name. Documents are
// ordered by score; ranks are ignored, as in trec_eval.
func ReadRun(r io.Reader) (*Run, error) {
	run := &Run{Topics: map[string][]Entry{}}
	seen := map[string]bool{}
	err := lines(r, "run", func(line string) error {
		f := strings.Fields(line)
		if len(f) != 6 {
			return fmt.Errorf("%.60q: wanted TOPIC Q0 DOCUMENT RANK SCORE NAME", line)
		}
		score, err := strconv.ParseFloat(f[4], 64)
		if err != nil || math.IsNaN(score) {
			return fmt.Errorf("score %q: wanted a number", f[4])
		}
		key := f[0] + "\t" + f[2]
		if seen[key] {
			return fmt.Errorf("document %s occurs twice under topic %s", f[2], f[0])
		}
		seen[key] = true
		run.Name = f[5]
		run.Topics[f[0]] = append(run.Topics[f[0]], Entry{f[2], score})
		return nil
	})
	if err == nil && len(run.Topics) == 0 {
		err = errors.New("run: it is empty: wanted lines of TOPIC Q0 DOCUMENT RANK SCORE NAME")
	}
	return run, err
}

// Write writes the run in TREC's format, topics in order.
func (r *Run) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	name := strings.Join(strings.Fields(r.Name), "-")
	for _, t := range slices.SortedFunc(maps.Keys(r.Topics), byNumber) {
		for i, e := range r.Topics[t] {
			fmt.Fprintf(out, "%s Q0 %s %d %.9g %s\n", t, e.Doc, i+1, e.Score, cmp.Or(name, "chaffinch"))
		}
	}
	return out.Flush()
}

// byNumber compares topics by number if they have one; others follow.
func byNumber(a, b string) int {
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	switch {
	case errX == nil && errY == nil:
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	case errX == nil:
		return -1
	case errY == nil:
		return 1
	}
	return cmp.Compare(a, b)
}

// ReadFile reads a file with a reader of this package and adds its name to errors.
func ReadFile[T any](name string, read func(io.Reader) (T, error)) (T, error) {
	var none T
	f, err := os.Open(name)
	if err != nil {
		return none, err
	}
	defer f.Close()
	v, err := read(f)
	if err != nil {
		return none, fmt.Errorf("%s: %w", name, err)
	}
	return v, nil
}
