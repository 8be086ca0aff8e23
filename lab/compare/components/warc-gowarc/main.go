// Command warc-gowarc counts the records of WARC files, read by gowarc without validation.
package main

import (
	"fmt"
	"os"

	"github.com/nlnwa/gowarc/v3"
)

func main() {
	records, bad := 0, 0
	for _, name := range os.Args[1:] {
		in, err := gowarc.NewWarcFileReader(name, 0, gowarc.WithNoValidation())
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		for rec, err := range in.Records() {
			if err != nil {
				if bad++; bad > 100 {
					break
				}
				continue
			}
			records++
			rec.Close()
		}
		in.Close()
	}
	fmt.Printf("%d records, %d errors\n", records, bad)
}
