package warc

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

var referenceDir = flag.String("reference", "", "folder to write our archives into, for testdata/reference/make.py read")

// reference is one record as warcio or FastWARC reads it.
type reference struct {
	ID, Type, URI, Date, Status string
	Offset                      int64
	Block                       string `json:"block_sha1"`
	Payload                     string `json:"payload_sha1"`
}

func hexSHA1(b []byte) string {
	s := sha1.Sum(b)
	return hex.EncodeToString(s[:])
}

// TestReference reads archives that warcio and FastWARC wrote and compares
// with what these read (testdata/reference/make.py).
func TestReference(t *testing.T) {
	dir := filepath.Join("testdata", "reference")
	b := must.Read(t, filepath.Join(dir, "expected.json"))
	var expected struct{ Files map[string][]reference }
	must.Succeed(t, json.Unmarshal(b, &expected))
	if len(expected.Files) < 7 {
		t.Fatalf("%d files", len(expected.Files))
	}
	for name, want := range expected.Files {
		f := must.Get(os.Open(filepath.Join(dir, name)))(t)
		defer f.Close()
		all, errs := readAll(t, newReader(t, f))
		if len(errs) > 0 || len(all) != len(want) {
			t.Fatalf("%s: %d records of %d, errors %v", name, len(all), len(want), errs)
		}
		for i, w := range want {
			rec, block := all[i].rec, all[i].block
			if rec.ID != w.ID || rec.Type != w.Type || rec.URI != w.URI || rec.Date != w.Date {
				t.Errorf("%s: record %d is %+v, wanted %+v", name, i, rec, w)
			}
			// FastWARC tells how far it has read; in packed files that is not the place of the record.
			if (strings.HasPrefix(name, "warcio") || strings.HasSuffix(name, ".warc")) && rec.Pos != (Pos{Offset: w.Offset}) {
				t.Errorf("%s: record %d is at %v, wanted %d", name, i, rec.Pos, w.Offset)
			}
			if w.Block != "" && hexSHA1(block) != w.Block {
				t.Errorf("%s: block %d differs", name, i)
			}
			if w.Payload == "" {
				continue
			}
			br := bufio.NewReader(bytes.NewReader(block))
			var head Header
			if h, err := ReadHTTP(br); err == nil {
				head = h.Header
				if w.Status != "" && h.Status != 200 {
					t.Errorf("%s: status of %d is %d, wanted %s", name, i, h.Status, w.Status)
				}
			}
			if p, err := Payload(br, head, DefaultLimits); err != nil || hexSHA1(p) != w.Payload {
				t.Errorf("%s: payload %d differs (%v)", name, i, err)
			}
		}
		f.Seek(0, 0)
		n, err := Check(newReader(t, f), func(f Finding) {
			if !strings.Contains(f.What, "inside a packed member") {
				t.Errorf("%s: Check: %v", name, f)
			}
		})
		if err != nil || n.Digests < len(want) {
			t.Errorf("%s: %d digests compared, %v", name, n.Digests, err)
		}
	}
}

// TestReferenceIndex compares our index with that of cdxj-indexer.
func TestReferenceIndex(t *testing.T) {
	dir := filepath.Join("testdata", "reference")
	want := must.Read(t, filepath.Join(dir, "cdxj.txt"))
	f := must.Get(os.Open(filepath.Join(dir, "warcio-1.0.warc.gz")))(t)
	defer f.Close()
	var lines []string
	if err := Index(newReader(t, f), "warcio-1.0.warc.gz", func(c CDX) error {
		lines = append(lines, c.String())
		return nil
	}, func(err error) { t.Error(err) }); err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	blanks := regexp.MustCompile(`": "|", "`) // Python puts spaces between
	plain := blanks.ReplaceAllStringFunc(string(want), func(s string) string { return strings.ReplaceAll(s, " ", "") })
	if got := strings.Join(lines, "\n") + "\n"; got != plain {
		t.Errorf("got\n%s\nwanted\n%s", got, plain)
	}
}

// TestWriteReference writes archives for the other tools to read, where
// -reference names a folder, else into one of its own, and reads them back.
func TestWriteReference(t *testing.T) {
	dir := *referenceDir
	if dir == "" {
		dir = t.TempDir()
	}
	list := map[string][]map[string]any{}
	for name, cfg := range map[string]WriterConfig{
		"ours-1.1.warc": {}, "ours-1.0.warc.gz": {Version: "WARC/1.0", Packing: Gzip}, "ours-1.1.warc.gz": {Packing: Gzip},
		"ours.warc.zst": {Packing: Zstd}, "ours-dict.warc.zst": {Packing: Zstd, Dictionary: testDictionary(t)},
	} {
		file, offsets := writeAll(t, cfg, entries())
		must.Write(t, filepath.Join(dir, name), file)
		all, errs := readAll(t, newReader(t, bytes.NewReader(file)))
		if len(errs) > 0 {
			t.Fatal(name, errs)
		}
		for i, s := range all {
			row := map[string]any{"id": s.rec.ID, "type": s.rec.Type, "uri": s.rec.URI, "date": s.rec.Date, "block_sha1": hexSHA1(s.block)}
			if cfg.Packing != Zstd {
				row["offset"] = offsets[i]
			}
			list[name] = append(list[name], row)
		}
	}
	b := must.Get(json.MarshalIndent(list, "", " "))(t)
	must.Write(t, filepath.Join(dir, "ours.json"), append(b, '\n'))
}
