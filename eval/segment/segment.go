// Package segment scores how text is cut into tokens and sentences: against
// files with one sentence a line, which are joined by blanks, and against
// treebanks in CoNLL-U (Zeman et al., CoNLL 2018 Shared Task, section 5: a
// token or sentence is right if both of its ends are).
package segment

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"chaffinch/token"
)

// Joined is how many lines of a file with one sentence a line make a text.
const Joined = 10

// Gold is a file that people have cut.
type Gold struct {
	Name, Lang string
	Texts      []Text
	HasTokens  bool // else sentences are scored by their ends alone
}

// Text is a text with its tokens and sentences.
type Text struct {
	Text              string
	Tokens, Sentences []token.Span
}

// Read reads a file by the end of its name, ".txt" or ".conllu". Its language
// is what the name begins with: "deu.txt", "de_gsd-ud-dev.conllu".
func Read(name string, r io.Reader) (*Gold, error) {
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

// readLines reads one sentence a line.
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
		if len(sentences) == Joined {
			flush()
		}
	}
	flush()
	return in.Err()
}

// readTreebank reads CoNLL-U. The text is that of the tokens; a new paragraph
// or document begins a text. Where the words of a multiword token, put
// together, are the token, they count as tokens: don't is do and n't.
func (g *Gold) readTreebank(r io.Reader) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<24)
	t := &tree{gold: g}
	number := 0
	for in.Scan() {
		number++
		line := in.Text()
		switch {
		case line == "":
			t.sentence()
		case strings.HasPrefix(line, "# newpar"), strings.HasPrefix(line, "# newdoc"):
			t.flush()
		case line[0] != '#':
			if err := t.word(strings.Split(line, "\t")); err != nil {
				return fmt.Errorf("%s:%d: %w", g.Name, number, err)
			}
		}
	}
	t.sentence()
	t.flush()
	return in.Err()
}

// tree is a text that is read from a treebank.
type tree struct {
	gold *Gold
	text strings.Builder
	now  Text

	start int      // of the sentence, 1 more
	end   int      // of the last token
	form  string   // multiword token that is read
	parts []string // its words
	left  int      // how many more there are
	space bool     // after it
}

// word takes the columns of a line.
func (t *tree) word(f []string) error {
	if len(f) != 10 {
		return fmt.Errorf("%d columns, wanted the 10 of CoNLL-U", len(f))
	}
	if strings.Contains(f[0], ".") {
		return nil // an empty node
	}
	space := !strings.Contains(f[9], "SpaceAfter=No")
	if from, to, ok := strings.Cut(f[0], "-"); ok {
		a, err1 := strconv.Atoi(from)
		b, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil || b < a {
			return fmt.Errorf("word number %q", f[0])
		}
		t.form, t.parts, t.left, t.space = f[1], nil, b-a+1, space
		return nil
	}
	if t.left > 0 {
		t.parts = append(t.parts, f[1])
		if t.left--; t.left == 0 {
			if strings.Join(t.parts, "") != t.form {
				t.parts = []string{t.form}
			}
			for i, p := range t.parts {
				t.token(p, t.space && i == len(t.parts)-1)
			}
		}
		return nil
	}
	t.token(f[1], space)
	return nil
}

func (t *tree) token(form string, space bool) {
	if t.start == 0 {
		t.start = t.text.Len() + 1
	}
	s := t.text.Len()
	t.text.WriteString(form)
	t.end = t.text.Len()
	t.now.Tokens = append(t.now.Tokens, token.Span{Start: s, End: t.end})
	if space {
		t.text.WriteByte(' ')
	}
}

func (t *tree) sentence() {
	if t.start > 0 {
		t.now.Sentences = append(t.now.Sentences, token.Span{Start: t.start - 1, End: t.end})
	}
	t.start = 0
}

func (t *tree) flush() {
	if len(t.now.Sentences) > 0 {
		t.now.Text = t.text.String()
		t.gold.Texts = append(t.gold.Texts, t.now)
	}
	t.now = Text{}
	t.text.Reset()
}
