package crawl

import (
	"errors"
	"strconv"

	"chaffinch/crawl/fetch"
	"chaffinch/crawl/robots"
	"chaffinch/crawl/schedule"
	"chaffinch/format/warc"
	"chaffinch/page"
	"chaffinch/page/optout"
	"chaffinch/page/weburl"
)

// result holds the results of a task.
type result struct {
	task           schedule.Task
	outcome        schedule.Outcome
	archive        []byte    // packed records
	responseRecord recordRef // the record of the response
	// certificate is the error of the server's certificate.
	certificate string
	record      []byte       // of a clean page
	robots      *robotsEvent // a fetched robots.txt
	page        *pageEvent
	answer      *fetch.Result      // released when all is written
	group       *robots.Group      // rules for the requests of the page, if it is rendered
	optouts     []optout.Statement // in files of the site, about the page
	pageBytes   int                // length of the records of the page in archive, before records of its requests
	// scriptRedirect is the page to which a script redirects.
	scriptRedirect weburl.URL
	renderErr      error  // no browser could be started
	via            string // URL of the first page that linked to this one
	failed         string // why there is no response
	fatal          error  // an error that ends the crawl
	processingErr  error  // the program failed on the page
	guessLists     bool   // request the usual lists of URLs if a robots.txt names none
	ended          bool   // the crawl ended before the response arrived; the host is not to blame
}

// failProcessing records that processing of a response failed. The page counts as fetched, so that it is
// not requested again. A packed response stays in the archive.
func (r *result) failProcessing(err error) {
	r.processingErr = err
	was := r.page
	o := schedule.Outcome{Host: r.outcome.Host, Place: r.outcome.Place, Took: r.outcome.Took, Bytes: r.outcome.Bytes}
	r.outcome, r.record, r.robots, r.page = o, nil, nil, nil
	if r.task.Kind != schedule.Page {
		r.fail(err)
		return
	}
	r.page = &pageEvent{URL: r.task.Origin + r.task.Path, Reason: page.Failed.String()}
	if was != nil {
		r.page.URL, r.page.Status = was.URL, was.Status
	}
}

// release recycles the memory of the response.
func (r *result) release() {
	if r.answer != nil {
		r.answer.Release()
	}
}

// fail records that there is no response.
func (r *result) fail(err error) {
	r.outcome.Failure = true
	r.failed = "failed"
	if e, ok := errors.AsType[*fetch.Error](err); ok {
		r.failed = e.Reason.String()
	}
}

// pack packs a response. prior is the response of an earlier crawl, or nil.
func (r *result) pack(u weburl.URL, resp *fetch.Result, prior *priorPage) {
	w := newPacker()
	if r.responseRecord = w.add(u, resp, prior, r.optoutField()); resp.TLS != nil {
		r.certificate = resp.TLS.Fault
	}
	var err error
	if r.archive, err = w.finish(); err != nil {
		r.fatal = err
	}
	r.pageBytes = len(r.archive)
}

// optoutField returns the field of the response record with the opt-outs in files of the site.
func (r *result) optoutField() warc.Field {
	return warc.Field{Name: warc.Optout, Value: optout.Append("", r.optouts...)}
}

// metadata returns the fields of the metadata record.
func (r *result) metadata() warc.Header {
	took := r.outcome.Took
	if r.answer != nil {
		took = r.answer.Total // without the requests of a rendered page
	}
	h := warc.Header{{Name: "fetchTimeMs", Value: milliseconds(took)}, {Name: "certificateError", Value: r.certificate}}
	if r.page == nil {
		return h
	}
	h = append(h, warc.Header{
		{Name: "via", Value: r.via},
		{Name: "linksFromSeed", Value: strconv.Itoa(r.task.Depth)},
		{Name: "language", Value: r.page.Lang},
		{Name: "reason", Value: r.page.Reason},
		{Name: "rule", Value: r.page.Rule},
		{Name: "canonical", Value: r.page.Canonical},
		{Name: "copyOf", Value: r.page.CopyOf},
		{Name: "refused", Value: r.page.Refused},
		{Name: "optout", Value: r.page.Optout},
		{Name: "rendered", Value: r.page.Render.String()},
	}...)
	if r.outcome.Bytes > 0 {
		h = append(h, warc.Header{
			{Name: "decodedBytes", Value: strconv.FormatInt(r.outcome.Bytes, 10)},
			{Name: "cleanBytes", Value: strconv.FormatInt(r.outcome.Clean, 10)},
			{Name: "yield", Value: strconv.FormatFloat(schedule.Yield(r.outcome.Clean, r.outcome.Bytes), 'f', 5, 64)},
		}...)
	}
	return h
}

// finish writes the result of a task and passes the outcome to the scheduler.
func (c *crawl) finish(r *result) error {
	if r.fatal != nil {
		return r.fatal
	}
	if r.processingErr != nil && c.cfg.OnError != nil {
		c.cfg.OnError(&page.Error{Document: r.task.Origin + r.task.Path, Offset: -1, Err: r.processingErr})
	}
	c.warn(r)
	if r.page != nil && len(r.record) > 0 {
		if err := c.decide(r); err != nil {
			return err
		}
	}
	if err := c.writeResult(r); err != nil {
		return err
	}
	r.outcome.Offline = c.outage.note(c.now(), c.sched.Host, r)
	if r.failed != "" {
		c.status.Failed = r.task.Origin + ": " + r.failed
	}
	e := event{At: c.now(), Done: &r.outcome, Failed: r.failed, Robots: r.robots, Page: r.page, Ends: &c.out.at}
	if err := c.record(e); err != nil {
		return err
	}
	c.streaks.note(c.sched.Host(r.task.Host), r)
	return c.noteExcluded()
}

// decide decides whether a page with text gets a record. It runs on the goroutine that owns the
// state, since duplicates depend on earlier results.
func (c *crawl) decide(r *result) error {
	known, err := c.texts.Has(r.page.Text)
	if err != nil {
		return err
	}
	if known {
		r.page.Reason = duplicate
	}
	at, ok, err := c.texts.Near(r.page.Near)
	if err != nil {
		return err
	}
	if ok && r.page.Near != 0 {
		if r.page.CopyOf, err = c.out.urlAt(at); err != nil {
			return err
		}
		if r.page.Reason == "" && c.cfg.NearDuplicates == Drop {
			r.page.Reason = nearDuplicate
		}
	}
	if r.page.Reason != "" || r.page.CopyOf != "" {
		r.outcome.Clean = 0
	}
	if r.page.Reason != "" {
		r.record = nil
	}
	r.page.Record = c.out.at.Text
	return nil
}

// writeResult writes the archive records and the text record of a response.
func (c *crawl) writeResult(r *result) error {
	if len(r.archive) > 0 {
		w := newPacker()
		w.addMetadata(r.responseRecord, r.metadata())
		more, err := w.finish()
		if err != nil {
			return err
		}
		name, offset, err := c.out.addArchive(append(r.archive, more...))
		if err != nil {
			return err
		}
		if r.page != nil {
			r.page.Warc, r.page.Offset = name, offset
		}
	}
	if len(r.record) == 0 {
		return nil
	}
	return c.out.addText(r.record)
}

// Reasons of pages without a record, in addition to the reasons in package page.
const (
	duplicate     = "duplicate" // an earlier page has the same text
	nearDuplicate = "near-duplicate"
	optedOut      = "opt-out" // page, server or site opts out of the use of the page
	sitemapOnly   = "sitemap" // the page is a list of URLs: a sitemap or a feed
	sitemapCut    = "sitemap, incomplete"
	excludedSite  = "excluded-site"
	redirect      = "redirect" // the status or a refresh redirects to another page
)
