package fcs

import (
	"encoding/xml"
	"errors"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"chaffinch/corpus"
	"chaffinch/internal/testkit/must"
	"chaffinch/serve/corpora"
	"chaffinch/serve/gate"
)

// TestBasic translates queries of Basic Search.
func TestBasic(t *testing.T) {
	for query, want := range map[string]string{
		`finch`:              `[word=="finch"%c]`,
		`"the finch"`:        `[word=="the"%c] [word=="finch"%c]`,
		`finch or heron`:     `([word=="finch"%c] | [word=="heron"%c])`,
		`finch AND water`:    `(([word=="finch"%c] []{0,100} [word=="water"%c] | [word=="water"%c] []{0,100} [word=="finch"%c])) within <s/>`,
		`(a or b)`:           `(([word=="a"%c] | [word=="b"%c]))`,
		`"say \"x\" \\ c.*"`: `[word=="say"%c] [word=="\"x\""%c] [word=="\\"%c] [word=="c.*"%c]`,
		`Ärzte`:              `[word=="Ärzte"%c]`,
		`  finch  `:          `[word=="finch"%c]`,
	} {
		if got, err := basic(query, "word", true); err != nil || got != want {
			t.Errorf("%s: %v, %s, wanted %s", query, err, got, want)
		}
	}
	for query, want := range map[string]int{
		``: badSyntax, `and`: badSyntax, `finch and`: badSyntax, `(finch`: badSyntax, `finch)`: badSyntax, `"finch`: badSyntax, `""`: badSyntax, `finch heron`: badSyntax,
		`lemma=finch`: badIndex, `finch not heron`: notSupported, `finch prox heron`: notSupported,
		strings.Repeat("(", 30) + "x" + strings.Repeat(")", 30): tooComplex, `a` + strings.Repeat(" and b", 40): tooComplex,
	} {
		_, err := basic(query, "word", true)
		var d *queryError
		if !errors.As(err, &d) || d.diagnostic != want {
			t.Errorf("%.40s: %v, wanted diagnostic %d", query, err, want)
		}
	}
}

// TestAdvanced translates queries of FCS-QL.
func TestAdvanced(t *testing.T) {
	has := func(attr string) bool { return attr == "lemma" || attr == "tag" }
	for query, want := range map[string]string{
		`"finch"`:          `"finch"`,
		`[text = "finch"]`: `[word = "finch"]`,
		`[lemma = "go" & pos != "NOUN"]{1,2} "home"/i`: `[lemma = "go" & tag != "NOUN"]{1,2} "home"%c`,
		`[word = 'it"s']`:            `[word = "it\"s"]`,
		`"a.b"/l`:                    `"a\.b"`,
		`"the" [] "finch" within s`:  `("the" [] "finch") within <s/>`,
		`[x:lemma="go"] within text`: `([lemma="go"]) within <doc/>`,
	} {
		if got, err := advanced(query, "word", has); err != nil || got != want {
			t.Errorf("%s: %v, %s, wanted %s", query, err, got, want)
		}
	}
	for query, want := range map[string]int{
		`[norm="x"]`: notSupported, `[nothing="x"]`: notSupported, `"x" within line`: notSupported, `"x"/z`: notSupported, `finch`: badSyntax, `"finch`: badSyntax, `within s`: badSyntax,
	} {
		_, err := advanced(query, "word", has)
		var d *queryError
		if !errors.As(err, &d) || d.diagnostic != want {
			t.Errorf("%s: %v, wanted diagnostic %d", query, err, want)
		}
	}
}

// response is an answer as a client reads it.
type response struct {
	XMLName     xml.Name
	Version     string `xml:"http://docs.oasis-open.org/ns/search-ws/sruResponse version"`
	Number      int    `xml:"http://docs.oasis-open.org/ns/search-ws/sruResponse numberOfRecords"`
	Next        int    `xml:"nextRecordPosition"`
	Diagnostics []struct {
		URI string `xml:"uri"`
	} `xml:"diagnostics>diagnostic"`
	Records []struct {
		Position int `xml:"recordPosition"`
		Resource struct {
			PID   string `xml:"pid,attr"`
			Ref   string `xml:"ref,attr"`
			Views []struct {
				Type   string `xml:"type,attr"`
				Result struct {
					Text string `xml:",chardata"`
					Hit  string `xml:"http://clarin.eu/fcs/dataview/hits Hit"`
				} `xml:"http://clarin.eu/fcs/dataview/hits Result"`
				Layers []struct {
					ID    string   `xml:"id,attr"`
					Spans []string `xml:"Span"`
				} `xml:"http://clarin.eu/fcs/dataview/advanced Advanced>Layers>Layer"`
			} `xml:"ResourceFragment>DataView"`
		} `xml:"recordData>Resource"`
	} `xml:"records>record"`
	Endpoint struct {
		Version      string   `xml:"version,attr"`
		Capabilities []string `xml:"Capabilities>Capability"`
		Layers       []string `xml:"SupportedLayers>SupportedLayer"`
		Resources    []struct {
			PID       string   `xml:"pid,attr"`
			Title     string   `xml:"Title"`
			Languages []string `xml:"Languages>Language"`
		} `xml:"Resources>Resource"`
	} `xml:"extraResponseData>EndpointDescription"`
}

// asker returns a way to ask for two corpora.
func asker(t *testing.T) func(params ...string) response {
	t.Helper()
	dir := t.TempDir()
	dirs := map[string]string{}
	for name, vertical := range map[string]string{
		"finch": "<doc id=\"a\" lang=\"en\" url=\"https://finch.example/?a=1&amp;b\">\n<s>\nThe\tthe\tDT\nfinches\tfinch\tNNS\ndrink\tdrink\tVB\n&lt;water&gt;\twater\tNN\n</s>\n<s>\nA\ta\tDT\nfinch\tfinch\tNN\n</s>\n</doc>\n<doc id=\"b\" lang=\"de\">\n<s>\nFinch\tfinch\tNN\n</s>\n</doc>\n",
		"heron": "<doc id=\"c\" lang=\"gd\">\n<s>\nThe\tthe\tDT\nfinch\tfinch\tNN\n</s>\n</doc>\n",
	} {
		cfg := corpus.DefaultBuild
		cfg.Columns = []string{"word", "lemma", "tag"}
		dirs[name] = filepath.Join(dir, name)
		must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader(vertical), dirs[name], cfg)))
	}
	dirs["shards"] = filepath.Join(dir, "all.shards") // left out: FCS needs one index
	must.Write(t, dirs["shards"], "finch\nheron\n")
	set := must.Get(corpora.Open(dirs))(t)
	t.Cleanup(func() { set.Close() })
	h := Handler(set, gate.New(gate.Config{Workers: 1}))
	return func(params ...string) (got response) {
		t.Helper()
		q := url.Values{}
		for _, p := range params {
			name, value, _ := strings.Cut(p, "=")
			q.Add(name, value)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "http://corpora.example/fcs?"+q.Encode(), nil))
		if err := xml.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 || got.Version != "2.0" || w.Header().Get("Content-Type") != "application/sru+xml; charset=utf-8" {
			t.Fatalf("%v: %v, status %d: %s", params, err, w.Code, w.Body)
		}
		return got
	}
}

// TestExplain: the endpoint describes itself.
func TestExplain(t *testing.T) {
	ask := asker(t)
	if got := ask(); got.XMLName.Local != "explainResponse" || len(got.Endpoint.Resources) != 0 {
		t.Errorf("%+v", got)
	}
	got := ask("operation=explain", "x-fcs-endpoint-description=true").Endpoint
	if got.Version != "2" || len(got.Capabilities) != 2 || strings.Join(got.Layers, " ") != "text lemma pos" || len(got.Resources) != 2 {
		t.Fatalf("%+v", got)
	}
	if r := got.Resources[0]; r.PID != "http://corpora.example/v1/corpora/finch" || r.Title != "finch" || strings.Join(r.Languages, " ") != "deu eng" {
		t.Errorf("%+v", r)
	}
	if r := got.Resources[1]; strings.Join(r.Languages, " ") != "gla" {
		t.Errorf("%+v", r)
	}
}

// TestSearch: hits of all corpora in order, page by page.
func TestSearch(t *testing.T) {
	ask := asker(t)
	got := ask("query=finch", "maximumRecords=2")
	if got.Number != 3 || len(got.Records) != 2 || got.Next != 3 || got.Records[1].Position != 2 {
		t.Fatalf("%+v", got)
	}
	if r := got.Records[0].Resource; r.PID != "http://corpora.example/v1/corpora/finch" || r.Ref != "https://finch.example/?a=1&b" || len(r.Views) != 1 || r.Views[0].Result.Hit != "finch" || r.Views[0].Result.Text != "The finches drink <water> A " {
		t.Errorf("%+v", r)
	}
	got = ask("query=finch", "maximumRecords=2", "startRecord=3")
	if got.Number != 3 || len(got.Records) != 1 || got.Next != 0 || got.Records[0].Position != 3 || !strings.HasSuffix(got.Records[0].Resource.PID, "/heron") {
		t.Errorf("%+v", got)
	}
	if got := ask("query=finch", "x-fcs-context=http://corpora.example/v1/corpora/heron"); got.Number != 1 {
		t.Errorf("one resource: %+v", got)
	}
	got = ask(`query=[lemma="finch" & pos="N.*"] "drink"/i within s`, "queryType=fcs", "x-fcs-dataviews=adv")
	if got.Number != 1 || len(got.Records) != 1 || len(got.Records[0].Resource.Views) != 2 {
		t.Fatalf("%+v", got)
	}
	if l := got.Records[0].Resource.Views[1].Layers; len(l) != 3 || l[1].ID != "http://clarin.eu/fcs/layer/lemma" || strings.Join(l[1].Spans, " ") != "finch drink" {
		t.Errorf("%+v", l)
	}
	if got := ask("query=the and finch"); got.Number != 1 || got.Records[0].Resource.Views[0].Result.Hit != "The finch" {
		t.Errorf("and: %+v", got)
	}
	if got := ask("query=nothing"); got.Number != 0 || len(got.Records) != 0 || got.Diagnostics != nil {
		t.Errorf("no hits: %+v", got)
	}
}

// TestDiagnostics: what cannot be done is said by its number.
func TestDiagnostics(t *testing.T) {
	ask := asker(t)
	for params, want := range map[string]string{
		"query=finch;version=1.1":               "5",
		"query=finch;operation=scan":            "4",
		"query=finch;startRecord=0":             "6",
		"query=finch;maximumRecords=many":       "6",
		"query=finch;startRecord=9":             "61",
		"query=finch;recordSchema=dc":           "66",
		"query=finch;stylesheet=x":              "8",
		"query=finch and":                       "10",
		"query=[lemma=\"x\" & ];queryType=fcs":  "10",
		"query=[norm=\"x\"];queryType=fcs":      "48",
		"query=finch;queryType=lex":             "48",
		"query=finch;x-fcs-context=http://no/x": "1",
		"query=finch;x-fcs-context=shards":      "1",
		"query=title=finch":                     "16",
	} {
		got := ask(strings.Split(params, ";")...)
		if len(got.Diagnostics) != 1 || got.Diagnostics[0].URI != "info:srw/diagnostic/1/"+want {
			t.Errorf("%s: %+v, wanted %s", params, got.Diagnostics, want)
		}
	}
}

// FuzzQueries: any query is refused, or translated into one that compiles.
func FuzzQueries(f *testing.F) {
	for _, q := range []string{`finch and (a or "b c")`, `[lemma="go" & pos!="N"]{1,2} "x"/i within s`, `"a\"b" 'c'`} {
		f.Add(q, true)
		f.Add(q, false)
	}
	dir := f.TempDir()
	must.Succeed(f, must.Err(corpus.Build(f.Context(), strings.NewReader("<doc>\n<s>\nfinch\n</s>\n</doc>\n"), dir, corpus.DefaultBuild)))
	c := must.Get(corpus.Open(dir))(f)
	f.Cleanup(func() { c.Close() })
	f.Fuzz(func(t *testing.T, query string, fcs bool) {
		if fcs { // what it does not read it hands on: that it compiles is not said
			advanced(query, "word", func(string) bool { return true })
			return
		}
		cql, err := basic(query, "word", true)
		if err != nil {
			return
		}
		if _, err := c.Query(t.Context(), cql); err != nil && utf8.ValidString(query) {
			t.Errorf("%q: %q: %v", query, cql, err)
		}
	})
}
