package job

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"

	"chaffinch/filter"
	"chaffinch/filter/pii"
	"chaffinch/input/records"
	"chaffinch/internal/panics"
	"chaffinch/page"
	"chaffinch/text/langid"
	"chaffinch/text/token"
)

// judge computes the scores of documents for one worker.
type judge struct {
	cfg    *Config
	detect func() (*langid.Detector, error) // only for documents without a language
	set    *filter.Set                      // rules that scorer applies; nil for none
	scorer *filter.Scorer
	read   []records.Attr
	finder *pii.Finder     // nil if personal data is not requested
	pseudo *pii.Pseudonyms // nil if pseudonyms are not requested
	found  []pii.Match
	whole  []byte
	reuse  bool // whether the text of a document is not needed after the next one is read
	spans  []records.Span
	paras  []token.Span
	// verdicts holds written verdicts, for further documents; nil for none.
	verdicts *sync.Pool
}

// verdict is the decision on a document, with the data for the report.
type verdict struct {
	main, rest records.Edit // edits for the output and for the file of dropped documents
	lang       string
	detected   bool
	rule       string // rule that drops the document, "" if it is kept
	in, out    Tally
	lines      []lost
	personal   []pii.Kind
	places     []place // for the report of personal data
	unchanged  int64
	scores     []float64 // for the details of the report
	why        string    // explanation of rule
	err        *page.Error
	fatal      error // error that ends the run

	edits []records.ParaEdit // buffer of main.Paras
}

// empty empties v and keeps its buffers.
func (v *verdict) empty() {
	clear(v.main.Paras)
	*v = verdict{lines: v.lines[:0], edits: v.edits[:0]}
}

// lost is a line that a rule removed.
type lost struct {
	why   string
	tally Tally
}

// Attributes that are written in addition to the scores.
const (
	attrLang    = "lang"
	attrVerdict = "filter"
	attrRule    = "rule"
	attrWhy     = "why"
)

// siteRule is the name of the rule of [Config.Sites].
const siteRule = "site.listed"

// do judges d. It keeps d if the program fails.
func (j *judge) do(d *records.Doc) (v *verdict) {
	if v = new(verdict); j.verdicts != nil {
		v = j.verdicts.Get().(*verdict)
	}
	if err := panics.Catch(func() error { j.judge(d, v); return nil }); err != nil {
		if j.set != nil {
			j.scorer = j.set.Scorer() // the state of the old scorer is undefined
		}
		v = &verdict{err: &page.Error{File: d.Source.File, Offset: -1, Err: fmt.Errorf("document %s is kept unchanged: %w", d.ID, err)}}
		for i := range d.Paras {
			v.in.add(count(string(d.Paras[i].Text)))
		}
		v.in.Docs, v.out = 1, v.in
		v.out.Docs = 1
	}
	return v
}

func count(text string) Tally {
	return Tally{Words: int64(token.Count(text)), Bytes: int64(len(text))}
}

// text returns d in the form that rules use, and reports whether its language was detected.
func (j *judge) text(d *records.Doc) (text filter.Text, detected bool) {
	j.whole, j.spans = d.Whole(j.whole[:0], j.spans[:0])
	text.Whole = unsafe.String(unsafe.SliceData(j.whole), len(j.whole))
	if !j.reuse { // scores, explanations and positions may refer to the text
		text.Whole = strings.Clone(text.Whole)
	}
	j.paras = j.paras[:0]
	for _, s := range j.spans {
		j.paras = append(j.paras, token.Span(s))
	}
	text.Paras, text.URL, text.License, text.Optout, text.Translated, text.PageType = j.paras, d.URL, d.License, d.Optout, d.Translated, d.PageType
	text.Lang, detected = j.lang(d.Lang, text.Whole)
	return text, detected
}

// lang returns the language of a document: the given one, of the document, or the
// detected language, in this order. It reports whether the language was detected.
func (j *judge) lang(own, whole string) (lang string, detected bool) {
	if own == langid.Undetermined {
		own = ""
	}
	if lang = cmp.Or(j.cfg.Lang, own); lang != "" {
		return lang, false
	}
	d, err := j.detect()
	if err != nil {
		panic(err) // the model is embedded and tested
	}
	return d.Detect(whole).Lang, true
}

func (j *judge) judge(d *records.Doc, v *verdict) {
	var text filter.Text
	text, v.detected = j.text(d)
	v.lang = text.Lang
	r, decision, drop := j.score(d, v, text)
	if j.cfg.Sites != nil && j.cfg.Sites.drops(d.URL) {
		decision, drop = filter.Decision{Rule: siteRule, Value: 1, Sign: ">"}, true
	}
	if drop {
		v.rule = decision.Rule
		if j.scorer != nil && !j.cfg.Scored {
			decision.Explanation = j.scorer.Explain(decision)
		}
	}
	if j.cfg.ReportFile != "" {
		v.scores, v.why = slices.Clone(r.Scores), decision.Explanation
	}
	j.edit(d, v, r, text, drop)
	if j.finder != nil && !drop {
		j.personal(d, v, text)
	}
	attrs := j.attrs(d, v, r, decision, drop)
	v.main.Attrs, v.rest.Attrs = attrs, attrs
	v.main.Drop, v.rest.Drop = drop, !drop
}

// decides reports whether only decisions are needed, no scores or explanations.
func (j *judge) decides() bool {
	return !j.cfg.Scored && !j.cfg.Annotate && j.cfg.Dropped == "" && j.cfg.ReportFile == ""
}

// score computes or reads the scores of a document, and reports whether a limit drops it. If the
// scores are neither written nor reported, the scores after the first exceeded limit are not computed.
func (j *judge) score(d *records.Doc, v *verdict, text filter.Text) (r *filter.Result, decision filter.Decision, drop bool) {
	if j.scorer != nil && j.decides() {
		return j.scorer.Judge(text)
	}
	r = new(filter.Result)
	if j.scorer != nil {
		r = j.scorer.Score(text)
	}
	if j.cfg.Scored {
		r = &filter.Result{Scores: j.scored(d, v), Lines: r.Lines, Joined: r.Joined}
	}
	decision, drop = j.cfg.Set.Decide(v.lang, r.Scores)
	return r, decision, drop
}

// edit sets the edits of the lines and counts them.
func (j *judge) edit(d *records.Doc, v *verdict, r *filter.Result, text filter.Text, drop bool) {
	v.in.Docs = 1
	v.in.Words = int64(token.Count(text.Whole)) // there are no words between lines
	for _, p := range text.Paras {
		v.in.Bytes += int64(p.End - p.Start)
	}
	if len(r.Lines) == 0 {
		if !drop {
			v.out = v.in
		}
		return
	}
	v.main.Joined = r.Joined
	v.edits = slices.Grow(v.edits, len(d.Paras))[:len(d.Paras)]
	v.main.Paras = v.edits
	out := Tally{Words: v.in.Words}
	for i, line := range r.Lines {
		e := &v.main.Paras[i]
		was := text.Whole[text.Paras[i].Start:text.Paras[i].End]
		switch {
		case line.Reason != "":
			if e.Drop = true; j.cfg.Annotate {
				e.Attrs = []records.Attr{{Name: attrRule, Value: line.Reason}}
			}
			if !drop {
				t := count(was)
				out.Words -= t.Words
				t.Docs = 1
				v.lines = append(v.lines, lost{line.Reason, t})
			}
			continue
		case line.Changed && d.Replaceable():
			e.Replace, e.Text = true, strings.Clone(line.Text) // see reuse
			if !drop {
				out.Words += count(line.Text).Words - count(was).Words
				was = line.Text
			}
		case line.Changed:
			v.unchanged++
		}
		out.Bytes += int64(len(was))
	}
	if !drop {
		v.out = out
		v.out.Docs = 1
	}
}

// scored reads the scores that were written for d, NaN for missing scores. It sets the language
// that was recorded with the scores, unless the language of all documents is given.
func (j *judge) scored(d *records.Doc, v *verdict) []float64 {
	j.read = d.Attrs(j.read[:0], attrVerdict)
	scores := make([]float64, len(j.cfg.Set.Scores()))
	some := false
	for i, name := range j.cfg.Set.Scores() {
		scores[i] = math.NaN()
		for _, a := range j.read {
			if a.Number && a.Name == attrName(d.Format(), name) {
				scores[i], _ = strconv.ParseFloat(a.Value, 64)
				some = true
			}
		}
	}
	for _, a := range j.read {
		if a.Name == attrLang && j.cfg.Lang == "" {
			v.lang = a.Value
		}
	}
	if !some {
		v.fatal = fmt.Errorf("%s: document %s: no scores of these rules: annotate the collection by them first", d.Source.File, d.ID)
	}
	return scores
}

// open prepares j for personal data, if it is requested.
func (j *judge) open() (err error) {
	if j.cfg.PII == "" && j.cfg.PIIReport == "" {
		return nil
	}
	if j.cfg.PII == "pseudonym" {
		if j.pseudo, err = pii.NewPseudonyms(j.cfg.PseudonymKey); err != nil {
			return err
		}
	}
	j.finder, err = pii.NewFinder(j.cfg.PIIKinds)
	return err
}

// personal finds personal data in the kept text. It replaces the data or records its positions,
// in characters of the line.
func (j *judge) personal(d *records.Doc, v *verdict, text filter.Text) {
	edits := v.main.Paras
	if j.cfg.PII != "" && edits == nil {
		edits = make([]records.ParaEdit, len(d.Paras))
		v.main.Paras = edits
	}
	chars, at := 0, 0 // of the text before the line
	for i, p := range text.Paras {
		line := text.Whole[p.Start:p.End]
		if j.cfg.PIIReport != "" && (edits == nil || !edits[i].Drop) {
			j.found = j.finder.Find(line, j.found[:0])
			if len(j.found) > 0 {
				chars += utf8.RuneCountInString(text.Whole[at:p.Start])
				at = p.Start
				v.places = appendPlaces(v.places, line, chars, j.found)
			}
		}
		if j.cfg.PII == "" {
			v.count(j.found)
			j.found = j.found[:0]
			continue
		}
		e := &edits[i]
		if e.Replace {
			line = e.Text
		}
		if e.Drop {
			continue
		}
		if j.found = j.finder.Find(line, j.found[:0]); len(j.found) == 0 {
			continue
		}
		v.count(j.found)
		switch j.cfg.PII {
		case "mask":
			e.Replace, e.Text = true, string(pii.Mask(nil, line, j.found))
		case "pseudonym":
			e.Replace, e.Text = true, string(j.pseudo.Replace(nil, line, v.lang, j.found))
		default:
			e.Attrs = append(e.Attrs, records.Attr{Name: "pii", Value: positions(line, j.found)})
		}
	}
}

// count counts matches for the report.
func (v *verdict) count(found []pii.Match) {
	for _, m := range found {
		v.personal = append(v.personal, m.Kind)
	}
}

// positions returns the kinds and positions of matches in a line, such as "email:15-32
// id.PL:40-51".
func positions(line string, found []pii.Match) string {
	var b strings.Builder
	for k, m := range found {
		if k > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(string(m.Kind))
		if m.Country != "" {
			b.WriteString("." + m.Country)
		}
		fmt.Fprintf(&b, ":%d-%d", utf8.RuneCountInString(line[:m.Start]), utf8.RuneCountInString(line[:m.End]))
	}
	return b.String()
}

// attrs returns the attributes for the scores and the decision.
func (j *judge) attrs(d *records.Doc, v *verdict, r *filter.Result, decision filter.Decision, drop bool) []records.Attr {
	if !j.cfg.Annotate && (j.cfg.Dropped == "" || !drop) {
		return nil
	}
	var attrs []records.Attr
	number := func(name string, value float64) {
		attrs = append(attrs, records.Attr{Name: name, Value: filter.FormatScore(value), Number: true})
	}
	attrs = append(attrs, records.Attr{Name: attrVerdict, Value: "keep"})
	if drop {
		attrs[0].Value = "drop"
		attrs = append(attrs, records.Attr{Name: attrRule, Value: v.rule})
		number("value", decision.Value)
		if decision.Sign == "<" {
			number("min", decision.Limit)
		} else {
			number("max", decision.Limit)
		}
		if decision.Explanation != "" {
			attrs = append(attrs, records.Attr{Name: attrWhy, Value: decision.Explanation})
		}
	}
	if v.detected {
		attrs = append(attrs, records.Attr{Name: attrLang, Value: v.lang})
	}
	for i, name := range j.cfg.Set.Scores() {
		if !math.IsNaN(r.Scores[i]) {
			number(attrName(d.Format(), name), r.Scores[i])
		}
	}
	if j.cfg.Scored && d.Format() == records.JSONL { // the field is replaced, so keep the scores of other rules
		for _, a := range j.read {
			if a.Number && strings.Contains(a.Name, ".") && !slices.Contains(j.cfg.Set.Scores(), a.Name) {
				attrs = append(attrs, a)
			}
		}
	}
	return attrs
}

// attrName returns the name of a score in a format. Attributes of structures in vertical files
// have no dots.
func attrName(f records.Format, name string) string {
	if f == records.Vertical || f == records.Prevertical {
		return strings.ReplaceAll(name, ".", "_")
	}
	return name
}
