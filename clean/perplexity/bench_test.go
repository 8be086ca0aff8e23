package perplexity

import (
	"context"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// benchPage is a page of some 50 kB with menus, headings and paragraphs.
func benchPage() (p *page.Page, size int64) {
	p = &page.Page{}
	add := func(kind page.Kind, text string, linked bool) {
		b := page.Block{Kind: kind, Text: text}
		if linked {
			b.LinkChars = len(text)
		}
		p.Blocks = append(p.Blocks, b)
		size += int64(len(text))
	}
	prose := "The boats come into the harbour in the morning, and they leave again at night. " +
		"Dr. Pine, who came here in 1985, has counted them for ten years. " +
		"There are fewer each winter; nobody knows why. \"Perhaps,\" he says, \"the fish have learned to wait.\" "
	for range 40 {
		for _, item := range []string{"Home", "About us", "News & events", "Contact", "Log in"} {
			add(page.Item, item, true)
		}
		add(page.Heading, "What the harbour master knows", false)
		for range 4 {
			add(page.Paragraph, prose, false)
		}
	}
	return p, size
}

func BenchmarkLabel(b *testing.B) {
	l := must.Get(New(Default))(b)
	p, size := benchPage()
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		must.Succeed(b, must.Err(l.Label(context.Background(), p)))
	}
}

func BenchmarkFilter(b *testing.B) {
	m := must.Get(Load("en", ""))(b)
	p, size := benchPage()
	var text strings.Builder
	for _, block := range p.Blocks {
		text.WriteString(block.Text + "\n")
	}
	f := Filter{Model: m, Limit: 8000}
	b.SetBytes(size)
	for b.Loop() {
		f.Process(text.String())
	}
}
