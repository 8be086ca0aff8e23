package corpora

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"chaffinch/corpus"
	"chaffinch/serve/problem"
)

// shardLine is a line of the answer of a shard: the counts, then rows, then the end or an error.
type shardLine struct {
	Counts *corpus.Counts `json:"counts,omitempty"`
	Row    *corpus.Row    `json:"row,omitempty"`
	End    bool           `json:"end,omitempty"`
	Error  string         `json:"error,omitempty"`
}

type shardInput struct {
	Corpus  string `path:"corpus" doc:"Name of a corpus, from /v1/corpora."`
	RawBody []byte `contentType:"application/json" doc:"Request of package corpus."`
}

// shard answers a request to a shard as JSON lines. The rows are sent outside the gate: a front server
// reads several answers at once.
func (a *api) shard(ctx context.Context, in *shardInput) (*huma.StreamResponse, error) {
	var r corpus.Request
	d := json.NewDecoder(bytes.NewReader(in.RawBody))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return nil, problem.New(http.StatusBadRequest, "body: %v", err)
	}
	if err := r.Check(); err != nil {
		return nil, problem.New(http.StatusUnprocessableEntity, "body: %v", err)
	}
	leave, err := a.gate.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	c, _, done, err := a.part(ctx, Of{Corpus: in.Corpus}, "filter")
	if err != nil {
		return nil, err
	}
	counts, err := c.Ask(ctx, &r)
	if err != nil {
		done()
		patt := r.Query
		if s := (*corpus.SyntaxError)(nil); errors.As(err, &s) {
			patt = s.Query // of the query, or of a part
		}
		return nil, unusable(patt, err)
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		defer done()
		_, w := humago.Unwrap(hc)
		w.Header().Set("Content-Type", "application/x-ndjson")
		out := bufio.NewWriterSize(w, 1<<16)
		lines := json.NewEncoder(out)
		lines.Encode(shardLine{Counts: counts}) // a client that is gone ends ctx
		for row, err := range counts.Rows {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				lines.Encode(shardLine{Error: err.Error()})
				out.Flush()
				return
			}
			if lines.Encode(shardLine{Row: &row}) != nil {
				return
			}
		}
		lines.Encode(shardLine{End: true})
		out.Flush()
	}}, nil
}

// remote is a corpus of another server.
type remote struct {
	address string // without the token
	token   string
	client  *http.Client
}

// Limits on other servers.
const (
	dialTime  = 10 * time.Second
	waitTime  = 10 * time.Minute // for the first byte of an answer
	maxLine   = 16 << 20         // bytes of a line
	maxDetail = 64 << 10         // bytes of an error
)

// Dial returns the corpus of another server as a shard. The address identifies the corpus, as in
// http://host:8017/v1/corpora/news?token=TOKEN.
func Dial(address string) (corpus.Shard, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || !strings.HasPrefix(u.Path, "/v1/corpora/") || strings.Count(u.Path, "/") != 3 {
		return nil, fmt.Errorf("address of a shard: %q, wanted one such as http://host:8017/v1/corpora/NAME?token=TOKEN", withoutQuery(address))
	}
	r := &remote{token: u.Query().Get("token")}
	u.RawQuery = ""
	r.address = u.String()
	r.client = &http.Client{
		Transport:     &http.Transport{DialContext: (&net.Dialer{Timeout: dialTime}).DialContext, TLSHandshakeTimeout: dialTime, ResponseHeaderTimeout: waitTime, MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return r, nil
}

func withoutQuery(address string) string {
	address, _, _ = strings.Cut(address, "?")
	return address
}

// Dir returns the address.
func (r *remote) Dir() string { return r.address }

// Close closes idle connections.
func (r *remote) Close() error {
	r.client.CloseIdleConnections()
	return nil
}

// Ask sends a request.
func (r *remote) Ask(ctx context.Context, q *corpus.Request) (_ *corpus.Counts, err error) {
	body, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer func() {
		if err != nil {
			cancel()
		}
	}()
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, r.address+"/shard", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	post.Header.Set("Content-Type", "application/json")
	if r.token != "" {
		post.Header.Set("Authorization", "Bearer "+r.token)
	}
	resp, err := r.client.Do(post)
	if err != nil {
		if u := (*url.Error)(nil); errors.As(err, &u) {
			err = u.Err // without the address
		}
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		return nil, answerError(resp)
	}
	in := bufio.NewScanner(resp.Body)
	in.Buffer(make([]byte, 1<<16), maxLine)
	line, err := readLine(in)
	if err == nil && line.Counts == nil {
		err = errors.New("an answer without counts")
	}
	if err != nil {
		resp.Body.Close()
		return nil, err
	}
	counts := line.Counts
	counts.Rows = func(yield func(corpus.Row, error) bool) {
		defer cancel()
		defer resp.Body.Close()
		for {
			line, err := readLine(in)
			switch {
			case err != nil:
				yield(corpus.Row{}, err)
				return
			case line.End:
				return
			case line.Row == nil:
				yield(corpus.Row{}, errors.New("an answer with a line without a row"))
				return
			case !yield(*line.Row, nil):
				return
			}
		}
	}
	if q.Op == corpus.OpSize || q.Op == corpus.OpCount { // no rows: the answer must still be complete
		for _, err := range counts.Rows {
			if err != nil {
				return nil, err
			}
		}
		counts.Rows = func(func(corpus.Row, error) bool) {}
	}
	return counts, nil
}

// readLine reads a line of an answer. An answer that ends without its last line is an error.
func readLine(in *bufio.Scanner) (line shardLine, err error) {
	if !in.Scan() {
		if err = in.Err(); err == nil {
			err = io.ErrUnexpectedEOF
		}
		return line, fmt.Errorf("the answer is incomplete: %w", err)
	}
	if err := json.Unmarshal(in.Bytes(), &line); err != nil {
		return line, fmt.Errorf("the answer is no JSON: %w", err)
	}
	if line.Error != "" {
		return line, errors.New(line.Error)
	}
	return line, nil
}

// answerError returns the error of an answer with another status. Errors in a query or in a setting
// have the types that a local corpus returns.
func answerError(resp *http.Response) error {
	b, _ := io.ReadAll(io.LimitReader(resp.Body, maxDetail))
	var p struct {
		Detail string
		At     *int
		Try    string
		Errors []struct {
			Message, Location string
			Value             any
		}
	}
	if json.Unmarshal(b, &p) != nil || p.Detail == "" {
		return fmt.Errorf("status %s", resp.Status)
	}
	if resp.StatusCode == http.StatusUnprocessableEntity && len(p.Errors) == 1 {
		name := strings.TrimPrefix(p.Errors[0].Location, "query.")
		switch {
		case p.At != nil:
			query, _ := p.Errors[0].Value.(string)
			return &corpus.SyntaxError{Query: query, Offset: *p.At, What: p.Errors[0].Message, Try: p.Try}
		case name != "":
			return &corpus.ConfigError{Field: strings.ToUpper(name[:1]) + name[1:], Err: errors.New(p.Errors[0].Message)}
		}
	}
	return fmt.Errorf("status %s: %s", resp.Status, p.Detail)
}
