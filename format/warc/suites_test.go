package warc

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
)

// archiveIntended are files that the suites hold as sound and that Check reports, or the
// other way round.
var archiveIntended = map[string]string{
	"jwat: test-arc-1.0-dashed-fields.arc":                         "its lines were converted to CR LF, so that the block is longer than stated",
	"jwat: invalid-warcfile-contenttype-warcinfo-recommended.warc": "a media type that is only recommended is not checked",
	"jwat: invalid-warcfile-encoding-headers.warc.gz":              "the encoding of a header is not checked: what is no UTF-8 is read",
	"pywb: example-extra.warc":                                     "two bytes of line breaks follow a block, the standard has four",
	"pywb: example-url-agnostic-orig.warc.gz":                      "no line breaks follow a block, the standard has four bytes",
	"pywb: example-url-agnostic-revisit.warc.gz":                   "no line breaks follow a block, the standard has four bytes",
	"pywb: example.warc":                                           "the length of a block is 3 bytes short",
	"pywb: missing-status-text.warc":                               "six bytes of line breaks follow a block, the standard has four",
	"warcio: example-digest.warc":                                  "a wrong digest: it is there for that",
	"warcio: example-space-in-url.arc":                             "the file ends inside the last record",
	"warcio: example-trunc.warc":                                   "a length is 2 bytes short: it is there for that",
	"warcio: example-wget-bad-target-uri.warc.gz":                  "angle brackets around an address are read",
	"warcio: example-wrong-chunks.warc.gz":                         "chunks and digests are wrong: it is there for that",
}

// TestArchiveSuites checks the archives in the tests of other projects: archives with
// "invalid" or "bad" in their names have problems, the others have none.
func TestArchiveSuites(t *testing.T) {
	found, ran := map[string]string{}, 0
	for _, suite := range []string{"warcio/test/data", "jwat", "jwarc/test-resources", "pywb/sample_archive", "py-wacz/tests/fixtures"} {
		dir := testkit.Suite(t, suite)
		if err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			name := filepath.Base(p)
			if err != nil || d.IsDir() || !strings.Contains(name, ".warc") && !strings.Contains(name, ".arc") || strings.HasSuffix(name, ".rst") {
				return err
			}
			f, err := os.Open(p)
			if err != nil {
				return err
			}
			defer f.Close()
			r, err := NewReader(f, Config{})
			if err != nil {
				return err
			}
			defer r.Close()
			first := ""
			n, err := Check(r, func(f Finding) {
				if first == "" {
					first = fmt.Sprintf("byte %d+%d: %s", f.Pos.Offset, f.Pos.Skip, f.What)
				}
			})
			if err != nil {
				return err
			}
			ran++
			if bad := strings.Contains(name, "invalid") || strings.Contains(name, "bad"); bad != (n.Findings > 0) || n.Records == 0 {
				found[suite[:strings.IndexByte(suite+"/", '/')]+": "+name] = fmt.Sprintf("%d records, %d problems: %s", n.Records, n.Findings, first)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	testkit.Differences(t, ran, found, archiveIntended)
}
