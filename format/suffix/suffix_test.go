package suffix

import (
	"os"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

func TestOf(t *testing.T) {
	for name, want := range map[string]Promise{
		"a.jsonl": {"", "jsonl", ".jsonl"}, "dir.parquet/a.NDJSON.GZ": {".gz", "jsonl", ".ndjson"},
		"s3://bucket/a.vert.zst": {".zst", "vertical", ".vert"}, "a.parquet": {"", "parquet", ".parquet"},
		"a.txt.xz": {".xz", "text", ".txt"}, "a.gz": {".gz", "", ""}, "a": {}, "-": {}, ".jsonl": {},
		"a.model": {"", "", ".model"}, "a.jsonl.part": {"", "", ".part"},
	} {
		if got := Of(name); got != want {
			t.Errorf("%s promises %+v, want %+v", name, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name    string
		written []string
		want    string // in the error, "" for none
	}{
		{"a.jsonl", []string{"jsonl"}, ""}, {"a.out", []string{"jsonl"}, ""}, {"a", []string{"model"}, ""}, {"a.txt.zst", []string{"vertical", "text"}, ""},
		{"a.parquet", []string{"jsonl"}, "its suffix promises parquet, but jsonl is written: give it the suffix .jsonl"},
		{"a.jsonl.gz", []string{"vertical", "text"}, "promises jsonl, but vertical or text is written: give it the suffix .vert"},
		{"a.json", []string{"model"}, "promises json, but model is written: give it another suffix, or none"},
		{"a.jsonl.bz2", []string{"jsonl"}, "bzip2 is not written: take .gz or .zst"},
	} {
		err := Check(c.name, c.written...)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s for %v: %v, want %q", c.name, c.written, err, c.want)
		}
	}
}

func TestCheckFolder(t *testing.T) {
	dir := t.TempDir() + "/old.jsonl"
	must.Succeed(t, os.Mkdir(dir, 0o777))
	for name, ok := range map[string]bool{"corpus": true, "new.jsonl/": true, dir: true, "v.idx": true, "new.jsonl": false, "new.parquet": false} {
		if err := CheckFolder(name); (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
