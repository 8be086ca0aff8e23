package crawl

import (
	"slices"
	"testing"
	"time"

	"chaffinch/crawl/schedule"
)

// TestChangedSettings: changed settings have the names of flags, and a delay is named once.
func TestChangedSettings(t *testing.T) {
	was := Settings{Schedule: schedule.Default}
	now := was
	now.Schedule.Delay, now.Schedule.AddressDelay = 50*time.Millisecond, 50*time.Millisecond
	now.Schedule.MaxDepth = was.Schedule.MaxDepth + 1
	want := []string{"max-depth 50, now 51", "delay 5s, now 50ms"}
	got := changedSettings(was, now)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q, wanted %q", got, want)
	}
}
