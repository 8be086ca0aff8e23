package serve

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"unicode/utf8"

	"chaffinch/internal/inuse"
	"chaffinch/plagiarism"
	"chaffinch/serve/problem"
)

// maxSuspicious bounds a text that is searched in sources, in bytes.
const maxSuspicious = 2 << 20

// sources is an index of sources with a pool of searchers, which are not safe for concurrent
// use.
type sources struct {
	index     *plagiarism.Index
	searchers sync.Pool
	users     *inuse.Closer
}

// openSources opens the index in a folder.
func openSources(dir string) (*sources, error) {
	x, err := plagiarism.OpenIndex(dir)
	if err != nil {
		return nil, err
	}
	first, err := plagiarism.NewSearcher(x, plagiarism.DefaultSearch)
	if err != nil {
		return nil, errors.Join(err, x.Close())
	}
	s := &sources{index: x, users: inuse.New(x.Close)}
	s.searchers.New = func() any {
		made, err := plagiarism.NewSearcher(x, plagiarism.DefaultSearch)
		if err != nil {
			panic(err) // the first one could be made
		}
		return made
	}
	s.searchers.Put(first)
	return s, nil
}

type passages struct {
	Chars    int       `json:"chars" doc:"Length of the text in characters."`
	Sources  int       `json:"sources" doc:"Number of sources searched."`
	Passages []passage `json:"passages"`
}

type passage struct {
	Start  int           `json:"start" doc:"First character of the passage in the text."`
	End    int           `json:"end" doc:"First character after the passage."`
	Text   string        `json:"text"`
	Source passageSource `json:"source"`
	Score  float64       `json:"score" doc:"Similarity of the two passages, 0 to 1."`
}

type passageSource struct {
	ID    string `json:"id"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}

// plagiarism answers with the passages of a text that were made from sources.
func (s *Server) plagiarism(ctx context.Context, in *TextBody) (*struct{ Body passages }, error) {
	if s.sources == nil {
		return nil, problem.New(http.StatusNotFound, "this server has no index of sources")
	}
	leave, err := s.gate.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	done, ok := s.sources.users.Use()
	if !ok {
		return nil, problem.New(http.StatusServiceUnavailable, "the server is shutting down")
	}
	defer done()
	text := in.text()
	searcher := s.sources.searchers.Get().(*plagiarism.Searcher)
	found, err := searcher.Search(ctx, "", text)
	s.sources.searchers.Put(searcher) // one that panicked does not come back
	if err != nil {
		return nil, err
	}
	out := passages{Chars: utf8.RuneCountInString(text), Sources: s.sources.index.Docs(), Passages: []passage{}}
	chars := []rune(text)
	for _, f := range found {
		text, err := s.sources.index.Text(f.SourceNumber)
		if err != nil {
			return nil, err
		}
		source := []rune(text)
		out.Passages = append(out.Passages, passage{
			Start: f.SuspiciousStart, End: f.SuspiciousEnd, Text: string(chars[f.SuspiciousStart:f.SuspiciousEnd]), Score: f.Score,
			Source: passageSource{f.Source, f.SourceStart, f.SourceEnd, string(source[f.SourceStart:f.SourceEnd])},
		})
	}
	return &struct{ Body passages }{out}, nil
}
