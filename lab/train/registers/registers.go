// Package registers reads the register corpora of TurkuNLP (CORE and its sister corpora in 15
// languages) as training documents of package lab/train/labels.
//
// A file DIR/LANGUAGE/PART.tsv holds a document in each line: labels separated by spaces, a tab,
// and the text. Labels in capitals are main registers or codes of the first edition of CORE,
// labels in lower case are sub-registers.
package registers

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"chaffinch/lab/train/labels"
)

// Main lists the main registers. MT is the technical class of machine-translated and generated
// text.
var Main = []string{"HI", "ID", "IN", "IP", "LY", "MT", "NA", "OP", "SP"}

// subs maps a sub-register to its main register.
var subs = map[string]string{
	"it": "SP", "ne": "NA", "sr": "NA", "nb": "NA", "re": "HI", "en": "IN", "ra": "IN", "dtp": "IN", "fi": "IN", "lt": "IN",
	"rv": "OP", "ob": "OP", "rs": "OP", "av": "OP", "ds": "IP", "ed": "IP",
}

// Subs returns the names of the classes of all sub-registers.
func Subs() (list []string) {
	for s, main := range subs {
		list = append(list, main+"/"+s)
	}
	slices.Sort(list)
	return list
}

// old maps a code of the first edition of CORE to a sub-register. Other codes have no
// counterpart.
var old = map[string]string{
	"AV": "av", "DP": "dtp", "DS": "ds", "DT": "dtp", "ED": "ed", "EN": "en", "FH": "fi", "FI": "fi", "IT": "it", "LT": "lt",
	"NE": "ne", "OB": "ob", "PB": "nb", "RA": "ra", "RE": "re", "RS": "rs", "RV": "rv", "SR": "sr",
}

// Licensed lists the languages whose corpora state a licence that allows derived works: FinCORE,
// SpaCORE and SimChiCORE CC BY 4.0, FrCORE and SvCORE CC BY-SA 4.0.
var Licensed = []string{"es", "fi", "fr", "sv", "zh"}

// Read reads the documents of languages from a folder. It skips a document if its first keyLength
// letters and digits equal the beginning of an earlier document. An empty list of languages
// selects all.
func Read(dir string, langs []string) ([]labels.Doc, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.tsv"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files) // sv/dev, with all labels, before sv/train
	var docs []labels.Doc
	seen := map[string]bool{}
	for _, name := range files {
		lang := filepath.Base(filepath.Dir(name))
		if len(langs) > 0 && !slices.Contains(langs, lang) {
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		part := strings.TrimSuffix(filepath.Base(name), ".tsv")
		list, err := parse(f, lang, part)
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, d := range list {
			if k := key(d.Text); !seen[k] {
				seen[k] = true
				docs = append(docs, d)
			}
		}
	}
	if len(docs) == 0 {
		return nil, fmt.Errorf("%s: no documents in LANGUAGE/PART.tsv", dir)
	}
	return docs, nil
}

// parse reads the documents of a file.
func parse(r io.Reader, lang, part string) (docs []labels.Doc, err error) {
	s := bufio.NewScanner(r)
	const longest = 64 << 20
	s.Buffer(nil, longest)
	for n := 1; s.Scan(); n++ {
		codes, text, ok := strings.Cut(s.Text(), "\t")
		if !ok {
			continue // an empty document
		}
		text, _, _ = strings.Cut(text, "\t")
		d := labels.Doc{ID: fmt.Sprintf("%s/%s#%d", lang, part, n), Lang: tag(lang), Text: strings.TrimSpace(strings.ReplaceAll(text, `\n`, "\n"))}
		d.Labels = labelsOf(strings.Fields(codes))
		if lang == "sv" && part == "train" {
			d.Labels = withUnknown(d.Labels)
		}
		docs = append(docs, d)
	}
	return docs, s.Err()
}

// tag returns the BCP 47 tag of a folder of the corpora.
func tag(lang string) string {
	if lang == "jp" {
		return "ja"
	}
	return lang
}

// labelsOf converts codes to classes. Unknown codes are omitted.
func labelsOf(codes []string) (list []string) {
	for _, c := range codes {
		sub := c
		if s, ok := old[c]; ok {
			sub = s
		}
		switch main := subs[sub]; {
		case slices.Contains(Main, c):
			list = append(list, c)
		case main != "":
			list = append(list, main, main+"/"+sub)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// withUnknown adds the classes that the first edition of SvCORE does not use, as unknown.
func withUnknown(list []string) []string {
	list = append(list, "?MT")
	for _, name := range Subs() {
		list = append(list, "?"+name)
	}
	slices.Sort(list)
	return list
}

// keyLength is the number of letters and digits by which equal texts are found.
const keyLength = 150

// key returns the first keyLength letters and digits of a text in lower case.
func key(text string) string {
	var b []rune
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			if b = append(b, unicode.ToLower(r)); len(b) == keyLength {
				break
			}
		}
	}
	return string(b)
}
