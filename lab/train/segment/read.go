package segment

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"chaffinch/format/conllu"
)

// maxLine is the maximum length of a line in bytes.
const maxLine = 1 << 24

// ReadWords reads texts with one sentence per line and a space between words. In the original text
// words are adjacent, with a space only between words that end and begin with an ASCII letter or
// digit.
func ReadWords(name string, r io.Reader) ([]Text, error) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	var texts []Text
	for in.Scan() {
		words := strings.Fields(in.Text())
		if len(words) == 0 {
			continue
		}
		var t Text
		var b strings.Builder
		for i, w := range words {
			if i > 0 && plain(words[i-1][len(words[i-1])-1]) && plain(w[0]) {
				b.WriteByte(' ')
			}
			b.WriteString(w)
			t.Ends = append(t.Ends, b.Len())
		}
		t.Text = b.String()
		texts = append(texts, t)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return texts, nil
}

func plain(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// ReadTreebank reads a treebank in CoNLL-U. Each sentence is a text.
func ReadTreebank(name string, r io.Reader) ([]Text, error) {
	var texts []Text
	for s, err := range conllu.NewReader(name, r).All() {
		if err != nil {
			return texts, err
		}
		var t Text
		var b strings.Builder
		for _, w := range s.Segments() {
			b.WriteString(w.Form)
			t.Ends = append(t.Ends, b.Len())
			if w.Space {
				b.WriteByte(' ')
			}
		}
		t.Text = b.String()
		texts = append(texts, t)
	}
	return texts, nil
}
