package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"chaffinch"
	"chaffinch/format/jsonl"
	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/serve/problem"
	"chaffinch/text/langid"
)

// decodeItem reads a page as JSON and replaces the name of its language by the tag. An unknown
// field is an error: a misspelt one would go unnoticed.
func decodeItem(b []byte, i *item) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	err := d.Decode(i)
	if err == nil {
		if _, err = d.Token(); err == io.EOF {
			return checkLang(i)
		}
		err = errors.New("more after the object: send several pages as JSON lines to " + batchPath)
	}
	found := strings.TrimPrefix(err.Error(), "json: ")
	if kind := (*json.UnmarshalTypeError)(nil); errors.As(err, &kind) { // its text names Go types
		found = strings.TrimPrefix(kind.Field+": JSON "+kind.Value, ": ")
	}
	return fmt.Errorf("%s: wanted a JSON object with html or text, and optionally id, url, lang", found)
}

// checkLang replaces the name of the language of a page by its tag.
func checkLang(i *item) error {
	if i.Lang == "" {
		return nil
	}
	tag, err := langid.ParseTag(i.Lang)
	if err != nil {
		return fmt.Errorf("lang: %w", err)
	}
	i.Lang = tag
	return nil
}

type batchInput struct {
	PageSettings
	Annotate bool `query:"annotate" doc:"Include all blocks, also dropped ones, with label, role, score and reason."`
}

// batch answers each line with a page by a line, in the same order, while more lines
// may still come.
func (s *Server) batch(_ context.Context, in *batchInput) (*huma.StreamResponse, error) {
	cleaner, err := s.cleaner(cleanerKey{PageSettings: in.PageSettings, format: "jsonl", annotate: in.Annotate})
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		r, w := humago.Unwrap(c)
		rc := http.NewResponseController(w)
		rc.EnableFullDuplex() // HTTP/2 has it anyway
		w.Header().Set("Content-Type", "application/x-ndjson")
		lines := &lineSource{in: bufio.NewReaderSize(r.Body, 64<<10), max: int(s.cfg.Limits.Body)}
		cfg := pipeline.Default
		cfg.Workers, cfg.PageTime, cfg.BatchPages = s.cfg.Limits.Workers, 0, 1
		sink := &lineSink{w: w, rc: rc}
		_, err := pipeline.Run(r.Context(), pipeline.Chain{
			Source:  lines,
			Stages:  []pipeline.Stage{batchStage{s, cleaner}},
			Outputs: []pipeline.Output{{Encoder: lineEncoder{jsonl.Encoder{Annotate: in.Annotate}}, Sink: sink}},
		}, cfg)
		if err == nil || r.Context().Err() != nil {
			return
		}
		s.log.WarnContext(r.Context(), "batch ended early", "error", err)
		if sink.sent {
			panic(http.ErrAbortHandler) // the client must not take it for whole
		}
		problem.New(http.StatusBadRequest, "body: %v", err).Write(w)
	}}, nil
}

// batchStage is the whole way of a page of a batch.
type batchStage struct {
	server  *Server
	cleaner *chaffinch.Cleaner
}

// Name returns the name of the stage.
func (batchStage) Name() string { return "serve/1" }

// Do cleans a page that has bytes.
func (b batchStage) Do(ctx context.Context, p *page.Page) error {
	if p.Drop != page.None {
		return nil
	}
	return b.server.cleanPage(ctx, b.server.gate.Wait, b.cleaner, p)
}

// lineSource reads pages, one JSON object per line. An invalid line becomes a page dropped
// as [page.Failed], so that every line has a response.
type lineSource struct {
	in   *bufio.Reader
	max  int
	line int64
}

// Next returns the page of the next line that is not empty.
func (l *lineSource) Next() (*page.Page, error) {
	for {
		line, long, err := readLine(l.in, l.max)
		if err != nil && (err != io.EOF || len(line) == 0) {
			if err != io.EOF {
				err = &pipeline.Fatal{Err: err}
			}
			return nil, err
		}
		l.line++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if long {
			return l.failed(fmt.Errorf("more than %d bytes", l.max), page.TooLarge), nil
		}
		var i item
		if err := decodeItem(line, &i); err != nil {
			return l.failed(err, page.Failed), nil
		}
		p := i.page()
		if p.ID == "" {
			p.ID = strconv.FormatInt(l.line, 10)
		}
		return p, nil
	}
}

// failed returns the page that answers a line which is none.
func (l *lineSource) failed(err error, why page.Reason) *page.Page {
	return &page.Page{ID: strconv.FormatInt(l.line, 10), Drop: why, Rule: fmt.Sprintf("line %d: %v", l.line, err)}
}

// readLine reads a line of at most max bytes; of a longer one the rest is passed over.
func readLine(in *bufio.Reader, max int) (line []byte, long bool, err error) {
	for {
		piece, err := in.ReadSlice('\n')
		if room := max - len(line); len(piece) > room {
			long, piece = true, piece[:room]
		}
		line = append(line, piece...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// lineEncoder writes a line for every page; the line of a dropped page has its id, the
// reason and the error.
type lineEncoder struct{ jsonl.Encoder }

// Append appends the line of p.
func (e lineEncoder) Append(dst []byte, p *page.Page) []byte {
	from := len(dst)
	if dst = e.Encoder.Append(dst, p); len(dst) > from && p.Drop == page.None {
		return dst
	}
	if len(dst) > from && p.Rule == "" {
		return dst // annotated
	}
	return appendDropped(dst[:from], p)
}

// appendDropped appends a line of JSON for a dropped page.
func appendDropped(dst []byte, p *page.Page) []byte {
	b, err := json.Marshal(struct {
		ID    string `json:"id"`
		Drop  string `json:"drop"`
		Error string `json:"error,omitempty"`
	}{p.ID, p.Drop.String(), p.Rule})
	if err != nil {
		panic(err) // plain data
	}
	return append(append(dst, b...), '\n')
}

// lineSink sends each line when it is there.
type lineSink struct {
	w    io.Writer
	rc   *http.ResponseController
	sent bool
}

// Put sends a record.
func (l *lineSink) Put(r *pipeline.Record) error {
	l.sent = true
	if _, err := l.w.Write(r.Bytes); err != nil {
		return err
	}
	return l.rc.Flush()
}

// Cut, Sync, Publish and Close do nothing, since lines are sent immediately.
func (*lineSink) Cut() (pipeline.Place, error) { return pipeline.Place{}, nil }

// Sync does nothing.
func (*lineSink) Sync() error { return nil }

// Publish does nothing.
func (*lineSink) Publish() error { return nil }

// Close does nothing.
func (*lineSink) Close() error { return nil }
