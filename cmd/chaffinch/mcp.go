package main

import (
	"context"
	"errors"
	"fmt"

	"chaffinch/serve"
)

type mcpCmd struct {
	askedCorpora
	fetchFlags
}

// Help is the long text of --help.
func (mcpCmd) Help() string {
	return `Serves the Model Context Protocol (MCP) over standard input and standard output. Tools: clean a page (without hidden text), detect the language of text, list and search corpora. chaffinch serve offers the same tools at /mcp.

Examples:
  chaffinch mcp
  chaffinch mcp news.idx --fetch you@example.org`
}

// Run answers until standard input ends.
func (c *mcpCmd) Run(ctx context.Context, con *console) error {
	if isTerminal(con.in) {
		return errors.New("standard input is a terminal: this command is started by MCP clients, see docs/guides/serve-clients.md")
	}
	cfg := serve.Config{Version: programVersion(), Corpora: map[string]string{}}
	if err := c.folders(cfg.Corpora); err != nil {
		return err
	}
	s, shut, err := c.open(cfg)
	if err != nil {
		return err
	}
	err = s.ServeMCP(ctx, con.in, con.out)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("MCP: %w", err)
	}
	return errors.Join(err, shut())
}
