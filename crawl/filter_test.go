package crawl

import (
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"chaffinch/filter"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit/must"
	_ "chaffinch/model/data/segmenters"
	"chaffinch/page"
)

// TestFilter crawls the small web in two runs with a rule that drops all pages of a host. The host
// must have no yield and no records, but responses in the archive. Changed rules must be rejected.
func TestFilter(t *testing.T) {
	disk.Lazy()
	const dropped, rule = "http://h1.example", "addresses.listed"
	list := must.File(t, "hosts.txt", "h1.example\n")
	rules := filter.Default
	rules.Use, rules.Addresses.Files = []string{"addresses"}, []string{list}
	cfg := testConfig(t.TempDir(), newSmallNet())
	cfg.Clean.Filter = &rules
	var report *Result
	run := func() (err error) {
		synctest.Test(t, func(t *testing.T) { report, err = Run(t.Context(), cfg) })
		return err
	}
	cfg.MaxPages = 40
	must.Succeed(t, run())
	first := report.Rules[rule]
	cfg.MaxPages = 0
	must.Succeed(t, run())
	if report.Reason != Exhausted || first == 0 || report.Rules[rule] <= first || report.Rules[rule] != report.Reasons[page.Filtered.String()] {
		t.Errorf("%+v, with %d dropped pages in the first run", report, first)
	}
	h := must.Get(ReadHistory(t.Context(), cfg.Dir, nil))(t)
	if s := h.Snapshot(); !maps.Equal(s.Rules, report.Rules) || len(s.Rules) != 1 {
		t.Errorf("the journal counts %v, the crawl %v", s.Rules, report.Rules)
	}
	for _, s := range h.Sites {
		if s.Origin == dropped && (s.Filtered() != report.Rules[rule] || s.Clean != 0 || s.Records != 0) || s.Records > 0 && (s.Clean == 0 || s.Filtered() != 0) {
			t.Errorf("%+v", s)
		}
	}
	if strings.Contains(string(must.Read(t, textName(cfg.Dir))), dropped) {
		t.Error("dropped pages have records")
	}
	var html bytes.Buffer
	must.Succeed(t, WriteReport(t.Context(), cfg.Dir, &html))
	if !strings.Contains(html.String(), "<bdi>"+rule+"</bdi>") {
		t.Error("the report does not count the pages that the rule dropped")
	}
	metadata := 0
	archives := must.Get(filepath.Glob(filepath.Join(cfg.Dir, "warc", "*")))(t)
	for _, name := range archives {
		r := must.Get(gzip.NewReader(bytes.NewReader(must.Read(t, name))))(t)
		text := must.Get(io.ReadAll(r))(t)
		metadata += strings.Count(string(text), "\r\nreason: filtered\r\nrule: "+rule+"\r\n")
	}
	if int64(metadata) != report.Rules[rule] {
		t.Errorf("%d dropped pages in the archives, want %d", metadata, report.Rules[rule])
	}

	must.Write(t, list, "h1.example\nh2.example\n")
	if err := run(); err == nil || !strings.Contains(err.Error(), "other settings: limits, models or lists of filter addresses") {
		t.Errorf("with a changed list: %v", err)
	}
	cfg.Clean.Filter = nil
	if err := run(); err == nil || !strings.Contains(err.Error(), "other settings: filter [addresses], now none") {
		t.Errorf("without rules: %v", err)
	}
}
