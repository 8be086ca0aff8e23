package urlfrontier

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"time"

	"chaffinch/crawl"
	"chaffinch/internal/periodic"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
)

// Visitor fetches and cleans pages: a [crawl.Worker].
type Visitor interface {
	// Visit fetches and cleans a page. After an error other than the end of ctx, the
	// client stops.
	Visit(ctx context.Context, url string, depth int, via string) (*crawl.Visit, error)
	// Sync stores the outputs of all visits. Their status is reported afterwards.
	Sync() error
}

// Config configures a client.
type Config struct {
	// Address is the host and port of the frontier. TLS encrypts the connection.
	Address string
	TLS     bool
	// Crawl is the identifier of the crawl, Any selects all crawls instead.
	Crawl string
	Any   bool
	// URLs is the most URLs that the client holds, PerQueue the most of a queue in a response.
	// Defaults: 1,000 and 10.
	URLs, PerQueue int
	// Lease is the time after which the frontier hands a URL out again if it has no status. A URL
	// whose lease ends before its visit is left to the frontier. Default: 10 minutes.
	Lease time.Duration
	// Refetch is the time until the next visit of a fetched page. Default: 0, never.
	Refetch time.Duration
	// Retry is the time until the next visit after a failure; it doubles with each failure of a URL.
	// After Retries failures the URL is done. Defaults: 1 hour and 4.
	Retry   time.Duration
	Retries int
	// Timeout is the time without a response after which the client connects again. Pause is the time
	// until it does, and until it asks again for URLs if there were none; it doubles up to a minute.
	// Defaults: 1 minute and 1 second.
	Timeout, Pause time.Duration
	// Attempts is the number of attempts for an update that the frontier cannot store (FAIL). Default: 8.
	Attempts int
	// Drain is the time for running visits, and then for their updates, when ctx ends. Default: 10 seconds.
	Drain time.Duration
	// Visitor fetches the pages. Required.
	Visitor Visitor
	// OnRetry, if set, receives errors after which the client continues.
	OnRetry func(error)
}

// Default holds the defaults.
var Default = Config{
	URLs: 1000, PerQueue: 10, Lease: 10 * time.Minute, Retry: time.Hour, Retries: 4,
	Timeout: time.Minute, Pause: time.Second, Attempts: 8, Drain: 10 * time.Second,
}

// maxWait is the longest pause between two attempts.
const maxWait = time.Minute

// Totals counts URLs.
type Totals struct {
	Taken    int64 // handed out by the frontier
	Repeated int64 // handed out again while the client held them
	Expired  int64 // whose lease ended before the visit
	Visited  int64
	Records  int64 // pages with text
	Failed   int64 // visits without a response
	Reported int64 // whose status the frontier stored
	// Discovered counts discovered URLs that the frontier stored, Skipped the updates that it refused.
	Discovered, Skipped int64
	// Unreported counts visits whose status or links the frontier did not store. These URLs return.
	Unreported int64
}

// service is the prefix of the names of methods.
const service = "/urlfrontier.URLFrontier/"

// maxMessage is the most bytes of a message of the frontier.
const maxMessage = 1 << 20

var errNoAck = errors.New("no response in time")

// client is a running client.
type client struct {
	cfg     Config
	conn    *grpc.ClientConn
	send    *sender
	results chan *visited
	fail    context.CancelCauseFunc

	mu     sync.Mutex
	totals Totals
	held   map[string]*held
	// released holds the URLs released since the last call of GetURLs. It may still hand them out, since
	// the frontier had sent them before it was told.
	released map[string]bool
	queues   map[string][]*held // URLs that wait, by queue; present while the queue has a goroutine
	delays   map[string]time.Duration
	wait     sync.WaitGroup
}

// held is a URL that the client holds.
type held struct {
	urlInfo
	id    string
	until time.Time // end of the lease
}

// queue returns the identifier of the queue in its crawl.
func (h *held) queue() string { return h.crawl + "\x00" + h.key }

// visited is a visited URL.
type visited struct {
	*held
	visit *crawl.Visit
	at    time.Time
}

// Check returns an error for settings that a client cannot use.
func (c *Config) Check() error {
	switch {
	case c.Address == "":
		return errors.New("no address: wanted the host and port of the frontier, such as localhost:7071")
	case c.Visitor == nil:
		return errors.New("no visitor")
	case c.URLs < 1 || c.PerQueue < 1 || c.Attempts < 1:
		return fmt.Errorf("URLs %d, per queue %d, attempts %d: wanted at least 1", c.URLs, c.PerQueue, c.Attempts)
	case c.Lease < time.Second || c.Lease > math.MaxUint32*time.Second || c.Timeout <= 0 || c.Pause <= 0 || c.Retry <= 0:
		return fmt.Errorf("lease %v, timeout %v, pause %v, retry %v: wanted positive durations, and a lease of at least 1s", c.Lease, c.Timeout, c.Pause, c.Retry)
	case c.Refetch < 0 || c.Drain < 0 || c.Retries < 0:
		return fmt.Errorf("refetch %v, drain %v, retries %d: wanted at least 0", c.Refetch, c.Drain, c.Retries)
	}
	return nil
}

// Run takes and visits URLs until ctx ends. Lost connections are no errors: the client connects
// again.
func Run(ctx context.Context, cfg Config) (Totals, error) {
	if err := cfg.Check(); err != nil {
		return Totals{}, err
	}
	secure := insecure.NewCredentials()
	if cfg.TLS {
		secure = credentials.NewTLS(nil)
	}
	conn, err := grpc.NewClient(cfg.Address, grpc.WithTransportCredentials(secure),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(codec{}), grpc.MaxCallRecvMsgSize(maxMessage)),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 5 * time.Minute, Timeout: 20 * time.Second}))
	if err != nil {
		return Totals{}, fmt.Errorf("%s: %w", cfg.Address, err)
	}
	defer conn.Close()
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	c := &client{cfg: cfg, conn: conn, fail: fail, results: make(chan *visited, 64), held: map[string]*held{}, released: map[string]bool{}, queues: map[string][]*held{}, delays: map[string]time.Duration{}}
	c.send = newSender(c)
	// Visits and updates get some time after the end of ctx.
	working, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	sending, stopSending := context.WithCancel(context.WithoutCancel(ctx))
	defer stopSending()
	reported, sent := make(chan struct{}), make(chan struct{})
	go func() { defer close(reported); c.reports() }()
	go func() { defer close(sent); c.send.run(sending) }()
	c.takes(ctx, working)
	defer time.AfterFunc(cfg.Drain, stopWork).Stop()
	defer time.AfterFunc(2*cfg.Drain, stopSending).Stop()
	c.wait.Wait()
	close(c.results)
	<-reported
	close(c.send.in)
	<-sent
	cause := context.Cause(ctx)
	if errors.Is(cause, context.Canceled) || errors.Is(cause, context.DeadlineExceeded) {
		cause = nil // the caller's
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.totals, cause
}

// report passes an error to OnRetry.
func (c *client) report(what string, err error) {
	if err != nil && c.cfg.OnRetry != nil {
		c.cfg.OnRetry(fmt.Errorf("%s: %s: %w: retrying", c.cfg.Address, what, err))
	}
}

// takes takes URLs while there is space for them, until ctx ends.
func (c *client) takes(ctx, working context.Context) {
	for wait := c.cfg.Pause; ctx.Err() == nil; {
		c.mu.Lock()
		space := c.cfg.URLs - len(c.held)
		c.mu.Unlock()
		n := 0
		if space > 0 {
			var err error
			if n, err = c.take(ctx, working, space); err != nil && ctx.Err() == nil {
				c.report("GetURLs", err)
				n = 0
			}
		}
		switch {
		case n > 0:
			wait = c.cfg.Pause
			periodic.Pause(ctx, min(wait, 100*time.Millisecond)) // queues are blocked for their delay in any case
		case space <= 0:
			periodic.Pause(ctx, c.cfg.Pause)
		default:
			periodic.Pause(ctx, wait)
			wait = min(2*wait, maxWait/6)
		}
	}
}

var getURLs = grpc.StreamDesc{StreamName: "GetURLs", ServerStreams: true}

// take takes at most space URLs, and returns the number of new ones.
func (c *client) take(ctx, working context.Context, space int) (n int, err error) {
	call, cancel := context.WithTimeoutCause(ctx, c.cfg.Timeout, errNoAck)
	defer cancel()
	per := min(c.cfg.PerQueue, space)
	p := &getParams{perQueue: uint64(per), queues: uint64(max(space/per, 1)), requestable: uint64(c.cfg.Lease / time.Second), anyCrawl: c.cfg.Any, crawl: c.cfg.Crawl}
	until := time.Now().Add(c.cfg.Lease)
	c.mu.Lock()
	clear(c.released)
	c.mu.Unlock()
	st, err := c.conn.NewStream(call, &getURLs, service+"GetURLs")
	if err != nil {
		return 0, err
	}
	if err := st.SendMsg(p); err != nil && err != io.EOF {
		return 0, err
	}
	if err := st.CloseSend(); err != nil {
		return 0, err
	}
	for range space { // a frontier may send more than was asked for
		var info urlInfo
		if err := st.RecvMsg(&info); err == io.EOF {
			return n, nil
		} else if err != nil {
			return n, err
		}
		if c.hold(ctx, working, info, until) {
			n++
		}
	}
	return n, nil
}

// hold adds a URL to its queue. It reports whether the client did not hold it already.
func (c *client) hold(ctx, working context.Context, info urlInfo, until time.Time) bool {
	h := &held{info, info.crawl + "\x00" + info.url, until}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held[h.id] != nil || c.released[h.id] {
		c.totals.Repeated++
		return false
	}
	c.totals.Taken++
	c.held[h.id] = h
	queue := h.queue()
	list, running := c.queues[queue]
	c.queues[queue] = append(list, h)
	if !running {
		c.wait.Go(func() { c.visits(ctx, working, queue) })
	}
	return true
}

// release forgets a URL.
func (c *client) release(h *held) {
	delete(c.held, h.id)
	c.released[h.id] = true
}

// count changes the totals.
func (c *client) count(fn func(t *Totals)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fn(&c.totals)
}

// doubled returns d doubled n times, but at most limit, which is at most half of the longest duration.
func doubled(d time.Duration, n int, limit time.Duration) time.Duration {
	for ; n > 0 && d < limit; n-- {
		d *= 2
	}
	return min(d, limit)
}
