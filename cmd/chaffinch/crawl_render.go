package main

import (
	"cmp"
	"errors"
	"fmt"

	"chaffinch/crawl"
	"chaffinch/crawl/render"
)

// renderFlags selects the pages whose scripts a crawl runs.
type renderFlags struct {
	Render    string `group:"Scripts" default:"" enum:",never,auto,always" placeholder:"WHEN" help:"Run the scripts of pages in Chromium, without a network: never, auto (pages that show hardly any text without them) or always. Default: never; such pages are dropped as scripted."`
	Chromium  string `group:"Scripts" placeholder:"FILE" help:"Program of Chromium or Chrome, not a script that starts it. Default: the installed one."`
	NoSandbox bool   `group:"Scripts" help:"Run Chromium without its sandbox, as root and some containers need. A page that exploits a flaw of Chromium then has your rights."`
}

// apply adds the flags to the configuration of a crawl; was is the mode of its last run.
func (f *renderFlags) apply(cfg *crawl.Config, was string, con *console) error {
	cfg.Render = cmp.Or(f.Render, was)
	if cfg.Render == "" || cfg.Render == crawl.RenderNever {
		return nil
	}
	r := render.Default
	r.Program, r.NoSandbox = f.Chromium, f.NoSandbox
	r.Agent = crawl.UserAgent(programVersion(), cfg.Contact)
	pool, err := render.New(r)
	switch {
	case errors.Is(err, render.ErrNotFound) && cfg.Render == crawl.RenderAuto:
		fmt.Fprintf(con.err, "chaffinch: --render auto: %v; --chromium names it. Pages that need scripts are dropped as scripted\n", err)
		return nil
	case errors.Is(err, render.ErrRoot):
		return fmt.Errorf("--render %s: %w: --no-sandbox allows it", cfg.Render, err)
	case err != nil:
		return fmt.Errorf("--render %s: %w", cfg.Render, err)
	}
	cfg.Renderer = pool
	return nil
}
