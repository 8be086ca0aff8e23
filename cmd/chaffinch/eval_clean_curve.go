package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	evalclean "chaffinch/lab/eval/clean"
	"chaffinch/lab/gold"
	"chaffinch/lab/train"
)

// checkCurve returns an error if --curve and --figure are given without the flags that
// they need.
func (c *evalCleanCmd) checkCurve() error {
	switch {
	case c.Curve != nil && c.CrossValidate == 0:
		return errors.New("--curve needs --cross-validate K")
	case c.Figure != "" && c.Curve == nil:
		return errors.New("--figure needs --curve, such as --curve 1,2,5,10,20,50")
	case c.Figure != "" && len(c.trainable()) > 1:
		return errors.New("--figure draws one method: give one --method")
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
		if err := evalclean.WriteCurve(con.out, points); err != nil || c.Figure == "" {
			return err
		}
		return writeFile(c.Figure, func(w io.Writer) error { return evalclean.WriteCurveSVG(w, points) })
	})
}
