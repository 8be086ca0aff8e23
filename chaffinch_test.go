package chaffinch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math"
	"strings"
	"testing"
	"time"

	"chaffinch"
	"chaffinch/build/recipe"
	"chaffinch/clean/method"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

func Example() {
	c, err := chaffinch.New(chaffinch.Options{Method: "keep"})
	if err != nil {
		log.Fatal(err)
	}
	raw := []byte("<html><title>Tides</title><nav hidden>Home</nav><p>High water is at noon.<br><br>Low water is at six.</html>")
	p, err := c.Clean(context.Background(), raw)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Meta.Title)
	fmt.Println(p.Text())
	// Output:
	// Tides
	// High water is at noon.
	// Low water is at six.
}

func TestCleanMethods(t *testing.T) {
	for _, m := range method.Names() {
		c, err := chaffinch.New(chaffinch.Options{Method: m})
		if err != nil {
			t.Error(err)
			continue
		}
		p, err := c.Clean(t.Context(), nil)
		if err != nil || p.Drop != page.Empty || p.Text() != "" {
			t.Errorf("%s: no bytes: drop %q, text %q, error %v", m, p.Drop, p.Text(), err)
		}
	}
}

// TestNewErrors: options that cannot be used are errors that name what is wrong.
func TestNewErrors(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		o    chaffinch.Options
		want string
	}{
		{chaffinch.Options{Method: "magic"}, `"magic"`},
		{chaffinch.Options{Lang: "?"}, `"?" is not a language`},
		{chaffinch.Options{MethodConfig: []byte("{")}, ": unexpected end of JSON input"},
		{chaffinch.Options{MethodConfig: []byte(`{"magic": 1}`)}, `unknown key "magic"`},
		{chaffinch.Options{MinPageConfidence: nan}, "json: unsupported value: NaN"},
		{chaffinch.Options{CountLangs: true, MinConfidence: &nan}, "json: unsupported value: NaN"},
		{chaffinch.Options{MaxPageTime: -time.Second}, "time of a page -1s: wanted at least 0"},
		{chaffinch.Options{MaxNodes: -1}, "MaxNodes is -1"},
		{chaffinch.Options{Sites: true}, "run a recipe"},
	} {
		must.Fail(t, must.Err(chaffinch.New(c.o)), c.want)
	}
}

// TestDoKeepsKnownFields: the known language of a page is not replaced by the declared one.
func TestDoKeepsKnownFields(t *testing.T) {
	c, err := chaffinch.New(chaffinch.Options{})
	must.Succeed(t, err)
	for lang, want := range map[string]string{"de": "de", "": "en"} {
		p := &page.Page{Lang: lang, MIME: "text/html", Raw: []byte("<html lang=en><p>The ferry leaves at nine in the morning, and it comes back at six in the evening.")}
		must.Succeed(t, c.Do(t.Context(), p))
		if p.Lang != want {
			t.Errorf("language %q becomes %q, want %q", lang, p.Lang, want)
		}
	}
}

// TestDoContentType gives the whole header Content-Type as media type.
func TestDoContentType(t *testing.T) {
	c := must.Get(chaffinch.New(chaffinch.Options{}))(t)
	p := &page.Page{MIME: "Text/HTML; charset=ISO-8859-2", Raw: []byte("<p>Pr\xf9vodce m\xecstem popisuje v\xb9echny ulice a n\xe1m\xecst\xed, kter\xe9 stoj\xed za n\xe1v\xb9t\xecvu.")}
	must.Succeed(t, c.Do(t.Context(), p))
	must.Equal(t, p.MIME+" "+p.Charset, "text/html iso-8859-2")
}

// TestRunEqualsClean wants the library call and the run of a recipe to keep
// the same text of the example pages, for each method.
func TestRunEqualsClean(t *testing.T) {
	for _, m := range method.Names() {
		o := chaffinch.Options{Method: m, CountLangs: true}
		r, err := recipe.Parse(recipe.Clean(recipe.CleanOptions{Options: o, Format: "jsonl"}).Bytes())
		must.Succeed(t, err)
		var out bytes.Buffer
		at := recipe.DefaultRun
		at.Inputs, at.Stdout = []string{"examples/pages"}, &out
		run, err := recipe.Open(r, at)
		must.Succeed(t, err)
		rep, err := run.Do(t.Context())
		must.Succeed(t, errors.Join(err, run.Close()))
		if lines := int64(strings.Count(out.String(), "\n")); lines != rep.Kept || rep.Kept < 10 || rep.Errors() != 0 {
			t.Errorf("%s: %d lines, report %+v", m, lines, rep)
		}
		c, err := chaffinch.New(o)
		must.Succeed(t, err)
		compared := 0
		for line := range strings.Lines(out.String()) {
			var rec struct {
				Text   string
				Source page.Source
			}
			must.Succeed(t, json.Unmarshal([]byte(line), &rec))
			if rec.Source.Record != "" {
				continue
			}
			raw := must.Read(t, rec.Source.File)
			p, err := c.Clean(t.Context(), raw)
			must.Succeed(t, err)
			if p.Text() != rec.Text {
				t.Errorf("%s: %s: Clean keeps %q, the run %q", m, rec.Source.File, p.Text(), rec.Text)
			}
			compared++
		}
		if compared < 7 { // those in English, whose text every method keeps
			t.Errorf("%s: only %d pages compared", m, compared)
		}
	}
}
