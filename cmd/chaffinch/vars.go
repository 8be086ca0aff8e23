package main

import (
	"strconv"
	"strings"
	"sync"

	"github.com/alecthomas/kong"

	"chaffinch/build/recipe"
	"chaffinch/clean/method"
	"chaffinch/corpus/export"
	"chaffinch/corpus/profile"
	"chaffinch/dedup/minhash"
	"chaffinch/page"
	"chaffinch/text/tag/installed"
	"chaffinch/text/token"
)

// sharedVars holds the variables used by several commands.
var sharedVars = kong.Vars{
	"methods": strings.Join(method.Names(), ","), "methodNames": strings.Join(method.Names(), ", "), "method": method.Default, "textMethod": method.DefaultText,
	"formats": strings.Join(recipe.FormatNames(), ","), "features": strings.Join(page.FeatureNames(), ", "),
	"pageTypes":     strings.Join(page.Types, ", "),
	"compats":       strings.Join(method.CompatNames(), ","),
	"measures":      measuresVar(),
	"grammars":      grammarsVar(),
	"exportFormats": exportFormats(),
	"exportNames":   strings.Join(export.Formats, ", "),
	"profileParts":  strings.Join(profile.Parts, ","),
	"dedups":        strings.Join(recipe.DedupNames(), ","), "presets": strings.Join(minhash.PresetNames(), ", "),
	"shown":      strconv.Itoa(shownErrors),
	"tokenLangs": strings.Join(token.Languages(), ", "), "taggersFile": installed.Name,
}

// varReplacer writes the value of each variable for ${NAME}.
var varReplacer = sync.OnceValue(func() *strings.Replacer {
	var pairs []string
	for _, vars := range []kong.Vars{
		sharedVars, stopwordsVars, segmenterVars, sentencesVars, linesVars, lineSplitVars, charsetVars, wordsVars, concordanceVars, keywordsVars, plagiarismVars, filterVars, nontextVars, labelVars, taggerVars, crawlVars, serveVars, irVars,
	} {
		for name, value := range vars {
			pairs = append(pairs, "${"+name+"}", value)
		}
	}
	return strings.NewReplacer(pairs...)
})

// expandVars replaces variables in the help, the default and the choices of every flag. The
// parser's own expansion took most of the start-up time, since it repeats the expansion of
// all variables for each flag.
func expandVars(k *kong.Kong) error {
	expand := varReplacer().Replace
	return kong.Visit(k.Model.Node, func(node kong.Visitable, next kong.Next) error {
		switch n := node.(type) {
		case *kong.Node:
			n.Help = expand(n.Help)
		case *kong.Flag: // its value comes next
			n.PlaceHolder = expand(n.PlaceHolder)
		case *kong.Value:
			n.Help, n.Default, n.Enum = expand(n.Help), expand(n.Default), expand(n.Enum)
			if choices := strings.TrimPrefix(n.Enum, ","); strings.Contains(choices, ",") {
				list := strings.ReplaceAll(choices, ",", ", ")
				n.Help = strings.NewReplacer("${enum}", list, choices, list).Replace(n.Help)
			}
		}
		return next(nil)
	})
}
