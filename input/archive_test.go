package input_test

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/input"
	"chaffinch/internal/archive"
	"chaffinch/internal/testkit"
	"chaffinch/page"
)

// odd is what reading gives for each of the odd files: pages, how many of them
// are kept (not dropped), the reasons of the others, the records passed by
// type, and what the errors say. Every line was looked at beside the file.
var odd = map[string]string{
	// All in one gzip member, LF only; the first two have edited, partly wrong
	// lengths, but the next record begins where it should or is found inside.
	"anserini-commoncrawl/commoncrawl_warc_collection1_segment1.warc.gz":    "1 pages, 1 kept; warcinfo 1",
	"anserini-commoncrawl/commoncrawl_wet_collection1_segment1.warc.wet.gz": "1 pages, 1 kept; warcinfo 1",
	"anserini-commoncrawl/commoncrawlnewsen_collection1_segment1.warc.gz":   "1 pages, 1 kept; warcinfo 1; byte 0: wrong length: length 331, but the next record begins after 323 bytes",
	// Wget keeps its log and its manifest as resources.
	"dolma-commoncrawl/sample-0000.warc.gz": "22 pages, 22 kept; metadata 3, request 22, warcinfo 1",
	"dolma-commoncrawl/sample-0001.warc.gz": "15 pages, 15 kept; metadata 3, request 15, warcinfo 1",
	// Records of the type "unknown" whose sizes are those of read buffers.
	"resiliparse/block-sized-records.warc":     "0 pages, 0 kept; unknown 3",
	"resiliparse/block-sized-records.warc.gz":  "0 pages, 0 kept; unknown 3",
	"resiliparse/block-sized-records.warc.lz4": "0 pages, 0 kept; unknown 3",
	// Ends inside the first record: the text up to there is kept.
	"resiliparse/clipped.warc.gz":   "1 pages, 1 kept, 1 cut truncated; byte 0: ends early: 75207 of 88275 bytes could be unpacked: unexpected EOF",
	"resiliparse/warcfile.warc":     "16 pages, 16 kept; metadata 16, request 17, warcinfo 1",
	"resiliparse/warcfile.warc.gz":  "16 pages, 16 kept; metadata 16, request 17, warcinfo 1",
	"resiliparse/warcfile.warc.lz4": "16 pages, 16 kept; metadata 16, request 17, warcinfo 1",
	// Three records without a usable length; the middle one says 1 byte and has it.
	"warcio/bad.arc": "3 pages, 1 kept, 2 dropped empty; warcinfo 1; byte 0: wrong length: \"-1\" of filedesc://bad.arc.gz; byte 134: wrong length: \"-1\" of http://example.com/; byte 262: wrong length: \"abc\" of http://example.com/",
	// One gzip member for all records: no trouble for a reader.
	"warcio/example-bad-non-chunked.warc.gz": "1 pages, 1 kept; request 2, revisit 1, warcinfo 2",
	"warcio/example-bad.warc.gz.bad":         "2 pages, 1 kept, 1 dropped http-status; request 2, revisit 1, warcinfo 1",
	"warcio/example-digest.warc":             "0 pages, 0 kept; request 4",
	"warcio/example-iana.org-chunked.warc":   "1 pages, 1 kept; request 1, warcinfo 1",
	"warcio/example-resource.warc.gz":        "1 pages, 1 kept; warcinfo 2",
	// An image.
	"warcio/example-space-in-target-uri.warc.gz": "1 pages, 0 kept, 1 dropped not-text; warcinfo 1",
	// CR LF became LF, so the file is shorter than its length.
	"warcio/example-space-in-url.arc": "1 pages, 1 kept, 1 cut truncated; warcinfo 1; byte 151: ends early: 1579 of 1591 bytes",
	// The stated length is 2 bytes short, in the middle of the gzip trailer of the payload.
	"warcio/example-trunc.warc":                  "1 pages, 1 kept, 1 cut truncated; request 1, warcinfo 2; byte 1197: wrong length: 973 bytes, then \"\\x00\\x00\\r\\n\\r\\nWARC/1.0\\r\\nWARC-Typ\" instead of a record; 6 bytes passed",
	"warcio/example-wget-bad-target-uri.warc.gz": "1 pages, 1 kept; metadata 3, request 1, warcinfo 1",
	// A member ends inside the record, and the next one continues it.
	"warcio/example-wrong-chunks.warc.gz": "1 pages, 1 kept; request 1",
	"warcio/example.arc":                  "1 pages, 1 kept; warcinfo 1",
	"warcio/example.arc.gz":               "1 pages, 1 kept; warcinfo 1",
	"warcio/example.warc":                 "1 pages, 1 kept; request 2, revisit 1, warcinfo 2",
	"warcio/example.warc.gz":              "1 pages, 1 kept; request 2, revisit 1, warcinfo 2",
	// Three JSON answers.
	"warcio/post-test.warc.gz": "3 pages, 0 kept, 3 dropped not-text; request 3",
}

// TestOddArchives reads the broken and odd archives of the data set.
func TestOddArchives(t *testing.T) {
	set := testkit.Data(t, "warc/warc.tar.zst")
	dir := t.TempDir()
	left := maps.Clone(odd)
	if err := archive.Walk(set, func(name string, r io.Reader) error {
		_, name, _ = strings.Cut(name, "/")
		want, ok := odd[name]
		if !ok {
			if strings.Contains(name, "arc") && !strings.Contains(name, "LICENSE") {
				t.Errorf("%s is not in the table", name)
			}
			return nil
		}
		delete(left, name)
		f, err := os.Create(filepath.Join(dir, "f"))
		if err != nil {
			return err
		}
		if _, err := io.Copy(f, r); err != nil {
			return err
		}
		f.Close()
		if got := tell(t, f.Name()); got != want {
			t.Errorf("%s: got\n%s\nwanted\n%s", name, got, want)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for name := range left {
		t.Errorf("%s is not in the data set", name)
	}
}

// tell reads a file and returns its pages and errors in one line.
func tell(t *testing.T, name string) string {
	r := open(t, input.Config{}, name)
	g := readAll(t, r)
	kept := 0
	why := map[string]int{}
	for _, p := range g.pages {
		if p.Drop == page.None {
			kept++
		} else {
			why["dropped "+p.Drop.String()]++
		}
		if p.Cut != page.None {
			why["cut "+p.Cut.String()]++
		}
	}
	s := fmt.Sprintf("%d pages, %d kept", len(g.pages), kept)
	for _, w := range slices.Sorted(maps.Keys(why)) {
		s += fmt.Sprintf(", %d %s", why[w], w)
	}
	var passed []string
	for _, k := range slices.Sorted(maps.Keys(r.Skipped())) {
		passed = append(passed, fmt.Sprintf("%s %d", k, r.Skipped()[k]))
	}
	if len(passed) > 0 {
		s += "; " + strings.Join(passed, ", ")
	}
	for _, e := range g.errs {
		i := strings.Index(e, "byte ")
		if i < 0 {
			t.Errorf("no offset in %s", e)
			i = 0
		}
		s += "; " + e[i:]
	}
	return s
}
