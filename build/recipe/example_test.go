package recipe_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"chaffinch/build/recipe"
)

// A folder of pages becomes a vertical without duplicates. The same job with Resume resumes an
// interrupted run.
func ExampleMake() {
	dir, err := os.MkdirTemp("", "corpus")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	in := filepath.Join(dir, "pages")
	if err := os.Mkdir(in, 0o777); err != nil {
		log.Fatal(err)
	}
	ferry := "<html lang=en><title>Ferry</title><p>The old ferry left the harbour of the island at seven in the morning with the mail.</p>"
	for _, name := range []string{"a.html", "b.html"} {
		if err := os.WriteFile(filepath.Join(in, name), []byte(ferry), 0o666); err != nil {
			log.Fatal(err)
		}
	}

	r := recipe.Clean(recipe.CleanOptions{Format: "vertical"})
	opts := recipe.MakeOptions{Recipe: r, RunOptions: recipe.DefaultRun}
	opts.Inputs, opts.Out = []string{in}, filepath.Join(dir, "corpus.vert")
	if opts.Dedup, err = recipe.Dedup("onion", nil); err != nil {
		log.Fatal(err)
	}
	res, err := recipe.Make(context.Background(), opts)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Pages.Pages, "pages,", res.Dedup.Out.Docs, "documents stay")
	// Output: 2 pages, 1 documents stay
}
