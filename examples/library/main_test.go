package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"chaffinch"
	"chaffinch/build/stage"
	"chaffinch/extract/documents"
	"chaffinch/filter"
	"chaffinch/internal/testkit/must"
	"chaffinch/model/data"
	"chaffinch/text/langid"
	"chaffinch/text/token"
)

// TestOptional: a program that imports only the facade embeds no optional models. It cleans pages
// in every language and takes the language that they declare; what needs the models returns an
// error that names their package.
func TestOptional(t *testing.T) {
	if langs := data.Segmented(); len(langs) > 0 || data.NonText != nil {
		t.Fatalf("embedded segmenters %v, models of non-text %v", langs, data.NonText != nil)
	}
	c, err := chaffinch.New(chaffinch.Options{})
	must.Succeed(t, err)
	const text = "渡轮每天早上九点从老港口出发，十点到达岛上。天气不好的时候，渡轮停在港口里，等风小了再走。"
	p, err := c.Clean(context.Background(), []byte("<html lang=zh-hans><meta charset=utf-8><title>渡轮</title><p>"+text+"</html>"))
	must.Succeed(t, err)
	if p.Text() != text || p.Lang != "zh-Hans" {
		t.Errorf("language %q, text %q", p.Lang, p.Text())
	}
	if _, err := chaffinch.New(stage.Options{Langs: []langid.Wanted{{Lang: "zh"}}}); !errors.Is(err, data.ErrNoLanguages) {
		t.Errorf("selection of languages without their model: %v", err)
	}
	if _, err := chaffinch.New(stage.Options{Filter: &filter.Config{Use: []string{"c4"}}}); !errors.Is(err, data.ErrNoSegmenters) {
		t.Errorf("filter without segmenters: %v", err)
	}
	if _, err := c.Clean(context.Background(), []byte("%PDF-1.7\n")); !errors.Is(err, documents.ErrNoReaders) || !strings.HasPrefix(err.Error(), "page dropped: ") {
		t.Errorf("PDF without a reader: %v", err)
	}
	tok := token.For("zh")
	if words := tok.Words("渡轮出发", nil); tok.FindsWords() || len(words) != 4 {
		t.Errorf("words %v, by a model: %v", words, tok.FindsWords())
	}
}
