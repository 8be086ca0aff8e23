package clean

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"chaffinch/internal/pytext"
	"chaffinch/lab/gold"
)

// glue lists errors in the spaces between the words of a page.
type glue struct {
	words int
	// glued lists words of the output that are two adjacent words of the gold without the space,
	// and not a word of the gold. split lists adjacent words of the output, not adjacent in the
	// gold, that are one word of the gold.
	glued, split []string
}

// glueOf compares the words of a text with the words of its gold, both in lower case. It returns
// nothing for scripts without spaces between words.
func glueOf(text, goldText string) (g glue) {
	if gold.Unspaced(goldText) {
		return g
	}
	lower := func(text string) []string {
		words := pytext.Words(text)
		for i, w := range words {
			words[i] = pytext.Lower(w)
		}
		return words
	}
	want, got := lower(goldText), lower(text)
	g.words = len(got)
	type pair [2]string
	known, joined, pairs := map[string]bool{}, map[string]bool{}, map[pair]bool{}
	for i, w := range want {
		known[w] = true
		if i > 0 {
			joined[want[i-1]+w] = true
			pairs[pair{want[i-1], w}] = true
		}
	}
	for i, w := range got {
		if !known[w] && joined[w] {
			g.glued = append(g.glued, w)
		}
		if i > 0 && known[got[i-1]+w] && !pairs[pair{got[i-1], w}] {
			g.split = append(g.split, got[i-1]+"|"+w)
		}
	}
	return g
}

// WriteGlue counts for each system, over all sets, words that lost a space between them and words
// that got one, one line per system. It writes each of them with its page to table (TSV). Outputs
// have the same systems on all sets.
func WriteGlue(summary, table io.Writer, views []View) error {
	out := bufio.NewWriter(table)
	out.WriteString("set\tsystem\tid\tkind\tword\n")
	var systems []string
	sums := map[string]*[3]int{}
	for _, v := range views {
		for _, o := range v.Outputs {
			if sums[o.Name] == nil {
				systems = append(systems, o.Name)
				sums[o.Name] = new([3]int)
			}
			sum := sums[o.Name]
			for _, page := range v.Set.Pages {
				if page.SnippetsOnly {
					continue
				}
				g := glueOf(o.Pages[page.ID].Text, page.Text)
				sum[0] += g.words
				sum[1] += len(g.glued)
				sum[2] += len(g.split)
				for _, kind := range []struct {
					name  string
					words []string
				}{{"glued", g.glued}, {"split", g.split}} {
					slices.Sort(kind.words)
					for _, w := range kind.words {
						fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", v.Set.Name, o.Name, page.ID, kind.name, w)
					}
				}
			}
		}
	}
	for _, name := range systems {
		s := sums[name]
		if _, err := fmt.Fprintf(summary, "gaps: %s: %d glued, %d split of %d words\n", name, s[1], s[2], s[0]); err != nil {
			return err
		}
	}
	return out.Flush()
}
