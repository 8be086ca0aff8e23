package crawl

import (
	_ "embed"
	"fmt"
	"io"
	"strings"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/extract/documents"
	"chaffinch/internal/report"
)

//go:embed view/policy.html
var policyHTML string

var policyTemplate = report.Template("policy", policyHTML, nil)

// Policy describes a crawl to the owners of the sites that it visits.
type Policy struct {
	// Project describes who crawls and why, in a sentence or more. Default: omitted.
	Project string
	// UserAgent is the User-Agent field of each request.
	UserAgent string
	// Settings holds the settings of the crawl.
	Settings Settings
}

// UserAgent returns the User-Agent field of a crawl by a version of the program.
func UserAgent(version, contact string) string {
	return fmt.Sprintf("%s/%s (+%s)", Agent, version, contact)
}

type policySection struct {
	Title string
	Lines []string
	Code  []string // an example: lines of a file
}

// sections returns the text of the page.
func (p *Policy) sections() []policySection {
	s := &p.Settings
	cfg := &s.Schedule
	who := []string{"Contact: " + s.Contact, "To report a problem, name the address of your site and the time of the requests."}
	if p.Project != "" {
		who = append([]string{p.Project}, who...)
	}
	text := "any language"
	if len(s.Langs) > 0 {
		var langs []string
		for _, l := range s.Langs {
			tag, _, _ := strings.Cut(l, ":")
			langs = append(langs, tag)
		}
		text = "these languages: " + strings.Join(langs, ", ")
	}
	kept := []string{
		"The crawler collects text in " + text + ", for a text corpus.",
		fmt.Sprintf("It requests web pages, sitemaps and feeds of at most %d MiB%s. It requests no images and runs no scripts, sends no forms and keeps no cookies.", fetch.Default.MaxBytes>>20, documentsOf(s.Types)),
		"Responses are stored in an archive with the time of the request. The text of a page is stored without menus and advertisements, with its address and its date.",
	}
	for _, l := range []struct {
		name string
		list []string
	}{{"only URLs that match", s.Scope.Sites}, {"only URLs that match", s.Scope.Include}, {"no URL that matches", s.Scope.Exclude}} {
		if len(l.list) > 0 {
			kept = append(kept, fmt.Sprintf("This crawl requests %s: %s.", l.name, shortList(l.list)))
		}
	}
	if s.Scope.Within != "" {
		kept = append(kept, fmt.Sprintf("This crawl stays within its list of start pages (%s).", s.Scope.Within))
	}
	if cfg.MaxHostPages > 0 {
		kept = append(kept, fmt.Sprintf("This crawl requests at most %d pages of a host.", cfg.MaxHostPages))
	}
	return []policySection{
		{"Who", who, nil},
		{"Requests", []string{
			"User-Agent: " + p.UserAgent,
			"There is one request at a time to a host, and to an IP address.",
			fmt.Sprintf("The pause after a response is %g times its duration, at least %s and at most %s. A longer Crawl-delay in robots.txt is respected.", cfg.Factor, seconds(cfg.Delay), seconds(cfg.MaxDelay)),
			"After the status 429 or 503 the crawler waits as long as Retry-After asks, or else for a minute, then two, up to a day.",
		}, nil},
		{"Stored data", kept, nil},
		{"How to opt out", []string{
			"robots.txt is read before the first page and again every day (RFC 9309). To exclude the crawler from a site, write:",
		}, []string{"User-agent: " + Agent, "Disallow: /"}},
		{"Opting out of some uses", []string{
			"noindex or none, in a meta element robots or in the header X-Robots-Tag: the text of the page is not kept.",
			"nofollow: links are not followed.",
			"tdm-reservation: 1 in a header or a meta element, noai, Content-Usage: train-ai=n and Content-Signal: ai-train=no, also in robots.txt, and rules in /.well-known/tdmrep.json: the text is not kept.",
			"The response of such a page is in the archive, marked with the opt-out.",
		}, nil},
		{"Removal", []string{
			"Write to " + s.Contact + " with the address of a page or of a site. Its texts and its responses are removed from the archives and from the corpora built of them, and later crawls do not request it.",
		}, nil},
	}
}

// seconds formats a duration in words.
func seconds(d time.Duration) string {
	if d%time.Minute == 0 && d > 0 {
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return fmt.Sprintf("%g s", d.Seconds())
}

// policyTitle is the title of the page.
const policyTitle = "About this crawler"

// WriteText writes the page as plain text.
func (p *Policy) WriteText(w io.Writer) error {
	var b strings.Builder
	b.WriteString(policyTitle + "\n")
	for _, s := range p.sections() {
		b.WriteString("\n" + s.Title + "\n\n")
		for _, l := range s.Lines {
			b.WriteString("- " + l + "\n")
		}
		for i, l := range s.Code {
			if i == 0 {
				b.WriteByte('\n')
			}
			b.WriteString("    " + l + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteHTML writes the page as HTML.
func (p *Policy) WriteHTML(w io.Writer) error {
	return policyTemplate().Execute(w, struct {
		Frame    report.Frame
		Title    string
		Sections []policySection
	}{report.NewFrame(policyTitle), policyTitle, p.sections()})
}

// documentsOf describes the types of documents that a crawl reads, "" for none.
func documentsOf(types []Type) string {
	var names []string
	for _, t := range types {
		if t.Format != documents.HTML {
			names = append(names, t.Format)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(", and documents (%s) of at most %d MiB", strings.Join(names, ", "), DocumentBytes>>20)
}
