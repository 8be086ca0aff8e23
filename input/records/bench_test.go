package records_test

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/input/records"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// benchFiles are files of some megabytes in each format: documents of 20
// paragraphs of 250 bytes, with an escape in every second one.
func benchFiles() map[string]string {
	var js, text, vert, prevert strings.Builder
	for i := range 1000 {
		words := string(testkit.Words(uint64(i), 5000))
		fmt.Fprintf(&js, `{"id":"doc-%d","url":"https://www.example.org/pages/%d.html","fetched":"2024-03-01T10:00:00Z","lang":"en","source":{"file":"a.warc.gz","offset":%d},"counts":{"blocks":20},"text":"`, i, i, i)
		fmt.Fprintf(&vert, "<doc id=\"doc-%d\" url=\"https://www.example.org/pages/%d.html\" lang=\"en\">\n", i, i)
		fmt.Fprintf(&prevert, "<doc id=\"doc-%d\" url=\"https://www.example.org/pages/%d.html\" lang=\"en\">\n", i, i)
		for k := 0; k < len(words); k += 250 {
			para := words[k:min(k+250, len(words))]
			if k > 0 {
				js.WriteString(`\n`)
			}
			if k%500 == 0 {
				js.WriteString(`He said: \"yes\" `)
			}
			js.WriteString(para)
			text.WriteString(para + "\n")
			prevert.WriteString("<p heading=\"0\" class=\"good\">\n" + para + "\n</p>\n")
			vert.WriteString("<p heading=\"0\" class=\"good\">\n<s>\n")
			for _, w := range strings.Fields(para) {
				vert.WriteString(w + "\n")
			}
			vert.WriteString("</s>\n</p>\n")
		}
		js.WriteString("\"}\n")
		text.WriteString("\n")
		vert.WriteString("</doc>\n")
		prevert.WriteString("</doc>\n")
	}
	return map[string]string{"jsonl": js.String(), "text": text.String(), "vertical": vert.String(), "prevertical": prevert.String()}
}

func BenchmarkRead(b *testing.B) {
	for name, file := range benchFiles() {
		b.Run(name, func(b *testing.B) {
			path := filepath.Join(write(b, "a", file), "a")
			b.SetBytes(int64(len(file)))
			b.ReportAllocs()
			for b.Loop() {
				read(b, path, nil)
			}
		})
	}
}

func BenchmarkStrip(b *testing.B) {
	for name, file := range benchFiles() {
		b.Run(name, func(b *testing.B) {
			path := filepath.Join(write(b, "a", file), "a")
			b.SetBytes(int64(len(file)))
			b.ReportAllocs()
			w := records.NewWriter(io.Discard, records.WriterConfig{})
			for b.Loop() {
				read(b, path, w)
			}
		})
	}
}

// read reads a file of 1,000 documents and drops every fourth paragraph.
func read(b *testing.B, path string, w *records.Writer) {
	r := must.Get(records.Open([]string{path}, records.Config{}))(b)
	defer r.Close()
	var e records.Edit
	n := 0
	for {
		d, err := r.Next()
		if err == io.EOF {
			break
		}
		must.Succeed(b, err)
		n += len(d.Paras)
		if w != nil {
			e.Paras = e.Paras[:0]
			for i := range d.Paras {
				e.Paras = append(e.Paras, records.ParaEdit{Drop: i%4 == 0})
			}
			must.Succeed(b, w.Write(d, &e))
		}
		r.Release(d)
	}
	if n != 20_000 {
		b.Fatalf("%d paragraphs", n)
	}
}
