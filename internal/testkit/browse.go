package testkit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// Browser returns the path of Chromium. The test is [Slow]. It is skipped under the race detector: browser tests
// send requests one after another, so the detector finds nothing in them, and tests of the handlers
// send requests concurrently.
func Browser(t testing.TB) string {
	t.Helper()
	Slow(t)
	if Race {
		t.Skip("browsers send one request after the other")
	}
	return Tool(t, "chromium")
}

// Browse opens an HTML file in a Chromium window of width pixels, at the fragment unless it is "".
// It returns the document after its scripts have run. More scripts are run after the scripts of the file;
// its policy is extended for them. Output on the browser's console is an error, and so is a body
// that no script marks with data-ready="yes", and a document that is wider than the window.
func Browse(t *testing.T, file, fragment string, width int, more ...string) *html.Node {
	t.Helper()
	for _, js := range append(more, `document.body.dataset.wide = document.documentElement.scrollWidth > innerWidth; document.currentScript.remove();`) {
		sum := sha256.Sum256([]byte(js))
		hash := strings.ReplaceAll("'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'", "+", "&#43;")
		file = strings.Replace(file, "script-src ", "script-src "+hash+" ", 1)
		file = strings.Replace(file, "</body>", "<script>"+js+"</script></body>", 1)
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "page.html")
	if err := os.WriteFile(name, []byte(file), 0o666); err != nil {
		t.Fatal(err)
	}
	address := "file://" + name
	if fragment != "" {
		address += "#" + fragment
	}
	doc := Visit(t, address, width)
	if BodyData(doc, "wide") != "false" {
		t.Errorf("wider than a window of %d pixels", width)
	}
	return doc
}

// BrowseTables is Browse in a wide and a narrow window, with a click on each heading that sorts a table.
// There must be one.
func BrowseTables(t *testing.T, file, fragment string) {
	t.Helper()
	for _, width := range []int{1200, 500} {
		doc := Browse(t, file, fragment, width, `let n = 0; for (const b of document.querySelectorAll("th button")) { b.click(); b.click(); n++; }
document.body.dataset.sorted = n;`)
		if n := BodyData(doc, "sorted"); n == "0" || n == "" {
			t.Errorf("%s heads of columns", n)
		}
	}
}

// BrowseDetails is Browse in a wide and a narrow window, with all details open. A script in a text, which
// sets data-ran, must not run.
func BrowseDetails(t *testing.T, file string) {
	t.Helper()
	for _, width := range []int{1200, 360} {
		doc := Browse(t, file, "", width, `for (const d of document.querySelectorAll("details")) d.open = true;`)
		if ran := BodyData(doc, "ran"); ran != "" {
			t.Errorf("%d pixels: ran %q", width, ran)
		}
	}
}

// Visit is Browse for a page at a URL. Lines on the console that contain an element of expected are
// not errors.
func Visit(t *testing.T, address string, width int, expected ...string) *html.Node {
	t.Helper()
	chromium, dir := Browser(t), t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+filepath.Join(dir, "profile"),
		fmt.Sprintf("--window-size=%d,900", width), "--enable-logging=stderr", "--virtual-time-budget=3000", "--dump-dom", address)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("chromium: %v\n%s", err, errs.String())
	}
	for line := range strings.Lines(errs.String()) {
		if strings.Contains(line, "CONSOLE") && !slices.ContainsFunc(expected, func(e string) bool { return strings.Contains(line, e) }) {
			t.Errorf("the console says %s", line)
		}
	}
	doc, err := html.Parse(&out)
	if err != nil {
		t.Fatal(err)
	}
	if BodyData(doc, "ready") != "yes" {
		t.Fatalf("the script did not come to its end:\n%.2000s", errs.String())
	}
	return doc
}

// BodyData returns the attribute data-NAME of the body of a document.
func BodyData(doc *html.Node, name string) string {
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || n.Data != "body" {
			continue
		}
		for _, a := range n.Attr {
			if a.Key == "data-"+name {
				return a.Val
			}
		}
	}
	return ""
}
