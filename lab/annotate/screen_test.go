package annotate

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"chaffinch/internal/table"
)

var update = flag.Bool("update", false, "write the screens that there are into testdata")

// screenTest is the head of a file of screens.
type screenTest struct {
	Width, Height int
	Color         bool
	// Scores are those of every document by line; lines beyond have .9.
	Scores []float32
	Docs   []struct {
		ID, Lang string
		Lines    []string
	}
}

// TestScreens shows what the screen is after keys: each file of testdata/screens
// has the documents (docs), then keys and the screen that they lead to.
func TestScreens(t *testing.T) {
	files, err := filepath.Glob("testdata/screens/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			s := begin(t, a.Files[0].Data)
			for i, f := range a.Files[1:] {
				keys, err := ParseKeys(f.Name)
				if err != nil {
					t.Fatal(err)
				}
				var effect Effect
				for _, k := range keys {
					if k == "-" { // no key
						continue
					}
					if effect = s.Press(k); effect == Save {
						s.Saved("mine.tsv", nil)
					}
				}
				got := strings.Join(s.Screen(), "\n") + "\n"
				if effect == Quit {
					got += "quit\n"
				}
				got = strings.ReplaceAll(got, "\x1b", "ESC")
				if want := string(f.Data); got != want && !*update {
					t.Errorf("after %q:\n%swant:\n%s", f.Name, got, want)
				}
				a.Files[i+1].Data = []byte(got)
			}
			if *update {
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// begin makes the state that the head of a file tells.
func begin(t *testing.T, head []byte) *State {
	t.Helper()
	var h screenTest
	if err := json.Unmarshal(head, &h); err != nil {
		t.Fatal(err)
	}
	var docs []*Doc
	for _, d := range h.Docs {
		docs = append(docs, NewDoc(d.ID, d.Lang, d.Lines))
	}
	cfg := Default
	cfg.Width, cfg.Height, cfg.Color = h.Width, h.Height, h.Color
	if h.Scores != nil {
		cfg.Propose = func(_ string, lines []string) []float32 {
			out := slices.Repeat([]float32{.9}, len(lines))
			copy(out, h.Scores)
			return out
		}
	}
	return New(docs, cfg)
}

// FuzzPress: no keys, text or size of the screen break it; rows are never wider
// than the screen, nor more, and never hold what steers a terminal.
func FuzzPress(f *testing.F) {
	f.Add([]byte("tbv\x1b[Btu/a\rz?n\rq"), "Home | About\nA line\x1b[31m with\u202e marks\u2028 \u00adand 漢字漢字漢字\n\n🙂", 20, 5)
	f.Add([]byte("  \x1b[6~\x1b[5~gGp\x03w"), strings.Repeat("word ", 100)+"\n"+strings.Repeat("字", 100), 9, 2)
	f.Add([]byte("\xff\x1b[1;5A\x1b"), "\xff\xfe\u200d\u0301\u0301", 1, 1)
	f.Fuzz(func(t *testing.T, bytes []byte, text string, width, height int) {
		if len(bytes) > 200 || len(text) > 2000 || width > 500 || height > 200 {
			return
		}
		lines := strings.Split(text, "\n")
		cfg := Default
		cfg.Width, cfg.Height = width, height
		if len(text)%2 == 0 {
			cfg.Propose = func(_ string, lines []string) []float32 { return make([]float32, len(lines)) }
		}
		s := New([]*Doc{NewDoc("a", "en", lines), NewDoc(text, "", lines[:1])}, cfg)
		var d Decoder
		for i := range bytes {
			for _, k := range d.Keys(bytes[i : i+1]) {
				if s.Press(k) == Save {
					s.Saved("x", nil)
				}
				rows := s.Screen()
				if len(rows) > max(height, 1) {
					t.Fatalf("%d rows on %d", len(rows), height)
				}
				for _, r := range rows {
					if table.Width(r) > max(width, 1) {
						t.Fatalf("row %q is wider than %d", r, width)
					}
					if safe(r) != r {
						t.Fatalf("row %q is not safe", r)
					}
				}
			}
		}
		for i, l := range s.Docs[0].Lines {
			if l.Text != lines[i] {
				t.Fatal("a line changed")
			}
		}
	})
}

func TestKeys(t *testing.T) {
	for in, want := range map[string][]Key{
		"tb\r ":                         {"t", "b", Enter, Space},
		"\x1b[A\x1bOB\x1b[5~\x1b[6~":    {Up, Down, PageUp, PageDown},
		"\x1b[H\x1b[4~\x1b[1;5D\x1b[3~": {Home, End, Left},
		"\x1b":                          {Esc},
		"\x1b\x1b[A":                    {Esc, Up},
		"\x1bq":                         {Esc, "q"},
		"é字\x03\x7f\t":                  {"é", "字", CtrlC, Backspace, Tab},
		"\xff\x00a\u202e":               {"a"},
		"\x1b[\x01a":                    {"a"},
	} {
		var d Decoder
		if got := d.Keys([]byte(in)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	var d Decoder
	got := append(d.Keys([]byte("\x1b[")), d.Keys([]byte("5~\xc3"))...)
	got = append(got, d.Keys([]byte("\xa9"))...)
	if !slices.Equal(got, []Key{PageUp, "é"}) {
		t.Errorf("in pieces: %q", got)
	}
}

func TestParseKeys(t *testing.T) {
	for in, want := range map[string]string{
		"":               "[]",
		"ttb 2down 3b q": `["t" "t" "b" "down" "down" "b" "b" "b" "q"]`,
		"/two words":     `["/" "t" "w" "o" "space" "w" "o" "r" "d" "s" "enter"]`,
		"? 字":            `["?" "字"]`,
	} {
		got, err := ParseKeys(in)
		if err != nil || fmt.Sprintf("%q", got) != want {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
	for _, in := range []string{"dwon", "3", "1000001b", "99999999999999999999b"} {
		if _, err := ParseKeys(in); err == nil || !strings.Contains(err.Error(), "wanted a") {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func TestSafe(t *testing.T) {
	if got := safe("a\tb\x1b[31m\u009b\u202e\u2028\u200b\u200d\u0301\xff"); got != "a b\ufffd[31m\ufffd\ufffd\ufffd\ufffd\u200d\u0301\ufffd" {
		t.Errorf("%+q", got)
	}
	if got := Safe("a long line of words", 8); got != "a long …" {
		t.Errorf("%q", got)
	}
}

// TestHugeLine: of a line of a megabyte only what can be shown is looked at.
func TestHugeLine(t *testing.T) {
	s := New([]*Doc{NewDoc("a", "", []string{strings.Repeat("\x1b字", 250_000), "next"})}, Default)
	if rows := s.Screen(); len(rows) != 24 || !strings.HasSuffix(rows[3], "…") || table.Width(rows[3]) > 80 {
		t.Errorf("folded: %q", rows)
	}
	s.Press("z")
	if rows := s.Screen(); len(rows) != 24 || !strings.HasSuffix(rows[22], "…") {
		t.Errorf("whole: %q", rows)
	}
	if n := testing.AllocsPerRun(1, func() { s.Press(Down); s.Press(Up) }); n > 500 {
		t.Errorf("%v allocations for two keys", n)
	}
}
