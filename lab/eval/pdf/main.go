// Command pdf converts PDF files to HTML and measures the time and memory:
//
//	go run ./lab/eval/pdf -out OUT [-rules] FILES...
//
// OUT gets a file of HTML for each file that has text. lab/compare/pdf scores them.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chaffinch/format/document"
	"chaffinch/format/pdf"
	"chaffinch/format/pdf/worker"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/page"
)

func main() {
	worker.Main()
	out := flag.String("out", "", "folder of the HTML")
	rules := flag.Bool("rules", false, "without the model of roles")
	flag.Parse()
	if flag.NArg() == 0 || *out == "" {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(os.Stdout, *out, *rules, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "pdf:", err)
		os.Exit(1)
	}
}

// totals are the measurements of all files.
type totals struct {
	files, pages int
	reasons      map[page.Reason]int
	slowest      time.Duration
	slowestFile  string
}

func run(w io.Writer, out string, rules bool, files []string) error {
	r := &pdf.Reader{Workers: 1, Rules: rules}
	defer r.Close()
	t := totals{reasons: map[page.Reason]int{}}
	// The worker starts before the clock. The document is not read.
	if _, err := r.Read(context.Background(), []byte("%PDF-1.4"), document.Limits{}); err != nil {
		return err
	}
	began := time.Now()
	for _, name := range files {
		if err := t.convert(r, out, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	took := time.Since(began)
	fmt.Fprintf(w, "files\t%d\npages\t%d\nseconds\t%.1f\npages per second\t%.1f\nslowest file\t%.2f s\t%s\n",
		t.files, t.pages, took.Seconds(), float64(t.pages)/took.Seconds(), t.slowest.Seconds(), t.slowestFile)
	reasons := make([]string, 0, len(t.reasons))
	for reason, n := range t.reasons {
		reasons = append(reasons, fmt.Sprintf("%s\t%d", reason, n))
	}
	slices.Sort(reasons)
	_, err := fmt.Fprintln(w, strings.Join(reasons, "\n"))
	return err
}

func (t *totals) convert(r *pdf.Reader, out, name string) error {
	raw, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	began := time.Now()
	d, err := r.Read(context.Background(), raw, document.Limits{})
	if err != nil {
		return err
	}
	if took := time.Since(began); took > t.slowest {
		t.slowest, t.slowestFile = took, name
	}
	t.files++
	for _, n := range d.Notes {
		if n.What == "pages" {
			t.pages += int(n.Value)
		}
	}
	to := filepath.Join(out, strings.TrimSuffix(filepath.Base(name), ".pdf")+".html")
	if d.Drop != page.None {
		t.reasons[d.Drop]++
		return disk.RemoveAll(to) // of an earlier run
	}
	return files.WriteFile(to, []byte(d.HTML))
}
