package main

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"chaffinch/crawl"
)

type crawlPolicyCmd struct {
	Dir     string        `arg:"" optional:"" placeholder:"DIR" help:"Folder of a crawl. Default: none, a crawl with the flags below."`
	Out     string        `short:"o" placeholder:"FILE" help:"Output file: HTML, or text for .txt and standard output. Default: standard output."`
	Project string        `placeholder:"TEXT" help:"Who crawls and why, in a sentence or more."`
	Contact string        `placeholder:"MAIL" help:"As for crawl run. Default: the contact of the crawl."`
	Langs   []string      `placeholder:"TAG" help:"As for crawl run. Default: the languages of the crawl."`
	Delay   time.Duration `placeholder:"TIME" help:"As for crawl run. Default: the delay of the crawl."`
}

// Help is the long text of --help.
func (crawlPolicyCmd) Help() string {
	return `Writes a page for the owners of the sites that a crawl visits: who crawls, how to recognise and slow down the crawler, which data it keeps, and how to opt out. Publish it, and name its URL as --contact.

Examples:
  chaffinch crawl policy --contact https://example.org/crawler --project "The corpus of the University of X." -o crawler.html
  chaffinch crawl policy crawl/

Exit code: 0 completed; 2 failed.`
}

// Run writes the page.
func (c *crawlPolicyCmd) Run(_ context.Context, con *console) error {
	s := crawl.Settings{Schedule: crawl.Default.Schedule}
	if c.Dir != "" {
		var err error
		if s, err = crawl.SettingsOf(c.Dir); err != nil {
			return err
		}
	}
	if s.Contact = cmp.Or(c.Contact, s.Contact); s.Contact == "" {
		return errors.New("no contact: give your e-mail address or web page with --contact, or the folder of a crawl")
	}
	if len(c.Langs) > 0 {
		s.Langs = c.Langs
	}
	if c.Delay > 0 {
		s.Schedule.Delay, s.Schedule.MaxDelay = c.Delay, max(s.Schedule.MaxDelay, c.Delay)
	}
	p := crawl.Policy{Project: c.Project, UserAgent: crawl.UserAgent(programVersion(), s.Contact), Settings: s}
	write := p.WriteHTML
	if c.Out == "" || c.Out == "-" || strings.HasSuffix(c.Out, ".txt") {
		write = p.WriteText
	}
	return writeRaw(c.Out, con, write)
}
