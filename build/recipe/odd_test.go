package recipe_test

import (
	"fmt"
	"testing"

	"chaffinch/build/recipe"
	"chaffinch/clean/method"
	"chaffinch/internal/panics"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/oddpages"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// oddSizes are the sizes of pages: less than a sentence, some lines, and more lines than a
// method reads at once. Each added byte moves the end of the page by one position.
var oddSizes = []int{1, 60, 61, 62, 63, 700, 9000}

// sizes are those, or two of them under the race detector, which takes ten times as long.
func sizes() []int {
	if !testkit.Whole() {
		return []int{61, 700}
	}
	return oddSizes
}

// TestOddPages wants no fault on any page, with any method and in any format.
func TestOddPages(t *testing.T) {
	var encoders []pipeline.Encoder
	for _, f := range recipe.Formats {
		encoders = append(encoders, f.New(recipe.EncoderOptions{}))
		if f.Annotates {
			encoders = append(encoders, f.New(recipe.EncoderOptions{Annotate: true}))
		}
	}
	for _, m := range method.Names() {
		t.Run(m, func(t *testing.T) {
			t.Parallel()
			o := recipe.CleanOptions{Format: "json"}
			o.Method, o.KeepHidden, o.AllLangs = m, true, true
			stages, _, err := recipe.Clean(o).Build()
			must.Succeed(t, err)
			for _, g := range oddpages.All() {
				for _, size := range sizes() {
					odd(t, fmt.Sprintf("%s of %d bytes", g.Name, size), g.Write(size), stages, encoders)
				}
			}
		})
	}
}

func odd(t *testing.T, name string, raw []byte, stages []pipeline.Stage, encoders []pipeline.Encoder) {
	p := &page.Page{ID: "odd", Raw: raw}
	if err := pipeline.Do(t.Context(), stages, p, 0); err != nil {
		t.Errorf("%s: %s", name, panics.Detail(err))
		return
	}
	for _, e := range encoders {
		if err := panics.Catch(func() error { e.Append(nil, p); return nil }); err != nil {
			t.Errorf("%s: %T: %s", name, e, panics.Detail(err))
		}
	}
}

// TestOddPagesInLanguage wants the same of pages in a language that somebody
// gave, which no letter of them may bear out.
func TestOddPagesInLanguage(t *testing.T) {
	var o recipe.CleanOptions
	o.Lang = "zh"
	stages, enc, err := recipe.Clean(o).Build()
	must.Succeed(t, err)
	for _, g := range oddpages.All() {
		for _, size := range sizes() {
			odd(t, g.Name, g.Write(size), stages, []pipeline.Encoder{enc})
		}
	}
}
