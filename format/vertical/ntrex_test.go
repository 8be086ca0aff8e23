package vertical_test

import (
	"io"
	"path"
	"strings"
	"testing"

	"chaffinch/format/vertical"
	"chaffinch/internal/archive"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
	"chaffinch/text/token"
)

func blank(r rune) bool { return token.IsSpace(r) }

// tags are the languages of NTREX whose names are not BCP 47 tags.
var tags = map[string]string{
	"eng": "en", "deu": "de", "fra": "fr", "spa": "es", "ita": "it", "por": "pt", "nld": "nl", "swe": "sv", "fin": "fi", "ces": "cs", "pol": "pl", "rus": "ru", "zho": "zh", "jpn": "ja", "kor": "ko", "tha": "th", "hun": "hu", "ron": "ro", "ell": "el", "ukr": "uk", "bul": "bg", "dan": "da", "nob": "nb", "cat": "ca", "tur": "tr", "arb": "ar", "heb": "he", "fas": "fa", "hin": "hi", "vie": "vi",
}

// TestRoundTripLanguages wants the news of NTREX, ten lines to a block, back from
// the vertical byte for byte, in every language of the set.
func TestRoundTripLanguages(t *testing.T) {
	testkit.Slow(t)
	languages := 0
	must.Succeed(t, archive.Walk(testkit.Data(t, "text/ntrex.tar.zst"), func(name string, r io.Reader) error {
		if path.Base(path.Dir(name)) != "txt" {
			return nil
		}
		b, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		lang := strings.TrimSuffix(path.Base(name), ".txt")
		base, _, _ := strings.Cut(lang, "-")
		if tags[base] != "" {
			lang = tags[base]
		}
		lines := strings.Split(strings.ToValidUTF8(string(b), "\ufffd"), "\n")
		lines = lines[:min(len(lines), 600)]
		var want []string
		p := &page.Page{ID: name, Lang: lang}
		for i := 0; i < len(lines); i += 10 {
			if text := strings.Join(lines[i:min(i+10, len(lines))], " "); strings.TrimFunc(text, blank) != "" {
				want = append(want, text)
				p.Blocks = append(p.Blocks, page.Block{Text: text, Verdict: page.Verdict{Label: page.Good}})
			}
		}
		got := texts(t, string(vertical.Encoder{}.Append(nil, p)), vertical.ReaderConfig{Strict: true})
		if len(got) != len(want) {
			t.Errorf("%s: %d blocks come back of %d", name, len(got), len(want))
			return nil
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s: %q comes back as %q", name, want[i], got[i])
				break
			}
		}
		languages++
		return nil
	}))
	if languages < 100 {
		t.Errorf("%d languages", languages)
	}
}

// BenchmarkEncoder writes English news; bytes are those of the text. The part of
// the tokenizer is BenchmarkTokens.
func BenchmarkEncoder(b *testing.B) {
	p := newsPage(b)
	var buf []byte
	var tokens int
	for b.Loop() {
		buf = vertical.Encoder{}.Append(buf[:0], p)
	}
	r := vertical.NewReader(strings.NewReader(string(buf)), vertical.ReaderConfig{})
	for {
		l, err := r.Next()
		if err != nil {
			break
		}
		if l.Kind == vertical.Token {
			tokens++
		}
	}
	b.ReportMetric(float64(tokens)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtokens/s")
}

// BenchmarkTokens only cuts the same text into sentences and tokens.
func BenchmarkTokens(b *testing.B) {
	p := newsPage(b)
	t := token.For("en")
	var words, sents []token.Span
	tokens := 0
	for b.Loop() {
		tokens = 0
		for i := range p.Blocks {
			words, sents = t.SentenceWords(p.Blocks[i].Text, words[:0], sents[:0])
			tokens += len(words)
		}
	}
	b.ReportMetric(float64(tokens)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtokens/s")
}

// BenchmarkReader reads what BenchmarkEncoder writes.
func BenchmarkReader(b *testing.B) {
	v := string(vertical.Encoder{}.Append(nil, newsPage(b)))
	b.SetBytes(int64(len(v)))
	tokens := 0
	for b.Loop() {
		r := vertical.NewReader(strings.NewReader(v), vertical.ReaderConfig{Strict: true})
		for {
			_, err := r.Next()
			if err == io.EOF {
				break
			}
			must.Succeed(b, err)
		}
		tokens = int(r.Report().Tokens)
	}
	b.ReportMetric(float64(tokens)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtokens/s")
}

// newsPage is the English part of NTREX as one page, five lines to a block.
func newsPage(b *testing.B) *page.Page {
	p := &page.Page{ID: "news", Lang: "en"}
	err := archive.Walk(testkit.Data(b, "text/ntrex.tar.zst"), func(name string, r io.Reader) error {
		if path.Base(name) != "eng.txt" {
			return nil
		}
		t, err := io.ReadAll(r)
		lines := strings.Split(strings.TrimSpace(string(t)), "\n")
		for i := 0; i < len(lines); i += 5 {
			p.Blocks = append(p.Blocks, page.Block{Text: strings.Join(lines[i:min(i+5, len(lines))], " "), Verdict: page.Verdict{Label: page.Good}})
		}
		return err
	})
	if err != nil || len(p.Blocks) == 0 {
		b.Fatal(len(p.Blocks), err)
	}
	return p
}
