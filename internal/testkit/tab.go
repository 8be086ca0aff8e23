package testkit

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Tab is a page in Chromium that a test operates as a user does, with keys and clicks.
// It uses the DevTools protocol over two pipes.
type Tab struct {
	t       *testing.T
	to      *os.File
	session string

	mu     sync.Mutex
	number int
	wait   map[int]chan answer
	errors []string

	fresh chan struct{} // has an element when the tab shows a new document
}

type answer struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// waitTimeout is the maximum time that a Tab waits for a condition.
const waitTimeout = 2 * time.Minute

// Open opens a page in a window of width pixels and waits until its script marks the body
// with data-ready="yes". See [NewTab] for expected.
func Open(t *testing.T, address string, width int, expected ...string) *Tab {
	t.Helper()
	b := NewTab(t, width, expected...)
	b.Go(address)
	b.Wait("document.body?.dataset.ready === 'yes'")
	return b
}

// NewTab opens an empty window of width pixels. At the end of the test every message in the
// console of the browser is an error, except those that contain one of expected.
func NewTab(t *testing.T, width int, expected ...string) *Tab {
	t.Helper()
	chromium := Browser(t)
	ctx, stop := context.WithCancel(context.Background())
	fromUs, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, toUs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir="+filepath.Join(t.TempDir(), "profile"), fmt.Sprintf("--window-size=%d,900", width), "--remote-debugging-pipe")
	cmd.ExtraFiles = []*os.File{fromUs, toUs}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	fromUs.Close()
	toUs.Close()
	b := &Tab{t: t, to: to, wait: map[int]chan answer{}, fresh: make(chan struct{}, 1)}
	go b.read(from)
	t.Cleanup(func() {
		b.call("Browser.close", nil)
		to.Close()
		cmd.Wait()
		stop()
		from.Close()
		for _, e := range b.errors {
			if !slices.ContainsFunc(expected, func(x string) bool { return strings.Contains(e, x) }) {
				t.Errorf("the console says %s", e)
			}
		}
	})
	var target struct{ TargetID string }
	b.must("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.must("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, m := range []string{"Page.enable", "Runtime.enable", "Log.enable"} {
		b.must(m, nil, nil)
	}
	b.must("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil)
	return b
}

// Go loads a page and returns when the page and its scripts are loaded.
func (b *Tab) Go(address string) {
	b.t.Helper()
	b.must("Page.navigate", map[string]any{"url": address}, nil)
	b.Wait("document.readyState === 'complete' && location.href !== 'about:blank'")
}

// read passes answers to the waiting calls and stores console errors.
func (b *Tab) read(from *os.File) {
	in := bufio.NewReader(from)
	for {
		line, err := in.ReadBytes(0)
		if err != nil {
			b.mu.Lock()
			for id, c := range b.wait {
				close(c)
				delete(b.wait, id)
			}
			b.wait = nil
			b.mu.Unlock()
			return
		}
		var a answer
		if json.Unmarshal(line[:len(line)-1], &a) != nil {
			continue
		}
		b.mu.Lock()
		switch {
		case a.ID > 0:
			if c := b.wait[a.ID]; c != nil {
				c <- a
				delete(b.wait, a.ID)
			}
		case a.Method == "Runtime.executionContextsCleared":
			select {
			case b.fresh <- struct{}{}:
			default:
			}
		case a.Method == "Runtime.exceptionThrown", a.Method == "Log.entryAdded" && !strings.Contains(string(a.Params), `"level":"verbose"`),
			a.Method == "Runtime.consoleAPICalled" && strings.Contains(string(a.Params), `"type":"error"`):
			b.errors = append(b.errors, fmt.Sprintf("%.600s", a.Params))
		}
		b.mu.Unlock()
	}
}

// call sends a request to the browser. ok is false if it has exited.
func (b *Tab) call(method string, params any) (a answer, ok bool) {
	b.mu.Lock()
	if b.wait == nil {
		b.mu.Unlock()
		return a, false
	}
	b.number++
	id, c := b.number, make(chan answer, 1)
	b.wait[id] = c
	b.mu.Unlock()
	m := map[string]any{"id": id, "method": method}
	if params != nil {
		m["params"] = params
	}
	if b.session != "" && !strings.HasPrefix(method, "Browser.") {
		m["sessionId"] = b.session
	}
	text, err := json.Marshal(m)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.to.Write(append(text, 0)); err != nil {
		return a, false
	}
	select {
	case a, ok = <-c:
	case <-time.After(2 * waitTimeout):
	}
	return a, ok
}

func (b *Tab) must(method string, params, result any) {
	b.t.Helper()
	a, ok := b.call(method, params)
	if !ok || a.Error != nil {
		b.t.Fatalf("chromium: %s: %+v", method, a.Error)
	}
	if result != nil {
		if err := json.Unmarshal(a.Result, result); err != nil {
			b.t.Fatalf("chromium: %s: %v", method, err)
		}
	}
}

// navigated is the error of a request to a document that is being replaced.
const navigated = "Inspected target navigated or closed"

// Eval returns the value of an expression: a string unchanged, any other value as JSON.
func (b *Tab) Eval(js string) string {
	b.t.Helper()
	text, ok := b.eval(js)
	if !ok {
		b.t.Fatalf("%s: %s", js, navigated)
	}
	return text
}

// eval evaluates an expression and reports whether the document existed until the answer.
func (b *Tab) eval(js string) (text string, ok bool) {
	b.t.Helper()
	a, ok := b.call("Runtime.evaluate", map[string]any{"expression": js, "returnByValue": true, "awaitPromise": true, "userGesture": true})
	switch {
	case ok && a.Error != nil && a.Error.Message == navigated:
		return "", false
	case !ok || a.Error != nil:
		b.t.Fatalf("chromium: %s: %+v", js, a.Error)
	}
	var r struct {
		Result struct {
			Value       json.RawMessage
			Description string
		}
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	if err := json.Unmarshal(a.Result, &r); err != nil {
		b.t.Fatalf("chromium: %s: %v", js, err)
	}
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", js, r.ExceptionDetails.Exception.Description)
	}
	if json.Unmarshal(r.Result.Value, &text) == nil {
		return text, true
	}
	return string(r.Result.Value), true
}

// Wait waits until an expression is true, in this document or one that replaces it.
func (b *Tab) Wait(js string) {
	b.t.Helper()
	for end := time.Now().Add(waitTimeout); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if text, ok := b.eval("!!(" + js + ")"); ok && text == "true" {
			return
		}
	}
	b.t.Fatalf("never true: %s\nthe page shows: %.1500s", js, b.Eval("document.body.innerText"))
}

// Reload reloads the page and returns when the old document is gone: requests to a document that is
// being replaced fail.
func (b *Tab) Reload() {
	b.t.Helper()
	select {
	case <-b.fresh: // of an earlier document
	default:
	}
	b.must("Page.reload", nil, nil)
	select {
	case <-b.fresh:
	case <-time.After(waitTimeout):
		b.t.Fatal("the page is not loaded again")
	}
}

// keys maps the keys that write no text to their codes.
var keys = map[string]int{"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "PageDown": 34, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Backspace": 8, "Delete": 46}

// Press presses keys in sequence by their names ("Tab", "a", "?"), optionally with the prefix
// "Shift+" or "Control+".
func (b *Tab) Press(names ...string) {
	b.t.Helper()
	for _, name := range names {
		modifiers := 0
		key, shift := strings.CutPrefix(name, "Shift+")
		key, control := strings.CutPrefix(key, "Control+")
		if shift {
			modifiers |= 8
		}
		if control {
			modifiers |= 2
		}
		down := map[string]any{"type": "keyDown", "key": key, "modifiers": modifiers}
		code, special := keys[key]
		switch {
		case key == "Enter":
			down["text"] = "\r"
		case !special || key == " ":
			if code = int(strings.ToUpper(key)[0]); !control {
				down["text"] = key
			}
		}
		down["windowsVirtualKeyCode"] = code
		b.must("Input.dispatchKeyEvent", down, nil)
		b.must("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "modifiers": modifiers, "windowsVirtualKeyCode": code}, nil)
	}
}

// Type inserts text at the focus.
func (b *Tab) Type(text string) {
	b.t.Helper()
	b.must("Input.insertText", map[string]any{"text": text}, nil)
}

// TabTo presses Tab until an expression on the focused element, x, is true.
func (b *Tab) TabTo(js string) {
	b.t.Helper()
	for range 80 {
		if b.Eval("(x => !!x && !!("+js+"))(document.activeElement)") == "true" {
			return
		}
		b.Press("Tab")
	}
	b.t.Fatalf("the tabulator never comes to: %s", js)
}

// Dark selects the dark or the light theme.
func (b *Tab) Dark(dark bool) {
	b.t.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	b.must("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// Width changes the width of the window.
func (b *Tab) Width(pixels int) {
	b.t.Helper()
	b.must("Emulation.setDeviceMetricsOverride", map[string]any{"width": pixels, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// Picture returns a screenshot of the window as PNG.
func (b *Tab) Picture() []byte {
	b.t.Helper()
	var r struct{ Data string }
	b.must("Emulation.setScrollbarsHidden", map[string]any{"hidden": true}, nil)
	b.must("Page.captureScreenshot", map[string]any{"format": "png"}, &r)
	png, err := base64.StdEncoding.DecodeString(r.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	return png
}

// Files selects files in the file field that matches a selector.
func (b *Tab) Files(selector string, names ...string) {
	b.t.Helper()
	var doc struct{ Root struct{ NodeID int } }
	b.must("DOM.getDocument", nil, &doc)
	var field struct{ NodeID int }
	b.must("DOM.querySelector", map[string]any{"nodeId": doc.Root.NodeID, "selector": selector}, &field)
	b.must("DOM.setFileInputFiles", map[string]any{"nodeId": field.NodeID, "files": names}, nil)
}
