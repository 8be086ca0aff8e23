package serve

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit"
)

// TestPageScatter: the scatter plot of keywords shows the keywords of both corpora, apart from each
// other, and leads to the concordance in the corpus of each.
func TestPageScatter(t *testing.T) {
	s := start(t, Config{Corpora: twoCorpora(t)})
	const items = `[...document.querySelectorAll("#view-corpus .chart a.item")]`
	for _, width := range []int{360, 1300} {
		b := testkit.Open(t, s.URL+"/#corpus/finches/keywords?reference=gulls&chart=scatter", width)
		b.Wait(items + `.length > 4 && document.querySelector("#view-corpus .out tbody tr")`)
		for what, want := range map[string]string{
			items + `.slice(0, 2).map(x => x.getAttribute("aria-label")).sort().join("; ")`: "finche: 142,857 per million, 0.00 in gulls; gull: 0.00 per million, 142,857 in gulls",
			`document.documentElement.scrollWidth > innerWidth`:                             "false",
			`(l => l.length < 2 ? "few" : l.flatMap((a, i) => l.slice(i + 1).filter(b => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom).map(b => a.text + "/" + b.text)).join())([...document.querySelectorAll(".chart .halo")].map(x => { const { left, right, top, bottom } = x.getBoundingClientRect(); return { left, right, top, bottom, text: x.textContent }; }))`: "",
		} {
			if got := b.Eval(what); got != want {
				t.Errorf("%d columns: %s\nis %s, wanted %s", width, what, got, want)
			}
		}
		b.TabTo(`x.matches(".chart a.item")`)
		if b.Eval(`document.activeElement.getAttribute("aria-label").startsWith("gull:")`) != "true" {
			b.Press("ArrowRight")
		}
		b.Press("Enter")
		b.Wait(`location.hash.startsWith("#corpus/gulls/hits") && document.querySelectorAll("tr.hit").length === 20`)
		if got := b.Eval(`document.title`); !strings.HasSuffix(got, ` · gulls · Corpus · chaffinch`) || !strings.Contains(got, "gull\"") {
			t.Errorf("title: %s", got)
		}
	}
}

// TestPageBuiltinList: with a built-in frequency list, settings without effect are hidden.
func TestPageBuiltinList(t *testing.T) {
	b := testkit.Open(t, birds(t).URL+"/#corpus/finches/keywords?reference=list:en&n=3", 1300)
	b.Wait(`document.querySelector("#view-corpus .out tbody tr a")`)
	const shown = `[...document.querySelectorAll("form.options label")].filter(x => !x.hidden).map(x => x.querySelector("[name]").name).join()`
	if got := b.Eval(shown); got != "reference,attr,sort,smoothing,min_freq,number,chart" {
		t.Errorf("fields: %s", got)
	}
	if got := b.Eval(`document.querySelector("#view-corpus .out tbody a").href`); strings.Contains(got, "within") || !strings.Contains(got, "%25c") {
		t.Errorf("the first keyword leads to %s, wanted one word in any case", got)
	}
	b.Eval(`(s => { s.value = "rest"; s.dispatchEvent(new Event("change", { bubbles: true })); })(document.querySelector("select[name=reference]"))`)
	b.Wait(`document.querySelector("select[name=n]").closest("label").hidden === false`)
	if got := b.Eval(shown); got != "reference,attr,n,sort,smoothing,min_freq,number,fold,words,chart" {
		t.Errorf("fields: %s", got)
	}
}
