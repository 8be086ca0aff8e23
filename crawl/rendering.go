package crawl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/crawl/render"
	"chaffinch/crawl/robots"
	"chaffinch/crawl/schedule"
	"chaffinch/format/warc"
	"chaffinch/internal/panics"
	"chaffinch/page"
	"chaffinch/page/optout"
	"chaffinch/page/weburl"
)

// Renderer runs the scripts of pages: a [render.Pool].
type Renderer interface {
	// Render renders a page. The error is a [*render.Error].
	Render(ctx context.Context, p render.Page) (*render.Result, error)
}

// Values of [Config.Render].
const (
	RenderNever  = "never"  // run no scripts
	RenderAuto   = "auto"   // run the scripts of pages that show hardly any text without them
	RenderAlways = "always" // run the scripts of all pages with scripts
)

// checkRender returns an error unless mode is a value of Config.Render.
func checkRender(mode string) error {
	if mode != "" && mode != RenderNever && mode != RenderAuto && mode != RenderAlways {
		return fmt.Errorf("render: %q, wanted %s, %s or %s", mode, RenderNever, RenderAuto, RenderAlways)
	}
	return nil
}

// Results of pages that were rendered or need it, in addition to the reasons in package render.
const (
	rendered     = "rendered"
	renderedLess = "no-gain"      // the text without scripts is used
	hostNoGain   = "host-no-gain" // earlier pages of the host gained no text, so that the page was not rendered
)

// renderEvent holds the result of rendering in the journal.
type renderEvent struct {
	Result   string `json:"result"`
	Gain     int64  `json:"gain,omitempty"` // bytes of text that the scripts added
	Requests int    `json:"requests,omitempty"`
	Links    int    `json:"links,omitempty"` // links that the scripts added
	Cut      bool   `json:"cut,omitempty"`   // the scripts did not end in time
}

// String describes the result for the metadata record, "" for nil.
func (e *renderEvent) String() string {
	if e == nil {
		return ""
	}
	return fmt.Sprintf("%s; gain=%d; links=%d; requests=%d; cut=%t", e.Result, e.Gain, e.Links, e.Requests, e.Cut)
}

// rendering holds the state of rendering. Its gains follow from the journal.
type rendering struct {
	gate    gate
	scripts scriptCache
	embeds  originRules

	warned bool // the reason why no browser starts was reported

	mu    sync.Mutex
	gains map[uint32]renderGain // by host
}

// renderGain sums the gains of the rendered pages of a host.
type renderGain struct {
	Pages int32
	Bytes int64
}

const (
	// triedPages is the number of pages of a host that are rendered before the gain decides, and
	// minGain the mean gain in bytes of text from which more pages are rendered.
	triedPages = 3
	minGain    = 200
)

// note adds the gain of a page. It is called for each event of the journal.
func (x *rendering) note(host uint32, e *renderEvent) {
	x.mu.Lock()
	defer x.mu.Unlock()
	lists := e.Gain == 0 && e.Links > 0 // pages without text lead to others
	if e.Result != hostNoGain && e.Result != render.NoBrowser.String() && !lists {
		g := x.gains[host]
		x.gains[host] = renderGain{g.Pages + 1, g.Bytes + e.Gain}
	}
}

// worthwhile reports whether pages of a host are rendered.
func (x *rendering) worthwhile(host uint32) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	g := x.gains[host]
	return g.Pages < triedPages || g.Bytes >= minGain*int64(g.Pages)
}

// warn reports once why no browser starts.
func (c *crawl) warn(r *result) {
	if r.renderErr == nil || c.rendering.warned || c.cfg.OnError == nil {
		return
	}
	c.rendering.warned = true
	c.cfg.OnError(&page.Error{Document: r.task.Origin + r.task.Path, Offset: -1, Err: fmt.Errorf("pages are not rendered: %w", r.renderErr)})
}

// groupOf returns the rules of robots.txt for a page, which its requests need, too: nil if pages are
// not rendered or the rules cannot be read. The goroutine that owns the state calls it.
func (c *crawl) groupOf(t schedule.Task) (g *robots.Group) {
	if c.cfg.Renderer == nil || t.Kind != schedule.Page {
		return nil
	}
	panics.Catch(func() error { g = c.rules.group(t.Rules); return nil })
	return g
}

// needsRendering reports whether the scripts of a cleaned page are run.
func (c *crawl) needsRendering(r *result, p *page.Page) bool {
	if c.cfg.Render != RenderAuto && c.cfg.Render != RenderAlways || p.MIME != "" && p.MIME != "text/html" && p.MIME != "application/xhtml+xml" ||
		optout.Refused(optout.Parse(p.Meta.Optout))&^optout.Follow != 0 || hasRefresh(p) {
		return false
	}
	switch p.Drop {
	case page.None, page.NoText, page.AllBad, page.Scripted, page.OtherLanguage, page.Filtered, page.LowConfidence, page.NoModel:
	default:
		return false
	}
	s := render.SignalsOf(p)
	if c.cfg.Render == RenderAlways {
		return c.cfg.Renderer != nil && (s.Scripts > 0 || s.Words > 0 && p.Drop == page.None)
	}
	if !s.NeedsScripts() {
		return false
	}
	if p.Drop != page.None {
		p.Drop = page.Scripted // unless rendering yields text
	}
	switch {
	case c.cfg.Renderer == nil:
		r.page.Render = &renderEvent{Result: render.NoBrowser.String()}
		return false
	case !c.rendering.worthwhile(r.task.Host):
		r.page.Render = &renderEvent{Result: hostNoGain}
		return false
	}
	return true
}

// hasRefresh reports whether a page redirects to another page.
func hasRefresh(p *page.Page) bool {
	return (p.Drop == page.NoText || p.Drop == page.Scripted || p.Drop == page.AllBad) && slices.ContainsFunc(p.Links, func(l page.Hyperlink) bool { return l.Element == "meta" })
}

// render runs the scripts of a page and returns the page to clean, or nil if it must not replace the
// page without scripts.
func (c *crawl) render(ctx context.Context, u weburl.URL, r *result, resp *fetch.Result) *page.Page {
	e := &embedded{c: c, page: u, group: r.group, address: r.task.Address}
	res, err := c.cfg.Renderer.Render(ctx, render.Page{URL: u, Document: resp, Fetch: e.fetch})
	e.mu.Lock()
	defer e.mu.Unlock()
	r.archive = append(r.archive, e.archive...)
	// The next page of the host waits as long as if each request had been a page.
	if pages := time.Duration(1 + e.own); e.own > 0 {
		r.outcome.Took += e.took
		if f := c.cfg.Schedule.Factor; f > 0 {
			r.outcome.Took = max(r.outcome.Took, time.Duration(float64(pages*c.cfg.Schedule.Delay)/f))
		}
	}
	r.page.Render = &renderEvent{Result: render.Failed.String(), Requests: e.all}
	if err != nil {
		if x, ok := errors.AsType[*render.Error](err); ok {
			if r.page.Render.Result = x.Reason.String(); x.Reason == render.NoBrowser {
				r.renderErr = x
			}
		}
		return nil
	}
	r.page.Render.Result, r.page.Render.Cut = renderedLess, res.Cut
	r.scriptRedirect = res.Location
	return &page.Page{ID: u.String(), URL: u.String(), MIME: "text/html", HTTPCharset: "utf-8", HTML: res.HTML}
}

// replace replaces the text of a page by the text of its rendered form, if that is longer, and
// reports whether it did. It packs both forms.
func (r *result) replace(u weburl.URL, resp *fetch.Result, prior *priorPage, was, now *page.Page) bool {
	gain := int64(len(keptText(now)) - len(keptText(was)))
	if now.Drop != page.None && was.Drop == page.None || gain <= 0 {
		return false
	}
	r.page.Render.Result, r.page.Render.Gain = rendered, gain
	form := newPacker()
	id := form.addRendered(r.responseRecord, now.HTML)
	response := newPacker()
	r.responseRecord = response.add(u, resp, prior, r.optoutField(), warc.Field{Name: warc.RenderedAs, Value: "<" + id + ">"})
	first, err := response.finish()
	second, err2 := form.finish()
	if err := errors.Join(err, err2); err != nil {
		r.fatal = err
		return false
	}
	r.archive = slices.Concat(first, second, r.archive[r.pageBytes:])
	return true
}

// keptText returns the text of a page, "" of a dropped page.
func keptText(p *page.Page) string {
	if p.Drop != page.None {
		return ""
	}
	return p.Text()
}

// addRendered packs the rendered form of a page as a conversion record, and returns its id.
func (w *packer) addRendered(response recordRef, html string) string {
	e := warc.Entry{
		Type: "conversion", URI: response.url, Date: response.date, ContentType: "text/html; charset=utf-8", Block: []byte(html),
		Extra: warc.Header{{Name: "WARC-Refers-To", Value: "<" + response.id + ">"}},
	}
	w.entry(&e)
	return e.ID
}
