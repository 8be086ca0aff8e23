package subtitles

import (
	"context"
	"errors"
	"strings"
	"testing"

	"chaffinch/format/document"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// body returns the HTML between the tags of the body.
func body(d document.Document) string {
	_, s, _ := strings.Cut(d.HTML, "<body>\n")
	s, _, _ = strings.Cut(s, "</body>")
	return s
}

func TestRead(t *testing.T) {
	for name, c := range map[string]struct{ raw, want string }{
		"SRT": {"1\r\n00:00:01,000 --> 00:00:02,000\r\n{\\an8}<i>The ferry</i>\r\nleft at\r\n\r\n2\r\n00:00:02,100 --> 00:00:04,000\r\nseven.\r\n\r\n3\r\n00:00:09,000 --> 00:00:10,000\r\n- Is it late?\r\n- No.\r\n",
			"<p>The ferry left at seven.</p>\n<p>Is it late?</p>\n<p>No.</p>\n"},
		"VTT": {"\ufeffWEBVTT - a film\nX-TIMESTAMP-MAP=LOCAL:0\n\nNOTE no text\n\nSTYLE\n::cue { color: red }\n\nintro\n00:01.000 --> 00:02.000 align:start\n<v Ann>Salt &amp; bread\n\n00:02.000 --> 00:03.000\nSalt &amp; bread\nand mail\n\n00:03.000 --> 00:04.000\nand mail\ncame.\n",
			"<p>Salt &amp; bread and mail came.</p>\n"},
		"signs": {"WEBVTT\n\nNOTE\nno text\n\nNOTES-1\n00:01.000 --> 00:02.000\n# Row the boat #\n#row#\n\n00:02.000 --> 00:03.000\n♪ # gently\ndown the stream #\n\n00:03.000 --> 00:04.000\n#2 is written\nin C#\n",
			"<p>Row the boat row gently down the stream #2 is written in C#</p>\n"},
		"cues without empty lines": {"1\n00:00:01,000 --> 00:00:02,000\nThe ferry\n2\n00:00:02,100 --> 00:00:04,000\nleft at\nseven.\n\n3\n00:00:04,100-->00:00:05,000\n100\nsheep came.\n",
			"<p>The ferry left at seven. 100 sheep came.</p>\n"},
		"text after an empty line": {"1\n00:00:01,000 --> 00:00:02,000\nThe ferry\n\nleft at seven.\n\n2\n\n00:00:02,100 --> 00:00:04,000\nIt --> rained.\n", "<p>The ferry left at seven. It --&gt; rained.</p>\n"},
		"invalid times":            {"1\n00:00:01,000 --> 00:00:02,000\nThe ferry\n\n2\n00: 00: 02, 100 --> 00: 00: 03, 000\nleft\n\n3\n00:00:03:100 --> 00:00:04:000\nat seven\n\n4\n00:00:04,100 -> 00:00:05,000\n1 -> 2.\n", "<p>The ferry left at seven 1 -&gt; 2.</p>\n"},
		"settings after a tab":     {"WEBVTT\nKind: captions\nLanguage: en\n00:01.000 --> 00:02.000\tline:0\nSalt < bread\n\n00:02.000 --> 00:03.000\n&amp; Ann&#39;s &quot;caf&eacute;&quot; <i>> 2</i>\n", "<p>Salt &lt; bread &amp; Ann's \"café\" &gt; 2</p>\n"},
		"repeated text":            {"1\n00:00:01,000 --> 00:00:02,000\nNo.\n\n2\n00:10:01,000 --> 00:10:02,000\nNo.\n", "<p>No.</p>\n<p>No.</p>\n"},
		"UTF-16":                   {"\xff\xfe1\x00\n\x000\x000\x00:\x000\x001\x00 \x00-\x00-\x00>\x00 \x000\x000\x00:\x000\x002\x00\n\x00H\x00i\x00\n\x00", "<p>Hi</p>\n"},
	} {
		d := must.Get(Read(t.Context(), []byte(c.raw), document.Default))(t)
		if got := body(d); got != c.want || d.Drop != page.None {
			t.Errorf("%s: %v %q\nwant %q", name, d.Drop, got, c.want)
		}
	}
	d, err := Read(t.Context(), []byte("WEBVTT\n\nno times\n"), document.Default)
	if err != nil || d.Drop != page.Damaged {
		t.Errorf("without cues: %v, %v", d.Drop, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, []byte("WEBVTT\n\n00:01.000 --> 00:02.000\nx\n"), document.Default); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// TestParagraphs ends a long paragraph after a sentence.
func TestParagraphs(t *testing.T) {
	var b strings.Builder
	b.WriteString("WEBVTT\n\n")
	for range 20 {
		b.WriteString("00:01.000 --> 00:02.000\nThe mail and the bread come with the ferry.\n\n00:02.000 --> 00:03.000\nIt is seldom late.\n\n")
	}
	d := must.Get(Read(t.Context(), []byte(b.String()), document.Default))(t)
	if got := body(d); strings.Count(got, "<p>") != 3 || strings.Count(got, "late.</p>")+strings.Count(got, "ferry.</p>") != 3 || strings.Count(got, "seldom") != 20 {
		t.Errorf("%s", got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("1\n00:00:01,000 --> 00:00:02,000\n<i>x\n"))
	f.Add([]byte("WEBVTT\n\n00:01.000 --> 00:02.000\n&amp;{\\x\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := Read(context.Background(), raw, document.Limits{MaxHTML: 1 << 16})
		if err != nil || len(d.HTML) > 1<<16+100 {
			t.Errorf("%d bytes, %v", len(d.HTML), err)
		}
	})
}
