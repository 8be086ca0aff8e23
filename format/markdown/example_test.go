package markdown_test

import (
	"context"
	"log"
	"os"

	"chaffinch"
	"chaffinch/format/markdown"
	"chaffinch/page"
)

// The format is named to the cleaner, so that it records the markup of pages.
func ExampleEncoder() {
	c, err := chaffinch.New(chaffinch.Options{Method: "keep", Markup: true})
	if err != nil {
		log.Fatal(err)
	}
	p, err := c.Clean(context.Background(), []byte(`<h1>Ferries</h1><p>They sail at <b>noon</b>, see the <a href="/times">times</a>.
		<table><tr><th>To<th>Fare<tr><td>Island<td>4</table>`))
	if err != nil {
		log.Fatal(err)
	}
	os.Stdout.Write(markdown.Encoder{Without: page.FeatureLinks}.Append(nil, p))
	// Output:
	// # Ferries
	//
	// They sail at **noon**, see the times.
	//
	// | To | Fare |
	// | --- | --- |
	// | Island | 4 |
}
