package plagiarism

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"chaffinch/internal/testkit/must"
	"chaffinch/text/token"
)

var update = flag.Bool("update", false, "write testdata/essays.vert anew")

// TestEssays: testdata/essays.vert is what the essays in testdata/essays give,
// and is what the task wants: 5 originals and 5 plagiarisms of each author, 100
// to 500 words each.
func TestEssays(t *testing.T) {
	var b bytes.Buffer
	files, err := filepath.Glob("testdata/essays/*.txt")
	if err != nil || len(files) < 3 {
		t.Fatalf("%v %v", files, err)
	}
	for _, f := range files {
		src := must.Read(t, f)
		w := readWorks(t, string(src))
		w.write(&b)
		originals := 0
		for _, e := range w.essays {
			if e.from == "" {
				originals++
			}
			if n := countWords(e.out); n < 100 || n > 500 {
				t.Errorf("%s %s: %d words", f, e.id, n)
			}
			if e.share > 0 && (e.share < 0.2 || e.share > 0.9) {
				t.Errorf("%s %s: %.2f of it are copied", f, e.id, e.share)
			}
		}
		if originals != 5 || len(w.essays) != 10 {
			t.Errorf("%s: %d of %d are originals", f, originals, len(w.essays))
		}
	}
	if *update {
		must.Write(t, "testdata/essays.vert", b.Bytes())
	}
	if want, err := os.ReadFile("testdata/essays.vert"); err != nil || !bytes.Equal(want, b.Bytes()) {
		t.Errorf("testdata/essays.vert is not what the essays give (%v): run with -update and look at the difference", err)
	}
}

// works are the essays of one author.
type works struct {
	author, lang string
	essays       []*work
	lexicon      map[string][2]string // lemma and tag
	synonyms     map[string]string
}

// work is one essay: an original, or made from the one with the id from.
type work struct {
	id, from, how string
	share         float64 // of it that is copied
	text          string
	out           []sentence
}

type sentence []word

// word is a token and whether it is joined to the one before.
type word struct {
	text string
	glue bool
}

var head = regexp.MustCompile(`^\[(\d+)(?: from (\d+): (\w+) ?(\d*))?\]$`)

// readWorks reads the essays of one author and makes the plagiarisms.
func readWorks(t testing.TB, src string) *works {
	w := &works{synonyms: map[string]string{}}
	var shares []string
	for line := range strings.Lines(src) {
		line = strings.TrimSpace(line)
		if m := head.FindStringSubmatch(line); m != nil {
			w.essays = append(w.essays, &work{id: m[1], from: m[2], how: m[3]})
			shares = append(shares, m[4])
		} else if len(w.essays) > 0 {
			e := w.essays[len(w.essays)-1]
			e.text = strings.TrimSpace(e.text + " " + line)
		} else if key, v, _ := strings.Cut(line, " "); key == "author" {
			w.author = v
		} else if key == "lang" {
			w.lang = v
		}
	}
	w.load(t)
	for i, e := range w.essays {
		e.out = w.cut(e.text)
		if shares[i] == "" {
			continue
		}
		percent, err := strconv.Atoi(shares[i])
		k := slices.IndexFunc(w.essays, func(o *work) bool { return o.id == e.from })
		if err != nil || k < 0 {
			t.Fatalf("%s %s: no share, or no source %s", w.author, e.id, e.from)
		}
		w.copy(e, w.cut(w.essays[k].text), float64(percent)/100)
	}
	return w
}

// load reads the words of the language.
func (w *works) load(t testing.TB) {
	w.lexicon = map[string][2]string{}
	read := func(name string) string {
		return string(must.Read(t, "testdata/essays/"+name))
	}
	for line := range strings.Lines(read("lexicon-" + w.lang + ".tsv")) {
		tag, forms, _ := strings.Cut(strings.TrimSpace(line), "\t")
		for _, f := range strings.Fields(forms) {
			form, lemma, ok := strings.Cut(f, "/")
			if !ok {
				lemma = form
			}
			if _, ok := w.lexicon[form]; !ok {
				w.lexicon[form] = [2]string{lemma, tag}
			}
		}
	}
	for line := range strings.Lines(read("synonyms.tsv")) {
		from, to, _ := strings.Cut(strings.TrimSpace(line), "\t")
		w.synonyms[from] = to
	}
}

// cut cuts text into sentences and words.
func (w *works) cut(text string) (out []sentence) {
	tok := token.For(w.lang)
	for _, s := range tok.Sentences(text, nil) {
		var sent sentence
		part, end := text[s.Start:s.End], 0
		for i, t := range tok.Words(part, nil) {
			sent = append(sent, word{part[t.Start:t.End], i > 0 && t.Start == end})
			end = t.End
		}
		out = append(out, sent)
	}
	return out
}

func countWords(ss []sentence) (n int) {
	for _, s := range ss {
		for _, w := range s {
			if isWord(w.text) {
				n++
			}
		}
	}
	return n
}

func isWord(s string) bool {
	return strings.IndexFunc(s, unicode.IsLetter) >= 0
}

// copy puts a share of the source, changed by the technique, in the middle of
// what the author wrote.
func (w *works) copy(e *work, source []sentence, share float64) {
	h := fnv.New64a()
	fmt.Fprint(h, w.author, e.id)
	rng := rand.New(rand.NewPCG(h.Sum64(), 1))
	var taken []sentence
	for _, s := range source {
		if float64(countWords(taken)) < share*float64(countWords(source)) {
			taken = append(taken, slices.Clone(s))
		}
	}
	switch e.how {
	case "copy":
	case "sentences":
		rng.Shuffle(len(taken), func(i, j int) { taken[i], taken[j] = taken[j], taken[i] })
	case "phrases":
		for _, s := range taken {
			phrases(s, rng)
		}
	case "tags":
		w.sameTags(taken, rng)
	case "synonyms":
		each(taken, func(x *word) {
			if to, ok := w.synonyms[x.text]; ok {
				x.text = to
			}
		})
	case "inserted":
		for i, s := range taken {
			taken[i] = insert(s, rng)
		}
	case "lookalikes":
		each(taken, func(x *word) {
			if rng.IntN(4) > 0 {
				x.text = drawnAlike.Replace(x.text)
			}
		})
	default:
		panic("no technique " + e.how)
	}
	own := e.out
	e.out = slices.Concat(own[:len(own)/2], taken, own[len(own)/2:])
	e.share = float64(countWords(taken)) / float64(countWords(e.out))
}

func each(ss []sentence, fn func(*word)) {
	for _, s := range ss {
		for i := range s {
			fn(&s[i])
		}
	}
}

// drawnAlike writes Latin letters as Cyrillic ones.
var drawnAlike = strings.NewReplacer("a", "а", "e", "е", "o", "о", "p", "р", "c", "с", "x", "х")

// phrases shuffles phrases of three or four words within a sentence.
func phrases(s sentence, rng *rand.Rand) {
	body := slices.Clone(s[:len(s)-1]) // all but the full stop
	var parts []sentence
	for len(body) > 0 {
		n := min(3+rng.IntN(2), len(body))
		parts = append(parts, body[:n])
		body = body[n:]
	}
	rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	copy(s, slices.Concat(parts...))
}

// sameTags shuffles words that have the same tag, so that the tags stay.
func (w *works) sameTags(ss []sentence, rng *rand.Rand) {
	byTag := map[string][]*word{}
	var tags []string
	each(ss, func(x *word) {
		_, tag := w.annotate(x.text)
		if byTag[tag] == nil {
			tags = append(tags, tag)
		}
		byTag[tag] = append(byTag[tag], x)
	})
	for _, tag := range tags {
		list := byTag[tag]
		rng.Shuffle(len(list), func(i, j int) { list[i].text, list[j].text = list[j].text, list[i].text })
	}
}

var fillers = []string{"quite", "really", "of course", "as we know", "in fact", "rather", "surely", "more or less", "at least", "indeed"}

// insert puts a filler after every third to sixth word.
func insert(s sentence, rng *rand.Rand) (out sentence) {
	left := 3 + rng.IntN(4)
	for i, x := range s {
		if left--; left < 0 && i > 0 && i < len(s)-1 && !x.glue {
			for f := range strings.FieldsSeq(fillers[rng.IntN(len(fillers))]) {
				out = append(out, word{text: f})
			}
			left = 3 + rng.IntN(4)
		}
		out = append(out, x)
	}
	return out
}

// annotate gives a word its lemma and tag, by the table or by its ending: crude,
// but like a tagger it says the same of the same word.
func (w *works) annotate(s string) (lemma, tag string) {
	low := strings.ToLower(s)
	if x, ok := w.lexicon[low]; ok {
		return x[0], x[1]
	}
	if !isWord(s) {
		return s, map[string]string{"en": "SENT", "cs": "k?"}[w.lang]
	}
	for _, r := range endings[w.lang] {
		if stem, ok := strings.CutSuffix(low, r.ending); ok && len(stem) > 2 {
			return stem + r.lemma, r.tag
		}
	}
	return low, map[string]string{"en": "NN", "cs": "k1"}[w.lang]
}

var endings = map[string][]struct{ ending, lemma, tag string }{
	"en": {{"ly", "ly", "RB"}, {"ing", "", "VBG"}, {"ied", "y", "VBD"}, {"ed", "", "VBD"}, {"ous", "ous", "JJ"}, {"ful", "ful", "JJ"}, {"able", "able", "JJ"},
		{"est", "", "JJS"}, {"ies", "y", "NNS"}, {"ss", "ss", "NN"}, {"us", "us", "NN"}, {"s", "", "NNS"}},
	"cs": {{"ovat", "ovat", "k5"}, {"oval", "ovat", "k5"}, {"ala", "at", "k5"}, {"ali", "at", "k5"}, {"ila", "it", "k5"}, {"ily", "it", "k5"}, {"il", "it", "k5"},
		{"al", "at", "k5"}, {"el", "et", "k5"}, {"uje", "ovat", "k5"}, {"ých", "ý", "k2"}, {"ého", "ý", "k2"}, {"ou", "a", "k1"}, {"é", "ý", "k2"}, {"á", "ý", "k2"},
		{"ý", "ý", "k2"}, {"í", "í", "k2"}, {"ách", "a", "k1"}, {"ami", "a", "k1"}, {"ech", "", "k1"}, {"ů", "", "k1"}, {"u", "", "k1"}, {"y", "a", "k1"}, {"e", "", "k1"}},
}

// write writes the essays as vertical.
func (w *works) write(b *bytes.Buffer) {
	for _, e := range w.essays {
		class := "original"
		if e.from != "" {
			class = "plagiarism"
		}
		fmt.Fprintf(b, "<doc author=%q id=%q class=%q source=%q>\n", w.author, e.id, class, cmp.Or(e.from, e.id))
		for _, s := range e.out {
			b.WriteString("<s>\n")
			for _, x := range s {
				if x.glue {
					b.WriteString("<g/>\n")
				}
				lemma, tag := w.annotate(x.text)
				fmt.Fprintf(b, "%s\t%s\t%s\n", x.text, lemma, tag)
			}
			b.WriteString("</s>\n")
		}
		b.WriteString("</doc>\n")
	}
}
