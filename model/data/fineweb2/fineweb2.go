// Package fineweb2 embeds the limits and stop words that FineWeb-2 published for 1,929 languages and
// scripts. Their 0.2 MB are needed only by the profile fineweb2 of package filter:
//
//	import _ "chaffinch/model/data/fineweb2"
//
// Packages build/recipe and filter/job import it.
//
// Unstable: this package may change in any release.
package fineweb2

import (
	"bytes"
	_ "embed"
	"io"

	"github.com/klauspost/compress/gzip"

	"chaffinch/model/data"
)

// packed is written by lab/train/fineweb2 from the folder configs of
// github.com/huggingface/fineweb-2 (Apache-2.0). Its first line states the commit.
//
//go:embed fineweb2.tsv.gz
var packed []byte

func init() { data.FineWeb2 = table }

// table returns the decompressed table.
func table() ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
