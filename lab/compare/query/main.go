// Command query answers queries on an index from standard input, as QueryRun.java does with BlackLab.
//
//	query INDEX
//
// A query is a line: an operation, a tab, and CQL. The answer is a line. The operations are count (the
// number of hits), sort (the number of hits, after the first 20 sorted by the words after them are read
// with their text), and freq (the number of different texts of the hits).
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"chaffinch/corpus"
)

func main() {
	if err := run(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "query:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, index string) error {
	c, err := corpus.Open(index)
	if err != nil {
		return err
	}
	defer c.Close()
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		operation, cql, _ := strings.Cut(in.Text(), "\t")
		n, err := answer(ctx, c, operation, cql)
		if err != nil {
			return err
		}
		fmt.Println(n)
	}
	return in.Err()
}

func answer(ctx context.Context, c *corpus.Corpus, operation, cql string) (int64, error) {
	if operation == "freq" {
		f, err := c.Freqs(ctx, cql, corpus.FreqConfig{By: []string{"word"}, MinHits: 1, Sort: "freq"})
		if err != nil {
			return 0, err
		}
		return f.Types, nil
	}
	q, err := c.Query(ctx, cql)
	if err != nil {
		return 0, err
	}
	if operation == "count" {
		return q.Count(ctx)
	}
	cfg := corpus.DefaultConcordance
	cfg.Sort, cfg.Limit = []string{"right"}, 20
	k, err := q.Concordance(ctx, cfg)
	if err != nil {
		return 0, err
	}
	for _, err := range k.Lines(ctx) {
		if err != nil {
			return 0, err
		}
	}
	return k.Total, nil
}
