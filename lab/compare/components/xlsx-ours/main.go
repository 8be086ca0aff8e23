// Command xlsx-ours writes the workbook of xlsx-excelize with package serve/table.
package main

import (
	"fmt"
	"os"

	"chaffinch/serve/table"
)

func main() {
	format, _ := table.Named("xlsx")
	err := format.Write(os.Stdout, table.Table{
		Name:    "Sheet1",
		Columns: []string{"word", "count", "share"},
		Rows: func(yield func([]any, error) bool) {
			for i := range 200_000 {
				if !yield([]any{fmt.Sprintf("word%d", i), int64(i), float64(i) / 7}, nil) {
					return
				}
			}
		},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
