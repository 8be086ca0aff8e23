package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"chaffinch/build"
	"chaffinch/crawl"
	"chaffinch/text/langid"

	"github.com/alecthomas/kong"
)

// resolveLanguages replaces the English names of languages that flags are given by their
// tags: --lang german means --lang de. It fails if a value of --lang is no tag.
func resolveLanguages(k *kong.Context) error {
	for _, flag := range k.Flags() {
		if flag.Name != "lang" && flag.Name != "langs" || !flag.Target.IsValid() {
			continue
		}
		switch v := flag.Target; {
		case v.Kind() == reflect.String:
			if v.String() == "" || v.String() == "page" { // page: of eval clean
				continue
			}
			tag, err := langid.ParseTag(v.String())
			if err != nil {
				return fmt.Errorf("--%s: %w", flag.Name, err)
			}
			v.SetString(tag)
		case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.String:
			for i := range v.Len() {
				name := v.Index(i).String()
				at := strings.IndexAny(name, ":=") // the minimum confidence or the share
				if at < 0 {
					at = len(name)
				}
				v.Index(i).SetString(langid.Tag(name[:at]) + name[at:])
			}
		}
	}
	return nil
}

// wantedLangs parses the values of --langs.
func wantedLangs(list []string) (langs []langid.Wanted, err error) {
	if len(list) == 0 {
		return nil, nil
	}
	for _, s := range list {
		w, err := langid.ParseWanted(s)
		if err != nil {
			return nil, fmt.Errorf("--langs: %w", err)
		}
		langs = append(langs, w)
	}
	cfg := langid.DefaultFilter
	cfg.Langs = langs
	if _, err := langid.NewFilter(cfg); err != nil {
		return nil, fmt.Errorf("--langs: %w", err)
	}
	return langs, nil
}

// keepsAll reports whether --langs is all, which keeps every language.
func keepsAll(list []string) bool { return len(list) == 1 && list[0] == "all" }

// buildLangs sets the languages that a recipe keeps: the languages of --langs or, if neither
// the flag nor the recipe names any and all inputs are crawls, the languages of the crawls.
// If an input is a crawl, it returns a line about the languages that the user has not named.
func buildLangs(r *build.Recipe, list []string) (note string, err error) {
	c := &r.Clean
	switch {
	case len(list) == 0 && (len(c.Langs) > 0 || c.Lang != "" || len(c.Stages) > 0):
		return "", nil
	case len(list) == 0:
		langs, other, err := crawlLangs(r.Inputs)
		switch {
		case err != nil || len(langs) == 0:
			return "", err
		case other != "":
			return fmt.Sprintf("languages: all, since %s was not crawled in given languages; --langs %s retains only the languages of the crawls", other, strings.Join(langs, ",")), nil
		default:
			c.Langs = langs
			return fmt.Sprintf("languages: %s (as crawled; --langs all retains every language)", strings.Join(langs, ", ")), nil
		}
	case len(c.Stages) > 0:
		return "", errors.New("--langs: the recipe lists its stages: set the languages in the stage languages")
	case c.Lang != "":
		return "", fmt.Errorf("--langs: the recipe sets the language of all pages (clean.lang: %s): leave out one of the two", c.Lang)
	case keepsAll(list):
		c.Langs = nil
		return "", nil
	}
	if _, err := wantedLangs(list); err != nil {
		return "", err
	}
	c.Langs = list
	if _, err := r.CheckLangs(); err != nil {
		return "", fmt.Errorf("--langs: %w: name your languages in a copy of the recipe (chaffinch build --print %s)", err, r.Name)
	}
	return "", nil
}

// crawlLangs returns the languages that crawls were begun with, and the first input that is not the folder of
// a crawl in given languages, or "".
func crawlLangs(inputs []string) (langs []string, other string, err error) {
	for _, in := range inputs {
		var s crawl.Settings
		if st, err := os.Stat(in); err == nil && st.IsDir() {
			if s, _, err = crawl.ReadSettings(in); err != nil {
				return nil, "", err
			}
		}
		if len(s.Langs) == 0 {
			other = cmp.Or(other, in)
			continue
		}
		for _, l := range s.Langs {
			if !slices.Contains(langs, l) {
				langs = append(langs, l)
			}
		}
	}
	return langs, other, nil
}
