// Command labeller cleans a page with a custom method: blocks that end like a sentence are text.
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

// sentences keeps blocks that end with a full stop and are not links.
type sentences struct{}

// Name returns the name of the method and its behaviour version.
func (sentences) Name() string { return "sentences/1" }

// Label returns a verdict with a reason for each block.
func (sentences) Label(_ context.Context, p *page.Page) ([]page.Verdict, error) {
	verdicts := make([]page.Verdict, len(p.Blocks))
	for i := range p.Blocks {
		b := &p.Blocks[i]
		v := page.Verdict{By: "sentences/1", Label: page.Bad, Reason: "no full stop"}
		if strings.HasSuffix(b.Text, ".") && b.LinkDensity() < 0.5 {
			v.Label, v.Reason = page.Good, "full stop"
		}
		verdicts[i] = v
	}
	return verdicts, nil
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: labeller PAGE.html")
	}
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
