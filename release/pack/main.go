// Command pack writes a word model in the form that is embedded in the program, at half the size.
// The opened models are identical to the byte.
//
//	go run ./release/pack MODEL OUT
package main

import (
	"errors"
	"fmt"
	"os"

	"chaffinch/internal/files"
	"chaffinch/model"
	"chaffinch/text/lm"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("wanted MODEL OUT, got %q", args)
	}
	f, err := model.Open(args[0])
	if err != nil {
		return err
	}
	b, err := lm.Pack(f)
	if err != nil {
		return err
	}
	out, err := files.Create(args[1])
	if err != nil {
		return err
	}
	if _, err := out.Write(b); err != nil {
		out.Discard()
		return err
	}
	return errors.Join(out.Commit(), f.Close())
}
