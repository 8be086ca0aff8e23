//go:build !js

package main

import (
	"io"
	"log"
	"os"
)

func main() {
	html, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	c, err := newCleaner()
	if err != nil {
		log.Fatal(err)
	}
	p, err := c.clean(html, "")
	if err != nil {
		log.Fatal(err)
	}
	os.Stdout.WriteString(asMarkdown(p))
}
