// Package charset scores programs that detect the encoding of files whose encoding is known. [Open]
// reads the files, [Run] applies a detector and [Evaluate] scores its answers.
//
// An answer is right if the file, decoded with it, is the same text as decoded with the true
// encoding. windows-1252 is right for a file in ISO 8859-1, and so is either of two encodings if
// the file has no characters in which they differ. Names are resolved as in the WHATWG Encoding
// standard (gb2312 as gb18030) for all programs.
package charset

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"chaffinch/internal/archive"
	"chaffinch/internal/sorts"
	"chaffinch/lab/eval/floors"
	"chaffinch/text/charset"
)

// File is a file with its true encoding.
type File struct {
	// Path is the path below the folder of the sets, such as "uchardet/fr/utf-8.txt".
	Path string
	// Set is the first part of the path.
	Set string
	// Lang and Encoding are the values in the index of the set.
	Lang, Encoding string
	// Name is Encoding as a name of package charset, "" if it cannot be decoded.
	Name string
	// Web is set if browsers decode the encoding.
	Web bool
	Raw []byte
}

// Open reads the sets called names of a folder or archive, or all sets if names is empty. A set is
// a folder whose files are listed in index.tsv. It is the index of the set (columns path,
// true_encoding, lang) or an index beside the sets (columns set, path_in_set, true_encoding, lang).
// The latter may list missing files.
func Open(name string, names []string) ([]*File, error) {
	raw := map[string][]byte{}
	var indexes []string
	err := archive.Walk(name, func(p string, r io.Reader) error {
		b, err := archive.ReadAll(r)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", name, p, err)
		}
		if path.Base(p) == "index.tsv" {
			indexes = append(indexes, p)
		}
		raw[p] = b
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(indexes) == 0 {
		return nil, fmt.Errorf("%s: no index.tsv: wanted a table with the columns path, true_encoding and lang", name)
	}
	var files []*File
	for _, p := range indexes {
		got, err := index(p, raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files = append(files, got...)
	}
	if len(names) > 0 {
		files = slices.DeleteFunc(files, func(f *File) bool { return !slices.Contains(names, f.Set) })
	}
	slices.SortFunc(files, func(a, b *File) int { return strings.Compare(a.Path, b.Path) })
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no file of the sets %s", name, strings.Join(names, ", "))
	}
	return files, nil
}

// index reads an index.
func index(p string, raw map[string][]byte) (files []*File, err error) {
	in := bufio.NewScanner(strings.NewReader(string(raw[p])))
	col := map[string]int{}
	for n := 1; in.Scan(); n++ {
		f := strings.Split(in.Text(), "\t")
		if n == 1 {
			for i, name := range f {
				col[name] = i
			}
			if _, ok := col["true_encoding"]; !ok {
				return nil, fmt.Errorf("%s: no column true_encoding", p)
			}
			continue
		}
		get := func(name string) string {
			if i, ok := col[name]; ok && i < len(f) {
				return f[i]
			}
			return ""
		}
		file := &File{Lang: get("lang"), Encoding: get("true_encoding")}
		file.Path = path.Join(path.Dir(p), cmp.Or(get("path"), path.Join(get("set"), get("path_in_set"))))
		b, ok := raw[file.Path]
		if !ok {
			if get("path") != "" {
				return nil, fmt.Errorf("%s:%d: no file %s", p, n, file.Path)
			}
			continue
		}
		file.Raw = b
		file.Set = path.Base(path.Dir(p))
		if s := get("set"); s != "" {
			file.Set = s
		}
		file.Lang = cmp.Or(file.Lang, path.Base(path.Dir(file.Path)))
		file.Path = file.Path[strings.LastIndex("/"+file.Path, "/"+file.Set+"/"):]
		file.Name = charset.Name(file.Encoding)
		file.Web = file.Name != "" && charset.IsWeb(file.Name)
		files = append(files, file)
	}
	return files, in.Err()
}

// Answer is the answer of a program for a file.
type Answer struct {
	Path     string `json:"path"`
	Encoding string `json:"encoding"`
	text     string
	done     bool
}

// ReadAnswers reads JSON lines with path and encoding. An empty encoding means unknown.
func ReadAnswers(r io.Reader) (map[string]*Answer, error) {
	out := map[string]*Answer{}
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		a := new(Answer)
		if err := json.Unmarshal(in.Bytes(), a); err != nil || a.Path == "" {
			return nil, fmt.Errorf("line %d: wanted an object with path and encoding: %v", n, err)
		}
		out[a.Path] = a
	}
	return out, in.Err()
}

// Run applies a detector to all files. The text of an answer is the decoded text with repairs.
func Run(d *charset.Detector, files []*File) map[string]*Answer {
	out := make(map[string]*Answer, len(files))
	for _, f := range files {
		r := d.Decode(f.Raw, "")
		out[f.Path] = &Answer{Path: f.Path, Encoding: r.Name, text: r.Text, done: true}
	}
	return out
}

// right reports whether an answer decodes f to the same text as the true encoding.
func right(f *File, a *Answer) bool {
	if a == nil || f.Name == "" {
		return false
	}
	text := a.text
	if !a.done {
		r, ok := charset.DecodeAs(f.Raw, a.Encoding)
		if !ok {
			return false
		}
		text = r.Text
	}
	truth, _ := charset.DecodeAs(f.Raw, f.Encoding)
	return text == truth.Text
}

// Score counts right answers.
type Score struct {
	Files, Right int
}

// share returns the fraction of right answers, 0 for no files.
func (s Score) share() float64 { return float64(s.Right) / float64(max(s.Files, 1)) }

// Percent returns the percentage of right answers.
func (s Score) Percent() float64 { return 100 * s.share() }

func (s *Score) add(ok bool) {
	s.Files++
	if ok {
		s.Right++
	}
}

// Confusion is a wrong answer with its frequency.
type Confusion struct {
	True, Lang, Answer string
	N                  int
	// Example is the path of the first file with this answer.
	Example string
}

// Result holds the scores of one program on one set.
type Result struct {
	Set, System string
	// All counts all files, Web the files in encodings that browsers decode, Legacy the files of
	// Web that are not in Unicode.
	All, Web, Legacy Score
	ByLang, ByName   map[string]*Score
	// Wrong lists the wrong answers, the most frequent first.
	Wrong []Confusion
}

// Floored returns the figures that have floors.
func (r *Result) Floored() map[string]float64 {
	return map[string]float64{"legacy": r.Legacy.share(), "web": r.Web.share(), "all": r.All.share()}
}

// Evaluate scores the answers of a program on the files of one set.
func Evaluate(set, system string, files []*File, answers map[string]*Answer) *Result {
	r := &Result{Set: set, System: system, ByLang: map[string]*Score{}, ByName: map[string]*Score{}}
	wrong := map[[3]string]*Confusion{}
	for _, f := range files {
		if f.Set != set {
			continue
		}
		a := answers[f.Path]
		ok := right(f, a)
		r.All.add(ok)
		if f.Web {
			r.Web.add(ok)
			if !strings.HasPrefix(f.Name, "utf-") {
				r.Legacy.add(ok)
			}
		}
		for m, k := range map[*map[string]*Score]string{&r.ByLang: f.Lang, &r.ByName: f.Encoding} {
			if (*m)[k] == nil {
				(*m)[k] = new(Score)
			}
			(*m)[k].add(ok)
		}
		if ok {
			continue
		}
		said := "none"
		if a != nil && a.Encoding != "" {
			said = a.Encoding
		}
		k := [3]string{f.Encoding, f.Lang, said}
		if wrong[k] == nil {
			wrong[k] = &Confusion{True: f.Encoding, Lang: f.Lang, Answer: said, Example: f.Path}
		}
		wrong[k].N++
	}
	keys := slices.Collect(maps.Keys(wrong))
	sorts.Func(keys, func(a, b [3]string) int {
		return cmp.Or(wrong[b].N-wrong[a].N, slices.Compare(a[:], b[:]))
	})
	for _, k := range keys {
		r.Wrong = append(r.Wrong, *wrong[k])
	}
	return r
}

// Fingerprint returns the fingerprint of the files of a set.
func Fingerprint(set string, files []*File) floors.Fingerprint {
	sum := sha256.New()
	n := 0
	for _, f := range files {
		if f.Set == set {
			fmt.Fprintf(sum, "%s\t%s\t%d\n", f.Path, f.Encoding, len(f.Raw))
			sum.Write(f.Raw)
			n++
		}
	}
	return floors.Fingerprint{SHA256: hex.EncodeToString(sum.Sum(nil)), Files: n}
}

// Sets returns the names of the sets of files, in order.
func Sets(files []*File) []string {
	seen := map[string]bool{}
	for _, f := range files {
		seen[f.Set] = true
	}
	return slices.Sorted(maps.Keys(seen))
}
