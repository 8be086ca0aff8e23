package main

import (
	"context"
	"fmt"

	"chaffinch/corpus"
)

type corpusConcordanceCmd struct {
	Index string `arg:"" help:"Folder of an index."`
	Query string `arg:"" help:"A query in the corpus query language, as in '[lemma=\"go\"] []{0,2} \"home\"'."`
	Count bool   `help:"Print only how many matches there are."`
}

// Run prints the concordance.
func (c *corpusConcordanceCmd) Run(ctx context.Context, con *console) error {
	x, err := corpus.Open(c.Index)
	if err != nil {
		return err
	}
	defer x.Close()
	q, err := x.Query(c.Query)
	if err != nil {
		return err
	}
	n, err := q.Count(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(con.out, "%d matches, %.2f per million tokens\n", n, float64(n)*1e6/float64(max(x.Size(), 1)))
	return err
}
