package beam

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/build"
	"chaffinch/internal/testkit"
	"chaffinch/pipeline"
)

// archive writes web archives of pages that share paragraphs, and in one of them a record
// that cannot be unpacked.
func archive(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	topics := []string{"harbour", "mill", "bridge", "tower", "forest", "market", "station"}
	for _, name := range []string{"a.warc.gz", "b.warc.gz"} {
		var file bytes.Buffer
		for i := range 40 {
			topic := topics[i%len(topics)]
			html := fmt.Sprintf(`<html lang=en><title>The %[1]s</title><body><ul><li><a href=/>Start</a><li><a href=/about>About us</a></ul><h1>The %[1]s</h1>
<p>In the year %[2]d the old %[1]s was rebuilt, since the winter storms had taken half of its walls and most of what stood behind them.</p>
<p>The ferry leaves the island at nine in the morning, and nobody who lives there has ever seen it late, whatever the wind was like.</p>
<p>People who come to see the %[1]s number %[2]d often stay for a day or two, walk along the shore, and leave with a small stone in the pocket.</p>`, topic, 1800+i%25)
			record := testkit.Record(fmt.Sprintf("urn:%s:%d", name, i), fmt.Sprintf("https://host%d.example/%d", i%5, i), html)
			member := testkit.Gzip([]byte(record))
			if name == "b.warc.gz" && i == 20 {
				copy(member[60:], "\x00\x00\x00\x00\x00\x00")
			}
			file.Write(member)
		}
		if err := os.WriteFile(filepath.Join(dir, name), file.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// made are the hashes of what a build made.
func made(t *testing.T, dir string) string {
	t.Helper()
	var list []string
	for _, name := range []string{"corpus.vert", "corpus.jsonl", "texts/corpus.txt", "steps/clean/errors.txt"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("%s: %d bytes, %x", name, len(b), sha256.Sum256(b)))
	}
	return strings.Join(list, "\n")
}

// TestPrism: the corpus is that of one process, with its list of what could not be read,
// also where some of the work is done a second time.
func TestPrism(t *testing.T) {
	in, one, many := archive(t), t.TempDir(), t.TempDir()
	recipe, err := os.ReadFile("../testdata/walks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	r, err := build.Parse("walks.yaml", recipe)
	if err != nil {
		t.Fatal(err)
	}
	r.Inputs = []string{in}
	if _, err := build.Run(t.Context(), build.Config{Recipe: r, Job: pipeline.Job{Out: one, Workers: 1}, Version: "test"}); err != nil {
		t.Fatal(err)
	}
	want := made(t, one)
	if b, err := os.ReadFile(filepath.Join(one, "steps/clean/errors.txt")); err != nil || !strings.Contains(string(b), "b.warc.gz: byte ") {
		t.Fatalf("the record that cannot be unpacked is not named: %s %v", b, err)
	}
	b := &Build{Recipe: recipe, Inputs: []string{in}, Shards: many, Dir: many, Version: "test", Memory: build.MinMemory, ShardBytes: 3000}
	for range 2 {
		res, err := Run(t.Context(), b, Runner{Name: "prism"})
		if err != nil {
			t.Fatal(err)
		}
		if got := made(t, many); got != want {
			t.Errorf("made\n%s\nwanted\n%s", got, want)
		}
		if len(res.Problems) != 1 || res.Problems[0].N != 1 {
			t.Errorf("problems %v, wanted the one record", res.Problems)
		}
		for _, gone := range []string{"pages/00002.json", "dedup-onion-mark/00000.json", "dedup-minhash-rewrite/00001.json", "outputs/00003.json"} {
			if err := os.Remove(filepath.Join(many, gone)); err != nil {
				t.Error(err)
			}
		}
	}
	b.Recipe = bytes.Replace(recipe, []byte("min: 30"), []byte("min: 20"), 1)
	if _, err := Run(t.Context(), b, Runner{Name: "prism"}); err == nil || !strings.Contains(err.Error(), "gopher_quality.words") {
		t.Errorf("error %v over another recipe in the same folder, wanted the difference", err)
	}
}

// TestParcels: files come out as they went in, whatever the order of their parts.
func TestParcels(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	want := map[string][]byte{"a": bytes.Repeat([]byte("0123456789"), parcelBytes/4), "empty": {}, "b": []byte("b")}
	for name, b := range want {
		if err := os.WriteFile(filepath.Join(from, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var way []Parcel
	if err := send(from, "x/y", func(p Parcel) {
		q, err := decodeParcel(encodeParcel(p))
		if err != nil {
			t.Fatal(err)
		}
		way = append(way, q)
	}); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(way)
	if err := unpack(to, each(way)); err != nil {
		t.Fatal(err)
	}
	for name, b := range want {
		got, err := os.ReadFile(filepath.Join(to, "x/y", name))
		if err != nil || !bytes.Equal(got, b) {
			t.Errorf("%s: %d bytes, %v, wanted %d", name, len(got), err, len(b))
		}
	}
}

// each hands out parcels as Beam does.
func each(list []Parcel) func(*Parcel) bool {
	return func(p *Parcel) bool {
		if len(list) == 0 {
			return false
		}
		*p, list = list[0], list[1:]
		return true
	}
}

func TestBadParcels(t *testing.T) {
	for _, b := range [][]byte{nil, {0x80}, {1}, {1, 9, 'a'}, {1, 0x80}} {
		if _, err := decodeParcel(b); !errors.Is(err, errParcel) {
			t.Errorf("%v: error %v, wanted %v", b, err, errParcel)
		}
	}
	if err := unpack(t.TempDir(), each([]Parcel{{File: "../x"}})); !errors.Is(err, errParcel) {
		t.Errorf("error %v over a file outside, wanted %v", err, errParcel)
	}
}

func TestRunner(t *testing.T) {
	nobody, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := nobody.Close(); err != nil {
		t.Fatal(err)
	}
	for want, r := range map[string]Runner{"such as localhost": {Name: "flink"}, `"spark"`: {Name: "spark"}, "no job server": {Name: "flink", Endpoint: nobody.Addr().String()}} {
		if _, err := Run(t.Context(), &Build{}, r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, wanted %s", r.Name, err, want)
		}
	}
}

func TestIsWorker(t *testing.T) {
	if IsWorker([]string{"a.yaml", "-o", "x"}) || !IsWorker([]string{"--id=1-1", "--provision_endpoint=localhost:1"}) {
		t.Error("worker or not: mistaken")
	}
}
