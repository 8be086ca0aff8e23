package main

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"chaffinch/crawl"
	"chaffinch/format/wacz"
)

type crawlReportCmd struct {
	Dir string `arg:"" placeholder:"DIR" help:"Folder of a crawl, finished or running."`
	Out string `short:"o" placeholder:"FILE" help:"Output file; - is standard output. Default: report.html in the folder of the crawl."`
}

// Help is the long text of --help.
func (crawlReportCmd) Help() string {
	return `Writes the state of a crawl as an HTML page: the yield curve, hosts, languages, and reasons for missing text. A crawl also writes it when it finishes.

Example: chaffinch crawl report crawl/

Exit code: 0 completed; 2 failed.`
}

// Run writes the report.
func (c *crawlReportCmd) Run(ctx context.Context, con *console) error {
	if err := notShared(ctx, c.Dir, ""); err != nil {
		return err
	}
	if c.Out != "" {
		return writeRaw(c.Out, con, func(w io.Writer) error { return crawl.WriteReport(ctx, c.Dir, w) })
	}
	name, err := crawl.SaveReport(ctx, c.Dir)
	if err == nil {
		fmt.Fprintf(con.err, "written: %s\n", name)
	}
	return err
}

type crawlExportGroup struct {
	Links crawlLinksCmd `cmd:"" help:"Write the link graph of the pages."`
	Hosts crawlHostsCmd `cmd:"" help:"Write the yield of each host."`
	WACZ  crawlWACZCmd  `cmd:"" name:"wacz" help:"Write the archives as one web archive collection, for ReplayWeb.page and other programs."`
}

// crawlExport has the arguments of all exports.
type crawlExport struct {
	Dir string `arg:"" placeholder:"DIR" help:"Folder of a crawl, finished or running."`
	Out string `short:"o" placeholder:"FILE" help:"Output file, compressed if its name ends in .gz or .zst. Default: standard output."`
}

func (c *crawlExport) write(ctx context.Context, con *console, fn func(ctx context.Context, dir string, out *bufio.Writer) error) error {
	return writeTo(c.Out, con, func(w io.Writer) error {
		out := bufio.NewWriter(w)
		if err := fn(ctx, c.Dir, out); err != nil {
			return err
		}
		return out.Flush()
	})
}

type crawlLinksCmd struct{ crawlExport }

// Help is the long text of --help.
func (crawlLinksCmd) Help() string {
	return `Writes the link graph of a crawl as tab-separated values, one link per line: the URL of the page and the linked URL. The first line holds the column names.

Example: chaffinch crawl export links crawl/ -o links.tsv.zst

Exit code: 0 completed; 2 failed.`
}

// Run writes the links.
func (c *crawlLinksCmd) Run(ctx context.Context, con *console) error {
	return c.write(ctx, con, exportLinks)
}

type crawlHostsCmd struct{ crawlExport }

// Help is the long text of --help.
func (crawlHostsCmd) Help() string {
	return `Writes the hosts of a crawl as tab-separated values, with the most clean text first. The first line holds the column names.

Example: chaffinch crawl export hosts crawl/ > hosts.tsv

Exit code: 0 completed; 2 failed.`
}

// Run writes the hosts.
func (c *crawlHostsCmd) Run(ctx context.Context, con *console) error {
	return c.write(ctx, con, exportHosts)
}

type crawlWACZCmd struct {
	Dir string `arg:"" placeholder:"DIR" help:"Folder of a crawl, finished or running."`
	Out string `short:"o" required:"" placeholder:"FILE" help:"Output file, such as crawl.wacz; - is standard output."`
}

// Help is the long text of --help.
func (crawlWACZCmd) Help() string {
	return `Writes a web archive collection (WACZ 1.1.1): all archives of the crawl, an index of their records, the pages with text, the other HTML pages, and the clean text in records/text.jsonl.
Open the file with ReplayWeb.page. A text crawl contains no images, styles and scripts, so pages look plain.

Example: chaffinch crawl export wacz crawl/ -o crawl.wacz

Exit code: 0 completed; 2 failed.`
}

// Run writes the collection.
func (c *crawlWACZCmd) Run(ctx context.Context, con *console) error {
	var t wacz.Totals
	err := writeRaw(c.Out, con, func(w io.Writer) (err error) {
		t, err = crawl.WriteWACZ(ctx, c.Dir, w)
		return err
	})
	if err == nil {
		fmt.Fprintf(con.err, "%s, %s in the index, %s with text, %s without\n", count(int64(t.Archives), "archive"), count(t.Records, "record"), count(t.Pages, "page"), count(t.Extra, "page"))
	}
	return err
}

func exportLinks(ctx context.Context, dir string, out *bufio.Writer) error {
	fmt.Fprintln(out, "from\tto")
	_, err := crawl.ReadHistory(ctx, dir, func(e crawl.Edge) error {
		_, err := fmt.Fprintf(out, "%s\t%s\n", e.From, e.To)
		return err
	})
	return err
}

func exportHosts(ctx context.Context, dir string, out *bufio.Writer) error {
	h, err := crawl.ReadHistory(ctx, dir, nil)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "host\tpages\trecords\tclean_bytes\tbytes\tyield\tfailures\tlinked_from\tlinks_to\tfiltered")
	for _, s := range h.Sites {
		fmt.Fprintf(out, "%s\t%d\t%d\t%d\t%d\t%.5f\t%d\t%d\t%d\t%d\n", s.Origin, s.Pages, s.Records, s.Clean, s.Bytes, s.Yield(), s.Failures, s.LinkedFrom, s.LinksTo, s.Filtered())
	}
	return nil // errors of out are returned by Flush
}
