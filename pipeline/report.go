package pipeline

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"chaffinch/page"
)

// Report counts the results of a run. Every field except Elapsed is the same for any number of
// workers, and for an interrupted and resumed run.
type Report struct {
	// Pages is the number of pages read. Kept is the number of pages that were not dropped.
	Pages int64 `json:"pages"`
	Kept  int64 `json:"kept"`
	// BytesIn is the number of bytes of the fetched pages. BytesOut is the number of bytes of
	// the written records.
	BytesIn  int64 `json:"bytes_in"`
	BytesOut int64 `json:"bytes_out"`
	// WordsIn counts the words of all visible blocks, also of dropped pages. WordsOut counts the
	// kept words.
	WordsIn  int64 `json:"words_in"`
	WordsOut int64 `json:"words_out"`
	// Dropped and Cut count pages by reason.
	Dropped map[string]int64 `json:"dropped"`
	Cut     map[string]int64 `json:"cut"`
	// Rules counts the pages dropped as [page.Filtered], by rule.
	Rules map[string]int64 `json:"rules,omitempty"`
	// Formats counts the pages by format: the name of a format of documents, such as "pdf", or
	// "html" or "text".
	Formats map[string]FormatCount `json:"formats"`
	// Langs counts the kept pages by language, if known.
	Langs map[string]int64 `json:"langs"`
	// PageTypes counts the kept pages by page type, if known.
	PageTypes map[string]int64 `json:"page_types"`
	// Registers counts the kept pages by register, if known. A page may have several.
	Registers map[string]int64 `json:"registers,omitempty"`
	// OtherLangs counts the pages dropped as [page.OtherLanguage], by language; "und" if it is
	// unknown.
	OtherLangs map[string]int64 `json:"other_langs"`
	// FilteredLangs counts the pages dropped as [page.Filtered], by language.
	FilteredLangs map[string]int64 `json:"filtered_langs,omitempty"`
	// BadPieces counts pieces of input that could not be read. Failed counts pages on which a
	// stage failed. ErrorsByFile counts both by input file. After 1000 files,
	// further files are counted under "...".
	BadPieces    int64            `json:"bad_pieces"`
	Failed       int64            `json:"failed"`
	ErrorsByFile map[string]int64 `json:"errors_by_file"`
	// Skipped counts other contents of the input than pages, by kind: records of web archives
	// by type, files of WACZ packages as "files".
	Skipped map[string]int64 `json:"skipped,omitempty"`
	// EmptyFiles counts empty input files. They are reported like errors, but not counted as
	// errors.
	EmptyFiles int64 `json:"empty_files,omitempty"`
	// Shortened counts the files whose names were shortened for the file system.
	// ShortenedFirst holds the first of them, as "INPUT: NAME".
	Shortened      int64    `json:"shortened,omitempty"`
	ShortenedFirst []string `json:"shortened_first,omitempty"`
	// LostFields counts the kept pages by input fields that the main output cannot represent.
	LostFields map[string]int64 `json:"lost_fields,omitempty"`
	// Elapsed is the working time, summed over all parts of a resumed run.
	Elapsed time.Duration `json:"elapsed_ns"`
}

// FormatCount counts the pages of a format.
type FormatCount struct {
	Pages int64 `json:"pages"`
	Kept  int64 `json:"kept"`
	Bytes int64 `json:"bytes"`
	// OCRPages counts pages of documents whose text was recognised in an image.
	OCRPages int64 `json:"ocr_pages,omitempty"`
}

// maxErrorFiles is the maximum number of files, of languages, and of fields that a Report
// names.
const maxErrorFiles = 1000

func newReport() *Report {
	return &Report{Dropped: map[string]int64{}, Cut: map[string]int64{}, Formats: map[string]FormatCount{}, LostFields: map[string]int64{},
		Rules: map[string]int64{}, Langs: map[string]int64{}, PageTypes: map[string]int64{}, Registers: map[string]int64{}, OtherLangs: map[string]int64{}, FilteredLangs: map[string]int64{}, ErrorsByFile: map[string]int64{}, Skipped: map[string]int64{}}
}

// Sound returns an error if no [Run] can have saved the state s.
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

// KeptShare returns the share of words that were kept, 0 to 1.
func (r *Report) KeptShare() float64 {
	if r.WordsIn == 0 {
		return 0
	}
	return float64(r.WordsOut) / float64(r.WordsIn)
}

// MBPerSecond returns the throughput in megabytes (10^6 bytes) of fetched pages per second.
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

// shownShortened is the maximum number of shortened names in a Report.
const shownShortened = 3

func (r *Report) addShortened(input, name string) {
	if r.Shortened++; r.Shortened <= shownShortened {
		r.ShortenedFirst = append(r.ShortenedFirst, input+": "+name)
	}
}

// addTo increments the count of name, or of "..." if m already holds maxErrorFiles names.
func addTo(m map[string]int64, name string) {
	if _, known := m[name]; !known && len(m) >= maxErrorFiles {
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
	if r.Formats == nil { // a run of an older version is resumed
		r.Formats = map[string]FormatCount{}
	}
	f := r.Formats[t.format]
	f.Pages++
	f.Bytes += t.bytes
	f.OCRPages += t.ocrPages
	if t.drop == page.None {
		f.Kept++
	}
	r.Formats[t.format] = f
	if t.drop == page.None {
		r.Kept++
		for _, name := range t.lost {
			addTo(r.LostFields, name)
		}
		if t.lang != "" {
			addTo(r.Langs, t.lang)
		}
		if t.pageType != "" {
			addTo(r.PageTypes, t.pageType)
		}
		for _, name := range t.registers {
			addTo(r.Registers, name)
		}
	} else {
		r.Dropped[t.drop.String()]++
		if t.rule != "" {
			addTo(r.Rules, t.rule)
		}
		if t.drop == page.Filtered {
			addTo(r.FilteredLangs, cmp.Or(t.lang, "und"))
		}
		if t.drop == page.OtherLanguage {
			addTo(r.OtherLangs, cmp.Or(t.lang, "und"))
		}
	}
	if t.cut != page.None {
		r.Cut[t.cut.String()]++
	}
}

// tally holds the counts of one page for the report.
type tally struct {
	bytes, wordsIn, wordsOut int64
	drop, cut                page.Reason
	rule                     string // name of the rule for a filtered page
	lang, pageType           string
	format                   string
	ocrPages                 int64
	registers                []string
	lost                     []string // fields that the main output cannot represent
}

// loses records the fields of p that an encoder cannot represent.
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
	t.lang, t.pageType = strings.Clone(p.Lang), strings.Clone(p.Type) // the memory of the page may be recycled
	t.registers = p.Registers
	t.format = formatOf(p)
	for _, n := range p.Notes {
		if n.What == page.OCR {
			t.ocrPages = int64(n.Value)
		}
	}
	if words != nil {
		all, kept := words(p)
		t.wordsIn, t.wordsOut = int64(all), int64(kept)
	}
}

// formatOf returns the name of the format of a page for the report.
func formatOf(p *page.Page) string {
	switch {
	case p.Format != "":
		return strings.Clone(p.Format)
	case p.PlainText():
		return "text"
	case p.MIME == "" || strings.Contains(p.MIME, "html"):
		return "html"
	}
	return "other"
}

// LangsBeforeRules counts the pages to which rules were applied, by language: kept pages and pages
// dropped as [page.Filtered].
func (r *Report) LangsBeforeRules() map[string]int64 {
	langs := maps.Clone(r.Langs)
	for lang, n := range r.FilteredLangs {
		langs[lang] += n
	}
	return langs
}
