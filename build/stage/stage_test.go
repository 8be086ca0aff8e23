package stage

import (
	"context"
	"strings"
	"testing"

	_ "chaffinch/model/data/languages"

	"chaffinch/extract/documents"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/text/langid"
)

var _ pipeline.Preparer = (*documents.Stage)(nil)

func TestBuildErrors(t *testing.T) {
	for _, c := range []struct {
		step Step
		want string
	}{
		{Step{Stage: "magic"}, `stage 1: "magic" is not known: take one of exclude, documents, extract, sites, language, label, languages`},
		{Step{"extract", []byte(`{"max_node":1}`)}, "unknown key"},
		{Step{"label", []byte(`{"method":"keep","hidden":"some"}`)}, "take drop or keep"},
		{Step{"label", []byte(`{"method":"justext","min_confidence":0.9}`)}, "the method justext/1 estimates no confidence, the method blocks does"},
		{Step{"label", []byte(`{"method":"blocks","min_confidence":1}`)}, "wanted 0 to below 1"},
		{Step{"label", []byte(`{"method":"justext","page_types":["forum"]}`)}, "page types forum: the method justext/1 estimates no page types, the method blocks does"},
		{Step{"label", []byte(`{"method":"blocks","page_types":["forum","artcle"]}`)}, `page type "artcle": wanted some of article, collection, documentation, forum, listing, product, service: did you mean article?`},
		{Step{"label", []byte(`{"method":"blocks","page_types":["nothing like it"]}`)}, "product, service"},
		{Step{"language", []byte(`{"lang":"zz"}`)}, `"zz" is not a language`},
		{Step{"language", []byte(`{"lang":"?"}`)}, "wanted a tag such as en or pt-BR"},
	} {
		if _, err := Build([]Step{c.step}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.step.Stage, c.step.Config, err, c.want)
		}
	}
}

// nothing is a labeller that keeps no block.
type nothing struct{}

func (nothing) Name() string { return "nothing/1" }

func (nothing) Label(_ context.Context, p *page.Page) ([]page.Verdict, error) {
	v := make([]page.Verdict, len(p.Blocks))
	for i := range v {
		v[i] = page.Verdict{By: "nothing/1", Label: page.Bad}
	}
	return v, nil
}

// TestLabeller wants a labeller of your own in the place of the method, with
// all the other stages around it.
func TestLabeller(t *testing.T) {
	o := Options{Langs: []langid.Wanted{{Lang: "en"}}}
	names := func(o Options) (names []string) {
		stages := must.Get(o.Build())(t)
		for _, s := range stages {
			name, _, _ := strings.Cut(s.Name(), "/")
			names = append(names, name)
		}
		return names
	}
	usual := names(o)
	o.Labeller = nothing{}
	own := names(o)
	if len(usual) != 5 || len(own) != 5 || own[3] != "label nothing" || own[2] != usual[2] || own[4] != usual[4] {
		t.Errorf("stages %q, with a labeller of your own %q", usual, own)
	}
}

// TestMissingLanguage: settings are looked at before a page needs the model.
func TestMissingLanguage(t *testing.T) {
	must.Fail(t, must.Err(Build([]Step{{"language", []byte(`{"missing":true,"min_confidence":2}`)}})), "minimum confidence 2")
	stages := must.Get(Build([]Step{{"language", []byte(`{"missing":true}`)}}))(t)
	text := "The old ferry left the harbour of the island at seven in the morning with the mail."
	for _, known := range []string{"de", ""} {
		p := &page.Page{Lang: known, Blocks: []page.Block{{Text: text}}}
		if err := stages[0].Do(t.Context(), p); err != nil || known == "" && p.Lang != "en" || known != "" && p.Lang != known {
			t.Errorf("%q becomes %q, %v", known, p.Lang, err)
		}
	}
}

// TestPageTime fails if stages with OCR, such as those of a recipe, do not get more time.
func TestPageTime(t *testing.T) {
	if with, without := PageTime(Steps(Options{OCR: "ocr -"})), PageTime(Steps(Options{})); with != ocrPageTime || without != 0 {
		t.Errorf("%v with OCR, %v without", with, without)
	}
}
