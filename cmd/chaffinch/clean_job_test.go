package main

import (
	"testing"
	"time"

	"chaffinch/build/recipe"
	"chaffinch/build/stage"
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// TestPageTimeOfRecipe fails if a page has another time limit with a recipe than with the flags that it was
// made from.
func TestPageTimeOfRecipe(t *testing.T) {
	for _, c := range []struct {
		ocr  string
		most time.Duration // flag
		want time.Duration
	}{{"", 0, pipeline.Default.PageTime}, {"ocr -", 0, 10 * time.Minute}, {"ocr -", time.Minute, time.Minute}} {
		o := recipe.CleanOptions{Options: stage.Options{OCR: c.ocr}}
		r := recipe.Clean(o)
		for _, cmd := range []cleanCmd{{OCR: c.ocr, MaxPageTime: c.most}, {Recipe: "recipe.json", MaxPageTime: c.most}} {
			cmd.Quiet = true
			job := must.Get(cmd.job(r, &console{}))(t)
			if job.PageTime != c.want {
				t.Errorf("OCR %q, limit %v, recipe %q: %v, want %v", c.ocr, c.most, cmd.Recipe, job.PageTime, c.want)
			}
		}
	}
}
