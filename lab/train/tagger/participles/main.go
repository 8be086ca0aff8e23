// Command participles corrects the lemmas of German participles in a file with taggers, and writes all
// its models in the current format:
//
//	go run ./lab/train/tagger/participles model/data/taggers/taggers.chf
//
// A model of a small treebank guessed the lemmas of the silver corpus, such as gehen for getragen, and
// the dictionary lists participles as lemmas. Words of the treebank, which is read four times, are
// unchanged, unless their lemma is missing from the dictionary.
package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"chaffinch/internal/disk"
	"chaffinch/model"
	"chaffinch/text/tag"
)

// gold is the minimum count of words of the treebank.
const gold = 4

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: participles TAGGERS")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "participles:", err)
		os.Exit(1)
	}
}

// run rewrites a file.
func run(path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	pack, err := model.Parse(path, b)
	if err != nil {
		return err
	}
	models := map[string][]byte{}
	for _, lang := range pack.Sections() {
		section, _ := pack.Section(lang)
		if models[lang], err = rewrite(lang, section, path+".part"); err != nil {
			return err
		}
	}
	return tag.SavePack(path, pack.Header, models)
}

// rewrite returns a model in the current format, which it writes to a temporary file.
func rewrite(lang string, section []byte, temporary string) ([]byte, error) {
	f, err := model.Parse(lang, section)
	if err != nil {
		return nil, err
	}
	m, err := tag.Parse(lang, section)
	if err != nil {
		return nil, err
	}
	if lang == "de" {
		w := m.Weights()
		words, entries := correct(&w)
		fmt.Printf("%d readings of words and %d of the dictionary corrected\n", words, entries)
		if m, err = tag.New(w); err != nil {
			return nil, err
		}
	}
	defer disk.Remove(temporary)
	if err := m.Save(temporary, f.Header); err != nil {
		return nil, err
	}
	return os.ReadFile(temporary)
}

// correct corrects the readings of words and of the dictionary, and returns their numbers.
func correct(w *tag.Weights) (words, entries int) {
	known := map[string]bool{}
	for _, x := range w.Lexicon {
		for _, r := range x.Readings {
			if t := w.LexiconTags[r.Tag]; t.UPOS == "VERB" && strings.Contains(t.Feats, "VerbForm=Inf") {
				known[x.Form] = true
			}
		}
	}
	for i := range w.Words {
		x := &w.Words[i]
		x.Readings = fix(w, x, known, &words, func(r tag.Reading, lemma string) bool {
			xpos := w.Tags[r.Tag].XPOS
			return (xpos == "VVPP" || xpos == "VVIZU") && (x.Count < gold || !known[lemma] && lemma != x.Form)
		})
	}
	for i := range w.Lexicon {
		x := &w.Lexicon[i]
		x.Readings = fix(w, x, known, &entries, func(r tag.Reading, _ string) bool {
			t := w.LexiconTags[r.Tag]
			return t.UPOS == "VERB" && strings.Contains(t.Feats, "VerbForm=Part")
		})
	}
	return words, entries
}

// fix returns the readings of a word. Readings that wrong accepts, and whose lemma is no known
// infinitive of the form, get the first infinitive. It adds their number to n.
func fix(w *tag.Weights, x *tag.Word, known map[string]bool, n *int, wrong func(r tag.Reading, lemma string) bool) (out []tag.Reading) {
	lemmas := infinitives(x.Form, func(l string) bool { return known[l] })
	for _, r := range x.Readings {
		if l, ok := w.Apply(&w.Scripts[r.Script], x.Form); ok && len(lemmas) > 0 && !slices.Contains(lemmas, l) && wrong(r, l) {
			s := w.Script(x.Form, lemmas[0])
			i := slices.Index(w.Scripts, s)
			if i < 0 {
				i = len(w.Scripts)
				w.Scripts = append(w.Scripts, s)
			}
			r.Script = uint16(i)
			*n++
		}
		out = append(out, r)
	}
	return out
}
