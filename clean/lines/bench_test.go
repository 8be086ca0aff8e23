package lines

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"chaffinch/internal/cputime"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/gold"
)

// document is the lines of one document with their language.
type document struct {
	lang  string
	lines []string
}

// dump makes documents in the proportions of crawled text: menus, paragraphs
// and a footer. Nothing is random: it is the same dump every time.
func dump(documents int) (out []document) {
	menu := []string{"Home", "About the mill", "Opening hours", "News (12)", "Contact | Imprint", "Log in"}
	sentences := []string{
		"The old mill stands where the river leaves the valley. ",
		"It was built of grey stone in 1787, two years after the great flood, and it has never been moved. ",
		"Anybody who comes on a Sunday may watch the wheel turn; the miller’s daughter sells bread and coffee. ",
		"“We grind rye, wheat and spelt,” she says, “but only when there is enough water.” ",
		"On 12 May 2014 the new weir was opened, at a cost of €1,250,000. ",
	}
	for i := range documents {
		lines := append([]string{fmt.Sprintf("Mill no. %d by the river", i)}, menu...)
		for k := range 3 + i%8 {
			lines = append(lines, strings.Repeat(sentences[(i+k)%5], 1+k%4)+sentences[k%5], fmt.Sprintf("Posted by anna on %d/%d/2014 at 10:%02d", 1+k, 1+i%12, i%60))
		}
		out = append(out, document{"en", append(lines, "Share this page on Facebook...", "© 2014 The Valley Museum. All rights reserved.")})
	}
	return out
}

// benchmarkRead reports the megabytes read in a second of processor time too,
// which other programs on the machine change less.
func benchmarkRead(b *testing.B, documents []document) {
	size := 0
	for _, d := range documents {
		for _, l := range d.lines {
			size += len(l) + 1
		}
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	s := new(sheet)
	for _, d := range documents {
		read(s, d.lang, d.lines)
	}
	b.ResetTimer()
	from := cputime.Used()
	n := 0
	for b.Loop() {
		for _, d := range documents {
			read(s, d.lang, d.lines)
		}
		n++
	}
	cpu := cputime.Used() - from
	b.ReportMetric(float64(size)*float64(n)/1e6/cpu.Seconds(), "MB/cpu-s")
}

// BenchmarkReadDump reads a dump written for it.
func BenchmarkReadDump(b *testing.B) { benchmarkRead(b, dump(500)) }

// BenchmarkReadUnknown reads the same, the language to be detected.
func BenchmarkReadUnknown(b *testing.B) {
	documents := dump(500)
	for i := range documents {
		documents[i].lang = ""
	}
	benchmarkRead(b, documents)
}

// BenchmarkReadTurku reads the labelled documents of six languages.
func BenchmarkReadTurku(b *testing.B) {
	docs := must.Get(gold.ReadLineDocs(context.Background(), testkit.Data(b, "lines/turku-lines.tar.zst")))(b)
	var documents []document
	for _, d := range docs {
		documents = append(documents, document{d.Lang, d.Lines})
	}
	benchmarkRead(b, documents)
}
