package vertical_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"chaffinch/format/vertical"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// mend reads v and returns how it stands after repairs, what was told of them,
// and the report.
func mend(v string, cfg vertical.ReaderConfig) (string, []string, vertical.ReaderReport, error) {
	var told []string
	cfg.Name = "x.vert"
	if !cfg.Strict {
		cfg.OnRepair = func(_ vertical.Repair, e *page.Error) { told = append(told, e.Error()) }
	}
	r := vertical.NewReader(strings.NewReader(v), cfg)
	var out strings.Builder
	err := vertical.Copy(&out, r)
	return out.String(), told, r.Report(), err
}

var repairs = []struct {
	name, in, out string
	repair        vertical.Repair
	told          string
}{
	{"sentence open at the end of the paragraph", "<doc>\n<p>\n<s>\na\n</p>\n</doc>\n", "<doc>\n<p>\n<s>\na\n</s>\n</p>\n</doc>\n", vertical.Unclosed,
		"x.vert: line 5: byte 16: <s> is not closed before </p>: closed here"},
	{"sentence open at the next", "<s>\na\n<s>\nb\n</s>\n", "<s>\na\n</s>\n<s>\nb\n</s>\n", vertical.Unclosed, "line 3: byte 6: <s> is not closed before <s>"},
	{"paragraph open at the next", "<p>\na\n<p>\nb\n</p>\n", "<p>\na\n</p>\n<p>\nb\n</p>\n", vertical.Unclosed, "line 3: byte 6: <p> is not closed before <p>"},
	{"document open at the next", "<doc>\n<b>\na\n<doc>\nb\n</doc>\n", "<doc>\n<b>\na\n</b>\n</doc>\n<doc>\nb\n</doc>\n", vertical.Unclosed, "<b> is not closed before <doc>"},
	{"all open at the end", "<doc>\n<p>\n<s>\na\n", "<doc>\n<p>\n<s>\na\n</s>\n</p>\n</doc>\n", vertical.Unclosed, "<s> is not closed before the end of the file"},
	{"stray tag", "a\n</p>\nb\n", "a\nb\n", vertical.Stray, "line 2: byte 2: </p> closes nothing: left out"},
	{"glue as closing tag", "a\n</g>\nb\n", "a\n<g/>\nb\n", vertical.Stray, "line 2: byte 2: </g> closes nothing: read as <g/>"},
	{"a tab in a token", "a\tx\nb\tc\ty\n", "a\tx\nb\tc\n", vertical.Columns, `line 2: byte 4: 3 columns in the line of "b", 2 elsewhere`},
	{"too few columns", "a\tx\ty\nb\n", "a\tx\ty\nb\t\t\n", vertical.Columns, `1 columns in the line of "b", 3 elsewhere`},
	{"invalid UTF-8", "caf\xe9\n", "caf\ufffd\n", vertical.NotUTF8, "line 1: byte 0: invalid UTF-8: U+FFFD in its place"},
	{"CR LF", "a\r\n", "a\n", vertical.CRLF, "CR LF at the end of the line"},
	{"no line feed at the end", "a\nb", "a\nb\n", vertical.NoNewline, "line 2: byte 2: no line feed after the last line: is the file cut off?"},
	{"blanks around columns", "a \t x\n", "a\tx\n", vertical.Space, "blanks at the ends of a column"},
	{"empty line", "a\n\nb\n", "a\nb\n", vertical.EmptyLine, "line 2: byte 2: empty line: left out"},
	{"byte-order mark", "\ufeffa\n", "a\n", vertical.Prologue, "byte-order mark"},
	{"byte-order marks", "\ufeff\ufeffa\n", "a\n", vertical.Prologue, "byte-order mark"},
	{"XML declaration", "<?xml version=\"1.0\"?>\na\n", "a\n", vertical.Prologue, "XML declaration"},
	{"comment", "<!-- x -->\na\n", "a\n", vertical.Prologue, "comment"},
	{"two tags in a line", "<doc id=\"a\"></doc>\n<doc id=\"b\">\n</doc>\n", "<doc id=\"a\">\n</doc>\n<doc id=\"b\">\n</doc>\n", vertical.Attribute, "line 1: byte 0: text after the end of the tag, left out: each tag needs a separate line"},
	{"quotes in quotes", "<doc t=\"He said \"hi\" to me\" url=\"x\">\n</doc>\n", "<doc t='He said \"hi\" to me' url=\"x\">\n</doc>\n", vertical.Quotes, "line 1: byte 0: quotes inside the value of t: write them as &quot;"},
	{"no closing quote", "<doc t=\"x>\n</doc>\n", "<doc t=\"x\">\n</doc>\n", vertical.Quotes, "no quote after the value of t"},
	{"typographic quotes", "<doc t=”Lewis Carroll” d=”1876″>\n</doc>\n", "<doc t=\"Lewis Carroll\" d=\"”1876″\">\n</doc>\n", vertical.Quotes, "typographic quotes around t"},
	{"no quotes around more than a word", "<doc u=http://a.example/ n=3>\n</doc>\n", "<doc u=\"http://a.example/\" n=\"3\">\n</doc>\n", vertical.Quotes, "no quotes around the value of u"},
	{"backslash at the end", "<doc p=\"C:\\\">\n</doc>\n", "<doc p=\"C:&#92;\">\n</doc>\n", vertical.Quotes, "the value of p ends in a backslash"},
	{"attribute twice", "<doc a=\"1\" a=\"2\">\n</doc>\n", "<doc a=\"1\">\n</doc>\n", vertical.Attribute, "attribute a occurs twice: the first one counts"},
	{"attribute without value", "<p heading>\n</p>\n", "<p heading=\"\">\n</p>\n", vertical.Attribute, `attribute without name or value at "heading"`},
	{"value without name", "<p =\"x\" a=\"1\">\n</p>\n", "<p a=\"1\">\n</p>\n", vertical.Attribute, "attribute without name or value"},
	{"no end of the tag", "<doc id=\"1\"\na\n</doc>\n", "<doc id=\"1\">\na\n</doc>\n", vertical.NoEnd, "<doc> without > at its end"},
}

func TestRepairs(t *testing.T) {
	for _, c := range repairs {
		out, told, rep, err := mend(c.in, vertical.ReaderConfig{})
		if err != nil || out != c.out {
			t.Errorf("%s: got\n%s(%v), want\n%s", c.name, out, err, c.out)
		}
		if len(told) == 0 || !strings.Contains(told[0], c.told) || rep.Repairs[c.repair] == 0 || rep.Repaired() != int64(len(told)) {
			t.Errorf("%s: told %q, report %v, want %q", c.name, told, rep.String(), c.told)
		}
		_, _, _, err = mend(c.in, vertical.ReaderConfig{Strict: true})
		var at *page.Error
		if !errors.As(err, &at) || at.Line == 0 || !strings.Contains(err.Error(), c.told) {
			t.Errorf("%s: strict: %v", c.name, err)
		}
		if _, told, _, err := mend(c.out, vertical.ReaderConfig{Strict: true}); err != nil {
			t.Errorf("%s: what was mended is still wrong: %v %q", c.name, err, told)
		}
	}
}

// TestFine holds what looks odd and is right.
func TestFine(t *testing.T) {
	for _, v := range []string{
		"<3\n", "<\n", "<<\n", "<-\n", "&\n", "AT&T\n", "<br\n", "a\t<b>\n", "<p>\tp\n", "<p class=\"x\">\tp\n",
		"<b>\n<i>\na\n</b>\nb\n</i>\n", // structures may overlap
		"<a>\n<a>\nx\n</a>\n</a>\n", "<s/>\n", "<g/>\n", "<p n=1 m=a_b>\n</p>\n", "<p a='x' b=\"it's\">\n</p>\n", "<p t=\"a \\\"b\\\" \\\\ c\">\n</p>\n", "<p url=\"a/\">\n</p>\n", "<p a=\"\">\n</p>\n",
		"&lt;p>\n", "<doc>\n</doc>\n", "",
	} {
		if _, _, _, err := mend(v, vertical.ReaderConfig{Strict: true}); err != nil {
			t.Errorf("%q: %v", v, err)
		}
	}
	r := vertical.NewReader(strings.NewReader("<p t=\"a \\\"b\\\" \\\\ c\" u='&lt;'>\n</p>\n"), vertical.ReaderConfig{Strict: true})
	if l, err := r.Next(); err != nil || string(l.Value("t")) != `a "b" \ c` || string(l.Value("u")) != "<" || l.Value("no") != nil {
		t.Errorf("%v %v", l, err)
	}
}

// endless is a line without an end.
type endless struct{ n int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	e.n += len(p)
	return len(p), nil
}

func TestReaderLimits(t *testing.T) {
	in := &endless{}
	r := vertical.NewReader(io.MultiReader(strings.NewReader("a\n"), in), vertical.ReaderConfig{Name: "x.vert", MaxLine: 1 << 20})
	r.Next()
	for range 2 {
		must.Fail(t, must.Err(r.Next()), "x.vert: line 2: byte 2: longer than 1048576 bytes")
	}
	if in.n > 2<<20 {
		t.Errorf("read %d bytes of an endless line", in.n)
	}
	if _, _, _, err := mend(strings.Repeat("<x>\n", 2000), vertical.ReaderConfig{}); err == nil || !strings.Contains(err.Error(), "1000 structures are open at once") {
		t.Errorf("nesting: %v", err)
	}
	if _, _, _, err := mend("\xff\xfea\x00\n\x00", vertical.ReaderConfig{}); err == nil || !strings.Contains(err.Error(), "UTF-16") {
		t.Errorf("UTF-16: %v", err)
	}
	failing := io.MultiReader(strings.NewReader("a\n"), errReader{})
	r = vertical.NewReader(failing, vertical.ReaderConfig{Name: "x.vert"})
	r.Next()
	if _, err := r.Next(); err == nil || err.Error() != "x.vert: line 2: byte 2: cable out" {
		t.Errorf("failing input: %v", err)
	}
}

type errReader struct{}

func (errReader) Read([]byte) (int, error) { return 0, errors.New("cable out") }

// FuzzReader wants any bytes to be read in full: the output is a valid vertical that reads as
// the same lines, and no token is lost.
func FuzzReader(f *testing.F) {
	for _, c := range repairs {
		f.Add(c.in)
	}
	for _, s := range hard {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		out, told, rep, err := mend(in, vertical.ReaderConfig{})
		if err != nil {
			return // UTF-16, too many open structures
		}
		if rep.Lines < rep.Tokens || rep.Bytes != int64(len(in)) || rep.Repaired() != int64(len(told)) {
			t.Fatalf("%q: report %+v", in, rep)
		}
		again, _, rep2, err := mend(out, vertical.ReaderConfig{Strict: true})
		if err != nil || again != out || rep2.Tokens != rep.Tokens {
			t.Fatalf("%q is mended to %q (%d tokens), which reads as %q (%d tokens): %v", in, out, rep.Tokens, again, rep2.Tokens, err)
		}
	})
}

// FuzzRoundTrip wants every text back from its vertical, byte for byte.
func FuzzRoundTrip(f *testing.F) {
	for _, s := range hard {
		f.Add(s, "en")
		f.Add(s, "fr")
	}
	f.Fuzz(func(t *testing.T, text, lang string) {
		if !utf8.ValidString(text) {
			return // pages hold valid text
		}
		p := good(text, "next")
		p.Lang, p.Meta.Title, p.URL = lang, text, text+lang
		v := string(vertical.Encoder{}.Append(nil, p))
		got := texts(t, v, vertical.ReaderConfig{Strict: true})
		if len(got) == 1 && strings.TrimFunc(text, blank) == "" {
			return // a block without a token is left out
		}
		if len(got) != 2 || got[0] != text || got[1] != "next" {
			t.Fatalf("%q comes back as %q, through\n%s", text, got, v)
		}
	})
}
