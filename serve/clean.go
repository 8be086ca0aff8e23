package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"

	"chaffinch"
	"chaffinch/build/recipe"
	"chaffinch/clean/method"
	"chaffinch/filter"
	"chaffinch/format/document"
	"chaffinch/input"
	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/serve/problem"
	"chaffinch/text/langid"
)

// PageSettings holds the settings for cleaning pages, from the query of a request.
type PageSettings struct {
	Keep   string `query:"keep" doc:"Policy for kept text: text (all content), main, article, news, body, or roles separated by commas, such as body,title."`
	Favour string `query:"favour" enum:"precision,recall" doc:"Which errors to avoid: precision (lose text rather than keep boilerplate) or recall. Default: balanced."`
	Method string `query:"method" doc:"Method that labels the blocks, one of /v1/about."`
	Lang   string `query:"lang" doc:"Language of the page: a BCP 47 tag or an English name, such as de or german. Default: detected."`
	Hidden string `query:"hidden" enum:"drop,keep" doc:"Blocks hidden by the page's styles: drop (default) or keep."`
	Title  bool   `query:"title" doc:"Begin the text with the title, if the kept text lacks it."`
}

// check returns an error for an invalid setting.
func (p PageSettings) check() error {
	if _, err := page.ParseRoles(p.Keep); p.Keep != "" && err != nil {
		return problem.Parameter("keep", p.Keep, err)
	}
	if p.Method != "" && !slices.Contains(method.Names(), p.Method) {
		return problem.Parameter("method", p.Method, fmt.Errorf("%q: wanted one of %s", p.Method, strings.Join(method.Names(), ", ")))
	}
	if m := cmp.Or(p.Method, method.Default); p.Keep+p.Favour != "" && !method.Keeps(m) {
		return problem.Parameter("keep", p.Keep, fmt.Errorf("the method %s has no roles: keep and favour need a method with roles (/v1/about)", m))
	}
	_, err := parseLang(p.Lang)
	return err
}

// parseLang returns the tag of the parameter lang, which may be an English name; "" is
// any language.
func parseLang(lang string) (tag string, err error) {
	if lang == "" {
		return "", nil
	}
	if tag, err = langid.ParseTag(lang); err != nil {
		return "", problem.Parameter("lang", lang, err)
	}
	return tag, nil
}

// options returns the settings as options of a Cleaner.
func (p PageSettings) options(limits Limits) chaffinch.Options {
	return chaffinch.Options{Method: p.Method, Keep: p.Keep, Favour: p.Favour, Lang: langid.Tag(p.Lang), KeepHidden: p.Hidden == "keep", Title: p.Title,
		Markup: true, MaxPageBytes: limits.Page, MaxPageTime: limits.PageTime}
}

// PageBody is a request with pages in its body.
type PageBody struct {
	ContentType string `header:"Content-Type" doc:"text/html, text/plain, text/* (either), the media type of a document such as application/pdf, application/json or application/warc; otherwise the format is detected from the content."`
	URL         string `query:"url" doc:"Address of the page, the base of its links."`
	RawBody     []byte
}

// item is a page as JSON.
type item struct {
	ID   string `json:"id,omitempty" doc:"Returned with the page."`
	URL  string `json:"url,omitempty"`
	Lang string `json:"lang,omitempty" doc:"Language of the page, a tag or an English name. Default: detected."`
	HTML string `json:"html,omitempty" doc:"HTML of the page. Without html and text the server fetches url, if it fetches pages."`
	Text string `json:"text,omitempty" doc:"Plain text, if html is missing."`
}

// itemType is the type of a page as JSON.
var itemType = reflect.TypeFor[item]()

// page returns the item as a page.
func (i item) page() *page.Page {
	p := &page.Page{ID: i.ID, URL: i.URL, Lang: i.Lang, HTTPCharset: "utf-8"}
	switch {
	case i.HTML != "":
		p.Raw, p.MIME = []byte(i.HTML), "text/html"
	case i.Text != "":
		p.Raw, p.MIME = []byte(i.Text), "text/plain"
	}
	return p
}

// pages returns the pages of a body, a single page or an archive. It fetches a page given as
// JSON with only an address, if the server fetches pages. OnHTML is [input.Config.OnHTML].
func (s *Server) pages(ctx context.Context, b *PageBody, onHTML func(field string)) ([]*page.Page, []error, error) {
	media, params, err := mime.ParseMediaType(cmp.Or(b.ContentType, "application/octet-stream"))
	if err != nil {
		return nil, nil, problem.New(http.StatusUnsupportedMediaType, "Content-Type %q: %v: wanted a media type, such as text/html or text/html; charset=utf-8", b.ContentType, err)
	}
	switch media {
	case "text/*": // a single page, whose format is detected from its content
		return []*page.Page{{URL: b.URL, Raw: b.RawBody, HTTPCharset: params["charset"]}}, nil, nil
	case "text/html", "application/xhtml+xml", "text/plain":
		return []*page.Page{{URL: b.URL, Raw: b.RawBody, MIME: media, HTTPCharset: params["charset"]}}, nil, nil
	case "application/json":
		var i item
		if err := decodeItem(b.RawBody, &i); err != nil {
			status := http.StatusUnprocessableEntity
			if !json.Valid(b.RawBody) {
				status = http.StatusBadRequest
			}
			return nil, nil, problem.New(status, "body: %v", err)
		}
		i.URL = cmp.Or(i.URL, b.URL)
		if i.HTML == "" && i.Text == "" && i.URL != "" {
			p, err := s.visit(ctx, i)
			return []*page.Page{p}, nil, err
		}
		return []*page.Page{i.page()}, nil, nil
	}
	if document.Of(b.RawBody, media, "") != "" {
		return []*page.Page{{URL: b.URL, Raw: b.RawBody, MIME: media}}, nil, nil
	}
	cfg := input.Default
	cfg.OnHTML = onHTML
	cfg.Stdin, cfg.URL, cfg.Workers = bytes.NewReader(b.RawBody), b.URL, 1 // others want to be served too
	in, err := input.Open([]string{"-"}, cfg)
	if err != nil {
		return nil, nil, problem.New(http.StatusUnprocessableEntity, "body: %v", err)
	}
	defer in.Close()
	var pages []*page.Page
	var bad []error
	unpacked := int64(0)
	for p, err := range in.All() {
		if err != nil {
			bad = append(bad, err)
			if !errors.As(err, new(*page.Error)) {
				break
			}
		}
		if p == nil {
			continue
		}
		if unpacked += int64(len(p.Raw)); unpacked > maxUnpacked*cfg.MaxPageBytes {
			return nil, nil, problem.New(http.StatusRequestEntityTooLarge, "body: its pages unpack to more than %d bytes: send fewer pages", maxUnpacked*cfg.MaxPageBytes)
		}
		pages = append(pages, p)
	}
	if len(pages) == 0 {
		err := cmp.Or(errors.Join(bad...), errors.New("no page in the body"))
		return nil, nil, problem.New(http.StatusUnprocessableEntity, "body: %v", err)
	}
	return pages, bad, nil
}

// visit fetches the page of an item.
func (s *Server) visit(ctx context.Context, i item) (*page.Page, error) {
	if s.cfg.Visitor == nil {
		return nil, problem.New(http.StatusUnprocessableEntity, "url: this server fetches no pages: send the page as html or text")
	}
	p, err := s.cfg.Visitor.Page(ctx, i.URL)
	if err != nil {
		return nil, err
	}
	p.ID, p.Lang = cmp.Or(i.ID, p.ID), i.Lang
	return p, nil
}

// maxUnpacked bounds the unpacked pages of one body, as a multiple of the bound of a page.
const maxUnpacked = 4

// cleanerKey identifies a configuration of the cleaner: settings, names of rules separated by
// commas, the only output format ("" for all results), whether it shows all blocks, and whether
// the language is not needed.
type cleanerKey struct {
	PageSettings
	rules, format        string
	annotate, noLanguage bool
}

// cleaner returns the Cleaner of a way.
func (s *Server) cleaner(w cleanerKey) (*chaffinch.Cleaner, error) {
	return s.cleaners.get(w, func() (*chaffinch.Cleaner, error) {
		if err := w.check(); err != nil {
			return nil, err
		}
		o := w.options(s.cfg.Limits)
		o.NoLanguage = w.noLanguage
		if f, err := recipe.FormatOf(w.format); err == nil {
			o.Markup, o.NoMetadata = f.Markup, f.TextOnly && !w.annotate
			o.CountLangs, o.AllLangs = f.Langs, w.annotate
		}
		if w.rules != "" {
			cfg, err := s.ruleConfig(w.rules)
			if err != nil {
				return nil, err
			}
			o.Filter = &cfg
		}
		made, err := chaffinch.New(o)
		if err != nil {
			return nil, problem.New(http.StatusUnprocessableEntity, "%v", err)
		}
		return made, nil
	})
}

// ruleConfig returns the configuration of rules, names with commas between.
func (s *Server) ruleConfig(rules string) (filter.Config, error) {
	cfg := filter.Config{C4: filter.DefaultC4}
	for name := range strings.SplitSeq(rules, ",") {
		add := cfg.Add
		if file, ok := s.cfg.LabelModels[name]; ok {
			name, add = file, cfg.AddModel
		}
		if err := add(name); err != nil {
			return cfg, problem.Parameter("rules", name, err)
		}
	}
	return cfg, nil
}

// answerFormats returns the formats of responses with a page: all formats except files of
// many pages.
var answerFormats = sync.OnceValue(func() (formats []recipe.Format) {
	for _, f := range recipe.Formats {
		if f.Media != nil {
			formats = append(formats, f)
		}
	}
	return formats
})

// accepted are the media types of the formats, JSON first: a client that takes anything
// gets it.
var accepted = sync.OnceValue(func() []string {
	types := []string{"application/json"}
	for _, f := range answerFormats() {
		types = append(types, f.Media...)
	}
	return types
})

// chooseFormat returns the format by its name, else the one that the client
// likes most, else JSON.
func chooseFormat(name, accept string) (recipe.Format, error) {
	formats := answerFormats()
	if name != "" {
		if i := slices.IndexFunc(formats, func(f recipe.Format) bool { return f.Name == name }); i >= 0 {
			return formats[i], nil
		}
		var names []string
		for _, f := range formats {
			names = append(names, f.Name)
		}
		return recipe.Format{}, problem.Parameter("format", name, fmt.Errorf("%q: wanted one of %s", name, strings.Join(names, ", ")))
	}
	best := bestType(accept, accepted())
	i := slices.IndexFunc(formats, func(f recipe.Format) bool { return slices.Contains(f.Media, best) })
	if i < 0 {
		return recipe.Format{}, problem.New(http.StatusNotAcceptable, "Accept: %s: wanted one of %s", accept, strings.Join(accepted()[1:], ", "))
	}
	return formats[i], nil
}

type cleanInput struct {
	PageBody
	PageSettings
	Accept   string `header:"Accept" doc:"Media types of the response, if format is missing."`
	Format   string `query:"format" doc:"Format of the response. Default: by the header Accept, else JSON."`
	Without  string `query:"without" doc:"Markup to omit from markdown, xml and json, separated by commas: links, images, emphasis, code, headings, lists, tables, quotes, breaks. Its text stays."`
	Annotate string `query:"annotate" enum:"true,false" doc:"Include all blocks, also dropped ones, with label, role, score and reason. Default: true for JSON, else false."`
	Language string `query:"language" enum:"true,false" doc:"Whether to detect the language for the header Content-Language; false is faster if neither format nor method needs it. Default: true."`
}

type cleanOutput struct {
	ContentType string  `header:"Content-Type"`
	Vary        string  `header:"Vary"`
	Drop        string  `header:"Chaffinch-Drop" doc:"Reason for dropping the page; the text is then empty."`
	Lang        string  `header:"Content-Language" doc:"Language of the text."`
	Confidence  float64 `header:"Chaffinch-Confidence" doc:"Confidence in the labels, 0 to 1."`
	Policy      string  `header:"Chaffinch-Confidence-Policy" doc:"Policy of the confidence, such as body."`
	PageType    string  `header:"Chaffinch-Page-Type" doc:"Type of the page, such as article or forum."`
	Pages       int     `header:"Chaffinch-Pages" doc:"Number of pages."`
	Faults      int     `header:"Chaffinch-Faults" doc:"Number of unreadable pieces of the body."`
	HTMLField   string  `header:"Chaffinch-HTML-Field" doc:"Field of the records with the HTML of pages, if the records have no field text: html, raw_html or content."`
	Body        []byte
}

// clean answers with the clean text of the pages of a body.
func (s *Server) clean(ctx context.Context, in *cleanInput) (*cleanOutput, error) {
	f, err := chooseFormat(in.Format, in.Accept)
	if err != nil {
		return nil, err
	}
	annotate := in.Annotate == "true" || in.Annotate == "" && f.Name == "json"
	if annotate && !f.Annotates {
		return nil, problem.Parameter("annotate", true, errors.New("the format "+f.Name+" cannot hold labels"))
	}
	without, err := withoutMarkup(in.Without, f)
	if err != nil {
		return nil, err
	}
	encoder := f.New(recipe.EncoderOptions{Annotate: annotate, Without: without})
	w := cleanerKey{PageSettings: in.PageSettings, format: f.Name, annotate: annotate}
	if l, ok := encoder.(pipeline.LangIgnorer); ok && in.Language == "false" {
		w.noLanguage = l.IgnoresLang()
	}
	cleaner, err := s.cleaner(w)
	if err != nil {
		return nil, err
	}
	field := ""
	pages, bad, err := s.pages(ctx, &in.PageBody, func(name string) { field = name })
	if err != nil {
		return nil, err
	}
	out := &cleanOutput{ContentType: f.Media[0] + "; charset=utf-8", Vary: "Accept", Pages: len(pages), Faults: len(bad), HTMLField: field}
	var head, between, tail string
	if framer, ok := encoder.(pipeline.Framer); ok && (len(pages) > 1 || f.Name == "xml") {
		head, between, tail = framer.Frame()
	}
	out.Body = append(out.Body, head...)
	records := 0
	enter := s.gate.Enter
	for i, p := range pages {
		if err := s.cleanPage(ctx, enter, cleaner, p); err != nil {
			return nil, err
		}
		enter = s.gate.Wait // it was let in
		end := len(out.Body)
		if records > 0 {
			out.Body = append(out.Body, between...)
		}
		joined := len(out.Body)
		if out.Body = encoder.Append(out.Body, p); len(out.Body) > joined {
			records++
		} else if f.Name == "json" && len(pages) == 1 {
			out.Body = appendDropped(out.Body[:end], p)
		} else {
			out.Body = out.Body[:end]
		}
		if len(pages) == 1 {
			out.Drop, out.Lang = p.Drop.String(), p.Lang
			out.Confidence, out.Policy, out.PageType = p.Confidence, p.ConfidencePolicy, p.Type
		}
		pages[i] = nil
	}
	out.Body = append(out.Body, tail...)
	return out, nil
}

// withoutMarkup returns the markup that the format leaves out.
func withoutMarkup(names string, f recipe.Format) (page.Features, error) {
	if names == "" {
		return 0, nil
	}
	if !f.Markup {
		return 0, problem.Parameter("without", names, errors.New("the format "+f.Name+" has no markup: use markdown, xml or json"))
	}
	features, err := page.ParseFeatures(strings.Split(names, ","))
	if err != nil {
		return 0, problem.Parameter("without", names, err)
	}
	return features, nil
}

// copyRaw replaces the bytes of a page by a copy. It is called after the gate, so that waiting
// requests hold their bytes once. The buffer of a body is reused when the request ends, while
// an abandoned stage may still read it ([chaffinch.Cleaner.Do]).
func copyRaw(p *page.Page) { p.Raw = bytes.Clone(p.Raw) }

// cleanPage enters the gate and cleans a page. It returns the error of the gate; errors of
// the page become its reason.
func (s *Server) cleanPage(ctx context.Context, enter func(context.Context) (func(), error), c *chaffinch.Cleaner, p *page.Page) error {
	leave, err := enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	copyRaw(p)
	if err := c.Do(ctx, p); err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "page failed", "id", p.ID, "url", p.URL, "error", err)
	}
	s.metrics.page(p)
	return ctx.Err()
}
