package records

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"chaffinch/format/sniff"
	"chaffinch/internal/files"
	"chaffinch/internal/packed"
	"chaffinch/internal/testkit/must"
)

// fromBytes returns a Reader of one file, which is not packed.
func fromBytes(t testing.TB, b []byte, cfg Config) *Reader {
	t.Helper()
	must.Succeed(t, cfg.setDefaults())
	in := must.Get(packed.NewReader(bytes.NewReader(b), packed.Default))(t)
	r := &Reader{cfg: cfg, files: files.NewQueue([]files.File{{Name: "a", Named: true}}), format: cfg.Format, in: in, lines: &lines{in: in, max: cfg.MaxBytes}}
	r.docs.New = func() any { return new(Doc) }
	r.form = r.newForm(r.files.List[0])
	return r
}

// copied writes the documents of b back with edits, and returns the kept texts.
func copied(t testing.TB, b []byte, cfg Config, wc WriterConfig, edit func(*Doc) *Edit) (out []byte, kept []string) {
	t.Helper()
	var buf bytes.Buffer
	w := NewWriter(&buf, wc)
	cfg.Outside = func(b []byte) { w.Outside(b) }
	r := fromBytes(t, b, cfg)
	for {
		d, err := r.Next()
		if err == io.EOF {
			break
		}
		must.Succeed(t, err)
		at := 0
		for i, p := range d.Paras {
			if p.Start < at || p.End <= p.Start || p.End > len(d.Raw) || !utf8.Valid(p.Text) {
				t.Fatalf("paragraph %d: from %d to %d, after %d, of %d bytes: %q", i, p.Start, p.End, at, len(d.Raw), p.Text)
			}
			if !d.Tokenized && bytes.ContainsAny(p.Text, "\n\r") && cfg.Format == JSONL {
				t.Fatalf("line break in %q", p.Text)
			}
			at = p.End
		}
		e := edit(d)
		must.Succeed(t, w.Write(d, e))
		if e == nil || !e.Drop {
			var s strings.Builder
			for i := range d.Paras {
				if e == nil || len(e.Paras) == 0 || !e.Paras[i].Drop {
					fmt.Fprintf(&s, "[%s]", d.Paras[i].Text)
				}
			}
			kept = append(kept, s.String())
		}
		r.Release(d)
	}
	must.Succeed(t, w.Flush())
	return buf.Bytes(), kept
}

// fuzz checks that documents are written back unchanged, and that exactly the undropped
// documents remain.
func fuzz(t *testing.T, b []byte, cfg Config, wc WriterConfig, seed uint64, exact bool) {
	if packed.KindOf(b) != packed.Plain {
		return
	}
	out, _ := copied(t, b, cfg, wc, func(*Doc) *Edit { return nil })
	if !bytes.Equal(out, b) {
		t.Fatalf("%q came back as %q", b, out)
	}
	edit := func(d *Doc) *Edit {
		e := &Edit{Paras: make([]ParaEdit, len(d.Paras))}
		for i := range e.Paras {
			seed = seed*6364136223846793005 + 1442695040888963407
			e.Paras[i].Drop = seed>>60 < 6
			e.Paras[i].Attrs = []Attr{{"share", "0.5", true}, {"first", "a \"<&>\"\n\xff", false}}
		}
		e.Attrs = []Attr{{"drop", "near", false}}
		return e
	}
	short := cfg
	short.MaxBytes = 1 + len(b)/3
	if out, _ := copied(t, b, short, wc, func(*Doc) *Edit { return nil }); !bytes.Equal(out, b) {
		t.Fatalf("%q in documents of at most %d bytes came back as %q", b, short.MaxBytes, out)
	}
	wc.Annotate = true
	annotated, _ := copied(t, b, cfg, wc, edit)
	if cfg.Format == JSONL {
		for line := range bytes.Lines(annotated) {
			if was := bytes.Contains(line, []byte(`"dedup":{"drop":"near"`)); was && json.Valid(b) && !json.Valid(line) {
				t.Fatalf("%q annotated is %q", b, line)
			}
		}
	}
	wc.Annotate = false
	out, kept := copied(t, b, cfg, wc, edit)
	if cfg.Format == JSONL && json.Valid(b) && bytes.IndexByte(b, 10) < 0 {
		for line := range bytes.Lines(out) {
			if !json.Valid(line) {
				t.Fatalf("%q becomes %q", b, out)
			}
		}
	}
	_, again := copied(t, out, cfg, wc, func(*Doc) *Edit { return nil })
	if cfg.Format == Text {
		kept, again = texts(kept), texts(again)
	}
	if exact && fmt.Sprintf("%q", again) != fmt.Sprintf("%q", kept) {
		t.Fatalf("%q\nof %q\nreads as %q, wanted %q", out, b, again, kept)
	}
}

func texts(list []string) (out []string) {
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

func FuzzJSONL(f *testing.F) {
	for _, s := range []string{
		`{"id":"1","text":"One.\nTwo \"2\".\n\nThree é."}` + "\n" + ` { "x": [1,{"text":"no"}], "text" : "\n a\\n\u000ab\ud83d\ude00\ud83d" , "y":null }` + "\r\n",
		`{"blocks":[{"kind":"list","blocks":[{"blocks":[{"text":"a"}]}]}, {"text":"b","label":"bad"} ,{"url":"x"},{"text":"c\u000a"}],"dedup":{}}`,
		`{"blocks":[{"text":"a"},{"text":"b"}],"blocks":[{"text":"c"} , {"text":"d"}]}`,
		"{}\n{\"text\":\"\"}\n[]\n{\"text\":null}", `{"text":"a\nb","text":"c\r\u000d"}`, `{"text":"\ud83d\u000a\u0041\u000A"}`, "\xef\xbb\xbf{\"text\":\"\xff\n",
	} {
		f.Add([]byte(s), uint64(1))
	}
	f.Fuzz(func(t *testing.T, b []byte, seed uint64) {
		fuzz(t, b, Config{Format: JSONL}, WriterConfig{}, seed, true)
	})
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"a\nb\n\nc\n\n", "\n \na\r\n\r\n\r\nb", "\t\na\n\xff\n\n"} {
		for k := range uint8(3) {
			f.Add([]byte(s), uint64(1), k)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, seed uint64, k uint8) {
		split := []string{SplitBlank, SplitFile, SplitLine}[k%3]
		fuzz(t, b, Config{Format: Text, Split: split}, WriterConfig{}, seed, true)
	})
}

func FuzzVertical(f *testing.F) {
	for _, s := range []string{
		"<doc id=\"1\" url='x'>\n<p>\n<s>\nOne\tCD\n<g/>\n&lt;\n</s>\n</p>\nx\n</doc>\nbetween\n<doc>\n<s>\na\n</doc>", "<doc>\r\n<p a=1>\r\nx\r\n</p>\r\n</doc>\r\n", "<doc \n<p \n</p </doc",
		"<doc>\n<div>\n<p>\nopen\n<p class=\"bad\">\nagain\n</div>\n<doc >\n<p/>\n<docs>\n",
	} {
		for k := range uint8(3) {
			f.Add([]byte(s), uint64(1), k)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, seed uint64, k uint8) {
		cfg, wc := Config{Format: Vertical, Column: int(k % 2)}, WriterConfig{}
		switch k % 3 {
		case 1:
			cfg.Format = Prevertical
		case 2:
			cfg.Compat, wc.Compat = Onion, Onion
		}
		fuzz(t, b, cfg, wc, seed, false) // where paragraphs do not end, dropping one joins others
	})
}

// FuzzOpen reads any bytes as a file of unknown format.
func FuzzOpen(f *testing.F) {
	for _, s := range []string{"<doc>\n<p>\nx", "{\"text\":\"a\"}", "# a\ngood\tparagraph\t0\t\tx", "a b", "<p>", "\x1f\x8b\x08\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r := &Reader{cfg: Default, files: files.NewQueue([]files.File{{Name: "a"}})}
		format, err := r.recognise("a", sniff.Of(b, "doc", "p"), b)
		if (format == "") == (err == nil) && len(b) > 0 && !bytes.Equal(b, bom) {
			t.Fatalf("%q is %q, %v", b, format, err)
		}
	})
}
