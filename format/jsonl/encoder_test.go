package jsonl_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"chaffinch/format/jsonl"
	"chaffinch/page"
)

// sample is a page that uses every field.
func sample(text string) *page.Page {
	return &page.Page{
		ID: "id", URL: "https://a.example/?q=<x>&y", MIME: "text/html", Charset: "utf-8", Lang: "en",
		Source: page.Source{File: "f.warc", Offset: 12, Record: "urn:uuid:1", Type: "response"},
		Meta: page.Metadata{Title: text, Lang: "en-GB", Date: "2024-01-02", Fetched: "2024-01-03T00:00:00Z", Canonical: "https://a.example/",
			Authors: []string{"A. B.", "C"}, Modified: "2024-01-04", Site: "S", Description: "D", License: "CC BY 4.0", Categories: []string{"c"}, Tags: []string{"t", "\"u\""},
			Image: "https://a.example/i.png", Type: "article"},
		Cut:   page.TooDeep,
		Notes: []page.Note{{By: "x/1", What: "y", Value: 0.25}},
		Blocks: []page.Block{
			{Text: text, Kind: page.Heading, Level: 2, Path: "html.body.h2", Start: 3, End: 9, LinkChars: 1, Tags: 2,
				Verdict: page.Verdict{By: "m/1", Label: page.Good, ContextFree: page.Short, Score: 0.1, Reason: "long",
					Sentences: []page.Sentence{{Start: 0, End: len(text), Label: page.Good, Score: math.Inf(1)}}},
				Verdicts: []page.Verdict{{By: "m/1", Label: page.Good, Score: 1e-9}, {By: "n/1", Label: page.Bad, Score: math.NaN()}}},
			{Text: "gone", Hidden: true, Verdict: page.Verdict{By: "hidden", Label: page.Bad, Reason: "hidden"}},
			{Text: "last", Verdict: page.Verdict{By: "m/1", Label: page.Good, Score: 1234567}},
		},
	}
}

func decode(t *testing.T, line []byte) map[string]any {
	t.Helper()
	if n := strings.Count(string(line), "\n"); n != 1 || line[len(line)-1] != '\n' {
		t.Fatalf("%d line breaks in %q, want one at the end", n, line)
	}
	var m map[string]any
	if err := json.Unmarshal(line, &m); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	return m
}

func TestAppend(t *testing.T) {
	got := decode(t, jsonl.Encoder{}.Append(nil, sample(`say "x"`)))
	want := map[string]any{
		"id": "id", "url": "https://a.example/?q=<x>&y", "title": `say "x"`, "lang": "en", "declared_lang": "en-GB",
		"date": "2024-01-02", "fetched": "2024-01-03T00:00:00Z", "canonical": "https://a.example/",
		"authors": []any{"A. B.", "C"}, "modified": "2024-01-04", "site": "S", "description": "D", "license": "CC BY 4.0", "categories": []any{"c"}, "tags": []any{"t", `"u"`},
		"image": "https://a.example/i.png", "type": "article", "mime": "text/html", "charset": "utf-8",
		"source": map[string]any{"file": "f.warc", "offset": 12., "record": "urn:uuid:1", "type": "response"},
		"cut":    "too-deep",
		"counts": map[string]any{"blocks": 2., "blocks_kept": 2., "words": 3., "words_kept": 3.},
		"text":   "say \"x\"\nlast",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	dropped := sample("x")
	dropped.Drop = page.AllBad
	if b := (jsonl.Encoder{}).Append(nil, dropped); len(b) != 0 {
		t.Errorf("a dropped page is written: %s", b)
	}
}

func TestAnnotate(t *testing.T) {
	p := sample("x")
	p.Drop = page.AllBad
	m := decode(t, jsonl.Encoder{Annotate: true}.Append(nil, p))
	if m["drop"] != "all-bad" || m["text"] != nil {
		t.Errorf("drop %v, text %v", m["drop"], m["text"])
	}
	blocks := m["blocks"].([]any)
	if len(blocks) != 3 {
		t.Fatalf("%d blocks, want all 3", len(blocks))
	}
	first := blocks[0].(map[string]any)
	for k, want := range map[string]any{"kind": "heading", "level": 2., "path": "html.body.h2", "start": 3., "end": 9., "link_chars": 1.,
		"by": "m/1", "label": "good", "context_free": "short", "score": 0.1, "why": "long", "text": "x"} {
		if first[k] != want {
			t.Errorf("%s is %v, want %v", k, first[k], want)
		}
	}
	verdicts := first["verdicts"].([]any)
	if a, b := verdicts[0].(map[string]any), verdicts[1].(map[string]any); a["score"] != 1e-9 || b["label"] != "bad" || b["score"] != nil {
		t.Errorf("verdicts %v", verdicts)
	}
	if s := first["sentences"].([]any)[0].(map[string]any); s["label"] != "good" || s["score"] != nil {
		t.Errorf("sentence %v: an infinite score has no place in JSON", s)
	}
	if last := blocks[2].(map[string]any); last["score"] != 1234567. {
		t.Errorf("score %v", last["score"])
	}
}

// FuzzAppend wants one valid line for every text, and the text back.
func FuzzAppend(f *testing.F) {
	for _, s := range []string{"", "plain", "\x00\x1f\"\\\n\r\t", "\u2028\u2029", "\xff\xfe", "<>&", "日本 🙂", "\xed\xa0\x80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := sample(s)
		m := decode(t, jsonl.Encoder{}.Append(nil, p))
		want := strings.ToValidUTF8(s, "\uFFFD")
		// encoding/json puts one mark for each bad byte, as the writer does.
		b, _ := json.Marshal(s)
		json.Unmarshal(b, &want)
		if s != "" {
			want += "\n"
		}
		if m["text"] != want+"last" {
			t.Errorf("text %q, want %q", m["text"], want+"last")
		}
		decode(t, jsonl.Encoder{Annotate: true}.Append(nil, p))
	})
}
