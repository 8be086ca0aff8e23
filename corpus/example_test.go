package corpus_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"chaffinch/corpus"
)

const vert = `<doc id="a">
<s>
The	the
goldfinches	goldfinch
sang	sing
<g/>
.	.
</s>
<s>
A	a
goldfinch	goldfinch
flew	fly
home	home
<g/>
.	.
</s>
</doc>
`

// An index is built from a vertical, opened and queried.
func Example() {
	dir, err := os.MkdirTemp("", "corpus-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	cfg := corpus.DefaultBuild
	cfg.Columns = []string{"word", "lemma"}
	ctx := context.Background()
	if _, err := corpus.Build(ctx, strings.NewReader(vert), dir, cfg); err != nil {
		log.Fatal(err)
	}
	c, err := corpus.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	q, err := c.Query(ctx, `[lemma="goldfinch"] []{1,2} </s>`)
	if err != nil {
		log.Fatal(err)
	}
	for m, err := range q.Matches(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d-%d %s\n", m.Start, m.End, c.Text(m.Start, m.End))
	}
	q, err = c.Query(ctx, `"goldfinch.*"`)
	if err != nil {
		log.Fatal(err)
	}
	k, err := q.Concordance(ctx, corpus.ConcordanceConfig{View: corpus.KWIC, Context: 12, Sort: []string{"right"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(k.Summary())
	if err := k.Write(ctx, os.Stdout, "text"); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1-4 goldfinches sang.
	// 2 matches, 222222.22 per million tokens
	//     sang. A <goldfinch> flew home.
	//         The <goldfinches> sang. A
}
