package chaffinch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"strings"
	"testing"

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
	if _, err := chaffinch.New(chaffinch.Options{Method: "magic"}); err == nil {
		t.Error("an unknown method is no error")
	}
	if _, err := chaffinch.New(chaffinch.Options{Lang: "?"}); err == nil {
		t.Error("a tag that is no language is no error")
	}
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
