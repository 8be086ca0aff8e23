package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"chaffinch/internal/workdir"
)

// names are the names of the browser in the search path, and places the paths of programs that
// shell scripts in the search path start.
var (
	names  = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless_shell"}
	places = []string{
		"/usr/lib/chromium/chromium", "/usr/lib/chromium-browser/chromium-browser", "/usr/lib64/chromium-browser/chromium-browser", "/usr/lib/chromium/chrome",
		"/opt/google/chrome/chrome", "/opt/chromium.org/chromium/chrome",
		"/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
	}
)

// Find returns the path of Chromium or Chrome on this machine. Shell scripts that start it are
// skipped, because they may not pass on the pipes.
func Find() (string, error) {
	for _, n := range names {
		if path, err := exec.LookPath(n); err == nil {
			if path, err = filepath.EvalSymlinks(path); err == nil && checkProgram(path) == nil {
				return path, nil
			}
		}
	}
	for _, path := range places {
		if checkProgram(path) == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w: none of %s in the search path, and no program in its usual places: install Chromium or name its program", ErrNotFound, strings.Join(names, ", "))
}

// checkProgram returns an error for files that are not a program, such as shell scripts.
func checkProgram(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, 2)
	if _, err := io.ReadFull(f, head); err != nil {
		return fmt.Errorf("%s: no program: %w", path, err)
	}
	if string(head) == "#!" {
		return fmt.Errorf("%s: a script, wanted the program that it starts, such as %s", path, places[0])
	}
	return nil
}

// arguments returns the arguments of the browser.
func arguments(cfg Config, profile string) []string {
	list := []string{
		"headless", "remote-debugging-pipe", "user-data-dir=" + profile,
		// No network: Fetch answers all requests that the protocol pauses, the others reach nothing.
		"host-resolver-rules=MAP * ~NOTFOUND", "proxy-server=http://127.0.0.1:9", "proxy-bypass-list=<-loopback>",
		"force-webrtc-ip-handling-policy=disable_non_proxied_udp", "webrtc-ip-handling-policy=disable_non_proxied_udp",
		"disable-quic", "dns-prefetch-disable", "no-pings", "disable-background-networking", "disable-component-update", "disable-domain-reliability", "disable-sync",
		"disable-client-side-phishing-detection", "disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,InterestFeedContentSuggestions,WebTransport",
		// No windows, dialogs, downloads, sound or plug-ins.
		"block-new-web-contents", "deny-permission-prompts", "noerrdialogs", "no-first-run", "no-default-browser-check", "mute-audio",
		"disable-extensions", "disable-default-apps", "disable-plugins", "disable-pdf-extension", "disable-breakpad", "disable-crash-reporter",
		"disable-gpu", "disable-software-rasterizer", "disable-dev-shm-usage", "password-store=basic", "use-mock-keychain",
		"blink-settings=imagesEnabled=false", "js-flags=--max-old-space-size=256",
	}
	if cfg.NoSandbox {
		list = append(list, "no-sandbox")
	}
	for i := range list {
		list[i] = "--" + list[i]
	}
	return list
}

// browser is a running browser.
type browser struct {
	cfg     Config
	conn    *conn
	cmd     *exec.Cmd
	profile *workdir.Folder
	exited  chan struct{}
	tooMuch atomic.Bool // it was killed because of its memory
	errors  tail
	agent   string // name of the browser and the crawler

	pages, running int // used by Pool
	retired        bool
}

// startTime is the most time in which a browser must answer after its start.
const startTime = 30 * time.Second

// maxSocketDir is the most bytes of the folder in which the browser creates a socket, whose path has at
// most 107.
const maxSocketDir = 60

// startBrowser starts a browser and waits until it answers.
func startBrowser(cfg Config) (_ *browser, err error) {
	b := &browser{cfg: cfg, exited: make(chan struct{})}
	if b.profile, err = workdir.Temp(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			b.profile.Close()
		}
	}()
	theirs, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	from, ours, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, theirs.Close(), to.Close())
	}
	b.cmd = exec.Command(cfg.Program, arguments(cfg, b.profile.Path)...)
	b.cmd.ExtraFiles = []*os.File{theirs, ours} // descriptors 3 and 4
	b.cmd.Stderr = &b.errors
	// The browser sees neither the files nor the variables of the user.
	b.cmd.Dir = b.profile.Path
	temp := b.profile.Path
	if len(temp) > maxSocketDir {
		temp = "/tmp"
	}
	b.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.profile.Path, "TMPDIR=" + temp, "LANG=C.UTF-8"}
	prepare(b.cmd)
	err = b.cmd.Start()
	theirs.Close()
	ours.Close()
	if err != nil {
		return nil, errors.Join(err, to.Close(), from.Close())
	}
	go func() {
		b.cmd.Process.Wait()
		killGroup(b.cmd) // processes that a crash left
		b.cmd.Wait()
		close(b.exited)
	}()
	b.conn = newConn(to, from)
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	var version struct{ UserAgent string }
	if err = b.conn.call(ctx, "", "Browser.getVersion", nil, &version); err != nil {
		b.kill()
		b.conn.close()
		return nil, fmt.Errorf("%s: %w: %s", cfg.Program, err, b.errors.line())
	}
	b.agent = strings.TrimSpace(version.UserAgent + " " + cfg.Agent)
	go b.watch()
	return b, nil
}

// ended reports whether the browser has ended.
func (b *browser) ended() bool {
	select {
	case <-b.exited:
		return true
	case <-b.conn.done:
		return true
	default:
		return false
	}
}

// kill ends all processes of the browser.
func (b *browser) kill() {
	select {
	case <-b.exited:
	default:
		killGroup(b.cmd)
		<-b.exited
	}
}

// closeTime is the time in which a browser must end after it was asked to.
const closeTime = 3 * time.Second

// close ends the browser and removes its files.
func (b *browser) close() {
	b.conn.send("", "Browser.close", nil)
	select {
	case <-b.exited:
	case <-time.After(closeTime):
	}
	b.kill()
	b.conn.close()
	b.profile.Close()
}

// watchEvery is the interval at which the memory of a browser is measured.
const watchEvery = 500 * time.Millisecond

// watch kills the browser if it exceeds its memory.
func (b *browser) watch() {
	t := time.NewTicker(watchEvery)
	defer t.Stop()
	for {
		select {
		case <-b.exited:
			return
		case <-t.C:
		}
		if groupMemory(b.cmd.Process.Pid) > b.cfg.Memory {
			b.tooMuch.Store(true)
			b.kill()
			return
		}
	}
}

// explain returns an error of render with its reason.
func (b *browser) explain(err error) error {
	e := &Error{Failed, err}
	switch {
	case b.tooMuch.Load():
		e.Reason, e.Err = TooMuch, fmt.Errorf("the browser needs more than %d bytes of memory", b.cfg.Memory)
	case errors.Is(err, errTime):
		e.Reason = TooSlow
	case errors.Is(err, errLongMessage):
		e.Reason = TooLarge
	case errors.Is(err, errCrash), errors.Is(err, errGone):
		e.Reason = Crashed
	}
	return e
}

// tail keeps the last bytes of the messages of the browser.
type tail struct{ b bytes.Buffer }

// Write keeps the end of p.
func (t *tail) Write(p []byte) (int, error) {
	const most = 4 << 10
	if t.b.Len()+len(p) > most {
		t.b.Reset()
	}
	t.b.Write(p[max(0, len(p)-most):])
	return len(p), nil
}

// line returns the last line that explains the end of a browser. It must not be called before the
// browser has ended.
func (t *tail) line() string {
	lines := strings.Split(strings.TrimSpace(t.b.String()), "\n")
	for _, l := range lines {
		if strings.Contains(l, "ERROR") || strings.Contains(l, "FATAL") {
			return strings.TrimSpace(l)
		}
	}
	return lines[len(lines)-1]
}
