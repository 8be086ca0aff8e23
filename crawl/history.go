package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"chaffinch/crawl/schedule"
	"chaffinch/internal/readers"
	"chaffinch/page"
	"chaffinch/page/optout"
)

// Site holds the counts of a host in a crawl.
type Site struct {
	Origin              string
	Pages, Bytes, Clean int64            // fetched pages, their decoded bytes, bytes of new text in a wanted language
	Records             int64            // pages with a record
	Failures            int64            // requests without a response, or with a response that requires a delay
	Failed              map[string]int64 // requests without a response, by reason
	Known               int64            // URLs of the host in links, with repetitions
	Reasons, Langs      map[string]int64
	Rules               map[string]int64 // pages that were dropped by filter rules, by rule
	First, Last         time.Duration    // of its responses, since the start of the crawl
	CrawlDelay          time.Duration
	RobotsAt            time.Duration // time of the last fetched robots.txt; 0 for none
	LinkedFrom, LinksTo int64         // links from other hosts, and to other hosts
	// Weights is the weight of the host in the order of visits, set by [History.ReadWeights]; nil if it
	// is unknown.
	Weights *schedule.Weights
}

// Anomaly classifies a suspicious host, or returns "". Most texts of a "mirror" are
// duplicates of earlier pages. A "trap" has many times more URLs than pages with text.
func (s *Site) Anomaly() string {
	const few = 8 // too few pages to classify
	copies := s.Duplicates()
	switch {
	case s.Pages < few:
		return ""
	case copies > s.Records && copies*2 > s.Pages:
		return "mirror"
	case s.Pages >= 10*few && s.Known > 5*s.Pages && s.Records*20 < s.Pages:
		return "trap"
	}
	return ""
}

// Distrust returns the reason for a low weight of a host in the order of visits, or "".
func (s *Site) Distrust() string {
	const little = .5
	switch w := s.Weights; {
	case w == nil:
		return ""
	case w.Targets < little && w.Targets <= w.Trust:
		return "links to sites with little trust"
	case w.Trust < little:
		return "few links from trusted sites"
	}
	return ""
}

// Yield returns the share of clean text in the bytes of the host.
func (s *Site) Yield() float64 { return schedule.Yield(s.Clean, s.Bytes) }

// Duplicates returns the number of pages whose text is a duplicate or near-duplicate of an earlier one.
func (s *Site) Duplicates() int64 { return s.Reasons[duplicate] + s.Reasons[nearDuplicate] }

// Filtered returns the number of pages that filter rules dropped.
func (s *Site) Filtered() int64 { return s.Reasons[page.Filtered.String()] }

// HostStatus returns the pages and bytes of the host.
func (s *Site) HostStatus() HostStatus { return HostStatus{s.Origin, s.Pages, s.Bytes, s.Clean} }

// Edge is a link between pages.
type Edge struct {
	From, To string // URLs
}

// History summarizes the journal of a crawl. If the crawl is running, [History.Update] reads
// its new events.
type History struct {
	Settings Settings
	// Sites holds the requested and linked hosts, by clean text in descending order.
	Sites []*Site
	// Time is the total duration of the crawl.
	Time time.Duration
	// Minute is the number of pages in the last minute of the crawl.
	Minute int
	// Curve holds the progress at regular numbers of pages, at most 200 points including
	// the last page.
	Curve []Point
	// Types counts the pages by media type, "HTML and text" for web pages and plain text. Pages of
	// failed requests do not count.
	Types map[string]TypeCount

	// Optouts counts the pages without a record that opt out, by statement, such as "tdmrep.json: 1".
	Optouts map[string]int64

	// Renders counts the pages that were rendered or needed it, by result.
	Renders map[string]int64

	dir           fs.FS
	onLink        func(seenLink) error
	journalNumber int   // number of the current journal
	journalLength int64 // bytes read of the current journal
	byOrigin      map[string]*Site
	tasks         map[uint32]schedule.Task // by host
	origins       map[uint32]string        // by number of their robots.txt
	points        curve
	excluded      map[string]int64 // by rule
}

// Point is the progress of a crawl at a time.
type Point struct {
	Time                time.Duration
	Pages, Bytes, Clean int64
}

// Snapshot returns the state of the crawl according to its journal. Hosts are origins, and
// the queued and running requests are unknown.
func (h *History) Snapshot() Snapshot {
	s := newSnapshot()
	s.Time, s.Hosts = h.Time, len(h.Sites)
	maps.Copy(s.Renders, h.Renders)
	maps.Copy(s.Excluded, h.excluded)
	add := func(to, from map[string]int64) {
		for k, n := range from {
			to[k] += n
		}
	}
	for _, site := range h.Sites {
		s.Totals.Pages += site.Pages
		s.Totals.Bytes += site.Bytes
		s.Totals.Clean += site.Clean
		add(s.Reasons, site.Reasons)
		add(s.Langs, site.Langs)
		add(s.Rules, site.Rules)
		add(s.Failures, site.Failed)
	}
	s.rank(func(yield func(HostStatus) bool) {
		for _, site := range h.Sites {
			if site.Pages > 0 && !yield(site.HostStatus()) {
				return
			}
		}
	})
	return s
}

// ReadHistory reads the journal of the crawl in a folder. It calls edge, if not nil, for
// each link of each page.
func ReadHistory(ctx context.Context, dir string, edge func(Edge) error) (*History, error) {
	return readHistory(ctx, dir, func(l seenLink) error {
		if edge == nil {
			return nil
		}
		return edge(Edge{l.page.Origin + l.page.Path, l.Origin + l.Path})
	})
}

// seenLink is a link of a page.
type seenLink struct {
	*schedule.Link
	page     *schedule.Task
	from, to *Site
}

// readHistory reads the journal of the crawl in a folder and calls fn for each link of
// each page.
func readHistory(ctx context.Context, dir string, fn func(seenLink) error) (*History, error) {
	h := newHistory(os.DirFS(dir), fn)
	if err := h.Update(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return h, nil
}

// OpenHistory returns the history of the crawl in a folder. It reads nothing:
// [History.Update] reads the journal.
func OpenHistory(dir fs.FS) *History {
	return newHistory(dir, func(seenLink) error { return nil })
}

func newHistory(dir fs.FS, fn func(seenLink) error) *History {
	return &History{dir: dir, onLink: fn, journalNumber: 1, byOrigin: map[string]*Site{}, tasks: map[uint32]schedule.Task{}, origins: map[uint32]string{}, Types: map[string]TypeCount{}, Optouts: map[string]int64{}, Renders: map[string]int64{}, excluded: map[string]int64{}}
}

// Update reads the new part of the journal. If ctx ends, another Update reads the rest.
// After any other error, the history must not be used.
func (h *History) Update(ctx context.Context) error {
	var ok bool
	var err error
	if h.Settings, ok, err = readSettings(h.dir); err != nil || !ok {
		return cmp.Or(err, errors.New("not the folder of a crawl: no file "+settingsName))
	}
	for {
		_, err := fs.Stat(h.dir, journalPath(h.journalNumber+1))
		last := errors.Is(err, fs.ErrNotExist) // checked before reading: a journal is complete once the next one exists
		if err != nil && !last {
			return err
		}
		if err := h.readJournal(ctx); err != nil {
			return err
		}
		if last {
			break
		}
		h.journalNumber++
		h.journalLength = 0
	}
	h.Curve, h.Minute = h.points.points, h.points.minute(h.Time)
	slices.SortStableFunc(h.Sites, func(a, b *Site) int {
		return cmp.Or(cmp.Compare(b.Clean, a.Clean), cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.Origin, b.Origin))
	})
	return nil
}

// ReadWeights sets the weights of the sites from the last checkpoint of the crawl. It sets nothing if there
// is none, or if the order of visits has no weights.
func (h *History) ReadWeights() error {
	if h.Settings.Schedule.Policy.Name != schedule.BestFirst.Name || h.Settings.Version != version {
		return nil
	}
	f, err := h.dir.Open(checkpointName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	file, ok := f.(checkpointFile)
	if !ok {
		return errors.ErrUnsupported
	}
	_, state, err := readCheckpoint(file)
	var weights map[string]schedule.Weights
	if err == nil {
		weights, err = schedule.ReadWeights(h.Settings.Schedule, state)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", checkpointName, err)
	}
	for _, site := range h.Sites {
		if w, ok := weights[schedule.HostName(site.Origin)]; ok {
			site.Weights = &w
		}
	}
	return nil
}

// readJournal reads the new events of the current journal.
func (h *History) readJournal(ctx context.Context) error {
	name := journalPath(h.journalNumber)
	f, err := h.dir.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if h.journalLength > 0 {
		if _, err := f.(io.Seeker).Seek(h.journalLength, io.SeekStart); err != nil {
			return err
		}
	}
	h.journalLength, err = readEvents(name, readers.Until(ctx, f), h.journalLength, h.add)
	return err
}

// site returns the counts of a host. It adds the host if necessary.
func (h *History) site(origin string) *Site {
	s := h.byOrigin[origin]
	if s == nil {
		s = &Site{Origin: origin, Failed: map[string]int64{}, Reasons: map[string]int64{}, Langs: map[string]int64{}, Rules: map[string]int64{}}
		h.byOrigin[origin] = s
		h.Sites = append(h.Sites, s)
	}
	return s
}

// add counts an event.
func (h *History) add(e event) error {
	h.Time = e.At
	switch {
	case e.Excluded != nil:
		for rule, n := range e.Excluded {
			count(h.excluded, rule, n)
		}
	case e.Take != nil:
		h.tasks[e.Take.Host] = *e.Take
		if e.Take.Kind == schedule.Robots && e.Take.Hops == 0 {
			h.origins[e.Take.Rules] = e.Take.Origin
		}
	case e.Done != nil:
		t, ok := h.tasks[e.Done.Host]
		if !ok {
			return fmt.Errorf("a result for host %d without a task", e.Done.Host)
		}
		delete(h.tasks, e.Done.Host)
		if h.site(t.Origin).add(t, e) {
			h.points.add(e)
		}
		if p := e.Page; p != nil {
			switch {
			case p.Type != "" || p.Reason == page.NotText.String():
				h.addType(cmp.Or(p.Type, "unknown"), e.Done.Bytes)
			case p.Reason != page.HTTPStatus.String():
				h.addType(webPages, e.Done.Bytes)
			}
			if p.Reason == optedOut {
				h.addOptouts(p)
			}
			if p.Render != nil {
				h.Renders[p.Render.Result]++
			}
		}
		if e.Robots != nil && e.Robots.Number&reservationsMark == 0 {
			s := h.site(h.origins[e.Robots.Number])
			s.RobotsAt, s.CrawlDelay = e.At, e.Done.CrawlDelay
		}
		return h.addLinks(&t, e.Done.Links)
	}
	return nil
}

// maxTypes is the most media types that are counted separately, since servers invent types.
const maxTypes = 200

// webPages is the type of web pages and plain text.
const webPages = "HTML and text"

// TypeCount counts the pages of a media type and their decoded bytes.
type TypeCount struct{ Pages, Bytes int64 }

// addType counts a page of a media type.
func (h *History) addType(name string, bytes int64) {
	if _, ok := h.Types[name]; !ok && len(h.Types) >= maxTypes {
		name = "other"
	}
	t := h.Types[name]
	h.Types[name] = TypeCount{t.Pages + 1, t.Bytes + bytes}
}

// addOptouts counts the statements of a page that opts out.
func (h *History) addOptouts(p *pageEvent) {
	text := p.Optout
	if text == "" { // a crawl of an earlier version
		text = p.Refused
	}
	for one := range strings.SplitSeq(text, ", ") {
		if optout.Refused(optout.Parse(one))&^optout.Follow != 0 || p.Optout == "" {
			count(h.Optouts, one, 1)
		}
	}
}

// addLinks counts the links of a page or of a robots.txt.
func (h *History) addLinks(t *schedule.Task, links []schedule.Link) error {
	for i := range links {
		l := &links[i]
		from, to := h.site(t.Origin), h.site(l.Origin)
		to.Known++
		if from != to {
			to.LinkedFrom++
			from.LinksTo++
		}
		if t.Kind != schedule.Page {
			continue
		}
		if err := h.onLink(seenLink{l, t, from, to}); err != nil {
			return err
		}
	}
	return nil
}

// curve follows the pages of a crawl.
type curve struct {
	at     Point
	points []Point // one per every pages, and the last one
	every  int64
	last   []time.Duration // times of the pages of about the last minute
}

const maxPoints = 200

func (c *curve) add(e event) {
	c.at.Time = e.At
	c.at.Pages++
	c.at.Bytes += e.Done.Bytes
	c.at.Clean += e.Done.Clean
	c.every = max(c.every, 1)
	if n := len(c.points); n > 0 && c.points[n-1].Pages%c.every != 0 {
		c.points = c.points[:n-1]
	}
	if len(c.points) == maxPoints { // from now on one per twice as many pages
		c.every *= 2
		c.points = slices.DeleteFunc(c.points, func(p Point) bool { return p.Pages%c.every != 0 })
	}
	c.points = append(c.points, c.at)
	if c.last = append(c.last, e.At); c.last[len(c.last)/2] < e.At-time.Minute {
		c.last = c.last[len(c.last)/2:]
	}
}

// minute counts the pages of the last minute.
func (c *curve) minute(now time.Duration) (n int) {
	for _, at := range c.last {
		if at > now-time.Minute {
			n++
		}
	}
	return n
}

// add counts the outcome of a task and reports whether it is a page.
func (s *Site) add(t schedule.Task, e event) bool {
	o := e.Done
	if o.Failure || o.Busy || o.Unavailable {
		s.Failures++
		if e.Failed != "" {
			s.Failed[e.Failed]++
		}
		return false
	}
	if s.First == 0 {
		s.First = e.At
	}
	s.Last = e.At
	if t.Kind != schedule.Page {
		return false
	}
	s.Pages++
	s.Bytes += o.Bytes
	s.Clean += o.Clean
	switch {
	case e.Page == nil:
	case e.Page.Reason != "":
		s.Reasons[e.Page.Reason]++
		if e.Page.Rule != "" {
			s.Rules[e.Page.Rule]++
		}
	default:
		s.Records++
		s.Langs[e.Page.Lang]++
	}
	return true
}
