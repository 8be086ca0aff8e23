package serve

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"chaffinch/format/markdown"
	"chaffinch/page"
	"chaffinch/page/weburl"
	"chaffinch/serve/problem"
)

// scrapeInput is a request of Firecrawl's API, version 2: POST /v2/scrape.
type scrapeInput struct {
	Body struct {
		_               struct{} `additionalProperties:"true"`
		URL             string   `json:"url" doc:"Address of the page."`
		Formats         []any    `json:"formats,omitempty" doc:"markdown (default), rawHtml, links; as names, or as objects with the name as type."`
		OnlyMainContent *bool    `json:"onlyMainContent,omitempty" doc:"Drop boilerplate. Default: true; with false every block is kept."`
	}
}

// scrapeOutput answers as Firecrawl does, errors too.
type scrapeOutput struct {
	Status int
	Body   scraped
}

type scraped struct {
	Success bool         `json:"success"`
	Data    *scrapedData `json:"data,omitempty"`
	Error   string       `json:"error,omitempty"`
	Code    string       `json:"code,omitempty"`
}

type scrapedData struct {
	Markdown string          `json:"markdown,omitempty"`
	RawHTML  string          `json:"rawHtml,omitempty"`
	Links    []string        `json:"links,omitempty"`
	Metadata scrapedMetadata `json:"metadata"`
	Warning  string          `json:"warning,omitempty"`
}

type scrapedMetadata struct {
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Language    string `json:"language,omitempty"`
	SourceURL   string `json:"sourceURL"`
	URL         string `json:"url"`
	StatusCode  int    `json:"statusCode"`
	ContentType string `json:"contentType,omitempty"`
}

// scrapeFormats lists the supported formats.
var scrapeFormats = []string{"markdown", "rawHtml", "links"}

// scrape fetches a page, cleans it and answers as Firecrawl does.
func (s *Server) scrape(ctx context.Context, in *scrapeInput) (*scrapeOutput, error) {
	data, err := s.scraped(ctx, in)
	if err != nil {
		p := problem.Of(err)
		return &scrapeOutput{p.Status, scraped{Error: p.Detail, Code: strings.ToUpper(strings.ReplaceAll(p.Title, " ", "_"))}}, nil
	}
	return &scrapeOutput{http.StatusOK, scraped{Success: true, Data: data}}, nil
}

func (s *Server) scraped(ctx context.Context, in *scrapeInput) (*scrapedData, error) {
	var formats []string
	for _, f := range in.Body.Formats {
		name, _ := f.(string)
		if o, ok := f.(map[string]any); ok {
			name, _ = o["type"].(string)
		}
		if !slices.Contains(scrapeFormats, name) {
			return nil, problem.New(http.StatusBadRequest, "formats: %v: wanted %s", f, strings.Join(scrapeFormats, ", "))
		}
		formats = append(formats, name)
	}
	if formats == nil {
		formats = []string{"markdown"}
	}
	settings := PageSettings{Keep: "main,title"}
	if all := in.Body.OnlyMainContent; all != nil && !*all {
		settings = PageSettings{Method: "keep"}
	}
	cleaner, err := s.cleaner(cleanerKey{PageSettings: settings})
	if err != nil {
		return nil, err
	}
	p, err := s.visit(ctx, item{URL: in.Body.URL})
	if err != nil {
		return nil, err
	}
	if err := s.cleanPage(ctx, s.gate.Enter, cleaner, p); err != nil {
		return nil, err
	}
	d := &scrapedData{Metadata: scrapedMetadata{
		Title: p.Meta.Title, Description: p.Meta.Description, Language: cmp.Or(p.KnownLang(), p.Meta.Lang), SourceURL: in.Body.URL, URL: p.URL, StatusCode: http.StatusOK, ContentType: p.MIME,
	}}
	if p.Drop != page.None {
		d.Warning = p.Drop.Sentence()
	}
	for _, f := range formats {
		switch f {
		case "markdown":
			d.Markdown = string(markdown.Encoder{}.Append(nil, p))
		case "rawHtml":
			d.RawHTML = p.HTML
		case "links":
			d.Links = linksOf(p)
		}
	}
	return d, nil
}

// linksOf returns the addresses that the blocks of a page link to, each once.
func linksOf(p *page.Page) []string {
	base, err := weburl.Parse(p.URL, nil)
	if err != nil {
		return nil
	}
	seen := map[string]bool{}
	var links []string
	for i := range p.Blocks {
		for _, m := range p.Blocks[i].Inline {
			if m.Kind != page.Link {
				continue
			}
			if u, err := weburl.Parse(m.URL, &base); err == nil && !seen[u.String()] {
				seen[u.String()] = true
				links = append(links, u.String())
			}
		}
	}
	return links
}
