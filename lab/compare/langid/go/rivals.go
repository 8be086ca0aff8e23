package main

import (
	"fmt"
	"slices"
	"strings"

	radhi "github.com/RadhiFadlillah/whatlanggo"
	"github.com/abadojack/whatlanggo"
	"github.com/pemistahl/lingua-go"
)

// rival is a language identifier.
type rival struct {
	name, module string
	// load initialises the rival. detect returns the line for a text: tag, tab, and confidence if
	// there is one.
	load func() (detect func(text string) string, langs []string)
}

var rivals = []rival{
	{"lingua-go-low", "github.com/pemistahl/lingua-go", linguaOf(true)},
	{"lingua-go-high", "github.com/pemistahl/lingua-go", linguaOf(false)},
	{"whatlanggo", "github.com/abadojack/whatlanggo", func() (func(string) string, []string) {
		var langs []string
		for l := range whatlanggo.Langs {
			langs = append(langs, l.Iso6393())
		}
		slices.Sort(langs)
		return func(text string) string {
			i := whatlanggo.Detect(text)
			return line(i.Lang.Iso6393(), i.Confidence)
		}, langs
	}},
	{"whatlanggo-radhi", "github.com/RadhiFadlillah/whatlanggo", func() (func(string) string, []string) {
		var langs []string
		for l := range radhi.Langs {
			langs = append(langs, l.Iso6393())
		}
		slices.Sort(langs)
		return func(text string) string {
			i := radhi.Detect(text)
			return line(i.Lang.Iso6393(), i.Confidence)
		}, langs
	}},
}

func names() []string {
	var out []string
	for _, r := range rivals {
		out = append(out, r.name)
	}
	return out
}

func line(tag string, confidence float64) string {
	if tag == "" {
		return "und\t0"
	}
	return fmt.Sprintf("%s\t%.6g", tag, confidence)
}

func linguaOf(low bool) func() (func(string) string, []string) {
	return func() (func(string) string, []string) {
		b := lingua.NewLanguageDetectorBuilder().FromAllLanguages().WithPreloadedLanguageModels()
		if low {
			b = b.WithLowAccuracyMode()
		}
		d := b.Build()
		var langs []string
		for _, l := range lingua.AllLanguages() {
			langs = append(langs, strings.ToLower(l.IsoCode639_1().String()))
		}
		slices.Sort(langs)
		return func(text string) string {
			l, ok := d.DetectLanguageOf(text)
			if !ok {
				return "und"
			}
			return strings.ToLower(l.IsoCode639_1().String())
		}, langs
	}
}
