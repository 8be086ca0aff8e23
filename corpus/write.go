package corpus

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"chaffinch/internal/report"
)

// Formats lists the formats of a concordance.
var Formats = []string{"text", "tsv", "json", "html"}

// Write writes the concordance in one of the Formats.
//
//	text  one line per match, matches in one column between < and >, or in color
//	tsv   a header line with the column names, then one line per match
//	json  one object: query, matches, per_million, shown, lines
//	html  a self-contained page
func (k *Concordance) Write(ctx context.Context, w io.Writer, format string) error {
	out := bufio.NewWriter(w)
	var write func(context.Context, *bufio.Writer) error
	switch format {
	case "text":
		write = k.writeText
	case "tsv":
		write = k.writeTSV
	case "json":
		write = k.writeJSON
	case "html":
		write = k.writeHTML
	default:
		return fmt.Errorf("concordance: format %q, wanted one of %s", format, strings.Join(Formats, ", "))
	}
	if err := write(ctx, out); err != nil {
		return err
	}
	return out.Flush()
}

// Summary returns one line with the number of matches and the number shown.
func (k *Concordance) Summary() string {
	s := matchCount(k.Total, k.PerMillion)
	switch {
	case k.cfg.Good != nil && k.Total > int64(k.cfg.Sample):
		return fmt.Sprintf("%s; the best %s of %s at random (seed %d)", s, report.Grouped(k.Shown), report.Grouped(int64(k.cfg.Sample)), k.cfg.Seed)
	case k.cfg.Good != nil:
		return fmt.Sprintf("%s; the best %s", s, report.Grouped(k.Shown))
	case k.Shown == k.Total:
		return s
	case k.cfg.Sample > 0:
		return fmt.Sprintf("%s; %s at random (seed %d)", s, report.Grouped(k.Shown), k.cfg.Seed)
	}
	return fmt.Sprintf("%s; the first %s", s, report.Grouped(k.Shown))
}

// matchCount formats the number of matches.
func matchCount(n int64, perMillion float64) string {
	things := "matches"
	if n == 1 {
		things = "match"
	}
	return fmt.Sprintf("%s %s, %.2f per million tokens", report.Grouped(n), things, perMillion)
}

// writeTSV writes a table. White space in values is already normalized to single spaces.
func (k *Concordance) writeTSV(ctx context.Context, w *bufio.Writer) error {
	names := slices.Concat(k.cfg.Refs, []string{"start", "end"}, prefixAll("label.", k.of.labels), []string{"left", "match", "right"})
	if k.cfg.Good != nil {
		names = append(names, "score")
	}
	names = append(names, prefixAll("aligned.", k.cfg.Aligned)...)
	fmt.Fprintln(w, strings.Join(names, "\t"))
	for l, err := range k.Lines(ctx) {
		if err != nil {
			return err
		}
		cells := append(slices.Clone(l.Refs), fmt.Sprint(l.Start), fmt.Sprint(l.End))
		for _, p := range l.Labels {
			cells = append(cells, fmt.Sprint(p))
		}
		cells = append(cells, strings.TrimSpace(l.Left), l.Text, strings.TrimSpace(l.Right))
		if k.cfg.Good != nil {
			cells = append(cells, fmt.Sprintf("%.4f", l.Score))
		}
		cells = append(cells, l.Aligned...)
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	return nil
}

func prefixAll(prefix string, names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = prefix + n
	}
	return out
}

// jsonLine is a line in JSON.
type jsonLine struct {
	Start   int64             `json:"start"`
	End     int64             `json:"end"`
	Left    string            `json:"left"`
	Match   string            `json:"match"`
	Right   string            `json:"right"`
	Refs    map[string]string `json:"refs,omitempty"`
	Labels  map[string]int64  `json:"labels,omitempty"`
	Score   *float64          `json:"score,omitempty"`
	Aligned map[string]string `json:"aligned,omitempty"`
}

func (k *Concordance) writeJSON(ctx context.Context, w *bufio.Writer) error {
	head, err := jsonText(struct {
		Query      string  `json:"query"`
		Corpus     string  `json:"corpus"`
		Where      string  `json:"where,omitempty"`
		Tokens     int64   `json:"tokens"`
		Matches    int64   `json:"matches"`
		PerMillion float64 `json:"per_million"`
		Shown      int64   `json:"shown"`
	}{k.of.query, k.of.corpus, k.of.where, k.of.tokens, k.Total, k.PerMillion, k.Shown})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, `%s,"lines":[`, strings.TrimSuffix(head, "}"))
	comma := ""
	for l, err := range k.Lines(ctx) {
		if err != nil {
			return err
		}
		j := jsonLine{Start: l.Start, End: l.End, Left: l.Left, Match: l.Text, Right: l.Right}
		if len(l.Refs) > 0 {
			j.Refs = map[string]string{}
		}
		for i, r := range l.Refs {
			j.Refs[k.cfg.Refs[i]] = r
		}
		if k.cfg.Good != nil {
			j.Score = &l.Score
		}
		if len(l.Aligned) > 0 {
			j.Aligned = map[string]string{}
		}
		for i, t := range l.Aligned {
			j.Aligned[k.cfg.Aligned[i]] = t
		}
		for i, p := range l.Labels {
			if j.Labels == nil {
				j.Labels = map[string]int64{}
			}
			j.Labels[k.of.labels[i]] = p
		}
		b, err := jsonText(j)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\n%s", comma, b)
		comma = ","
	}
	fmt.Fprint(w, "\n]}\n")
	return nil
}

// jsonText returns the JSON of v, without escaping <, > and &.
func jsonText(v any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

var htmlHead = report.Template("head of matches", `<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>{{.Query}}</title>
<style>
body{font:15px/1.5 system-ui,sans-serif;margin:2em;color:#222;background:#fff}
code{background:#f3f3f3;padding:.1em .3em}
table{border-collapse:collapse;width:100%}
td,th{padding:.15em .5em;vertical-align:top;border-bottom:1px solid #eee;text-align:left}
td.l{text-align:right}
td.m{font-weight:600;color:#a33;text-align:center;white-space:nowrap}
.sentence td.l,.sentence td.m{white-space:normal}
td.r{color:#777;font-size:85%}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}code{background:#2a2a2a}td,th{border-color:#333}td.m{color:#f99}}
</style></head><body>
<h1><code>{{.Query}}</code></h1>
<p>{{.Summary}}, in {{.Tokens}} tokens</p>
<table class="{{.View}}"><tr>{{range .Refs}}<th>{{.}}</th>{{end}}<th></th><th></th><th></th></tr>
`, nil)

var htmlLine = report.Template("line",
	`<tr>{{range .Refs}}<td class="r">{{.}}</td>{{end}}{{if .RightToLeft}}<td class="l" dir="rtl">{{.Right}}</td><td class="m" dir="rtl">{{.Text}}</td><td dir="rtl">{{.Left}}</td>`+
		`{{else}}<td class="l" dir="auto">{{.Left}}</td><td class="m" dir="auto">{{.Text}}</td><td dir="auto">{{.Right}}</td>{{end}}</tr>
{{range .Aligned}}<tr>{{range $.Refs}}<td></td>{{end}}<td colspan="3" dir="auto">{{.}}</td></tr>
{{end}}`, nil)

// rightToLeft lists the scripts that are written from right to left.
var rightToLeft = []*unicode.RangeTable{
	unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam, unicode.Samaritan, unicode.Mandaic, unicode.Hanifi_Rohingya,
}

// RightToLeft reports whether the match is in a script written from right to left. The
// first letter of the match decides, else the first letter before or after it. The text
// before the match is then shown on the right.
func (l Line) RightToLeft() bool {
	for _, s := range []string{l.Text, l.Left, l.Right} {
		for _, r := range s {
			if unicode.IsLetter(r) {
				return unicode.In(r, rightToLeft...)
			}
		}
	}
	return false
}

func (k *Concordance) writeHTML(ctx context.Context, w *bufio.Writer) error {
	err := htmlHead().Execute(w, struct {
		Query, Summary, Tokens string
		View                   View
		Refs                   []string
	}{k.of.query, k.Summary(), report.Grouped(k.of.tokens), k.cfg.View, k.cfg.Refs})
	if err != nil {
		return err
	}
	for l, err := range k.Lines(ctx) {
		if err != nil {
			return err
		}
		if err := htmlLine().Execute(w, l); err != nil {
			return err
		}
	}
	fmt.Fprint(w, "</table></body></html>\n")
	return nil
}
