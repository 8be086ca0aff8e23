package main

import (
	"errors"
	"fmt"
	"io"

	"chaffinch/lab/eval/floors"
)

// floorFlags compare figures with floors; a part of the commands that evaluate.
type floorFlags struct {
	Floors       string `placeholder:"FILE" help:"Compare with the floors in the file (lab/eval/floors.json): below one, the exit code is 1."`
	UpdateFloors bool   `help:"Raise the floors in the file of --floors to the figures; print the floors that would decrease."`
	LowerFloors  bool   `help:"With --update-floors: also lower floors."`

	file        *floors.File
	below, down []string
}

// read reads the file, if one is asked for.
func (c *floorFlags) read() (err error) {
	if c.Floors == "" {
		if c.UpdateFloors {
			return errors.New("--update-floors needs --floors FILE")
		}
		return nil
	}
	c.file, err = floors.Read(c.Floors)
	return err
}

// compare compares figures with the floors, or raises these.
func (c *floorFlags) compare(set string, data floors.Fingerprint, systems []floors.System) error {
	if c.file == nil {
		return nil
	}
	if c.UpdateFloors {
		c.down = append(c.down, c.file.Update(set, data, systems, c.LowerFloors)...)
		return nil
	}
	below, err := c.file.Check(set, data, systems)
	c.below = append(c.below, below...)
	return err
}

// judge ends the run by the floors.
func (c *floorFlags) judge(w io.Writer) error {
	for _, line := range c.below {
		fmt.Fprintln(w, line)
	}
	if len(c.below) > 0 {
		return errNo{fmt.Sprintf("%s below the floors of %s", count(int64(len(c.below)), "figure"), c.Floors)}
	}
	if !c.UpdateFloors {
		return nil
	}
	if err := c.file.Write(c.Floors); err != nil {
		return err
	}
	for _, line := range c.down {
		fmt.Fprintln(w, line)
	}
	if len(c.down) > 0 && !c.LowerFloors {
		return errNo{fmt.Sprintf("%s of %s would decrease and were left unchanged: investigate, or give --lower-floors", count(int64(len(c.down)), "floor"), c.Floors)}
	}
	return nil
}
