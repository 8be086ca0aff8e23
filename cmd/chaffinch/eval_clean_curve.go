package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	evalclean "chaffinch/lab/eval/clean"
	"chaffinch/lab/gold"
	"chaffinch/lab/train"
)

// checkCurve returns an error if --curve is given without the flag that it needs.
func (c *evalCleanCmd) checkCurve() error {
	if c.Curve != nil && c.CrossValidate == 0 {
		return errors.New("--curve: give --cross-validate K too: the pages of a part are measured, those of the others trained on")
	}
	return nil
}

// curves prints the learning curve of each method that learns.
func (c *evalCleanCmd) curves(ctx context.Context, con *console, sets []*evalclean.Set) error {
	scored := func(it *gold.Item) bool {
		return slices.ContainsFunc(sets, func(s *evalclean.Set) bool { return s.Set == it.Set })
	}
	first := true
	return c.eachTrainable(ctx, con, sets, func(col *gold.Collection, label string, m train.Trainable, cross evalclean.Cross) error {
		cross.Only = scored
		points, err := evalclean.Curve(ctx, col, label, m, cross, c.Curve, c.Seed)
		if err != nil {
			return fmt.Errorf("--curve: %w", err)
		}
		if !first {
			fmt.Fprintln(con.out)
		}
		first = false
		fmt.Fprintf(con.out, "%s: learning curve, %d folds, words of all measured pages pooled\n", label, c.CrossValidate)
		return evalclean.WriteCurve(con.out, points)
	})
}
