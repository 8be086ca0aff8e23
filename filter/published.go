package filter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/language"

	"chaffinch/internal/sorts"
	"chaffinch/model/data"
	"chaffinch/text/langid"
)

// fineWeb2 is the value of [Config.LanguageLimits] for the limits of FineWeb-2.
const fineWeb2 = "fineweb2"

// languageTable holds published limits and stop words by language and script.
type languageTable struct {
	// rows holds the rows by ISO 639-3 code and script, such as "deu_Latn". Rows of the only
	// script of a language are also under "deu_", and rows of a language that represents a
	// macrolanguage under the macrolanguage: "cmn_Hani" is also "zho_Hani".
	rows map[string][]string
}

// publishedColumns lists the columns of the table between the name of the language and the stop
// words, in order. The score "" is not used: the confidence of GlotLID, another language identifier.
var publishedColumns = []struct {
	column, score string
	min           bool    // whether the figure is a minimum
	off           float64 // the figure for no limit
}{
	{"language_score", "", true, 0},
	{"min_avg_word_length", "gopher_quality.mean_word_length", true, 0},
	{"max_avg_word_length", "gopher_quality.mean_word_length", false, 0},
	{"max_non_alpha_words_ratio", "gopher_quality.alphabetic_words", true, 0},
	{"line_punct_thr", "fineweb.punctuated_lines", true, -1},
	{"new_line_ratio", "fineweb.line_breaks", false, -1},
	{"dup_line_frac", "gopher_repetition.duplicate_lines", false, 0},
	{"top_2_gram", "gopher_repetition.top_2_gram_chars", false, -1},
	{"top_3_gram", "gopher_repetition.top_3_gram_chars", false, -1},
	{"top_4_gram", "gopher_repetition.top_4_gram_chars", false, -1},
	{"dup_5_gram", "gopher_repetition.duplicate_5_gram_chars", false, -1},
	{"dup_6_gram", "gopher_repetition.duplicate_6_gram_chars", false, -1},
	{"dup_7_gram", "gopher_repetition.duplicate_7_gram_chars", false, -1},
	{"dup_8_gram", "gopher_repetition.duplicate_8_gram_chars", false, -1},
	{"dup_9_gram", "gopher_repetition.duplicate_9_gram_chars", false, -1},
	{"dup_10_gram", "gopher_repetition.duplicate_10_gram_chars", false, -1},
}

// fineWeb2Table reads the embedded table of FineWeb-2.
var fineWeb2Table = sync.OnceValues(func() (*languageTable, error) {
	if data.FineWeb2 == nil {
		return nil, data.ErrNoFineWeb2
	}
	text, err := data.FineWeb2()
	if err != nil {
		return nil, err
	}
	return parseLanguageTable(string(text))
})

// parseLanguageTable parses a table of lab/train/fineweb2.
func parseLanguageTable(text string) (*languageTable, error) {
	_, text, _ = strings.Cut(text, "\n") // the source
	header, text, _ := strings.Cut(text, "\n")
	columns := strings.Split(header, "\t")
	for i, c := range publishedColumns {
		if i+1 >= len(columns) || columns[i+1] != c.column {
			return nil, fmt.Errorf("limits of FineWeb-2: column %d is not %s", i+2, c.column)
		}
	}
	t := &languageTable{map[string][]string{}}
	scripts, also := map[string]int{}, map[string][]string{}
	for line := range strings.Lines(text) {
		row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(row) < len(columns) {
			return nil, fmt.Errorf("limits of FineWeb-2: %s: %d columns, wanted at least %d", row[0], len(row), len(columns))
		}
		t.rows[row[0]] = row
		code, script, _ := strings.Cut(row[0], "_")
		if scripts[code]++; scripts[code] == 1 {
			also[code+"_"] = row
		} else {
			delete(also, code+"_")
		}
		if of := macrolanguage(code); of != code {
			also[of+"_"+script] = row
		}
	}
	for name, row := range also {
		if t.rows[name] == nil {
			t.rows[name] = row
		}
	}
	return t, nil
}

// macrolanguage returns the code of the macrolanguage that a language represents, such as "zho" for
// "cmn", or code.
func macrolanguage(code string) string {
	if code == "pbt" { // not in package language
		return "pus"
	}
	tag, err := language.All.Parse(code)
	if err != nil {
		return code
	}
	base, _ := tag.Base()
	return base.ISO3()
}

// find returns the row for a BCP 47 tag, nil if there is none. A tag without a script has the script
// in which the language is usually written.
func (t *languageTable) find(tag string) []string {
	parsed, err := language.Raw.Parse(tag)
	if err != nil {
		return nil
	}
	base, _, _ := parsed.Raw()
	if base.String() == "und" {
		return nil
	}
	script := ""
	if s, sure := parsed.Script(); sure != language.No {
		script = s.String()
	}
	switch script {
	case "Hans", "Hant":
		script = "Hani"
	case "Kore":
		script = "Hang"
	case "Zzzz": // unknown
		script = ""
	}
	code := base.ISO3()
	if row := t.rows[code+"_"+script]; row != nil {
		return row
	}
	return t.rows[macrolanguage(code)+"_"+script]
}

// otherWords lists the scripts whose rows count words that package token does not find: Korean
// morphemes, words of Khmer and Lao, which have no spaces, and Dhivehi words with their punctuation.
// The limits of [wordScores] and the stop words of these rows are not used.
var otherWords = []string{"Hang", "Khmr", "Laoo", "Thaa"}

// wordScores are the scores whose limits depend on the definition of a word most.
var wordScores = []string{"gopher_quality.mean_word_length", "gopher_quality.alphabetic_words"}

// countsOtherWords reports whether the script of a row is in otherWords.
func countsOtherWords(row []string) bool {
	_, script, _ := strings.Cut(row[0], "_")
	return slices.Contains(otherWords, script)
}

// publishedLimits returns the limits of a row, by the names of scores.
func publishedLimits(row []string) map[string]Limit {
	limits := map[string]Limit{}
	for i, c := range publishedColumns {
		v, err := strconv.ParseFloat(row[i+1], 64)
		if err != nil {
			panic(err) // the table is embedded and tested
		}
		if c.score == "" {
			continue
		}
		l := limits[c.score]
		if v != c.off && c.min {
			l.Min = &v
		} else if v != c.off {
			l.Max = &v
		}
		limits[c.score] = l
	}
	if countsOtherWords(row) {
		for _, name := range wordScores {
			limits[name] = Limit{}
		}
	}
	return limits
}

// publishedStopWords returns the stop words of a row, nil if they are not used.
func publishedStopWords(row []string) []string {
	if countsOtherWords(row) {
		return nil
	}
	return row[len(publishedColumns)+1:]
}

// published returns the row of the published limits for a language, nil if there is none.
func (s *Set) published(lang string) []string {
	if s.table == nil {
		return nil
	}
	return s.table.find(lang)
}

// Gaps counts documents, by language, for which a [Set] lacks data of their language.
type Gaps struct {
	// NoLimits counts the documents that were judged by the limits for English, because
	// [Config.LanguageLimits] has none for their language.
	NoLimits map[string]int64 `json:"no_limits,omitempty"`
	// NoStopWords counts the documents without a stop word score, because there is no list for
	// their language.
	NoStopWords map[string]int64 `json:"no_stop_words,omitempty"`
	// NotLearned counts the documents in languages from which a model file has not learned. They
	// have no scores of the model.
	NotLearned map[string]int64 `json:"not_learned,omitempty"`
}

// Gaps returns the gaps of s for numbers of documents by language.
func (s *Set) Gaps(docs map[string]int64) (g Gaps) {
	add := func(m *map[string]int64, lang string, n int64) {
		if *m == nil {
			*m = map[string]int64{}
		}
		(*m)[lang] += n
	}
	for lang, n := range docs {
		if !s.hasLimits(lang) {
			add(&g.NoLimits, lang, n)
		}
		if !s.hasStopWords(lang) {
			add(&g.NoStopWords, lang, n)
		}
		if !s.knowsLang(lang) {
			add(&g.NotLearned, lang, n)
		}
	}
	return g
}

// hasLimits reports whether the limits apply to a language. The limits of the groups apply to
// English, other limits to the languages for which they were published or configured.
func (s *Set) hasLimits(lang string) bool {
	return s.table == nil || langid.Declared(lang) == "en" || s.published(lang) != nil || primary(lang, s.cfg.Languages) != ""
}

// hasStopWords reports whether there is a list for a language, if rules need one.
func (s *Set) hasStopWords(lang string) bool {
	r := s.rulesOf(lang)
	return r.stop != nil || !slices.ContainsFunc(stopWordScores, func(name string) bool {
		i := slices.Index(s.names, name)
		return i >= 0 && r.limits[i] != (Limit{})
	})
}

// stopWordScores are the scores that need a list of stop words.
var stopWordScores = []string{"gopher_quality.stop_words", "dclm.stop_words"}

// Warnings describes the gaps, one line for each kind.
func (g Gaps) Warnings() (lines []string) {
	for _, w := range []struct {
		docs       map[string]int64
		what, hint string
	}{
		{g.NoLimits, "no limits of FineWeb-2 for", "judged by the limits for English"},
		{g.NoStopWords, "no stop words for", "not judged by their number"},
		{g.NotLearned, "a model has not learned from", "not judged by it"},
	} {
		if len(w.docs) > 0 {
			lines = append(lines, fmt.Sprintf("%s %s: %s", w.what, byDocs(w.docs), w.hint))
		}
	}
	return lines
}

// shownLangs is the maximum number of languages in a warning.
const shownLangs = 10

// byDocs lists the languages with most documents.
func byDocs(docs map[string]int64) string {
	langs := sorts.ByValue(docs)
	var b strings.Builder
	for i, lang := range langs[:min(len(langs), shownLangs)] {
		if i > 0 {
			b.WriteString(", ")
		}
		unit := "documents"
		if docs[lang] == 1 {
			unit = "document"
		}
		fmt.Fprintf(&b, "%q (%d %s)", lang, docs[lang], unit)
	}
	if more := len(langs) - shownLangs; more > 0 {
		fmt.Fprintf(&b, " and %d more languages", more)
	}
	return b.String()
}
