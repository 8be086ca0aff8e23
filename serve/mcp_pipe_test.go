package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chaffinch/corpus"
	"chaffinch/internal/testkit/must"
)

// mcpAnswers sends lines, closes the pipe and returns the answers by their ids.
func mcpAnswers(t *testing.T, s *testServer, lines ...string) map[string]string {
	t.Helper()
	var out bytes.Buffer
	must.Succeed(t, s.ServeMCP(t.Context(), strings.NewReader(strings.Join(lines, "\n")), &out))
	all := map[string]string{}
	for line := range strings.Lines(out.String()) {
		var many []json.RawMessage
		if json.Unmarshal([]byte(line), &many) != nil {
			many = []json.RawMessage{json.RawMessage(line)}
		}
		for _, m := range many {
			var a struct{ ID json.RawMessage }
			if err := json.Unmarshal(m, &a); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			all[string(a.ID)] += string(m)
		}
	}
	return all
}

const mcpHello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}`

func mcpCallOf(id int, tool, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, args)
}

// TestMCPPipe: everything that was sent over a pipe is answered, though it closes at once and
// some of it is malformed.
func TestMCPPipe(t *testing.T) {
	s := start(t, Config{Limits: Limits{Body: 10_000}})
	lines := []string{mcpHello}
	for i := range 200 {
		lines = append(lines, mcpCallOf(i, "detect", `{"text":"Das ist eine Zeile auf Deutsch, die niemand liest."}`))
	}
	got := mcpAnswers(t, s, lines...)
	for i := range 200 {
		if a := got[fmt.Sprint(i)]; !strings.Contains(a, "de (") {
			t.Errorf("answer %d of %d: %q", i, len(got), a)
		}
	}
	detect := func(id int) string { return mcpCallOf(id, "detect", `{"text":"Eine Zeile."}`) }
	got = mcpAnswers(t, s, mcpHello, detect(1), `{"jsonrpc":`, detect(2), `no JSON`, "", `5`, `{"jsonrpc":"1.0","id":"odd","method":"x"}`, `{"jsonrpc":"2.0","id":7,"method":5}`, detect(3),
		`{"jsonrpc":"2.0","id":{"a":1},"method":"x"}`, `[]`, strings.Repeat("x", 20_000), `{"jsonrpc":"2.0","id":8,"method":"none"}`, `{"jsonrpc":"2.0","id":99,"result":{}}`,
		"["+detect(4)+`,6,{"jsonrpc":"2.0","method":"notifications/progress"},`+detect(5)+"]", "\xff\xfe", detect(6))
	for id, want := range map[string]string{"1": `"result"`, "2": `"result"`, "3": `"result"`, "4": `"result"`, "5": `"result"`, "6": `"result"`, "7": "-32600", `"odd"`: "-32600", "8": "-32601", "null": "-32700"} {
		if !strings.Contains(got[id], want) {
			t.Errorf("id %s: %q, wanted %s", id, got[id], want)
		}
	}
	if n := strings.Count(got["null"], `"error"`); n != 8 {
		t.Errorf("%d errors without id, wanted 8: %s", n, got["null"])
	}
}

// TestMCPEnds: a session ends with its context while the pipe stays open, and when nobody reads
// the answers.
func TestMCPEnds(t *testing.T) {
	s := start(t, Config{})
	in, _ := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.ServeMCP(ctx, in, io.Discard) }()
	cancel()
	if err := <-ended; err == nil {
		t.Error("no error")
	}
	_, out := io.Pipe()
	out.CloseWithError(io.ErrClosedPipe)
	if err := s.ServeMCP(t.Context(), strings.NewReader(mcpHello+"\n"+mcpCallOf(1, "detect", `{"text":"x"}`)), out); err == nil {
		t.Error("no error where nobody reads the answers")
	}
}

// TestMCPFault: a fault in a tool is its answer, over pipes and over HTTP, and the next one works.
func TestMCPFault(t *testing.T) {
	s := start(t, Config{})
	server := s.MCP()
	addTool(s.Server, server, &mcp.Tool{Name: "fault"}, func(context.Context, struct{}) (string, error) { panic("fault") })
	client := clientOf(t, server)
	must.Fail(t, must.Err(client.CallTool(t.Context(), &mcp.CallToolParams{Name: "fault"})), "fault of the program at serve/mcp_pipe_test.go")
	if _, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "detect", Arguments: map[string]any{"text": "x"}}); err != nil {
		t.Error(err)
	}
}

// TestMCPEmptyClass searches by what used to be a fault.
func TestMCPEmptyClass(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "finch")
	must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader("<doc>\nfinch\n</doc>\n"), dir, corpus.DefaultBuild)))
	s := start(t, Config{Corpora: map[string]string{"finch": dir}})
	got := mcpAnswers(t, s, mcpHello, mcpCallOf(1, "search", `{"corpus":"finch","query":"[word=\"[^\\x00-\\x{10FFFF}]\"]"}`), mcpCallOf(2, "search", `{"corpus":"finch","query":"\"finch\"","first":9007199254740000,"number":200}`))
	if !strings.Contains(got["1"], "hits: 0") || !strings.Contains(got["2"], "hits: 1") {
		t.Errorf("%v", got)
	}
}
