package simulate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chaffinch/crawl/schedule"
	"chaffinch/filter"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	_ "chaffinch/model/data/nontext"
	_ "chaffinch/model/data/segmenters"
)

// crawlFiltered crawls a web of 275 hosts and spam hosts, for 5,000 pages.
func crawlFiltered(t *testing.T, seed uint64, spam int, topics [][]Text, rules *filter.Set, filtered bool) Point {
	t.Helper()
	disk.Lazy()
	cfg := DefaultWeb
	cfg.Seed, cfg.Hosts, cfg.Spam, cfg.Topics = seed, 275+spam, spam, topics
	run := Config{Dir: t.TempDir(), Schedule: schedule.Default, Seeds: 10, Pages: 5000, Rate: 8, Points: 1, Rules: rules, Filter: filtered}
	res := must.Get(Run(context.Background(), NewWeb(cfg), run))(t)
	return res.Curve[0]
}

// newRules returns a set with a group of rules.
func newRules(t *testing.T, text string) *filter.Set {
	t.Helper()
	cfg := must.Get(filter.ParseConfig([]byte(text)))(t)
	return must.Get(filter.New(cfg))(t)
}

// TestSpam fails if spam hosts that a filter identifies take more than their first pages from the
// other hosts, or if they do no harm without a filter.
func TestSpam(t *testing.T) {
	testkit.Slow(t)
	set := newRules(t, `{"use": ["nontext"]}`)
	var none, filtered, spam int64
	for seed := uint64(1); seed <= 4; seed++ { // the good text of one web varies by 5 %
		a, b := crawlFiltered(t, seed, 0, nil, set, false), crawlFiltered(t, seed, 25, nil, set, true)
		if a.SpamPages != 0 {
			t.Errorf("web %d: %d pages of spam hosts without them", seed, a.SpamPages)
		}
		none, filtered, spam = none+a.Good, filtered+b.Good, spam+b.SpamPages
		if seed > 1 {
			continue
		}
		if p := crawlFiltered(t, seed, 25, nil, set, false); p.SpamPages < 5000/8 || float64(p.Good) > .95*float64(a.Good) {
			t.Errorf("without a filter: %d pages of spam hosts, %d bytes of good text, %d without spam hosts", p.SpamPages, p.Good, a.Good)
		}
	}
	if spam > 4*5000/30 {
		t.Errorf("%d pages of spam hosts with a filter", spam)
	}
	if float64(filtered) < .95*float64(none) {
		t.Errorf("good text: %d bytes without spam hosts, %d with them and a filter", none, filtered)
	}
}

// TestSpamText fails if the model of non-text misses most spam pages, so that TestSpam would not
// measure the scheduler.
func TestSpamText(t *testing.T) {
	cfg := DefaultWeb
	cfg.Hosts, cfg.Spam = 300, 25
	j := newJudge(NewWeb(cfg), newRules(t, `{"use": ["nontext"]}`))
	dropped := 0
	for host := uint32(275); host < 300; host++ {
		for number := range 40 {
			if j.passed(host, pagePath(number), int64(1000+200*number)) == 0 {
				dropped++
			}
		}
	}
	if t.Logf("%d of 1000 spam pages dropped", dropped); dropped < 900 {
		t.Errorf("%d of 1000 spam pages dropped", dropped)
	}
}

// TestTopic fails if hosts on a topic do not gain priority from a rule that keeps only this topic.
func TestTopic(t *testing.T) {
	testkit.Slow(t)
	list := must.File(t, "words.txt", "ferry\nharbour\n")
	set := newRules(t, fmt.Sprintf(`{"use": ["wordlist"], "limits": {"wordlist.share": {"min": 0.1}}, "wordlist": {"files": [%q]}}`, list))
	topics := [][]Text{{{"en", "The ferry left the harbour at nine."}}, {{"en", "The bees left the lime trees at nine."}}, {{"en", "The school on the hill closed."}}}
	plain, filtered := crawlFiltered(t, 1, 0, topics, set, false), crawlFiltered(t, 1, 0, topics, set, true)
	if float64(filtered.GoodPages) < 1.5*float64(plain.GoodPages) || float64(filtered.Good) < 1.15*float64(plain.Good) || filtered.Kept != filtered.Good {
		t.Errorf("text on the topic: %d bytes of %d pages without a filter, %d of %d with it", plain.Good, plain.GoodPages, filtered.Good, filtered.GoodPages)
	}
}

// TestLineRules fails if a rule that drops lines does not keep the bytes of the other lines.
func TestLineRules(t *testing.T) {
	set := newRules(t, `{"use": ["c4"], "limits": {"c4.sentences": {"min": 1}}}`)
	const kept, dropped = "The ferry left the harbour at nine.", "We use cookies on this page for you."
	cfg := DefaultWeb
	cfg.Hosts, cfg.Topics = 10, [][]Text{{{"en", kept + "\n\n" + dropped}}}
	want := int64(1e6 * len(kept) / (len(kept) + len(dropped)))
	if got := newJudge(NewWeb(cfg), set).passed(0, "/", 1e6); got != want {
		t.Errorf("%d bytes of a page pass, want %d", got, want)
	}
}

// TestSpamHosts fails if the hosts, pages and links of a web change when spam hosts are added.
func TestSpamHosts(t *testing.T) {
	cfg := DefaultWeb
	cfg.Hosts = 100
	before := NewWeb(cfg)
	cfg.Hosts, cfg.Spam = 110, 10
	after := NewWeb(cfg)
	added := 0
	for host := range uint32(100) {
		for number := range 20 {
			var a, b schedule.Outcome
			before.Page(host, pagePath(number), &a)
			after.Page(host, pagePath(number), &b)
			links := slices.DeleteFunc(slices.Clone(b.Links), func(l schedule.Link) bool { return after.Kind(l.Origin) == Spam })
			added += len(b.Links) - len(links)
			if a.Bytes != b.Bytes || a.Clean != b.Clean || !slices.Equal(a.Links, links) {
				t.Fatalf("host %d, page %d: %+v, with spam hosts %+v", host, number, a, b)
			}
		}
	}
	if added == 0 {
		t.Error("no links to spam hosts")
	}
	text := after.spamText(105, "/7", 2000)
	if len(text) < 2000 || len(text) > 4000 || strings.ContainsAny(text, "#@") || text != after.spamText(105, "/7", 2000) || text == after.spamText(105, "/8", 2000) {
		t.Errorf("text of a spam page: %q", text)
	}
}
