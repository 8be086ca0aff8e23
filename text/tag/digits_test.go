package tag_test

import (
	"context"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/lab/train/tagger"
	"chaffinch/text/tag"
)

// TestDigits: a lemma has the digits of its form, even if the treebank has the form with other digits.
func TestDigits(t *testing.T) {
	text := treebank(100, 1)
	for _, w := range [][3]string{{"1,000", "1000", "NUM"}, {"2ª", "segunda", "ADJ"}, {"7", "seven", "NUM"}, {"k6va", "kova", "ADJ"}} {
		text += strings.Repeat("1\tEl\tel\tDET\td\t_\t_\t_\t_\t_\n2\t"+w[0]+"\t"+w[1]+"\t"+w[2]+"\tx\t_\t_\t_\t_\t_\n\n", 20)
	}
	m := must.Get(tagger.Train(context.Background(), tagger.Default, read(t, text), nil))(t)
	tg := tag.NewTagger(m)
	for form, want := range map[string]string{
		"1,000": "1000", "5,000": "5000", "٥,٠٠٠": "٥٠٠٠", "3ª": "3ª", "8": "8", "k6va": "kova",
	} {
		if got := tg.Tag(nil, []string{"El", form})[1]; got.Lemma != want {
			t.Errorf("lemma of %s: %q, wanted %q", form, got.Lemma, want)
		}
	}
}
