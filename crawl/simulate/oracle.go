package simulate

import "chaffinch/crawl/schedule"

// Oracle returns a policy that knows the yield of each host of w, an upper bound for policies.
func Oracle(w *Web) schedule.Policy {
	p := schedule.BestFirst
	p.Name, p.Help = "oracle", "knows the yield of every host"
	p.Value = func(h *schedule.Host, _ *schedule.Totals) float64 { return w.Yield(h.Name) }
	p.Pause = func(*schedule.Host, *schedule.Totals) bool { return false }
	p.Resume = nil
	return p
}

// PolicyOf returns the policy called name; "oracle" is the Oracle of w.
func PolicyOf(w *Web, name string) (schedule.Policy, error) {
	if p := Oracle(w); name == p.Name {
		return p, nil
	}
	return schedule.PolicyOf(name)
}
