package main

import (
	"context"
	"errors"
	"fmt"

	"chaffinch/format/wacz"
)

type crawlReplayCmd struct {
	Archive string `arg:"" placeholder:"DIR|FILE" help:"Folder of a crawl, a folder of web archives, or a file: .wacz, .warc.gz."`

	Listen string   `default:"127.0.0.1:8017" placeholder:"ADDR" help:"Address and port to listen on; port 0 selects a free one. Default: ${default}, reachable only from this machine."`
	Token  string   `xor:"who" env:"CHAFFINCH_TOKEN" placeholder:"WORD" help:"Token that clients must send. Default: a random token, part of the printed address."`
	Open   bool     `xor:"who" help:"No token: everyone who can reach the address has access."`
	Host   []string `placeholder:"NAME" help:"Host names under which clients may reach the server; * for any. Default: localhost, 127.0.0.1 and ::1, or another address in --listen."`
	Log    string   `default:"faults" enum:"requests,faults" help:"What to log to standard error, as JSON lines: all requests, or only errors (faults). Default: ${default}."`
}

// Help is the long text of --help.
func (crawlReplayCmd) Help() string {
	return `Starts a server that shows the pages of a web archive in the browser, offline. It prints its address. Pages are listed by address, and each is shown as archived beside the blocks that cleaning keeps and drops. Scripts are not run, and nothing is loaded from the web: an archive of a text crawl has no images, style sheets and scripts. Links lead to archived pages.

The index of a WACZ file is used in place. Other archives are read once at the start; chaffinch crawl export wacz writes an index.

Examples:
  chaffinch crawl replay crawl/
  chaffinch crawl replay crawl.wacz
  chaffinch crawl replay crawl-00001.warc.gz --listen 127.0.0.1:0

Exit code: 0 stopped by a signal, after completing all open requests; 2 failed.`
}

// Run serves until a signal comes.
func (c *crawlReplayCmd) Run(ctx context.Context, con *console) (err error) {
	bad := 0
	r, err := wacz.Open(ctx, c.Archive, func(err error) {
		if bad++; bad <= shownErrors {
			fmt.Fprintf(con.err, "chaffinch: %s: %v\n", c.Archive, err)
		}
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if bad > shownErrors {
		fmt.Fprintf(con.err, "chaffinch: and %s\n", count(int64(bad-shownErrors), "more damaged record"))
	}
	s := serveCmd{Listen: c.Listen, Token: c.Token, Open: c.Open, Host: c.Host, Log: c.Log, archive: r}
	return s.Run(ctx, con)
}
