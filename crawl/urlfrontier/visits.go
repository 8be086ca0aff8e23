package urlfrontier

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"chaffinch/crawl"
	"chaffinch/crawl/fetch"

	"google.golang.org/grpc"
)

// visits visits the URLs of a queue, one at a time, until none waits.
func (c *client) visits(ctx, working context.Context, queue string) {
	for {
		c.mu.Lock()
		list := c.queues[queue]
		if len(list) == 0 {
			delete(c.queues, queue)
			c.mu.Unlock()
			return
		}
		h := list[0]
		c.queues[queue] = list[1:]
		if late := !time.Now().Before(h.until); late || ctx.Err() != nil { // the frontier hands it out again
			if c.release(h); late {
				c.totals.Expired++
			}
			c.mu.Unlock()
			continue
		}
		c.mu.Unlock()
		c.visitURL(working, h)
	}
}

// visitURL visits a URL until its lease ends.
func (c *client) visitURL(working context.Context, h *held) {
	ctx, cancel := context.WithDeadline(working, h.until)
	defer cancel()
	depth, _ := strconv.Atoi(h.metadata.get(depthKey))
	v, err := c.cfg.Visitor.Visit(ctx, h.url, depth, h.metadata.get(viaKey))
	if err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.release(h)
		switch {
		case ctx.Err() == nil:
			c.fail(fmt.Errorf("%s: %w", h.url, err))
		case working.Err() == nil:
			c.totals.Expired++
		}
		return
	}
	c.count(func(t *Totals) {
		t.Visited++
		if v.Failed != "" {
			t.Failed++
		} else if v.Reason == "" && !v.Busy {
			t.Records++
		}
	})
	c.hint(ctx, h, v)
	c.results <- &visited{h, v, time.Now()}
}

// hint sends the frontier the pause of a queue: the host is busy, or its
// robots.txt demands a delay. Other clients then wait, too.
func (c *client) hint(ctx context.Context, h *held, v *crawl.Visit) {
	if h.key == "" { // it would mean all queues
		return
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	if v.Busy {
		until := time.Now().Add(max(min(v.RetryAfter, maxBlock), maxWait))
		err := c.conn.Invoke(ctx, service+"BlockQueueUntil", &queueParams{h.key, h.crawl, uint64(until.Unix())}, &empty{}, grpc.ForceCodecV2(codec{}))
		c.report("BlockQueueUntil", err)
	}
	delay := min(v.Delay, maxBlock)
	queue := h.queue()
	c.mu.Lock()
	same := c.delays[queue] >= delay
	if !same {
		if len(c.delays) >= maxDelays {
			clear(c.delays)
		}
		c.delays[queue] = delay
	}
	c.mu.Unlock()
	if !same {
		seconds := uint64((delay + time.Second - 1) / time.Second)
		err := c.conn.Invoke(ctx, service+"SetDelay", &queueParams{h.key, h.crawl, seconds}, &empty{}, grpc.ForceCodecV2(codec{}))
		if err != nil { // the next visit of the queue sends it again
			c.mu.Lock()
			delete(c.delays, queue)
			c.mu.Unlock()
		}
		c.report("SetDelay", err)
	}
}

const (
	maxBlock  = 24 * time.Hour
	maxDelays = 100_000 // queues whose delay is remembered
)

// gather is the time for which results are gathered, since each Sync waits for the disk.
const gather = 200 * time.Millisecond

// maxGather is the most results of a Sync.
const maxGather = 256

// reports stores the outputs of visits and then reports their status, until results ends.
func (c *client) reports() {
	for open := true; open; {
		v, ok := <-c.results
		if !ok {
			return
		}
		list := []*visited{v}
		for end := time.After(gather); open && end != nil && len(list) < maxGather; {
			select {
			case v, ok := <-c.results:
				if open = ok; ok {
					list = append(list, v)
				}
			case <-end:
				end = nil
			}
		}
		if err := c.cfg.Visitor.Sync(); err != nil {
			c.fail(err) // nothing is reported, so that the URLs return
			for _, v := range list {
				c.unreported(v)
			}
			continue
		}
		for _, v := range list {
			c.reportVisit(v)
		}
	}
}

func (c *client) unreported(v *visited) {
	c.count(func(t *Totals) { t.Unreported++; c.release(v.held) })
}

// reportVisit reports the links of a page, and when all are stored, its status: a link is lost only
// if the frontier refuses it.
func (c *client) reportVisit(v *visited) {
	page := &update{item: c.status(v), done: func(status uint64) *update {
		switch status {
		case ackOK:
			c.count(func(t *Totals) { t.Reported++; c.release(v.held) })
		case ackSkipped:
			c.count(func(t *Totals) { t.Skipped++; c.release(v.held) })
		default:
			c.unreported(v)
		}
		return nil
	}}
	links := discovered(v)
	if len(links) == 0 {
		c.send.in <- page
		return
	}
	left, lost := len(links), false
	for _, item := range links {
		c.send.in <- &update{item: item, done: func(status uint64) *update { // called by the sender only
			switch status {
			case ackOK:
				c.count(func(t *Totals) { t.Discovered++ })
			case ackSkipped:
				c.count(func(t *Totals) { t.Skipped++ })
			default:
				lost = true
			}
			if left--; left > 0 {
				return nil
			}
			if lost {
				c.unreported(v)
				return nil
			}
			return page
		}}
	}
}

// Keys of metadata. StormCrawler uses the first three.
const (
	depthKey  = "depth"
	statusKey = "fetch.statusCode"
	errorsKey = "fetch.error.count"
	viaKey    = "via"
	reasonKey = "chaffinch.reason" // why the page has no record
	langKey   = "chaffinch.lang"
)

const (
	maxLinks = 2000 // links of a page
	maxURL   = 2048 // bytes of a discovered URL
)

// discovered returns the updates for the links of a page. Their metadata are their
// distance from a seed, and the page.
func discovered(v *visited) (list []urlItem) {
	depth, _ := strconv.Atoi(v.metadata.get(depthKey))
	if !v.visit.Redirected {
		depth++
	}
	for _, url := range v.visit.Links {
		if len(url) > maxURL || url == v.url {
			continue
		}
		if len(list) == maxLinks {
			break
		}
		info := urlInfo{url: url, crawl: v.crawl, metadata: metadata{{depthKey, []string{strconv.Itoa(depth)}}, {viaKey, []string{v.url}}}}
		list = append(list, urlItem{info: info})
	}
	return list
}

// permanent holds failures that no later request changes.
var permanent = []string{fetch.PrivateAddress.String(), fetch.BadPort.String()}

// status returns the status of a visited URL. It keeps the metadata of the frontier.
func (c *client) status(v *visited) urlItem {
	info := v.urlInfo
	info.metadata = slices.Clone(info.metadata)
	put := func(key, value string) {
		if value == "" {
			info.metadata.put(key)
		} else {
			info.metadata.put(key, value)
		}
	}
	p := v.visit
	number := ""
	if p.Status > 0 {
		number = strconv.Itoa(p.Status)
	}
	put(statusKey, number)
	put(langKey, p.Lang)
	reason, failures := p.Reason, ""
	next := time.Duration(0)
	switch {
	case p.Failed != "" || p.Busy || p.Status >= 500:
		if p.Failed != "" {
			reason = p.Failed
		}
		n, _ := strconv.Atoi(info.metadata.get(errorsKey))
		n = min(max(n, 0), maxFailures) + 1
		failures = strconv.Itoa(n)
		if n <= c.cfg.Retries && !slices.Contains(permanent, p.Failed) {
			next = max(doubled(c.cfg.Retry, n-1, math.MaxInt64/2), min(p.RetryAfter, maxBlock))
		}
	case p.Status == 404 || p.Status == 410 || p.Reason == crawl.ReasonInvalid || p.Reason == crawl.ReasonExcluded || p.Reason == crawl.ReasonFailed:
	default:
		next = c.cfg.Refetch
	}
	put(reasonKey, reason)
	put(errorsKey, failures)
	item := urlItem{info: info, known: true}
	if next > 0 {
		item.refetch = uint64(v.at.Add(next).Unix())
	}
	return item
}

// maxFailures bounds the doubling of Config.Retry.
const maxFailures = 10
