package weburl

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// cases reads a list of cases, in which strings are comments.
func cases[T any](t *testing.T, name string) (list []T) {
	t.Helper()
	b := must.Read(t, testkit.Suite(t, name))
	var raw []json.RawMessage
	must.Succeed(t, json.Unmarshal(b, &raw))
	for _, r := range raw {
		var c T
		if r[0] == '"' {
			continue
		}
		if err := json.Unmarshal(r, &c); err != nil {
			t.Fatalf("%s: %v", r, err)
		}
		list = append(list, c)
	}
	return list
}

// TestURLSuite reads the addresses of the suite of the URL standard.
func TestURLSuite(t *testing.T) {
	found, ran := map[string]string{}, 0
	for _, c := range cases[struct {
		Input              string
		Base               *string
		Failure            bool
		Href, Protocol     string
		Host, Path, Search string
	}](t, "ada/tests/wpt/urltestdata.json") {
		ran++
		var base *URL
		web := true
		if c.Base != nil {
			b, err := Parse(*c.Base, nil)
			if web = err == nil; web {
				base = &b
			}
		}
		u, err := Parse(c.Input, base)
		want := c.Href
		if c.Failure || c.Protocol != "http:" && c.Protocol != "https:" || !web && err != nil {
			want = "" // others are refused, and so is what another base would make of an address
		}
		if got := u.String(); got != want {
			on := ""
			if c.Base != nil {
				on = *c.Base
			}
			found[c.Input+" on "+on] = fmt.Sprintf("%q (%v), want %q", got, err, want)
		}
	}
	testkit.Differences(t, ran, found, nil)
}

// idnaIntended are names of toascii.json and IdnaTestV2.json that are meant to differ.
var idnaIntended = map[string]string{
	`"\U0003293120.\u97f3.\ua8661."`: "a character of Unicode 17",
	`"\U00032b9a9\ua369\u17d3.SS"`:   "a character of Unicode 17",
	`"\U00032b9a9\ua369\u17d3.ss"`:   "a character of Unicode 17",
}

// TestIDNASuite turns names into ASCII.
func TestIDNASuite(t *testing.T) {
	found, ran := map[string]string{}, 0
	for _, name := range []string{"ada/tests/wpt/toascii.json", "ada/tests/wpt/IdnaTestV2.json"} {
		for _, c := range cases[struct {
			Input   string
			Output  *string
			Comment string
		}](t, name) {
			if c.Input == "" || strings.ContainsAny(c.Input, "/?#") {
				continue // no host of an address
			}
			ran++
			want := ""
			if c.Output != nil {
				want = *c.Output
			}
			u, err := Parse("https://"+c.Input+"/x", nil)
			got := ""
			if err == nil {
				got = u.Host()
			}
			if got != want {
				found[fmt.Sprintf("%+q", c.Input)] = fmt.Sprintf("%q (%v), want %q: %s", got, err, want, c.Comment)
			}
		}
	}
	testkit.Differences(t, ran, found, idnaIntended)
}
