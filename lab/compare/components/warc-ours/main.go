// Command warc-ours counts the records of WARC files with package format/warc.
package main

import (
	"fmt"
	"os"

	"chaffinch/format/warc"
)

func main() {
	records, bad := 0, 0
	for _, name := range os.Args[1:] {
		f, err := os.Open(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		in, err := warc.NewReader(f, warc.Default)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		for _, err := range in.All() {
			if err != nil {
				bad++
				continue
			}
			records++
		}
		in.Close()
		f.Close()
	}
	fmt.Printf("%d records, %d errors\n", records, bad)
}
