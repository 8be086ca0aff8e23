package urlfrontier

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/format/warc"
	"chaffinch/internal/testkit/must"
	"chaffinch/page/weburl"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// fake is a frontier in memory that follows the comments of urlfrontier.proto.
type fake struct {
	mu      sync.Mutex
	rng     *rand.Rand
	urls    map[string]*stored
	order   []string
	blocked map[string]time.Time     // queues
	delays  map[string]time.Duration // as set by SetDelay
	updates int
	streams int
	asked   []getParams

	// Faults: the share of updates that fail, of streams' updates after which the stream ends, before
	// or after the update was stored, and of URLs that are handed out despite their lease.
	fail, cut, twice float64
	slow             time.Duration // before each ack
	silent           bool          // no acks
	flood            bool          // GetURLs ignores the limits
}

// stored is a URL in the frontier.
type stored struct {
	info    urlInfo
	due     time.Time // never if zero
	lease   time.Time
	handed  int
	known   int // updates
	refetch uint64
}

func newFake() *fake {
	return &fake{rng: rand.New(rand.NewPCG(1, 2)), urls: map[string]*stored{}, blocked: map[string]time.Time{}, delays: map[string]time.Duration{}}
}

// discover stores a URL unless it is known. The key is the host by default.
func (f *fake) discover(info urlInfo) {
	if f.urls[info.url] != nil {
		return
	}
	if info.key == "" {
		info.key = "none"
		if u, err := url.Parse(info.url); err == nil && u.Host != "" {
			info.key = u.Host
		}
	}
	f.urls[info.url] = &stored{info: info, due: time.Now()}
	f.order = append(f.order, info.url)
}

// left returns the number of URLs that are not done.
func (f *fake) left() (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.urls {
		if !s.due.IsZero() {
			n++
		}
	}
	return n
}

func (f *fake) getURLs(_ any, st grpc.ServerStream) error {
	var p getParams
	if err := st.RecvMsg(&p); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, p)
	now := time.Now()
	queues := map[string]int{}
	sent := uint64(0)
	for _, name := range f.order {
		s := f.urls[name]
		key := s.info.key
		n, used := queues[key]
		again := f.rng.Float64() < f.twice && s.handed > 0
		switch {
		case s.due.IsZero() || now.Before(s.due) || now.Before(f.blocked[key]) || now.Before(s.lease) && !again:
			continue
		case f.flood:
		case !used && len(queues) == int(p.queues) || n == int(p.perQueue):
			continue
		}
		queues[key]++
		s.handed++
		if sent++; sent <= p.perQueue*p.queues { // the client reads no more
			s.lease = now.Add(time.Duration(p.requestable) * time.Second)
		}
		if err := st.SendMsg(&s.info); err != nil {
			return err
		}
	}
	return nil
}

func (f *fake) putURLs(_ any, st grpc.ServerStream) error {
	f.mu.Lock()
	f.streams++
	f.mu.Unlock()
	for {
		var item urlItem
		if err := st.RecvMsg(&item); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		a, err := f.put(item)
		if err != nil {
			return err
		}
		time.Sleep(f.slow)
		if a == nil {
			continue
		}
		if err := st.SendMsg(a); err != nil {
			return err
		}
	}
}

func (f *fake) put(item urlItem) (*ack, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.updates++
	lost := status.Error(codes.Unavailable, "cut")
	if f.rng.Float64() < f.cut/2 {
		return nil, lost
	}
	if f.rng.Float64() < f.fail {
		return &ack{item.id, ackFail}, nil
	}
	if len(item.info.url) > 1000 {
		return &ack{item.id, ackSkipped}, nil
	}
	if item.known {
		s := f.urls[item.info.url]
		s.info.metadata, s.refetch, s.due = item.info.metadata, item.refetch, time.Time{}
		s.known++
		if item.refetch > 0 {
			s.due = time.Unix(int64(item.refetch), 0)
		}
	} else {
		f.discover(item.info)
	}
	if f.rng.Float64() < f.cut/2 {
		return nil, lost
	}
	if f.silent {
		return nil, nil
	}
	return &ack{item.id, ackOK}, nil
}

// serve serves the frontier and returns its address.
func (f *fake) serve(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must.Succeed(t, err)
	queue := func(set func(p queueParams)) func(any, context.Context, func(any) error, grpc.UnaryServerInterceptor) (any, error) {
		return func(_ any, _ context.Context, read func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
			var p queueParams
			if err := read(&p); err != nil {
				return nil, err
			}
			f.mu.Lock()
			defer f.mu.Unlock()
			set(p)
			return &empty{}, nil
		}
	}
	s := grpc.NewServer(grpc.ForceServerCodecV2(codec{}))
	s.RegisterService(&grpc.ServiceDesc{
		ServiceName: "urlfrontier.URLFrontier", HandlerType: (*any)(nil),
		Streams: []grpc.StreamDesc{{StreamName: "GetURLs", Handler: f.getURLs, ServerStreams: true}, {StreamName: "PutURLs", Handler: f.putURLs, ServerStreams: true, ClientStreams: true}},
		Methods: []grpc.MethodDesc{
			{MethodName: "BlockQueueUntil", Handler: queue(func(p queueParams) { f.blocked[p.key] = time.Unix(int64(p.number), 0) })},
			{MethodName: "SetDelay", Handler: queue(func(p queueParams) { f.delays[p.key] = time.Duration(p.number) * time.Second })},
		},
	}, f)
	go s.Serve(l)
	t.Cleanup(s.Stop)
	return l.Addr().String()
}

// web is a web in memory: a number of hosts with pages that link to each other.
type web struct {
	mu    sync.Mutex
	asked map[string]int
	last  map[string]time.Time // end of the last response of a host
	gap   time.Duration        // the shortest between two requests to a host
	slow  time.Duration
}

const (
	webHosts = 6
	webPages = 8
)

func newWeb() *web {
	return &web{asked: map[string]int{}, last: map[string]time.Time{}, gap: time.Hour}
}

func (w *web) Lookup(_ context.Context, host string) ([]netip.Addr, error) {
	var n byte
	if _, err := fmt.Sscanf(host, "h%d.example", &n); err != nil {
		return nil, &fetch.Error{Reason: fetch.NoName, Err: fetch.ErrNoName}
	}
	return []netip.Addr{netip.AddrFrom4([4]byte{192, 0, 2, n})}, nil
}

func (w *web) Get(ctx context.Context, u weburl.URL, _ fetch.Options) (*fetch.Result, error) {
	start := time.Now()
	w.mu.Lock()
	w.asked[u.String()]++
	if last, ok := w.last[u.Host()]; ok {
		w.gap = min(w.gap, start.Sub(last))
	}
	w.mu.Unlock()
	select {
	case <-time.After(w.slow):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var host, number int
	fmt.Sscanf(u.Host(), "h%d.example", &host)
	status, media, extra, body := 200, "text/html; charset=utf-8", "", ""
	switch n, _ := fmt.Sscanf(u.Path(), "/p%d", &number); {
	case u.Path() == "/robots.txt":
		media, body = "text/plain", "User-agent: *\nDisallow: /secret\nCrawl-delay: 0.01\n"
	case u.Path() == "/" || n == 1 && number < webPages:
		body = webPage(host, number)
	case u.Path() == "/moved":
		status, extra = 301, "Location: /p1\r\n"
	case u.Path() == "/busy":
		status, extra = 503, "Retry-After: 7200\r\n"
	default:
		status, body = 404, "<p>Not found.</p>"
	}
	head := fmt.Sprintf("HTTP/1.1 %d X\r\nContent-Type: %s\r\n%sContent-Length: %d\r\n\r\n", status, media, extra, len(body))
	r := &fetch.Result{
		URL: u, Request: []byte("GET " + u.Target() + " HTTP/1.1\r\nHost: " + u.Host() + "\r\n\r\n"), Response: []byte(head + body), Head: len(head), Status: status,
		Header: warc.Header{{Name: "Content-Type", Value: media}}, Body: []byte(body), IP: netip.AddrFrom4([4]byte{192, 0, 2, byte(host)}), Start: start, Total: time.Since(start),
	}
	if name, value, ok := strings.Cut(strings.TrimSpace(extra), ": "); ok {
		r.Header = append(r.Header, warc.Field{Name: name, Value: value})
		if name == "Location" {
			r.Location, _ = weburl.Parse(value, &u)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last[u.Host()] = time.Now()
	return r, nil
}

func webPage(host, number int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<html lang=en><title>Page %d of harbour %d</title><body><nav>", number, host)
	for i := range webPages {
		fmt.Fprintf(&b, "<a href=/p%d>page</a> ", i)
	}
	fmt.Fprintf(&b, "<a href=http://h%d.example/>next</a> <a href=/secret>secret</a></nav><article>", (host+1)%webHosts)
	for i := range 6 {
		fmt.Fprintf(&b, "<p>On day %d of the journey number %d the boats of harbour %d went out to the banks in the morning, and they came back with the evening tide, as they had done for many years before that day.</p>", i, number, host)
	}
	return b.String() + "</article></body></html>"
}

// pages returns the requested pages, without the files of sites.
func (w *web) pages() (list []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for u := range w.asked {
		if !strings.HasSuffix(u, "/robots.txt") && !strings.HasSuffix(u, "/tdmrep.json") {
			list = append(list, u)
		}
	}
	slices.Sort(list)
	return list
}
