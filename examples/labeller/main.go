// Command labeller cleans a page by a method of its own: text is what ends as a
// sentence does.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"chaffinch"
	"chaffinch/page"
)

// sentences keeps blocks that end with a full stop and are no link.
type sentences struct{}

// Name is the method's name and behaviour version.
func (sentences) Name() string { return "sentences/1" }

// Label gives each block a verdict with its reason.
func (sentences) Label(_ context.Context, p *page.Page) ([]page.Verdict, error) {
	verdicts := make([]page.Verdict, len(p.Blocks))
	for i := range p.Blocks {
		b := &p.Blocks[i]
		v := page.Verdict{By: "sentences/1", Label: page.Bad, Why: "no full stop"}
		if strings.HasSuffix(b.Text, ".") && b.LinkDensity() < 0.5 {
			v.Label, v.Why = page.Good, "full stop"
		}
		verdicts[i] = v
	}
	return verdicts, nil
}

func main() {
	html, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	c, err := chaffinch.New(chaffinch.Options{Labeller: sentences{}})
	if err != nil {
		log.Fatal(err)
	}
	p, err := c.Clean(context.Background(), html)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Text())
}
