package residue

import (
	"strings"
	"testing"
)

func TestShare(t *testing.T) {
	for _, c := range []struct {
		text        string
		least, most float64
	}{
		{"[vc_row][vc_column width=\"1/2\"]", 1, 1},
		{"[vc_row][vc_column_text]We opened the second shop in the old harbour last spring, and the queue has not ended since.[/vc_column_text][/vc_row]", .3, .45},
		{"[caption id=\"a\" align=\"left\"]The harbour[/caption]", .7, .9},
		{"{{ product.title | upper }}", 1, 1},
		{"{% if user %}", 1, 1},
		{"Hello ${user.name}!", .6, .8},
		{"<div class=\"price\">12 €</div>", .8, 1},
		{"<?php the_content(); ?>", 1, 1},
		{".price, #cart a:hover { color: #c00; margin: 0 2px } @media print { .price { display: none; } }", 1, 1},
		{"var x = document.getElementById(\"a\"); x.style.display = 'none'; window.dataLayer.push({\"a\": 1});", .95, 1},
		{"(function(w,d){w[l]=w[l]||[];var j=d.createElement('script');j.async=true;})(window,document);", .75, 1},
		{"jQuery(function($) { $('.slider').slick({ dots: true, infinite: false }); });", .9, 1},
		{`{"id":12,"name":"widget","items":["a","b"]}`, 1, 1},

		{"The <b> tag makes text bold; <strong> does so with emphasis, which screen readers announce.", 0, .25},
		{"Use {{ name }} where the name of the customer belongs, and leave the rest of the letter as it is.", 0, .2},
		{"Semicolons (as in this sentence); they join clauses; they are no code.", 0, 0},
		{"All differences were significant (N=88; all P<.001; SD = 2.4); see table 3.", 0, .15},
		{"Abbreviations: CCD = charge-coupled device; ROI = region of interest; SD = standard deviation of the mean.", 0, .1},
		{"{{name|upper}}", 1, 1},
		{"{{rubrik|namn=Med bil}}", 0, 0},
		{"He wrote [sic] that it [the ship] was lost [12][13].", 0, 0},
		{`\[ \left( \sum_{k=1}^n a_k b_k; c \right)^{2} \leq \frac{1}{2} \]`, 0, 0},
		{"The set {a, b; c} is finite, as was shown above, and the set { x : x > 0 } is not.", 0, .15},
		{"Die Menge ist endlich; n'importe quoi = nonsense, rubbish; whatever", 0, 0},
		{"", 0, 0},
		{"   ", 0, 0},
		{"{", 0, 0},
		{"[", 0, 0},
		{"<", 0, 0},
		{"a;", 0, 0},
	} {
		if got := Share(c.text); got < c.least || got > c.most {
			t.Errorf("%q: %.2f, want %v to %v (%v)", c.text, got, c.least, c.most, spans(c.text))
		}
	}
}

func TestUUIDs(t *testing.T) {
	const id = "0c5d1f9e-8a3b-4c71-9f2e-d4b6a8c0e2f1"
	for text, want := range map[string]bool{
		"S" + id + " p" + strings.ToUpper(id): true,
		id:                                    true,
		"The record " + id + " describes the old harbour, its ships and the families of its keepers.": false,
		strings.Repeat("-", 200):            false,
		"12-13-14-15 well-to-do up-to-date": false,
		id[:35]:                             false,
		"":                                  false,
	} {
		if got := IsCode(text); got != want {
			t.Errorf("%q: %v, wanted %v", text, got, want)
		}
	}
}

// TestHostile: hostile input is read in time linear in its length.
func TestHostile(t *testing.T) {
	for _, part := range []string{"{", "{;", "[a_b", "<a ", "{{", "a(;", "a=;", "=", "};", "a ", "{a{b}"} {
		if s := Share(strings.Repeat(part, 200_000)); s < 0 || s > 1 {
			t.Errorf("%q: %v", part, s)
		}
	}
}

func FuzzShare(f *testing.F) {
	f.Add("[vc_row] {{ a }} .a { b: c; } x = 1; <b>")
	f.Fuzz(func(t *testing.T, text string) {
		if s := Share(text); s < 0 || s > 1 {
			t.Fatal(s)
		}
		end := 0
		for _, p := range spans(text) {
			if p.start < end || p.end <= p.start || p.end > len(text) {
				t.Fatalf("%q: %v", text, spans(text))
			}
			end = p.end
		}
	})
}
