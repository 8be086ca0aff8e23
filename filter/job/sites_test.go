package job

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestSiteList: hosts are compared in one form, also of addresses that are not valid.
func TestSiteList(t *testing.T) {
	for _, list := range []string{
		"shop.example\nBücher.example.\n",
		"keep\tsite\nno\tShop.example\nno\t\"bücher.example\"\nno\tgood.example/a\nyes\tgood.example\n",
	} {
		l := must.Get(ParseSites("list", []byte(list)))(t)
		for address, want := range map[string]bool{
			"https://shop.example/":                               true,
			"https://www.SHOP.example.:8080/a?b#c":                true,
			"https://shop.example/100%/":                          true,
			"https://shop.example/" + strings.Repeat("a/", 4_000): true,
			"gopher://shop.example/1":                             true,
			"https://bücher.example/":                             true,
			"https://xn--bcher-kva.example/":                      true,
			"https://good.example/":                               false,
			"https://myshop.example/":                             false,
			"shop.example/":                                       false,
			"":                                                    false,
		} {
			if got := l.drops(address); got != want {
				t.Errorf("%q: %.60s: dropped %v, want %v", list, address, got, want)
			}
		}
	}
}
