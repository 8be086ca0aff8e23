package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"mime"
	"net/http"
	"slices"
	"strings"

	"chaffinch/build/stage"
	"chaffinch/clean/perplexity"
	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/serve/problem"
	"chaffinch/text/charset"
	"chaffinch/text/tag"
	"chaffinch/text/token"
)

// TextBody is a request with text in its body.
type TextBody struct {
	ContentType string `header:"Content-Type" doc:"text/plain; its charset is the encoding. Default: detected."`
	RawBody     []byte `contentType:"text/plain"`
}

// text returns the body decoded.
func (b *TextBody) text() string {
	_, params, _ := mime.ParseMediaType(b.ContentType)
	if r, ok := charset.DecodeAs(b.RawBody, params["charset"]); ok {
		return r.Text
	}
	return charset.Decode(b.RawBody, "").Text
}

type detected struct {
	Charset    string           `json:"charset"`
	Lang       string           `json:"lang" doc:"Language as a BCP 47 tag; und if undetermined."`
	Confidence float64          `json:"confidence" doc:"0 to 1."`
	Langs      []page.LangShare `json:"langs" doc:"Languages of the blocks, by share."`
	Drop       string           `json:"drop,omitempty" doc:"Reason why there is no text."`
}

// detect answers with the encoding and the languages of a page or text.
func (s *Server) detect(ctx context.Context, in *struct{ PageBody }) (*struct{ Body detected }, error) {
	pages, _, err := s.pages(ctx, &in.PageBody, nil)
	if err != nil {
		return nil, err
	}
	p := pages[0]
	if err := s.read(ctx, p); err != nil {
		return nil, err
	}
	if p.Langs == nil {
		p.Langs = []page.LangShare{}
	}
	return &struct{ Body detected }{detected{Charset: p.Charset, Lang: cmp.Or(p.Lang, page.UnknownLang), Confidence: p.LangConfidence, Langs: p.Langs, Drop: p.Drop.String()}}, nil
}

// read decodes a page and finds its languages.
func (s *Server) read(ctx context.Context, p *page.Page) error {
	leave, err := s.gate.Enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	stages, err := s.detector()
	if err != nil {
		return err
	}
	copyRaw(p)
	if err := pipeline.Do(ctx, stages, p, s.cfg.Limits.PageTime); err != nil {
		return problem.New(http.StatusUnprocessableEntity, "%v", err)
	}
	return nil
}

// detectStages returns the stages that detect encoding and languages.
func detectStages(limits Limits) ([]pipeline.Stage, error) {
	return stage.Options{Method: "keep", CountLangs: true, AllLangs: true, NoMetadata: true, MaxPageBytes: limits.Page}.Build()
}

type tokenized struct {
	Lang      string          `json:"lang"`
	Tokens    int             `json:"tokens"`
	Sentences []tokenSentence `json:"sentences"`
}

type tokenSentence struct {
	Start  int         `json:"start" doc:"First byte of the sentence in the text."`
	End    int         `json:"end"`
	Tokens []tokenText `json:"tokens"`
}

type tokenText struct {
	Text  string `json:"text"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Lemma string `json:"lemma,omitempty" doc:"Base form, with tag=true."`
	UPOS  string `json:"upos,omitempty" doc:"Universal part of speech. The values of several words in a token are joined by +."`
	XPOS  string `json:"xpos,omitempty" doc:"Tag of the treebank."`
	Feats string `json:"feats,omitempty" doc:"Morphological features."`
}

// tagger returns the tagger of a language, or nil.
func (s *Server) tagger(lang string) (*tag.Tagger, func(), error) {
	set, err := s.taggers()
	if err != nil {
		return nil, nil, err
	}
	return set.Tagger(lang)
}

// tag adds the annotation of the tokens.
func (s *tokenSentence) tag(t *tag.Tagger) {
	forms := make([]string, len(s.Tokens))
	for i, x := range s.Tokens {
		forms[i] = x.Text
	}
	for _, w := range t.Tag(nil, forms) {
		x := &s.Tokens[w.Index]
		if x.UPOS != "" {
			x.Lemma, x.UPOS, x.XPOS, x.Feats = x.Lemma+"+", x.UPOS+"+", x.XPOS+"+", x.Feats+"+"
		}
		x.Lemma, x.UPOS, x.XPOS, x.Feats = x.Lemma+w.Lemma, x.UPOS+w.UPOS, x.XPOS+w.XPOS, x.Feats+w.Feats
	}
}

// tokenTypes are the media types of tokens.
var tokenTypes = []string{"application/json", "text/plain"}

type tokenizeInput struct {
	TextBody
	Accept string `header:"Accept" doc:"application/json, or text/plain for a vertical as written by chaffinch tokenize."`
	Lang   string `query:"lang" doc:"Language of the text: a BCP 47 tag or an English name, such as de or german. Default: general rules."`
	Tag    bool   `query:"tag" doc:"Add lemma, part of speech and features to tokens (JSON). Without a tagger for the language they are missing."`
}

// tokenize answers with the sentences and tokens of a text; as text/plain with the
// vertical that "chaffinch tokenize" writes.
func (s *Server) tokenize(ctx context.Context, in *tokenizeInput) (*textOutput, error) {
	lang, err := parseLang(in.Lang)
	if err != nil {
		return nil, err
	}
	leave, err := s.gate.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	t, text := token.For(lang), in.text()
	kind := bestType(in.Accept, tokenTypes)
	if kind == "" {
		return nil, problem.New(http.StatusNotAcceptable, "Accept: %s: wanted one of %s", in.Accept, strings.Join(tokenTypes, ", "))
	}
	if kind == "text/plain" {
		var out bytes.Buffer
		if err := t.WriteLines(&out, strings.NewReader(text)); err != nil && !errors.As(err, new(*token.CutError)) {
			return nil, err
		}
		return &textOutput{"text/plain; charset=utf-8", out.Bytes()}, nil
	}
	words, sentences := t.Split(text, nil, nil)
	var tagger *tag.Tagger
	if in.Tag {
		var done func()
		if tagger, done, err = s.tagger(lang); err != nil {
			return nil, err
		}
		defer done()
	}
	answer := tokenized{Lang: t.Lang(), Tokens: len(words), Sentences: []tokenSentence{}}
	for _, span := range sentences {
		ts := tokenSentence{Start: span.Start, End: span.End}
		for len(words) > 0 && words[0].Start < span.End {
			w := words[0]
			words = words[1:]
			ts.Tokens = append(ts.Tokens, tokenText{Text: text[w.Start:w.End], Start: w.Start, End: w.End})
		}
		if tagger != nil {
			ts.tag(tagger)
		}
		answer.Sentences = append(answer.Sentences, ts)
	}
	return jsonOutput(answer)
}

// textOutput is an answer whose bytes are written already.
type textOutput struct {
	ContentType string `header:"Content-Type"`
	Body        []byte
}

// jsonOutput returns v as an answer.
func jsonOutput(v any) (*textOutput, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return &textOutput{"application/json", append(b, '\n')}, nil
}

type scored struct {
	Model  string       `json:"model"`
	Compat string       `json:"compat,omitempty"`
	Limit  float64      `json:"limit,omitempty"`
	Lines  []lineScored `json:"lines"`
	Text   *string      `json:"text,omitempty" doc:"The text without sentences at or above the limit, if a limit was given."`
}

type lineScored struct {
	Text       string   `json:"text"`
	Perplexity *float64 `json:"perplexity" doc:"null for a line without words."`
}

type perplexityInput struct {
	TextBody
	Model  string  `query:"model" doc:"Name of a word model, one of /v1/about. Default: the first."`
	Limit  float64 `query:"limit" minimum:"0" doc:"Also return the text without sentences of this perplexity or more; the PyPlexity paper uses 8000 for its models. Default: none."`
	Compat string  `query:"compat" enum:"pyplexity" doc:"pyplexity scores a model of PyPlexity as PyPlexity does."`
}

// wordKey is a model of words as a request names it.
type wordKey struct{ name, compat string }

// wordModelOf returns the model of words that a request names. Only models that the server was
// started with are read.
func (s *Server) wordModelOf(k wordKey) (perplexity.Model, error) {
	return s.words.get(k, func() (perplexity.Model, error) {
		file, ok := s.cfg.WordModels[k.name]
		if !ok && k.name != s.cfg.WordModel {
			return nil, problem.Parameter("model", k.name, fmt.Errorf("%q: wanted one of %s", k.name, strings.Join(s.wordModels(), ", ")))
		}
		m, err := perplexity.Load(cmp.Or(file, k.name), k.compat)
		if err != nil && k.compat != s.cfg.WordCompat {
			return nil, problem.Parameter("compat", k.compat, err)
		}
		return m, err
	})
}

// wordModels lists the names of the models of words, the default first.
func (s *Server) wordModels() []string {
	return append([]string{s.cfg.WordModel}, slices.Sorted(maps.Keys(s.cfg.WordModels))...)
}

// perplexityOf returns the perplexity of each line of a text, and the text that a limit keeps.
func (s *Server) perplexityOf(ctx context.Context, in *perplexityInput) (*struct{ Body scored }, error) {
	k := wordKey{cmp.Or(in.Model, s.cfg.WordModel), cmp.Or(in.Compat, s.cfg.WordCompat)}
	model, err := s.wordModelOf(k)
	if err != nil {
		return nil, err
	}
	leave, err := s.gate.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	out, text := scored{Model: k.name, Compat: k.compat, Limit: in.Limit, Lines: []lineScored{}}, in.text()
	for line := range strings.Lines(text) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		l := lineScored{Text: line}
		if v := perplexity.Of(model, line); !math.IsNaN(v) && !math.IsInf(v, 0) {
			l.Perplexity = &v
		}
		out.Lines = append(out.Lines, l)
	}
	if in.Limit > 0 {
		kept := perplexity.Filter{Model: model, Limit: in.Limit}.Process(text)
		out.Text = &kept
	}
	return &struct{ Body scored }{out}, nil
}

// wordModel is the embedded model of words.
const wordModel = "en"
