package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"

	"chaffinch/corpus"
	"chaffinch/corpus/profile"
	"chaffinch/internal/table"
)

type corpusProfileCmd struct {
	Index string `arg:"" help:"Folder of an index, or file NAME.shards that lists shards."`
	Word  string `arg:"" help:"Word: a lempos such as take-v, a lemma, or a form."`

	partFlags
	Format   string   `short:"f" default:"text" enum:"text,json,html" help:"text (a table per part), json, or html. Default: ${default}."`
	Limit    int      `short:"n" range:"[1,)" default:"10" help:"Maximum number of rows of a list, or of collocates of a relation. Default: ${default}."`
	Part     []string `short:"p" enum:"${profileParts}" placeholder:"NAME" help:"Only this part: ${profileParts}; may be repeated. Default: all."`
	Time     string   `placeholder:"STRUCT.ATTR" help:"Attribute with the time. Default: year, decade or date of doc."`
	Register string   `placeholder:"STRUCT.ATTR" help:"Attribute with the register. Default: register, genre, domain, topic or type of doc."`
	Site     string   `placeholder:"STRUCT.ATTR" help:"Attribute with the source. Default: host, site, source or author of doc."`
}

// Help is the long text of --help.
func (corpusProfileCmd) Help() string {
	return `Prints a profile of a word: frequency and dispersion, word forms, frequency by time, register and site, word sketch, collocations, thesaurus and good examples.

Examples:
  chaffinch corpus profile idx take-v
  chaffinch corpus profile idx coffee -p summary -p time
  chaffinch corpus profile idx take-v --where 'doc.lang="en"' --register doc.genre
  chaffinch corpus profile idx take-v -f html >take.html

A part that the corpus cannot provide is left out with a reason.`
}

// Run prints the profile.
func (c *corpusProfileCmd) Run(ctx context.Context, con *console) error {
	x, shut, err := c.source(ctx, c.Index)
	if err != nil {
		return err
	}
	defer shut()
	w, err := profile.Find(ctx, x, c.Word)
	if err != nil {
		return err
	}
	also(con, w.Word, w.Also)
	p, err := w.Profile(ctx, profile.Config{Parts: c.Part, Time: c.Time, Register: c.Register, Site: c.Site, Limit: c.Limit})
	if bad := (*corpus.ConfigError)(nil); errors.As(err, &bad) && slices.Contains([]string{"time", "register", "site"}, bad.Field) {
		return fmt.Errorf("--%s %w", bad.Field, err)
	}
	if err != nil {
		return err
	}
	switch c.Format {
	case "json":
		return listFlags{Format: c.Format}.write(con.out, nil, p)
	case "html":
		return p.WriteHTML(con.out)
	}
	return buffered(con.out, func(b *bufio.Writer) error {
		fmt.Fprintf(b, "%s in %s\n", w.Word, inTokens(x))
		for _, s := range p.Sections() {
			fmt.Fprintf(b, "\n%s\n", s.Title)
			if s.About != "" {
				fmt.Fprintln(b, s.About)
			}
			if len(s.Rows) == 0 {
				continue
			}
			head := slices.Clone(s.Head)
			for i := range head {
				if i >= s.Text {
					head[i] = ">" + head[i]
				}
			}
			t := table.New(head...)
			for _, r := range s.Rows {
				t.Add(r...)
			}
			if err := t.Write(b, ""); err != nil {
				return err
			}
		}
		return nil
	})
}
