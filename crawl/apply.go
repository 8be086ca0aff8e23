package crawl

import (
	"errors"
	"fmt"
)

// apply updates the state with an event, both when it happens and during replay.
func (c *crawl) apply(e event) error {
	c.sched.Away(e.Away)
	switch {
	case e.Seed != nil:
		c.addSeeds(e.Seed)
		return c.sched.Add(e.At, e.Seed)
	case e.Received != nil:
		return c.sched.Add(e.At, e.Received)
	case e.Flush:
		return c.sched.Flush(e.At)
	case e.Excluded != nil, e.Done == nil && e.Take == nil && !e.Lost: // counted before; away
		return nil
	case e.Lost:
		return errors.Join(c.sched.Lost(e.At), c.sched.Disown(e.At))
	case e.Take != nil: // from a journal
		t, ok, _, err := c.sched.Take(e.At)
		if err == nil && (!ok || t != *e.Take) {
			err = fmt.Errorf("the journal has the task %s%s, the replay %s%s: the frontier or the settings were changed", e.Take.Origin, e.Take.Path, t.Origin, t.Path)
		}
		return err
	}
	if e.Failed != "" {
		c.status.Failures[e.Failed]++
	}
	if e.Robots != nil {
		if err := c.rules.set(e.Robots); err != nil {
			return err
		}
	}
	if p := e.Page; p != nil {
		if p.Render != nil {
			c.status.Renders[p.Render.Result]++
			c.rendering.note(e.Done.Host, p.Render)
		}
		if p.Text != 0 && p.Reason != duplicate {
			if err := c.texts.AddText(p.Text); err != nil {
				return err
			}
		}
		if p.Near != 0 && p.Reason == "" && p.CopyOf == "" {
			if err := c.texts.AddNear(p.Near, p.Record); err != nil {
				return err
			}
		}
		if p.Reason != "" {
			c.status.Reasons[p.Reason]++
			if p.Rule != "" {
				c.status.Rules[p.Rule]++
			}
		} else {
			c.status.Langs[p.Lang]++
		}
	}
	o := *e.Done
	o.Links = c.inScope(e)
	if err := c.sched.Done(e.At, o); err != nil {
		return err
	}
	return c.rules.err
}
