package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"chaffinch/internal/report"
	"chaffinch/internal/sorts"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// writeSummary writes a readable summary of a run.
func writeSummary(w io.Writer, r *pipeline.Report) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "pages   %s read, %s kept, %s dropped%s\n", number(r.Pages), number(r.Kept), number(r.Pages-r.Kept), reasons(r.Dropped))
	if line := formats(r); line != "" {
		fmt.Fprintf(&b, "formats %s\n", line)
	}
	if len(r.Cut) > 0 {
		fmt.Fprintf(&b, "cut     %s%s\n", listing(r.Cut), limitsOf(r.Cut))
	}
	if len(r.Skipped) > 0 {
		fmt.Fprintf(&b, "skipped %s\n", listing(r.Skipped))
	}
	if len(r.Langs) > 0 {
		fmt.Fprintf(&b, "langs   %s\n", listing(r.Langs))
	}
	if len(r.PageTypes) > 0 {
		fmt.Fprintf(&b, "types   %s\n", listing(r.PageTypes))
	}
	if len(r.Registers) > 0 {
		fmt.Fprintf(&b, "regs    %s\n", listing(r.Registers))
	}
	if len(r.Rules) > 0 {
		fmt.Fprintf(&b, "rules   %s\n", listing(r.Rules))
	}
	if len(r.OtherLangs) > 0 {
		fmt.Fprintf(&b, "others  %s\n", listing(r.OtherLangs))
	}
	fmt.Fprintf(&b, "words   %s in, %s out, %.1f %% kept\n", number(r.WordsIn), number(r.WordsOut), 100*r.KeptShare())
	if r.Shortened > 0 {
		fmt.Fprintf(&b, "names   %s of files shortened to 255 bytes, the limit of file systems (%s lists all files):\n", number(r.Shortened), pipeline.ListName)
		for _, s := range r.ShortenedFirst {
			fmt.Fprintf(&b, "        %s\n", s)
		}
	}
	if r.EmptyFiles > 0 {
		fmt.Fprintf(&b, "empty   %s of input of 0 bytes\n", count(r.EmptyFiles, "file"))
	}
	if n := r.Errors(); n > 0 {
		fmt.Fprintf(&b, "errors  %s: %s\n", number(n), listing(r.ErrorsByFile))
	}
	fmt.Fprintf(&b, "time    %s", r.Elapsed.Round(time.Millisecond))
	if r.BytesIn > 0 { // pages as fetched, not clean text
		fmt.Fprintf(&b, ", %.1f MB/s", r.MBPerSecond())
	}
	b.WriteByte('\n')
	_, err := w.Write(b.Bytes())
	return err
}

// limitFlags lists the flags that raise the limits beyond which text is lost, by reason.
var limitFlags = []struct {
	why  page.Reason
	flag string
}{
	{page.TooLarge, "--max-page-bytes"},
	{page.TooManyNodes, "--max-nodes"},
	{page.TooCompressed, "--max-ratio"},
	{page.TooSlow, "--max-page-time"},
}

// limitsOf returns a hint on the text lost by cut pages, and on the flags that raise the
// limits.
func limitsOf(cut map[string]int64) string {
	var flags []string
	for _, l := range limitFlags {
		if cut[l.why.String()] > 0 {
			flags = append(flags, l.flag)
		}
	}
	if len(flags) == 0 {
		return ""
	}
	return ": text after the limit is lost; " + strings.Join(flags, ", ") + " to raise it"
}

// printWarnings prints a line for each warning.
func printWarnings(w io.Writer, warnings []string) {
	for _, line := range warnings {
		fmt.Fprintf(w, "chaffinch: warning: %s\n", line)
	}
}

func reasons(m map[string]int64) string {
	if len(m) == 0 {
		return ""
	}
	return " (" + listing(m) + ")"
}

// listing lists at most ten entries, the most frequent first.
func listing(m map[string]int64) string {
	keys := sorts.ByValue(m)
	var b bytes.Buffer
	for i, k := range keys {
		if i == 10 {
			fmt.Fprintf(&b, ", and %d more", len(keys)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s %s", k, number(m[k]))
	}
	return b.String()
}

// number writes n with commas between thousands.
func number(n int64) string { return report.Grouped(n) }

// count writes n things.
func count(n int64, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return number(n) + " " + thing
}

// formats lists the formats of pages with their shares, the most pages first; "" if there are no
// documents.
func formats(r *pipeline.Report) string {
	names := sorts.ByCount(r.Formats, func(f pipeline.FormatCount) int64 { return f.Pages })
	if !slices.ContainsFunc(names, func(name string) bool { return name != "html" && name != "text" && name != "other" }) {
		return ""
	}
	parts := make([]string, len(names))
	for i, name := range names {
		f := r.Formats[name]
		parts[i] = fmt.Sprintf("%s %s (%.1f %% of pages, %.1f %% of bytes)", name, number(f.Pages), 100*float64(f.Pages)/float64(r.Pages), 100*float64(f.Bytes)/float64(max(r.BytesIn, 1)))
		if f.OCRPages > 0 {
			parts[i] += ", " + count(f.OCRPages, "page") + " by OCR"
		}
	}
	return strings.Join(parts, "; ")
}
