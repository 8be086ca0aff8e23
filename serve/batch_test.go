package serve

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestBatch: a line for each line, in order, while others are still to come.
func TestBatch(t *testing.T) {
	s := start(t, Config{Limits: Limits{Body: 100_000}})
	in, out := io.Pipe()
	r := must.Get(http.NewRequestWithContext(t.Context(), "POST", s.URL+"/v1/batch?keep=body", in))(t)
	var answers *bufio.Scanner
	send := func(line string) {
		t.Helper()
		must.Succeed(t, must.Err(io.WriteString(out, line+"\n")))
	}
	next := func() (got struct{ ID, Text, Drop, Error string }) {
		t.Helper()
		if !answers.Scan() {
			t.Fatalf("no further line: %v", answers.Err())
		}
		if err := json.Unmarshal(answers.Bytes(), &got); err != nil {
			t.Fatalf("%v: %s", err, answers.Bytes())
		}
		return got
	}
	item, _ := json.Marshal(map[string]string{"id": "first", "html": article})
	go func() { io.WriteString(out, string(item)+"\n") }()
	a := must.Get(http.DefaultClient.Do(r))(t)
	defer a.Body.Close()
	answers = bufio.NewScanner(a.Body)
	if got := next(); got.ID != "first" || !strings.Contains(got.Text, "early in the morning") {
		t.Errorf("the first: %+v", got)
	}
	send("")
	send("no JSON")
	send(`{"id": "menu", "html": "<nav>Home</nav>"}`)
	send(`{"id": "long", "text": "` + strings.Repeat("x", 100_000) + `"}`)
	send(`{"text": "One line of plain text that is here and there, and it is good to read."}`)
	send(`{"text": "One line.", "lang": "zz"}`)
	for i, want := range []struct{ id, drop, error string }{
		{"3", "failed", "line 3: invalid character"}, {"menu", "all-bad", ""}, {"5", "too-large", "more than 100000 bytes"}, {"6", "", ""},
		{"7", "failed", `line 7: lang: "zz" is not a language`},
	} {
		if got := next(); got.ID != want.id || got.Drop != want.drop || !strings.Contains(got.Error, want.error) || (got.Text != "") != (want.drop == "") {
			t.Errorf("%d: %+v, wanted %+v", i, got, want)
		}
	}
	out.Close()
	if answers.Scan() {
		t.Errorf("a line too many: %s", answers.Bytes())
	}
	// many lines: the answers come in the order of the lines
	var body strings.Builder
	for i := range 200 {
		fmt.Fprintf(&body, "{\"id\":\"%d\",\"text\":%q}\n", i, strings.Repeat("The finch drinks water in the morning. ", 1+i*7%50))
	}
	_, text := s.post(t, "/v1/batch", "application/x-ndjson", body.String())
	n := 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, fmt.Sprintf(`{"id":"%d"`, n)) {
			t.Fatalf("line %d: %s", n, line)
		}
		n++
	}
	if n != 200 {
		t.Errorf("%d lines", n)
	}
}
