// Command browser cleans pages in a web browser or in another host of WebAssembly. It contains
// only what that needs: the extractor and the default method, without detection of languages.
//
// Built for GOOS=js, it defines a function for scripts; release/site/try.js calls it:
//
//	chaffinch.clean(html, url) // a Uint8Array and optionally a string: returns {text, markdown, page}
//
// Built for any other system, it converts HTML on standard input to Markdown.
package main

import (
	"context"

	"chaffinch/clean"
	"chaffinch/clean/blocks"
	"chaffinch/extract"
	"chaffinch/format/markdown"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// cleaner cleans one page after another.
type cleaner struct{ stages []pipeline.Stage }

func newCleaner() (*cleaner, error) {
	e, err := extract.New(extract.Default)
	if err != nil {
		return nil, err
	}
	l, err := blocks.New(blocks.Default)
	if err != nil {
		return nil, err
	}
	return &cleaner{[]pipeline.Stage{e, &clean.Stage{Labeller: l}}}, nil
}

// clean returns the page with the verdict on each block.
func (c *cleaner) clean(html []byte, url string) (*page.Page, error) {
	p := &page.Page{Raw: html, URL: url}
	for _, s := range c.stages {
		if err := s.Do(context.Background(), p); err != nil || p.Drop != page.None {
			return p, err
		}
	}
	return p, nil
}

// asMarkdown returns the kept text as Markdown.
func asMarkdown(p *page.Page) string { return string(markdown.Encoder{}.Append(nil, p)) }
