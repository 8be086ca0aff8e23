package minhash

import (
	"errors"
	"fmt"
	"sync"
)

// parallel calls fn(0) to fn(n-1) at the same time and joins the errors.
func parallel(n int, fn func(i int) error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = fn(i) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// errNoSample is an error of ours or of a broken index: each document with band
// keys has a sample.
func errNoSample(doc int64) error {
	return fmt.Errorf("minhash: document %d has band keys but no sample of its signature: build the index anew", doc)
}
