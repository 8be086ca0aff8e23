package langid

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"chaffinch/internal/archive"
)

// TrainConfig says how a model is trained.
type TrainConfig struct {
	// SourceBytes is how much is taken of one source in a language.
	SourceBytes int `json:"source_bytes"`
	// MinBytes is how much text a language must have; MinBytesTwo is the same
	// for a language whose code has two letters (ISO 639-1).
	MinBytes    int `json:"min_bytes"`
	MinBytesTwo int `json:"min_bytes_two"`
	// Words and Grams are the numbers of rows for words and n-grams.
	Words int `json:"words"`
	Grams int `json:"grams"`
	// MinCount is how often a feature must occur in one language.
	MinCount int `json:"min_count"`
	// Smoothing is the weight of the shorter n-gram, in occurrences.
	Smoothing float64 `json:"smoothing"`
	// RowLangs is the largest number of languages in a row.
	RowLangs int `json:"row_langs"`
	// RowDepth is how far below the best language of a row others are still
	// listed, in natural logarithms.
	RowDepth float64 `json:"row_depth"`
	// Epochs, Rate, Hold: passes of the regression, its first step, and its
	// pull towards the first weights.
	Epochs int `json:"epochs"`
	// Pieces is how many pieces of text a pass takes of each language.
	Pieces int     `json:"pieces"`
	Rate   float64 `json:"rate"`
	Hold   float64 `json:"hold"`
}

// DefaultTrain is the configuration of the embedded model.
var DefaultTrain = TrainConfig{SourceBytes: 600_000, MinBytes: 30_000, MinBytesTwo: 4000, Words: 120_000, Grams: 120_000, MinCount: 3,
	Smoothing: 3, RowLangs: 12, RowDepth: 5, Epochs: 3, Pieces: 3000, Rate: 0.05, Hold: 1e-4}

// Corpus is the training text: lines by language and source.
type Corpus struct {
	lines map[string]map[string][]string // language, source
}

// Read adds the files *.txt below a folder or in an archive. The language is
// lang, or else the name that follows a folder "txt", or else that of the
// file; the source is the folder above. It returns how many files were taken.
func (c *Corpus) Read(name, lang string) (taken int, err error) {
	err = archive.Walk(name, func(p string, r io.Reader) error {
		if path.Ext(p) != ".txt" {
			return nil
		}
		source, tag := sourceAndTag(p)
		if lang != "" {
			tag = lang
		}
		if t, ok := tagOf(tag); ok {
			taken++
			return c.Add(source, t, r)
		}
		return nil
	})
	if err == nil && taken == 0 {
		err = fmt.Errorf("%s: no file whose name or folder names a language: want txt/de.txt or txt/de/NAME.txt, or say which language it is", name)
	}
	return taken, err
}

// sourceAndTag takes a path such as "ml-guide/txt/de/intro.txt" apart.
func sourceAndTag(p string) (source, tag string) {
	parts := strings.Split(strings.TrimSuffix(p, ".txt"), "/")
	tag = parts[len(parts)-1]
	if i := slices.Index(parts, "txt"); i >= 0 && i+1 < len(parts) {
		return strings.Join(parts[:i], "/"), parts[i+1]
	}
	if len(parts) > 1 {
		if _, ok := tagOf(tag); !ok {
			tag = parts[len(parts)-2]
		}
	}
	return strings.Join(parts[:len(parts)-1], "/"), tag
}

// Add adds the lines of a text in the language of a BCP 47 tag.
func (c *Corpus) Add(source, tag string, r io.Reader) error {
	if c.lines == nil {
		c.lines = map[string]map[string][]string{}
	}
	if c.lines[tag] == nil {
		c.lines[tag] = map[string][]string{}
	}
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 1<<16), 1<<24)
	for in.Scan() {
		if line := strings.TrimSpace(in.Text()); line != "" {
			c.lines[tag][source] = append(c.lines[tag][source], line)
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("langid: %s (%s): %w", source, tag, err)
	}
	return nil
}

// text is the training text of one class.
type text struct {
	lang    string
	script  script
	sources []string
	lines   [][]string // by source
	bytes   int64
}

// texts returns the text of each language in the script that most of its
// letters have, as much as cfg takes, sorted by language.
func (c *Corpus) texts(cfg TrainConfig) []*text {
	var out []*text
	for _, lang := range slices.Sorted(maps.Keys(c.lines)) {
		t := &text{lang: lang}
		var all tally
		sources := c.lines[lang]
		for _, src := range slices.Sorted(maps.Keys(sources)) {
			for _, l := range sources[src][:min(200, len(sources[src]))] {
				count(l, &all)
			}
		}
		s, ok := all.script()
		if !ok {
			continue
		}
		t.script = s
		for _, src := range slices.Sorted(maps.Keys(sources)) {
			lines := t.take(sources[src], cfg.SourceBytes)
			t.sources, t.lines = append(t.sources, src), append(t.lines, lines)
		}
		base, _, _ := strings.Cut(lang, "-")
		if t.bytes >= int64(cfg.MinBytes) || len(base) == 2 && t.bytes >= int64(cfg.MinBytesTwo) {
			out = append(out, t)
		}
	}
	return out
}

// take returns lines in t's script, evenly spread, of about limit bytes.
func (t *text) take(lines []string, limit int) []string {
	total := 0
	for _, l := range lines {
		total += len(l)
	}
	var out []string
	sum, due := 0, 0
	for _, l := range lines {
		sum += len(l)
		if total > limit && int(float64(sum)*float64(limit)/float64(total)) <= due {
			continue
		}
		due += len(l)
		var c tally
		count(l, &c)
		if s, ok := c.script(); ok && s == t.script {
			out = append(out, l)
			t.bytes += int64(len(l))
		}
	}
	return out
}

// count counts the letters of line by script.
func count(line string, t *tally) {
	var w word
	for i := 0; ; {
		i = w.next(line, i)
		if w.n == 0 {
			return
		}
		t.letters[w.script] += int32(w.n) * scripts[w.script].weight
	}
}
