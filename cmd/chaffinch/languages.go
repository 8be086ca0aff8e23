package main

import (
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

// allLanguages as the value of build --langs keeps every language.
const allLanguages = "all"

// buildLangs sets the languages that a recipe keeps: the languages of --langs or, if neither
// the flag nor the recipe names any and all inputs are crawls, the languages of the crawls.
// It reports whether the languages are taken from the crawls.
func buildLangs(r *build.Recipe, list []string) (fromCrawl bool, err error) {
	c := &r.Clean
	switch {
	case len(list) == 0 && (len(c.Langs) > 0 || c.Lang != "" || len(c.Stages) > 0):
		return false, nil
	case len(list) == 0:
		c.Langs, err = crawlLangs(r.Inputs)
		return len(c.Langs) > 0, err
	case len(c.Stages) > 0:
		return false, errors.New("--langs: the recipe lists its stages: set the languages in the stage languages")
	case c.Lang != "":
		return false, fmt.Errorf("--langs: the recipe sets the language of all pages (clean.lang: %s): leave out one of the two", c.Lang)
	case len(list) == 1 && list[0] == allLanguages:
		c.Langs = nil
		return false, nil
	}
	if _, err := wantedLangs(list); err != nil {
		return false, err
	}
	c.Langs = list
	return false, nil
}

// crawlLangs returns the languages that crawls were begun with; none if one of the inputs
// is not the folder of a crawl, or of a crawl in any language.
func crawlLangs(inputs []string) (langs []string, err error) {
	for _, in := range inputs {
		if st, err := os.Stat(in); err != nil || !st.IsDir() {
			return nil, nil
		}
		s, ok, err := crawl.ReadSettings(in)
		if err != nil {
			return nil, err
		}
		if !ok || len(s.Langs) == 0 {
			return nil, nil
		}
		for _, l := range s.Langs {
			if !slices.Contains(langs, l) {
				langs = append(langs, l)
			}
		}
	}
	return langs, nil
}
