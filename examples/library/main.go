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
	html, err := os.ReadFile(os.Args[1]) // bytes as fetched, any charset
	if err != nil {
		log.Fatal(err)
	}
	c, err := chaffinch.New(chaffinch.Options{}) // Method: "justext" takes another one than the default
	if err != nil {
		log.Fatal(err)
	}
	p, err := c.Clean(context.Background(), html)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Meta.Title, p.Charset, p.Drop) // Drop says why a page has no text
	fmt.Println(p.Text())                        // what is kept; p.Blocks has everything
}
