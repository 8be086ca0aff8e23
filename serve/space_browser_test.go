package serve

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/corpus"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/serve/space"
)

// TestPageUploads: two files are uploaded and built in the browser, then queried; the documents with
// hits become a subcorpus, the query is saved, and a label of a hit is stored on the server.
func TestPageUploads(t *testing.T) {
	sp := must.Get(space.Open(space.Config{Dir: filepath.Join(t.TempDir(), "data")}))(t)
	defer sp.Close()
	dir := filepath.Join(t.TempDir(), "finches")
	must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader(vertical()), dir, corpus.DefaultBuild)))
	s := start(t, Config{Space: sp, Corpora: map[string]string{"finches": dir}})
	b := testkit.Open(t, s.URL+"/#upload", 1300)
	b.Wait(`document.body.innerText.includes("0 of 20")`)
	b.Eval(fmt.Sprintf(`(d => { for (const [n, t] of %s) d.items.add(new File([t], n, { type: "text/html" })); const i = document.getElementById("upload-files"); i.files = d.files; i.dispatchEvent(new Event("change")); })(new DataTransfer())`,
		fmt.Sprintf("[[%q, %q], [%q, %q]]", "a.html", page1(1), "b.html", page1(2))))
	b.Wait(`document.body.innerText.includes("2 files, ")`)
	b.Eval(`document.getElementById("corpus-name").value = "herons"; document.querySelector("#view-upload [name=all]").checked = true; document.querySelector("#view-upload button.go").click()`)
	b.Wait(`document.querySelector("#view-upload .s-ready") !== null`)
	b.Eval(`document.querySelector('#view-upload a[href="#corpus/herons/hits"]').click()`)
	b.Wait(`location.hash.startsWith("#corpus/herons")`)
	b.Eval(`location.hash = "#corpus/herons/hits?patt=heron"`)
	b.Wait(`document.body.innerText.includes("4 hits")`)
	b.Eval(`document.querySelector(".spacebar input").value = "birds"; document.querySelectorAll(".spacebar button")[1].click()`)
	b.Wait(`location.hash.includes("subcorpus=birds") && document.getElementById("part").value === "birds"`)
	b.Eval(`document.querySelectorAll(".spacebar button")[0].click()`)
	b.Wait(`document.querySelector(".spacebar [role=status] a") !== null`)
	b.Wait(`document.querySelector("tr.hit") !== null && !document.querySelector("#view-corpus .out").hasAttribute("aria-busy")`)
	b.Eval(`document.querySelector("tr.hit").focus(); document.querySelector("tr.hit").dispatchEvent(new KeyboardEvent("keydown", { key: "3", bubbles: true }))`)
	b.Wait(`document.querySelector(".labels .l3") !== null`)
	b.Eval(`location.hash = "#workspace"`)
	b.Wait(`document.querySelector("#view-workspace").innerText.includes("Labels:") && document.querySelectorAll("#view-workspace table").length === 3`)
	b.Eval(`document.querySelector('#view-workspace a[title="permanent link"]').click()`)
	b.Wait(`location.hash.includes("herons/hits") && location.hash.includes("subcorpus=birds") && document.querySelector("tr.hit .l3") !== null`)
	b.Eval(`location.hash = "#corpus/herons/docs"`)
	b.Wait(`document.querySelectorAll("#view-corpus tbody input[type=checkbox]").length === 2`)
	b.Eval(`document.querySelector("#view-corpus tbody input[type=checkbox]").click(); document.querySelector(".out .spacebar input").value = "one"; document.querySelector(".out .spacebar button").click()`)
	b.Wait(`location.hash.includes("subcorpus=one") && document.querySelector(".total").innerText.includes("1 document")`)
	b.Eval(`location.hash = "#corpus/herons/side?patt=the&what=freq"`)
	b.Wait(`document.querySelectorAll(".side table").length === 2`)
	b.Eval(`location.hash = "#corpus/herons/side?patt=the"`)
	b.Wait(`document.querySelectorAll(".side ol.hitlines").length === 2`)
}
