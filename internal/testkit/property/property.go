// Package property checks properties on generated inputs.
package property

import (
	"flag"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit"
)

// Check is [rapid.Check] with a fifth of the inputs, unless CHAFFINCH_LONG=1 or the flag -rapid.checks is set.
// Tests that call it do not run in parallel.
func Check(t *testing.T, prop func(*rapid.T)) {
	t.Helper()
	if checks := flag.Lookup("rapid.checks"); !testkit.Whole() && checks.Value.String() == checks.DefValue {
		defer flag.Set("rapid.checks", checks.DefValue)
		flag.Set("rapid.checks", "20")
	}
	rapid.Check(t, prop)
}
