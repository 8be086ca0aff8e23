package serve

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestPageCancel opens a slow list: the page shows the elapsed time, and Cancel ends the request on
// the server.
func TestPageCancel(t *testing.T) {
	at := must.Get(url.Parse(birds(t).URL))(t)
	cancelled, proxy := make(chan bool, 1), httputil.NewSingleHostReverseProxy(at)
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/words") && r.URL.Query().Get("n") == "2" {
			<-r.Context().Done()
			select {
			case cancelled <- true:
			default:
			}
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	defer func() { slow.CloseClientConnections(); slow.Close() }()
	b := testkit.Open(t, slow.URL+"/#corpus/finches/words", 1000)
	b.Wait(`document.querySelector("#view-corpus .out tbody tr")`)
	b.Eval(`location.hash = "#corpus/finches/words?n=2"`)
	b.Wait(`document.querySelector(".wait")?.textContent.startsWith("Running for ")`)
	b.Eval(`document.querySelector(".wait button").click()`)
	b.Wait(`document.querySelector("#view-corpus .out").textContent.includes("Cancelled") && !document.querySelector(".wait") && document.activeElement.textContent == "Run again"`)
	<-cancelled
	b.Eval(`location.hash = "#corpus/finches/words"`)
	b.Wait(`document.querySelector("#view-corpus .out tbody tr") && !document.querySelector(".wait")`)
}
