package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"chaffinch/clean/justext"
	"chaffinch/crawl"
	"chaffinch/crawl/propose"
	"chaffinch/internal/readers"
	"chaffinch/page/weburl"
	"chaffinch/text/langid"
)

type crawlProposeCmd struct {
	Lang string `arg:"" placeholder:"TAG" help:"Language, as a tag such as br, or a name."`

	WebLanguages string   `placeholder:"PATH" help:"Copy of github.com/commoncrawl/web-languages, or its file of the language: pages listed by speakers."`
	From         []string `sep:"none" placeholder:"DIR" help:"Folder of a crawl: linked hosts that it has not visited, by the estimated yield from the yields of the linking hosts. Repeatable."`
	Index        []string `sep:"none" placeholder:"FILE" help:"Index of Common Crawl (CDXJ with the field languages), plain or compressed: hosts by their number of pages in the language. Repeatable."`
	Limit        int      `short:"n" range:"[0,)" placeholder:"N" help:"Write at most N hosts of each source. Default: all."`

	Queries int    `range:"[0,)" placeholder:"N" help:"Write N queries for a search engine instead: random words of medium frequency. Their results are candidates for seeds."`
	Words   string `placeholder:"FILE" help:"Words for --queries, one per line, the most frequent first. Default: the words of the embedded stop list of the language."`
	Size    int    `range:"[1,10]" default:"3" placeholder:"N" help:"Words of a query. Default: ${default}."`
	Seed    uint64 `default:"1" placeholder:"N" help:"Seed of the random choice. Default: ${default}."`
}

// Help is the long text of --help.
func (crawlProposeCmd) Help() string {
	return `Proposes seeds for a crawl in a language, without the network. The output is tab-separated: URL and evidence. It is a list of seeds for crawl run.

Examples:
  chaffinch crawl propose br --web-languages web-languages/ > seeds.tsv
  chaffinch crawl propose br --from crawl/ -n 100 > more-seeds.tsv
  chaffinch crawl propose br --index cdx-00042.gz -n 1000 > seeds.tsv
  chaffinch crawl propose br --queries 20 --words words.txt

Exit code: 0 completed; 1 no proposals; 2 failed.`
}

// Run writes proposals or queries.
func (c *crawlProposeCmd) Run(ctx context.Context, con *console) error {
	lang, err := langid.ParseTag(c.Lang)
	if err != nil {
		return err
	}
	if c.Queries > 0 {
		return c.queries(lang, con)
	}
	if c.WebLanguages == "" && len(c.From) == 0 && len(c.Index) == 0 {
		return errors.New("no source: wanted --web-languages, --from, --index or --queries")
	}
	list, err := c.proposals(ctx, lang, con)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return errNo{fmt.Sprintf("no proposals for %s", langid.Label(lang))}
	}
	out := bufio.NewWriter(con.out)
	fmt.Fprintln(out, "url\tevidence")
	for _, p := range list {
		fmt.Fprintf(out, "%s\t%s\n", p.URL, p.Evidence)
	}
	return out.Flush()
}

// proposals returns the proposals of all sources. Hosts of earlier sources are left out of later ones.
func (c *crawlProposeCmd) proposals(ctx context.Context, lang string, con *console) (all []propose.Proposal, err error) {
	hosts := map[string]bool{}
	add := func(list []propose.Proposal) {
		fresh := map[string]bool{}
		for _, p := range list {
			u, err := weburl.Parse(p.URL, nil)
			if err != nil || hosts[u.Host()] {
				continue
			}
			if !fresh[u.Host()] && c.Limit > 0 && len(fresh) == c.Limit {
				continue
			}
			fresh[u.Host()] = true
			all = append(all, p)
		}
		for host := range fresh {
			hosts[host] = true
		}
	}
	if c.WebLanguages != "" {
		list, err := propose.Languages(ctx, c.WebLanguages, lang)
		if err != nil {
			return nil, fmt.Errorf("--web-languages: %w", err)
		}
		add(list)
	}
	for _, dir := range c.From {
		found, err := crawl.Expand(ctx, dir)
		if err != nil {
			return nil, fmt.Errorf("--from: %w", err)
		}
		var list []propose.Proposal
		for _, p := range found {
			list = append(list, propose.Proposal{URL: p.URL, Evidence: fmt.Sprintf("links: estimated yield %.2f %%, %s such as %s", 100*p.Expected, count(int64(p.Sites), "site"), p.From)})
		}
		add(list)
	}
	if len(c.Index) == 0 {
		return all, nil
	}
	x, err := propose.NewIndex(lang)
	if err != nil {
		return nil, err
	}
	for _, name := range c.Index {
		if err := c.readIndex(ctx, x, name, con); err != nil {
			return nil, fmt.Errorf("--index: %w", err)
		}
	}
	if x.Bad+x.Unknown+x.Skipped > 0 {
		fmt.Fprintf(con.err, "--index: of %s, %d unreadable, %d without the field languages, %d of hosts beyond the limit\n", count(x.Lines, "line"), x.Bad, x.Unknown, x.Skipped)
	}
	add(x.Proposals())
	return all, nil
}

func (c *crawlProposeCmd) readIndex(ctx context.Context, x *propose.Index, name string, con *console) error {
	in, shut, err := openFile(name, anything, con)
	if err != nil {
		return err
	}
	defer shut()
	if err := x.Read(ctx, readers.Until(ctx, in)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// queries writes queries.
func (c *crawlProposeCmd) queries(lang string, con *console) error {
	var words []string
	if c.Words != "" {
		in, shut, err := openFile(c.Words, aText, con)
		if err != nil {
			return fmt.Errorf("--words: %w", err)
		}
		defer shut()
		if words, err = propose.ReadWords(in); err != nil {
			return fmt.Errorf("--words: %s: %w", c.Words, err)
		}
	} else if list := justext.Embedded(lang); list != nil {
		words = list.Words()
	} else {
		return fmt.Errorf("no embedded words of %s: give a list with --words", langid.Label(lang))
	}
	list, err := propose.Queries(words, c.Queries, c.Size, c.Seed)
	if err != nil {
		return fmt.Errorf("--queries: %w", err)
	}
	out := bufio.NewWriter(con.out)
	for _, q := range list {
		fmt.Fprintln(out, q)
	}
	return out.Flush()
}
