// Package segment scores tokenization and sentence segmentation with files of one sentence per
// line, which are joined by spaces, and with treebanks in CoNLL-U. A token or sentence is right if
// both ends are right (Zeman et al., CoNLL 2018 Shared Task, section 5). [Set] reads and
// scores files.
package segment

import (
	"bufio"
	"io"
	"path"
	"strings"

	"golang.org/x/text/language"

	"chaffinch/format/conllu"
	"chaffinch/text/token"
)

// joined is the number of lines of a file with one sentence per line that make a text.
const joined = 10

// Gold is a manually segmented file.
type Gold struct {
	Name, Lang string
	Texts      []Text
	HasTokens  bool // otherwise only the ends of sentences are scored
}

// Text is a text with its tokens and sentences.
type Text struct {
	Text              string
	Tokens, Sentences []token.Span
}

// read reads a file with the suffix ".txt" or ".conllu". The language is the beginning of its name:
// "deu.txt", "de_gsd-ud-dev.conllu".
func read(name string, r io.Reader) (*Gold, error) {
	base := path.Base(name)
	g := &Gold{Name: base, Lang: tag(base)}
	if strings.HasSuffix(name, ".conllu") {
		g.HasTokens = true
		return g, g.readTreebank(r)
	}
	return g, g.readLines(r)
}

// tag returns the language tag at the start of a file name.
func tag(base string) string {
	end := strings.IndexAny(base, "_.")
	if end < 0 {
		end = len(base)
	}
	t, err := language.Parse(base[:end])
	if err != nil {
		return "und"
	}
	return t.String()
}

// readLines reads one sentence per line.
func (g *Gold) readLines(r io.Reader) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<24)
	var text strings.Builder
	var sentences []token.Span
	flush := func() {
		if len(sentences) > 0 {
			g.Texts = append(g.Texts, Text{Text: text.String(), Sentences: sentences})
		}
		text.Reset()
		sentences = nil
	}
	for in.Scan() {
		line := strings.TrimSpace(in.Text())
		if line == "" {
			continue
		}
		start := text.Len()
		text.WriteString(line)
		sentences = append(sentences, token.Span{Start: start, End: text.Len()})
		text.WriteByte(' ')
		if len(sentences) == joined {
			flush()
		}
	}
	flush()
	return in.Err()
}

// readTreebank reads CoNLL-U. The text is built from the tokens; a new paragraph or document begins
// a text.
func (g *Gold) readTreebank(r io.Reader) error {
	var text strings.Builder
	var now Text
	flush := func() {
		if len(now.Sentences) > 0 {
			now.Text = text.String()
			g.Texts = append(g.Texts, now)
		}
		now = Text{}
		text.Reset()
	}
	for s, err := range conllu.NewReader(g.Name, r).All() {
		if err != nil {
			return err
		}
		if s.Begins() {
			flush()
		}
		start, end := text.Len(), 0
		for _, t := range s.Segments() {
			from := text.Len()
			text.WriteString(t.Form)
			end = text.Len()
			now.Tokens = append(now.Tokens, token.Span{Start: from, End: end})
			if t.Space {
				text.WriteByte(' ')
			}
		}
		now.Sentences = append(now.Sentences, token.Span{Start: start, End: end})
	}
	flush()
	return nil
}
