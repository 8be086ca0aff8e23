package perplexity_test

import (
	"fmt"
	"log"

	"chaffinch/clean/perplexity"
)

// A model of PyPlexity, trained on sixty sentences about a harbour.
const harbour = "../../text/lm/pyplexity/testdata/reference/bigrams.st"

func ExampleOf() {
	model, err := perplexity.Load(harbour, "pyplexity")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", perplexity.Of(model, "this is normal text"))
	fmt.Printf("%.2f\n", perplexity.Of(model, "login register CART"))
	// Output:
	// 23.63
	// 145815.58
}

func ExampleFilter_Process() {
	model, err := perplexity.Load(harbour, "")
	if err != nil {
		log.Fatal(err)
	}
	f := perplexity.Filter{Model: model, Limit: 8000}
	fmt.Print(f.Process("This is normal text. Login register CART.\nThe harbour is quiet."))
	// Output:
	// This is normal text.
	// The harbour is quiet.
}
