package langid

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"chaffinch/format/sniff"
	"chaffinch/internal/archive"
	"chaffinch/text/langid/evidence"
)

// Config configures the training of a model.
type Config struct {
	// SourceBytes is the maximum size of text per source and language.
	SourceBytes int `json:"source_bytes"`
	// MinBytes is the minimum size of text of a language. MinBytesTwo is the minimum for languages
	// with a code of two letters (ISO 639-1).
	MinBytes    int `json:"min_bytes"`
	MinBytesTwo int `json:"min_bytes_two"`
	// Words and Grams are the numbers of rows for words and for n-grams.
	Words int `json:"words"`
	Grams int `json:"grams"`
	// MinRows is the minimum number of rows of each kind for a script, if the text has so many
	// features. Without it, scripts of many languages have nearly all rows.
	MinRows int `json:"min_rows"`
	// MinCount is the minimum count of a feature in one language.
	MinCount int `json:"min_count"`
	// Smoothing is the weight of the shorter n-gram in occurrences.
	Smoothing float64 `json:"smoothing"`
	// Pairs is the total number of pairs of a language and a weight.
	Pairs int `json:"pairs"`
	// WordMax and GramMax are the maximum numbers of pairs in the row of a word and of an n-gram.
	WordMax int `json:"word_max"`
	GramMax int `json:"gram_max"`
	// MinPairs is the minimum number of pairs in a row. In a script of at most FewClasses languages
	// a row has all pairs.
	MinPairs   int `json:"min_pairs"`
	FewClasses int `json:"few_classes"`
	// RowDepth is the maximum distance of a weight from the level of its row, in natural
	// logarithms.
	RowDepth float64 `json:"row_depth"`
	// Epochs is the number of passes of the regression over the rows of a script. Rate is the
	// initial learning rate, Hold the strength of the penalty for distance from the initial weights.
	Epochs int `json:"epochs"`
	// Pieces is the number of pieces of text per language and pass.
	Pieces int     `json:"pieces"`
	Rate   float64 `json:"rate"`
	Hold   float64 `json:"hold"`
	// WordPrior is the weight of the prior of a word in running words. GramWeight is the weight of
	// an n-gram of a word; it is below 1 since n-grams overlap.
	WordPrior  float64 `json:"word_prior"`
	GramWeight float64 `json:"gram_weight"`
	// ListWords is the weight of a word list in running words.
	ListWords float64 `json:"list_words"`
	// Prior is the weight of the logarithm of the frequency of a language on the web, relative to
	// Common bytes. More frequent languages have no prior.
	Prior  float64 `json:"prior"`
	Common float64 `json:"common"`
	// Caution is a factor of scores before they become probabilities, since other text is harder
	// than held-out training text.
	Caution float64 `json:"caution"`
	// NoiseOdds is the prior odds of noise against language.
	NoiseOdds float64 `json:"noise_odds"`
	// StrangeOdds is the prior odds of a language that the model does not know.
	StrangeOdds float64 `json:"strange_odds"`
}

// Check returns an error if the settings are invalid.
func (cfg Config) Check() error {
	switch {
	case cfg.SourceBytes < 1 || cfg.MinBytes < 0 || cfg.MinBytesTwo < 0:
		return fmt.Errorf("langid: %d bytes of a source, at least %d and %d of a language: wanted 1 or more, and 0 or more", cfg.SourceBytes, cfg.MinBytes, cfg.MinBytesTwo)
	case cfg.Epochs < 0:
		return fmt.Errorf("langid: %d epochs, wanted 0 or more", cfg.Epochs)
	}
	return nil
}

// Default is the configuration of the embedded model.
var Default = Config{SourceBytes: 400_000, MinBytes: 5000, MinBytesTwo: 4000, Words: 150_000, Grams: 130_000, MinRows: 6000, MinCount: 3,
	Smoothing: 12, Pairs: 2_900_000, WordMax: 63, GramMax: 45, MinPairs: 2, FewClasses: 6, RowDepth: 8, Epochs: 0, Pieces: 1500, Rate: 0.05, Hold: 0.01, WordPrior: 1000, GramWeight: 0.35, ListWords: 20_000, Prior: 0.7, Common: 1e10, Caution: 0.85, NoiseOdds: 0.03, StrangeOdds: 0.01}

// Corpus is the training text: lines by language and source, and word lists for languages with
// little text.
type Corpus struct {
	lines  map[string]map[string][]string // language, source
	shares map[string]map[string]float64  // language, word: share of running text
	web    map[string]float64             // language: bytes of web text
	sum    hash.Hash
}

// SHA256 returns the SHA-256 of the text in the order of addition.
func (c *Corpus) SHA256() string {
	if c.sum == nil {
		c.sum = sha256.New()
	}
	return hex.EncodeToString(c.sum.Sum(nil))
}

// Read adds a file *.txt, or the files *.txt in a folder or an archive, the word lists *.words
// ([Corpus.ReadWords]), and the frequencies of languages in web.tsv (Corpus.readWeb). The language is lang, otherwise the name after a folder "txt", otherwise
// the name of the file. The source is the folder above. It returns the files skipped because their
// names contain no language.
func (c *Corpus) Read(name, lang string) (skipped []string, err error) {
	taken := 0
	add := func(p string, r io.Reader) error {
		ext := path.Ext(p)
		if path.Base(p) == "web.tsv" {
			return c.readWeb(p, r)
		}
		if ext != ".txt" && ext != ".words" {
			return nil
		}
		source, tag := sourceAndTag(strings.TrimSuffix(p, ext))
		if lang != "" {
			tag = lang
		}
		t, ok := tagOf(tag)
		if !ok {
			skipped = append(skipped, p)
			return nil
		}
		taken++
		if ext == ".words" {
			return c.ReadWords(p, t, r)
		}
		in, err := sniff.Running(r)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		return c.Add(source, t, in)
	}
	if path.Ext(name) == ".txt" {
		err = readFile(name, add)
	} else {
		err = archive.Walk(name, add)
	}
	if err == nil && taken == 0 {
		err = fmt.Errorf("%s: no language in file or folder names: wanted txt/de.txt or txt/de/NAME.txt, or give the language", name)
	}
	return skipped, err
}

// readFile calls add for a single file.
func readFile(name string, add func(p string, r io.Reader) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return add(filepath.ToSlash(name), f)
}

// ReadWords adds a word list in the language of a BCP 47 tag. A line is a number followed by words
// that occur about so many times in a million running words of the language. 0 is for words that
// similar languages have and this one does not. "#" begins a comment. A list counts like ListWords
// running words. Of two lists of a language the higher number counts. The language must also have some text. name is used in errors.
func (c *Corpus) ReadWords(name, tag string, r io.Reader) error {
	if c.shares == nil {
		c.shares = map[string]map[string]float64{}
	}
	if c.shares[tag] == nil {
		c.shares[tag] = map[string]float64{}
	}
	c.SHA256() // initialises the hash
	list := map[string]float64{}
	in := bufio.NewScanner(io.TeeReader(r, c.sum))
	in.Buffer(make([]byte, 1<<16), 1<<24)
	for n := 1; in.Scan(); n++ {
		line, _, _ := strings.Cut(in.Text(), "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		perMillion, err := strconv.ParseUint(fields[0], 10, 20)
		if err != nil || perMillion > 1e6 || len(fields) == 1 {
			return fmt.Errorf("%s:%d: %.40q, wanted a number up to 1000000 and words that occur so often in a million running words", name, n, line)
		}
		for _, w := range fields[1:] {
			if _, ok := list[w]; ok {
				return fmt.Errorf("%s:%d: %q occurs twice in the list", name, n, w)
			}
			list[w] = float64(perMillion) / 1e6
		}
	}
	for w, share := range list {
		c.shares[tag][w] = max(c.shares[tag][w], share)
	}
	return in.Err()
}

// readWeb adds frequencies of languages on the web: lines "language<TAB>bytes". name is used in
// errors.
func (c *Corpus) readWeb(name string, r io.Reader) error {
	if c.web == nil {
		c.web = map[string]float64{}
	}
	c.SHA256() // initialises the hash
	in := bufio.NewScanner(io.TeeReader(r, c.sum))
	for n := 1; in.Scan(); n++ {
		lang, size, _ := strings.Cut(in.Text(), "\t")
		bytes, err := strconv.ParseUint(size, 10, 63)
		if err != nil || bytes == 0 {
			return fmt.Errorf("%s:%d: %.40q, wanted a language tag, a tab and a number of bytes", name, n, in.Text())
		}
		if tag, ok := tagOf(lang); ok {
			c.web[tag] += float64(bytes)
		}
	}
	return in.Err()
}

// ReadTable adds the lines "language<TAB>text" of r with the given source. name is used in errors.
func (c *Corpus) ReadTable(name, source string, r io.Reader) error {
	text, err := sniff.Running(r)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	in := bufio.NewScanner(text)
	in.Buffer(make([]byte, 1<<16), 1<<24)
	for n := 1; in.Scan(); n++ {
		lang, line, ok := strings.Cut(in.Text(), "\t")
		tag, known := tagOf(lang)
		if !ok || !known {
			return fmt.Errorf("%s:%d: %q, wanted a language tag, a tab and text in that language", name, n, in.Text()[:min(40, len(in.Text()))])
		}
		if err := c.Add(source, tag, strings.NewReader(line)); err != nil {
			return err
		}
	}
	return in.Err()
}

// sourceAndTag splits a path such as "ml-guide/txt/de/intro".
func sourceAndTag(p string) (source, tag string) {
	parts := strings.Split(p, "/")
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
	latin := ""
	if lang, region := withoutRegion(tag); lang == "sr" { // the other alphabet gives the same text
		latin = strings.TrimSuffix("sr-Latn-"+region, "-")
	}
	c.SHA256() // initialises the hash
	in := bufio.NewScanner(io.TeeReader(r, c.sum))
	in.Buffer(make([]byte, 1<<16), 1<<24)
	for in.Scan() {
		if line := strings.TrimSpace(in.Text()); line != "" {
			c.line(tag, source, line)
			if latin != "" {
				c.line(latin, source+" in Latin", serbianLatin.Replace(line))
			}
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("langid: %s (%s): %w", source, tag, err)
	}
	return nil
}

func (c *Corpus) line(tag, source, line string) {
	if c.lines[tag] == nil {
		c.lines[tag] = map[string][]string{}
	}
	c.lines[tag][source] = append(c.lines[tag][source], line)
}

// merged returns the lines by language and source. Text of a region, such as pt-BR, is a language of
// its own, unless there is text of the language without a region: that language includes it.
func (c *Corpus) merged() map[string]map[string][]string {
	out := map[string]map[string][]string{}
	for _, tag := range slices.Sorted(maps.Keys(c.lines)) { // a language before its regions
		class := tag
		if lang, region := withoutRegion(tag); region != "" && c.lines[lang] != nil {
			class = lang
		}
		if out[class] == nil {
			out[class] = map[string][]string{}
		}
		for source, lines := range c.lines[tag] {
			out[class][source] = append(out[class][source][:len(out[class][source]):len(out[class][source])], lines...)
		}
	}
	return out
}

// text is the training text of one class.
type text struct {
	lang    string
	script  evidence.Script
	sources []string
	sets    [][]string // lines by source
	lines   int
	held    []string // lines excluded from training
	bytes   int64
	shares  map[string]float64 // of words, from a list
	web     float64            // bytes of web text
}

// texts returns the text of each language in its most frequent script, limited by cfg and sorted by
// language. small holds languages with too little text for a class.
func (c *Corpus) texts(cfg Config) (out, small []*text) {
	merged := c.merged()
	for _, lang := range slices.Sorted(maps.Keys(merged)) {
		t := &text{lang: lang, shares: c.shares[lang]}
		var all evidence.Tally
		sources := merged[lang]
		for _, src := range slices.Sorted(maps.Keys(sources)) {
			for _, l := range sources[src][:min(200, len(sources[src]))] {
				count(l, &all)
			}
		}
		s, ok := all.Script()
		if !ok {
			continue
		}
		t.script = s
		long := lang + "-" + evidence.Scripts[s].Name
		if t.shares == nil {
			t.shares = c.shares[long]
		}
		t.web = cmp.Or(c.web[lang], c.web[long])
		for _, src := range slices.Sorted(maps.Keys(sources)) {
			lines := t.take(sources[src], cfg.SourceBytes)
			t.sources, t.sets = append(t.sources, src), append(t.sets, lines)
		}
		base, _, _ := strings.Cut(lang, "-")
		if t.bytes >= int64(cfg.MinBytes) || len(base) == 2 && t.bytes >= int64(cfg.MinBytesTwo) {
			out = append(out, t)
		} else {
			small = append(small, t)
		}
	}
	return out, small
}

// take returns about limit bytes of lines in t's script, evenly spread.
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
		var c evidence.Tally
		count(l, &c)
		if s, ok := c.Script(); ok && s == t.script {
			t.bytes += int64(len(l))
			if t.lines++; t.lines%heldShare == 0 {
				t.held = append(t.held, l)
			} else {
				out = append(out, l)
			}
		}
	}
	return out
}

// count counts the letters of line by script.
func count(line string, t *evidence.Tally) {
	var w evidence.Word
	for i := 0; ; {
		i = w.Next(line, i)
		if w.N == 0 {
			return
		}
		t.Letters[w.Script] += int32(w.N) * evidence.Scripts[w.Script].Weight
	}
}

// serbianLatin transliterates Serbian Cyrillic to Latin letters.
var serbianLatin = strings.NewReplacer(
	"а", "a", "б", "b", "в", "v", "г", "g", "д", "d", "ђ", "đ", "е", "e", "ж", "ž", "з", "z", "и", "i", "ј", "j", "к", "k",
	"л", "l", "љ", "lj", "м", "m", "н", "n", "њ", "nj", "о", "o", "п", "p", "р", "r", "с", "s", "т", "t", "ћ", "ć", "у", "u",
	"ф", "f", "х", "h", "ц", "c", "ч", "č", "џ", "dž", "ш", "š",
	"А", "A", "Б", "B", "В", "V", "Г", "G", "Д", "D", "Ђ", "Đ", "Е", "E", "Ж", "Ž", "З", "Z", "И", "I", "Ј", "J", "К", "K",
	"Л", "L", "Љ", "Lj", "М", "M", "Н", "N", "Њ", "Nj", "О", "O", "П", "P", "Р", "R", "С", "S", "Т", "T", "Ћ", "Ć", "У", "U",
	"Ф", "F", "Х", "H", "Ц", "C", "Ч", "Č", "Џ", "Dž", "Ш", "Š")
