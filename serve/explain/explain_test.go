package explain

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"chaffinch/build/stage"
	"chaffinch/clean/method"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// examples are pages of every kind that the project has.
func examples(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{"hostile": []byte(hostile), "hebrew": []byte(hebrew)}
	for _, dir := range []string{"de", "el", "en", "ja", "ru"} {
		names, err := filepath.Glob("../../examples/pages/" + dir + "/*")
		if err != nil || len(names) == 0 {
			t.Fatalf("no examples in %s: %v", dir, err)
		}
		for _, n := range names {
			b := must.Read(t, n)
			out[filepath.Base(n)] = b
		}
	}
	return out
}

// hostile is a page that wants to get out of its quotes.
const hostile = `<!doctype html><html lang="en"><title></title></title><script>alert(1)</script>
<title>&lt;/title&gt;&lt;script&gt;fail("title")&lt;/script&gt;</title>
<body id="&quot;&gt;&lt;script&gt;fail('id')&lt;/script&gt;" class="x' onload='fail()">
<p class="&lt;/script&gt;&lt;script&gt;fail('class')&lt;/script&gt;">&lt;/script&gt;&lt;script&gt;fail("text")&lt;/script&gt; stands in the text of this page, and it is long enough to be kept by all of those that look at it.
<p>&lt;!-- &lt;script&gt; &lt;img src=x onerror="fail('img')"&gt; ]]&gt; {{.Data}} ${fail("template")} \u003c/script> &#x2028; &#x2029; &#0; &#xD800; \</p>
<p>A right-to-left override &#x202E;reversed&#x202E; stays in its own block.</p>
<p><a href="javascript:fail('link')">javascript:fail('link')</a></p>
<!--</script><script>fail("comment")</script>--></body></html>`

// hebrew mixes directions.
const hebrew = `<!doctype html><html lang="he" dir="rtl"><title>הספרייה על הגבעה</title>
<ul><li><a href="/">בית</a><li><a href="/news">חדשות</a></ul>
<h1>הספרייה על הגבעה נפתחה מחדש</h1>
<p>אחרי שלוש שנים של שיפוצים נפתחה השבוע הספרייה העירונית, ומאות תושבים באו לראות את האולם החדש ואת הגג שנבנה מעץ. המנהלת אמרה כי 12,000 ספרים חזרו למדפים.</p>
<p>The architect, Ms. Levi, said: "the roof was the hardest part". היא הוסיפה שהעבודה נמשכה (2021–2024) בלי הפסקה.</p>
<p dir="ltr">Opening hours: 9–17, +972 (0)3 555 01 23</p></html>`

func do(t *testing.T, cfg Config, raw []byte) (*Page, *page.Page) {
	t.Helper()
	e := must.Get(New(cfg))(t)
	p := &page.Page{ID: "page", Raw: raw}
	x := must.Get(e.Do(context.Background(), p))(t)
	return x, p
}

func write(t *testing.T, x *Page) string {
	t.Helper()
	var b bytes.Buffer
	must.Succeed(t, x.WriteHTML(&b))
	return b.String()
}

// island is the data of the file as its scripts read them.
type island struct {
	First   int
	Methods []struct {
		Name, Rule string
		Thresholds []thresholdData
		Voters     []int
		Settings   map[string]any
		Settles    bool
		Verdicts   []struct {
			Label     string      `json:"l"`
			Score     *float64    `json:"s"`
			Fixed     bool        `json:"f"`
			Sentences [][]float64 `json:"n"`
			Kept      []int       `json:"k"`
			Why       int         `json:"w"`
		}
	}
	Whys   []string
	Wholes []int32
	Blocks []blockData
}

func read(t *testing.T, file string) *island {
	t.Helper()
	_, rest, _ := strings.Cut(file, `<script type="application/json" id="data">`)
	text, _, ok := strings.Cut(rest, "</script>")
	if !ok {
		t.Fatal("the file has no data")
	}
	d := new(island)
	must.Succeed(t, json.Unmarshal([]byte(text), d))
	return d
}

// TestRules decides anew from the data in the file, at the thresholds that it
// has: the labels must be those that the methods gave.
func TestRules(t *testing.T) {
	keeps := map[string]int{"good": 1, "neargood": 1, "unknown": -1}
	for name, raw := range examples(t) {
		x, p := do(t, Config{}, raw)
		d := read(t, write(t, x))
		if len(d.Blocks) != len(p.Blocks) {
			t.Fatalf("%s: %d blocks, want %d", name, len(d.Blocks), len(p.Blocks))
		}
		moved := 0
		for k, m := range d.Methods {
			want := "blocks-article" // stands behind the table
			if k < len(method.Table) {
				want = method.Table[k].Name
			}
			if m.Name != want || len(m.Verdicts) != len(d.Blocks) {
				t.Fatalf("%s: method %d is %s with %d verdicts, want %s", name, k, m.Name, len(m.Verdicts), want)
			}
			for i, v := range m.Verdicts {
				if v.Fixed || m.Settles && d.Wholes[i] > 0 { // TestSettings compares wholes
					continue
				}
				got := -1
				switch m.Rule {
				case "score":
					limit := m.Thresholds[0]
					keep := func(s float64) bool { return (s < limit.Value) == limit.Below }
					got = 0
					if len(v.Sentences) == 0 && keep(*v.Score) {
						got = 1
					}
					for _, s := range v.Sentences {
						if keep(s[5]) != (s[4] == 1) {
							t.Errorf("%s: %s: block %d: sentence %v against %v", name, m.Name, i, s, limit)
						}
						got = max(got, int(s[4]))
					}
				case "vote":
					cast, kept := 0, 0
					for _, o := range m.Voters {
						if keep := keeps[d.Methods[o].Verdicts[i].Label]; keep >= 0 {
							cast, kept = cast+1, kept+keep
						}
					}
					got = 0
					if 2*kept > cast {
						got = 1
					}
				default: // TestBrowser compares jusText
					continue
				}
				moved++
				if got != keeps[v.Label] {
					t.Errorf("%s: %s: block %d is %s, and the thresholds say %d", name, m.Name, i, v.Label, got)
				}
			}
		}
		if moved == 0 {
			t.Errorf("%s: no label follows from a threshold", name)
		}
	}
}

// TestVerdicts: the data hold the verdicts of the methods as chaffinch clean
// gives them.
func TestVerdicts(t *testing.T) {
	for name, raw := range examples(t) {
		x, _ := do(t, Config{}, raw)
		d := read(t, write(t, x))
		for k, m := range method.Table {
			stages := must.Get(stage.Options{Method: m.Name, CountLangs: true}.Build())(t)
			p := &page.Page{ID: "page", Raw: raw}
			for _, s := range stages {
				must.Succeed(t, s.Do(context.Background(), p))
			}
			for i := range p.Blocks {
				b, v := &p.Blocks[i], d.Methods[k].Verdicts[i]
				if v.Label != b.Label.String() || d.Whys[v.Why] != b.Reason {
					t.Errorf("%s: %s: block %d is %s (%s), want %s (%s)", name, m.Name, i, v.Label, d.Whys[v.Why], b.Label, b.Reason)
				}
				if s := v.Score; s == nil || *s < b.Score-1e-5*abs(b.Score) || *s > b.Score+1e-5*abs(b.Score) {
					t.Errorf("%s: %s: block %d has the score %v, want %v", name, m.Name, i, *s, b.Score)
				}
				text := utf16.Encode([]rune(d.Blocks[i].Text))
				for n, s := range v.Sentences {
					if b.Sentences == nil { // they go with their table or list
						break
					}
					want := b.Text[b.Sentences[n].Start:b.Sentences[n].End]
					if got := string(utf16.Decode(text[int(s[0]):int(s[1])])); got != want {
						t.Errorf("%s: %s: block %d: sentence %q, want %q", name, m.Name, i, got, want)
					}
				}
			}
		}
	}
}

func abs(x float64) float64 { return max(x, -x) }

// TestSafe: nothing of the page gets out of its place, and the file loads
// nothing.
func TestSafe(t *testing.T) {
	e, err := New(Config{})
	must.Succeed(t, err)
	evil := `"><script>fail()</script>`
	p := &page.Page{ID: evil, URL: "javascript:fail()//" + evil, Raw: []byte(hostile), Source: page.Source{File: evil, Record: evil}, MIME: "text/html"}
	x := must.Get(e.Do(context.Background(), p))(t)
	out := write(t, x)
	if n := strings.Count(out, "<script"); n != 2 {
		t.Errorf("%d scripts, want 2", n)
	}
	if n := strings.Count(out, "</script"); n != 2 {
		t.Errorf("%d ends of scripts, want 2", n)
	}
	for _, bad := range []string{"<img", "<!--", "href=\"javascript", "\u2028", "\u2029"} {
		if strings.Contains(out, bad) {
			t.Errorf("the file holds %q", bad)
		}
	}
	if m := regexp.MustCompile(`(?i)(src|href)=["']?(https?:)?//|@import|url\(|innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function`).FindString(out); m != "" {
		t.Errorf("the file loads something, or makes markup of text: %q", m)
	}
	if write(t, x) != out {
		t.Error("two files of the same page differ")
	}
	p = &page.Page{ID: "x", URL: "https://example.org/?a=\"><script>", Raw: []byte(hebrew)}
	if x, err = e.Do(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	if out = write(t, x); !strings.Contains(out, `href="https://example.org/?a=%22%3e%3cscript%3e"`) {
		t.Error("the address of the page is not linked")
	}
}

// TestBudgets: a page that is one block of 1 MB, and one of thousands of
// blocks, give files that a browser can show.
func TestBudgets(t *testing.T) {
	sentence := "The ferry left the harbour at noon and nobody on the quay looked up from the nets. "
	cfg := Config{MaxChars: Default.MaxChars / 5}
	for _, c := range []struct {
		name, body string
		blocks     int
		most       int // bytes of the file
	}{
		{"one block", "<p>" + strings.Repeat(sentence, 1<<20/len(sentence)), 1, 100_000},
		{"long blocks", strings.Repeat("<p>"+strings.Repeat(sentence, 50), 100), 100, 600_000},
		{"short blocks", strings.Repeat("<p>word", 3000), 3000, 2_000_000},
	} {
		x, p := do(t, cfg, []byte("<html lang=en><title>t</title>"+c.body))
		out := write(t, x)
		d := read(t, out)
		if len(d.Blocks) != c.blocks || len(out) > c.most {
			t.Errorf("%s: %d blocks in %d bytes, want %d in at most %d", c.name, len(d.Blocks), len(out), c.blocks, c.most)
		}
		held := 0
		for i, b := range d.Blocks {
			held += len(b.Text)
			if b.Chars != p.Blocks[i].Chars() || b.Cut != (len(b.Text) < len(p.Blocks[i].Text)) || !strings.HasPrefix(p.Blocks[i].Text, b.Text) {
				t.Fatalf("%s: block %d: %d characters, cut %v", c.name, i, b.Chars, b.Cut)
			}
		}
		if held > cfg.MaxChars+len(d.Blocks)*shortChars {
			t.Errorf("%s: %d characters in the file", c.name, held)
		}
		t.Logf("%s: %d blocks, %d bytes", c.name, len(d.Blocks), len(out))
	}
}

// TestReasons: what the page lacks is told.
func TestReasons(t *testing.T) {
	e := must.Get(New(Config{}))(t)
	for _, c := range []struct {
		page *page.Page
		want []string
	}{
		{&page.Page{ID: "x", Raw: nil}, []string{"Dropped (empty)"}},
		{&page.Page{ID: "x", Raw: []byte("<p> </p>")}, []string{"Dropped (no-text)"}},
		{&page.Page{ID: "x", Raw: []byte("<script>1</script>")}, []string{"Dropped (scripted)"}},
		{&page.Page{ID: "x", Raw: []byte("GIF89a\x00\x00"), Drop: page.NotText}, []string{"Dropped (not-text)"}},
		{&page.Page{ID: "x", Raw: []byte("<p>Not here"), Drop: page.HTTPStatus}, []string{"Dropped (http-status)", "Its blocks are shown", "Not here"}},
		{&page.Page{ID: "x", Raw: []byte("<p>Half of it"), Cut: page.Truncated}, []string{"Cut (truncated)", "Half of it"}},
		{&page.Page{ID: "x", Raw: []byte("<html lang=ru><p>Это страница на русском языке, и модель её не знает.")}, []string{`"drop":"the method has no model`}},
	} {
		drop := c.page.Drop
		x := must.Get(e.Do(context.Background(), c.page))(t)
		if drop != page.None && c.page.Drop != drop {
			t.Errorf("the page's reason %q became %q", drop, c.page.Drop)
		}
		out := write(t, x)
		for _, w := range c.want {
			if !strings.Contains(out, w) {
				t.Errorf("%q: %q is not told", c.page.Raw, w)
			}
		}
	}
}

func TestNew(t *testing.T) {
	for config, want := range map[string]string{"justext": `{"preset":"loose"}`, "nothing": ""} {
		if _, err := New(Config{Clean: stage.Options{Method: config, MethodConfig: json.RawMessage(want)}}); err == nil {
			t.Errorf("method %s with %s is taken", config, want)
		}
	}
	x, _ := do(t, Config{Clean: stage.Options{Method: "justext", Lang: "de"}}, []byte("<p>Der Wal."))
	if out := write(t, x); !strings.Contains(out, "no embedded model for language") {
		t.Error("that perplexity cannot run is not told")
	}
}
