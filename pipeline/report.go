package pipeline

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chaffinch/page"
)

// Report counts what a run did. Everything but Elapsed is the same for every
// number of workers and for an interrupted run and resumed.
type Report struct {
	// Pages is the number of pages read; Kept of them left a record with text.
	Pages int64 `json:"pages"`
	Kept  int64 `json:"kept"`
	// BytesIn is the number of bytes of the pages as fetched, BytesOut that of
	// the records written.
	BytesIn  int64 `json:"bytes_in"`
	BytesOut int64 `json:"bytes_out"`
	// WordsIn counts the words of all blocks that the pages show (dropped pages
	// too), WordsOut those that were kept.
	WordsIn  int64 `json:"words_in"`
	WordsOut int64 `json:"words_out"`
	// Dropped and Cut count pages by reason.
	Dropped map[string]int64 `json:"dropped"`
	Cut     map[string]int64 `json:"cut"`
	// Rules counts the pages that were dropped as [page.Filtered], by the rule.
	Rules map[string]int64 `json:"rules,omitempty"`
	// Langs counts the kept pages by language, as far as it is known.
	Langs map[string]int64 `json:"langs"`
	// OtherLangs counts the pages that were dropped as [page.OtherLanguage], "und"
	// where it is not known.
	OtherLangs map[string]int64 `json:"other_langs"`
	// BadPieces counts pieces of input that could not be read, Failed pages on
	// which a stage failed, and ErrorsByFile both by input file. Past
	// [MaxErrorFiles] files the rest is counted under "...".
	BadPieces    int64            `json:"bad_pieces"`
	Failed       int64            `json:"failed"`
	ErrorsByFile map[string]int64 `json:"errors_by_file"`
	// Skipped counts what the input holds beside pages, by kind: records of web archives
	// by their type, files of packages (WACZ, EPUB) as "files".
	Skipped map[string]int64 `json:"skipped,omitempty"`
	// EmptyFiles counts input files without a byte, which are told like errors and
	// are none.
	EmptyFiles int64 `json:"empty_files,omitempty"`
	// Shortened counts the files whose names had to be shortened to what a file
	// system takes; ShortenedFirst are the first of them, as "INPUT: NAME".
	Shortened      int64    `json:"shortened,omitempty"`
	ShortenedFirst []string `json:"shortened_first,omitempty"`
	// LostFields counts the kept pages by the fields that they brought and that the
	// main output has no place for.
	LostFields map[string]int64 `json:"lost_fields,omitempty"`
	// Elapsed is the working time, of all parts of a resumed run together.
	Elapsed time.Duration `json:"elapsed_ns"`
}

// MaxErrorFiles bounds the number of files, of languages, and of fields, that a
// Report names.
const MaxErrorFiles = 1000

func newReport() *Report {
	return &Report{Dropped: map[string]int64{}, Cut: map[string]int64{}, LostFields: map[string]int64{},
		Rules: map[string]int64{}, Langs: map[string]int64{}, OtherLangs: map[string]int64{}, ErrorsByFile: map[string]int64{}, Skipped: map[string]int64{}}
}

// Sound reports what is wrong in a state that no [Run] saved.
func Sound(s *PageState) error {
	if s.Report == nil {
		if s.Done {
			return errors.New("the run is done and has no report")
		}
		return nil
	}
	if s.Report.BytesOut > 0 && !slices.ContainsFunc(s.Outputs, func(p Place) bool { return p.Length > 0 }) {
		return fmt.Errorf("the run wrote %d bytes and its outputs are empty", s.Report.BytesOut)
	}
	return nil
}

// PageState is the state of a [Run].
type PageState = State[*Report]

// KeptShare returns the share of the words that were kept, 0 to 1.
func (r *Report) KeptShare() float64 {
	if r.WordsIn == 0 {
		return 0
	}
	return float64(r.WordsOut) / float64(r.WordsIn)
}

// MBPerSecond returns the rate in megabytes (10^6 bytes) of page as fetched.
func (r *Report) MBPerSecond() float64 {
	if r.Elapsed <= 0 {
		return 0
	}
	return float64(r.BytesIn) / 1e6 / r.Elapsed.Seconds()
}

// Errors returns the number of bad pieces and failed pages.
func (r *Report) Errors() int64 { return r.BadPieces + r.Failed }

func (r *Report) addError(file string) {
	addTo(r.ErrorsByFile, file)
}

// shownShortened is the number of shortened names that a Report holds.
const shownShortened = 3

func (r *Report) addShortened(input, name string) {
	if r.Shortened++; r.Shortened <= shownShortened {
		r.ShortenedFirst = append(r.ShortenedFirst, input+": "+name)
	}
}

// addTo counts one more of a name, of which there may be too many to tell.
func addTo(m map[string]int64, name string) {
	if _, known := m[name]; !known && len(m) >= MaxErrorFiles {
		name = "..."
	}
	m[name]++
}

func (r *Report) add(t *tally, bytesOut int) {
	r.Pages++
	r.BytesIn += t.bytes
	r.BytesOut += int64(bytesOut)
	r.WordsIn += t.wordsIn
	r.WordsOut += t.wordsOut
	if t.drop == page.None {
		r.Kept++
		for _, name := range t.lost {
			addTo(r.LostFields, name)
		}
		if t.lang != "" {
			addTo(r.Langs, t.lang)
		}
	} else {
		r.Dropped[t.drop.String()]++
		if t.rule != "" {
			addTo(r.Rules, t.rule)
		}
		if t.drop == page.OtherLanguage {
			addTo(r.OtherLangs, cmp.Or(t.lang, "und"))
		}
	}
	if t.cut != page.None {
		r.Cut[t.cut.String()]++
	}
}

// tally is the share of one page in the report.
type tally struct {
	bytes, wordsIn, wordsOut int64
	drop, cut                page.Reason
	rule                     string // by which a filtered page goes
	lang                     string
	lost                     []string // fields that the main output has no place for
}

// loses notes the fields of p that an encoder has no place for.
func (t *tally) loses(p *page.Page, enc Encoder) {
	h, ok := enc.(FieldHolder)
	if !ok {
		return
	}
	for i := range p.Fields {
		if f := &p.Fields[i]; !h.HoldsField(f) {
			t.lost = append(t.lost, strings.Clone(f.Name))
		}
	}
}

func (t *tally) count(p *page.Page, words func(*page.Page) (all, kept int)) {
	t.bytes = int64(len(p.Raw))
	t.drop, t.cut = p.Drop, p.Cut
	t.rule, _, _ = strings.Cut(p.Rule, " ")
	t.lang = strings.Clone(p.Lang) // the page's memory may serve another one
	if words != nil {
		all, kept := words(p)
		t.wordsIn, t.wordsOut = int64(all), int64(kept)
	}
}
