package schedule

import "time"

// mayAsk reports whether requests may be sent to an origin.
func (s *Scheduler) mayAsk(origin string) bool { return s.owns == nil || s.owns(origin) }

// Disown gives up the hosts that [Frontier.Owns] no longer accepts. No task may be running.
func (s *Scheduler) Disown(now time.Duration) error {
	for _, h := range s.Hosts() {
		for o := range h.Origins() {
			if s.err == nil && !s.mayAsk(s.originName(o)) {
				s.err = s.giveUpOrigin(now, o, Moved)
			}
		}
	}
	return s.err
}
