package render

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"chaffinch/format/warc"
	"chaffinch/page/weburl"
)

var errCrash = errors.New("the page crashed")

const (
	// maxPaused is the most requests of a page that the browser may pause, refused ones included.
	maxPaused = 5000
	// captureTime is the time in which the browser must return the HTML after the scripts.
	captureTime = 5 * time.Second
	// Size of the window, which pages read.
	windowWidth, windowHeight = 1280, 4000
)

// idleCallbacks lets callbacks for idle time run like timers: in virtual time, no time is idle.
const idleCallbacks = `globalThis.requestIdleCallback = f => setTimeout(() => f({didTimeout: false, timeRemaining: () => 50}), 1); globalThis.cancelIdleCallback = clearTimeout;`

// params holds the parameters of a call.
type params = map[string]any

// allRequests pauses all requests of a page, frame or worker, and attachAll stops its frames and workers
// until their requests are paused.
var (
	allRequests = params{"patterns": []params{{"urlPattern": "*"}}}
	attachAll   = params{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true}
)

// tab renders one page in a separate context of the browser, which shares no cookies, caches or
// storage with others.
type tab struct {
	b       *browser
	in      Page
	ctx     context.Context // ends when the time of the page is over
	session string
	frame   string // the main frame

	fetching sync.WaitGroup
	running  atomic.Int64 // requests that are being fetched
	slices   int          // of virtual time that are over; used by the handler of events only
	paused   int          // requests that the browser paused; used by the handler of events only
	loaded   bool
	requests atomic.Int64

	mu       sync.Mutex
	location weburl.URL
	sessions map[string]bool // of the page, its frames and its workers
	ended    bool
	crashed  chan struct{}
	finished chan struct{} // closed when virtual time is over
	once     [2]sync.Once
}

// render renders a page.
func (b *browser) render(ctx context.Context, in Page) (*Result, error) {
	ctx, cancel := context.WithTimeout(ctx, b.cfg.Time)
	defer cancel()
	t := newTab(ctx, b, in)
	defer t.end()
	defer cancel()
	var made struct{ BrowserContextID string }
	if err := t.call("", "Target.createBrowserContext", params{"disposeOnDetach": true}, &made); err != nil {
		return nil, err
	}
	defer b.conn.send("", "Target.disposeBrowserContext", params{"browserContextId": made.BrowserContextID})
	if err := t.open(made.BrowserContextID); err != nil {
		return nil, err
	}
	var went struct{ ErrorText string }
	if err := t.call(t.session, "Page.navigate", params{"url": in.URL.String()}, &went); err != nil {
		return nil, err
	}
	if went.ErrorText != "" {
		return nil, errors.New(went.ErrorText)
	}
	cut := false
	select {
	case <-t.finished:
	case <-ctx.Done():
		cut = true
		b.conn.send(t.session, "Runtime.terminateExecution", nil)
	case <-t.crashed:
		return nil, errCrash
	case <-b.conn.done:
		return nil, errGone
	}
	html, err := t.capture()
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return &Result{HTML: html, Cut: cut, Location: t.location, Requests: int(t.requests.Load())}, nil
}

func newTab(ctx context.Context, b *browser, in Page) *tab {
	return &tab{b: b, in: in, ctx: ctx, sessions: map[string]bool{}, crashed: make(chan struct{}), finished: make(chan struct{})}
}

// attach handles the events of a session. It reports whether the page has not ended.
func (t *tab) attach(session string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.ended {
		t.sessions[session] = true
		t.b.conn.listen(session, t.event)
	}
	return !t.ended
}

// detach ignores further events of a session.
func (t *tab) detach(session string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.sessions, session)
	t.b.conn.listen(session, nil)
}

// end removes the handlers of events and waits for the running requests. The connection may still be
// handling an event.
func (t *tab) end() {
	t.mu.Lock()
	t.ended = true
	for session := range t.sessions {
		t.b.conn.listen(session, nil)
	}
	t.mu.Unlock()
	t.fetching.Wait()
}

func (t *tab) call(session, method string, p params, result any) error {
	return t.b.conn.call(t.ctx, session, method, p, result)
}

// open opens an empty page whose requests are paused.
func (t *tab) open(context string) error {
	if err := t.call("", "Browser.setDownloadBehavior", params{"behavior": "deny", "browserContextId": context}, nil); err != nil {
		return err
	}
	var target struct{ TargetID string }
	if err := t.call("", "Target.createTarget", params{"url": "about:blank", "browserContextId": context, "width": windowWidth, "height": windowHeight}, &target); err != nil {
		return err
	}
	t.frame = target.TargetID
	var attached struct{ SessionID string }
	if err := t.call("", "Target.attachToTarget", params{"targetId": target.TargetID, "flatten": true}, &attached); err != nil {
		return err
	}
	t.session = attached.SessionID
	t.attach(t.session)
	for _, c := range []struct {
		method string
		p      params
	}{
		{"Fetch.enable", allRequests},
		{"Target.setAutoAttach", attachAll},
		{"Network.setBypassServiceWorker", params{"bypass": true}},
		{"Emulation.setUserAgentOverride", params{"userAgent": t.b.agent}},
		{"Inspector.enable", nil},
		{"Page.enable", nil},
		{"Page.addScriptToEvaluateOnNewDocument", params{"source": idleCallbacks}},
	} {
		if err := t.call(t.session, c.method, c.p, nil); err != nil {
			return err
		}
	}
	return nil
}

// capture returns the document as HTML. It uses the browser's view of the document, which scripts
// cannot replace.
func (t *tab) capture() (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), captureTime)
	defer cancel()
	var out struct{ OuterHTML string }
	var err error
	for range 3 { // the numbers of nodes end when the document is loaded
		var doc struct{ Root struct{ NodeID int } }
		if err = t.b.conn.call(ctx, t.session, "DOM.getDocument", params{"depth": 0}, &doc); err == nil {
			err = t.b.conn.call(ctx, t.session, "DOM.getOuterHTML", params{"nodeId": doc.Root.NodeID, "includeShadowDOM": true}, &out)
		}
		if err == nil || errors.Is(err, errTime) || errors.Is(err, errGone) {
			break
		}
	}
	if err != nil {
		return "", err
	}
	if len(out.OuterHTML) > t.b.cfg.MaxBytes {
		return "", errLongMessage
	}
	return out.OuterHTML, nil
}

// event handles an event of the page, or of a frame or worker of the page.
func (t *tab) event(m message) {
	switch m.Method {
	case "Fetch.requestPaused":
		var q request
		if json.Unmarshal(m.Params, &q) == nil {
			t.pause(m.Session, q)
		}
	case "Page.frameNavigated":
		var e struct{ Frame struct{ ID, ParentID string } }
		if json.Unmarshal(m.Params, &e) == nil && e.Frame.ParentID == "" && e.Frame.ID == t.frame {
			t.grant()
		}
	case "Emulation.virtualTimeBudgetExpired":
		t.expired()
	case "Inspector.targetCrashed":
		t.once[1].Do(func() { close(t.crashed) })
	case "Page.javascriptDialogOpening":
		t.b.conn.send(m.Session, "Page.handleJavaScriptDialog", params{"accept": false})
	case "Target.attachedToTarget": // a frame of another site, or a worker: it waits
		var e struct{ SessionID string }
		if json.Unmarshal(m.Params, &e) != nil || !t.attach(e.SessionID) {
			return
		}
		t.b.conn.send(e.SessionID, "Fetch.enable", allRequests) // workers have none: the page pauses their requests
		t.b.conn.send(e.SessionID, "Target.setAutoAttach", attachAll)
		t.b.conn.send(e.SessionID, "Runtime.runIfWaitingForDebugger", nil)
	case "Target.detachedFromTarget":
		var e struct{ SessionID string }
		if json.Unmarshal(m.Params, &e) == nil {
			t.detach(e.SessionID)
		}
	}
}

// slice is the virtual time that passes at once. Frames and messages of workers take real time: the
// page waits for pause after each slice.
const (
	slice = 500 * time.Millisecond
	pause = 40 * time.Millisecond
	// maxFurther is the most slices for requests that run when virtual time is over.
	maxFurther = 6
)

// grant lets virtual time advance by a slice, apart from the time in which requests are fetched.
func (t *tab) grant() {
	t.b.conn.send(t.session, "Emulation.setVirtualTimePolicy", params{"policy": "pauseIfNetworkFetchesPending", "budget": slice.Milliseconds(), "maxVirtualTimeTaskStarvationCount": 10_000})
}

// expired continues after a slice. It ends the page when virtual time is over and no request runs.
func (t *tab) expired() {
	t.slices++
	most := int((t.b.cfg.Virtual + slice - 1) / slice)
	if t.slices >= most && (t.running.Load() == 0 || t.slices >= most+maxFurther) {
		t.once[0].Do(func() { close(t.finished) })
		return
	}
	time.AfterFunc(pause, t.grant)
}

// request is a paused request.
type request struct {
	RequestID    string
	FrameID      string
	ResourceType string
	Request      struct {
		URL, Method string
		Headers     map[string]string
	}
}

// header returns a field of the request.
func (q *request) header(name string) string {
	for k, v := range q.Request.Headers {
		if strings.EqualFold(k, name) {
			return v
		}
	}
	return ""
}

// pause answers a paused request.
func (t *tab) pause(session string, q request) {
	if t.paused++; t.paused > maxPaused {
		t.once[0].Do(func() { close(t.finished) })
		return // the page has enough requests
	}
	accept := q.header("Accept")
	switch typ := q.ResourceType; {
	case typ == "Document" && q.FrameID == t.frame:
		t.navigate(session, q)
	case q.Request.Method == "OPTIONS": // of a request of another site, which has no credentials
		t.fulfill(session, q, 204, nil, nil)
	case q.Request.Method != "GET", q.header("Service-Worker") != "":
		t.refuse(session, q)
	case typ == "Stylesheet": // some scripts wait for it
		t.fulfill(session, q, 200, warc.Header{{Name: "Content-Type", Value: "text/css"}}, nil)
	case typ == "Script", typ == "XHR", typ == "Fetch", typ == "Other" && !strings.HasPrefix(accept, "image/"): // Other: scripts of workers
		u, err := weburl.Parse(q.Request.URL, nil)
		if err != nil || t.requests.Load() >= int64(t.b.cfg.MaxRequests) {
			t.refuse(session, q)
			return
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.ended {
			return
		}
		t.requests.Add(1)
		t.running.Add(1)
		t.fetching.Go(func() { t.fetch(session, q, u, accept) })
	default: // images, media, fonts, frames, beacons, streams of events
		t.refuse(session, q)
	}
}

// navigate answers a request for the page. A request for another page ends there: its address is
// reported.
func (t *tab) navigate(session string, q request) {
	doc := t.in.Document
	if !t.loaded {
		t.loaded = true
		t.fulfill(session, q, doc.Status, doc.Header, doc.Body)
		return
	}
	if u, err := weburl.Parse(q.Request.URL, nil); err == nil && q.Request.Method == "GET" && u.String() != t.in.URL.String() {
		t.mu.Lock()
		t.location = u
		t.mu.Unlock()
	}
	t.fulfill(session, q, 204, nil, nil) // the page stays
}

// fetch answers a request by Page.Fetch.
func (t *tab) fetch(session string, q request, u weburl.URL, accept string) {
	defer t.running.Add(-1)
	res, err := t.in.Fetch(t.ctx, u, accept)
	if err != nil {
		t.refuse(session, q)
		return
	}
	t.fulfill(session, q, res.Status, res.Header, res.Body)
}

func (t *tab) refuse(session string, q request) {
	t.b.conn.send(session, "Fetch.failRequest", params{"requestId": q.RequestID, "errorReason": "BlockedByClient"})
}

// field is a field of a response.
type field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// hidden are fields of a response that do not hold for a decoded body, or are replaced.
var hidden = map[string]bool{
	"content-length": true, "content-encoding": true, "transfer-encoding": true, "connection": true, "keep-alive": true, "set-cookie": true, "set-cookie2": true, "alt-svc": true,
	"strict-transport-security": true, "nel": true, "report-to": true, "reporting-endpoints": true, "link": true,
}

// fulfill answers a request. Scripts may read all answers: no request has credentials.
func (t *tab) fulfill(session string, q request, status int, fields warc.Header, body []byte) {
	origin := q.header("Origin")
	list := []field{}
	for _, f := range fields {
		name := strings.ToLower(f.Name)
		if !hidden[name] && (origin == "" || !strings.HasPrefix(name, "access-control-")) && isField(f) {
			list = append(list, field{f.Name, f.Value})
		}
	}
	if origin != "" {
		list = append(list, field{"Access-Control-Allow-Origin", origin}, field{"Access-Control-Allow-Credentials", "true"}, field{"Access-Control-Expose-Headers", "Content-Type, Location, Link"})
		if wanted := q.header("Access-Control-Request-Headers"); wanted != "" {
			list = append(list, field{"Access-Control-Allow-Headers", wanted})
		}
	}
	t.b.conn.send(session, "Fetch.fulfillRequest", params{"requestId": q.RequestID, "responseCode": status, "responseHeaders": list, "body": base64.StdEncoding.EncodeToString(body)})
}

// isField reports whether the browser accepts a field.
func isField(f warc.Field) bool {
	if f.Name == "" {
		return false
	}
	for i := range len(f.Name) {
		if c := f.Name[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return false
		}
	}
	return strings.IndexFunc(f.Value, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}
