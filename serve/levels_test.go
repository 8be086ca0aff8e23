package serve

import (
	"testing"

	"chaffinch/internal/testkit"
)

// TestKeysLevels: by keyboard alone, a query is translated between its levels, the error of a query
// leads to one that works, and hits are sorted, opened and searched in their document.
func TestKeysLevels(t *testing.T) {
	b := testkit.Open(t, birds(t).URL+"/#corpus/finches/hits", 1300, "422")
	b.Press("/")
	b.Type("finch drinks")
	b.Wait(`document.querySelector(".cql code")?.textContent === '"finch"%c "drinks"%c'`)
	const value = `document.querySelector("input[role=combobox]").value`
	for _, to := range []struct{ level, want string }{
		{"Builder", `document.querySelectorAll("fieldset.token").length === 2 && ` + value + ` === '"finch"%c "drinks"%c'`},
		{"CQL", `!document.querySelector("fieldset.token")?.offsetParent && ` + value + ` === '"finch"%c "drinks"%c'`},
		{"Simple", value + ` === "finch drinks"`},
	} {
		b.TabTo(`x.textContent === "` + to.level + `" && x.closest(".switch")`)
		b.Press("Enter")
		b.Wait(to.want)
		if got := b.Eval(`document.querySelector(".switch [aria-pressed=true]").textContent`); got != to.level {
			t.Errorf("level %s, wanted %s", got, to.level)
		}
	}
	b.Press("/", "Control+a")
	b.Type(`[wird=finch]`)
	b.Press("Escape", "Enter")
	b.Wait(`document.querySelector(".fault button code")?.textContent === '[word="finch"]'`)
	b.TabTo(`x.textContent.startsWith("Search for")`)
	b.Press("Enter")
	b.Wait(`document.querySelectorAll("tr.hit").length === 20`)

	b.TabTo(`x.textContent === "Left context"`)
	b.Press("Enter")
	b.Wait(`document.querySelector(".kwic th[aria-sort=ascending]")?.textContent === "Left context" && location.hash.includes("sort=left")`)
	b.TabTo(`x.matches("tr.hit")`)
	b.Press("Enter")
	b.Wait(`document.querySelector("tr.wide aside")?.innerText.includes("Finch 0")`)
	b.TabTo(`x.textContent === "Hits in this document"`)
	b.Press("Enter")
	b.Wait(`document.querySelectorAll("tr.hit").length === 1`)
}

// TestKeysTour goes through the tour and leaves it.
func TestKeysTour(t *testing.T) {
	b := testkit.Open(t, birds(t).URL+"/#corpus/finches/hits", 1300)
	b.Wait(`document.querySelector(".examples a")`)
	b.TabTo(`x.textContent.startsWith("Take the tour")`)
	b.Press("Enter")
	for range 7 {
		b.Wait(`document.activeElement.textContent === "Next" && document.querySelector(".toured")`)
		title := b.Eval(`document.querySelector(".tour h2").textContent`)
		b.Press("Enter")
		b.Wait(`document.querySelector(".tour h2").textContent !== ` + "`" + title + "`")
	}
	b.Wait(`document.querySelector(".tour").innerText.includes("Step 8 of 8") && document.querySelector("tr.wide")`)
	b.Press("Escape")
	b.Wait(`!document.querySelector(".tour, .toured")`)
}
