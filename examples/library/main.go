// Command library cleans the page that its argument names.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"chaffinch"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: library PAGE.html")
	}
	html, err := os.ReadFile(os.Args[1]) // bytes as fetched, any charset
	if err != nil {
		log.Fatal(err)
	}
	c, err := chaffinch.New(chaffinch.Options{}) // Method: "justext" selects another method
	if err != nil {
		log.Fatal(err)
	}
	p, err := c.Clean(context.Background(), html)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Meta.Title, p.Charset, p.Drop) // Drop is the reason if a page has no text
	fmt.Println(p.Text())                        // the kept text; p.Blocks holds all blocks
}
