package main

import (
	"fmt"
	"slices"
	"strings"

	"chaffinch/internal/settings"
	"chaffinch/page"
)

// checkKeep returns an error for an invalid value of --keep.
func checkKeep(roles string) error {
	if roles == "" {
		return nil
	}
	if _, err := page.ParseRoles(roles); err != nil {
		return fmt.Errorf("--keep: %w%s", err, nearestRole(roles))
	}
	return nil
}

// nearestRole returns a hint on the first unknown name in a list of roles and policies, or "".
func nearestRole(roles string) string {
	var known []string
	for _, p := range page.Policies() {
		known = append(known, p.Name)
	}
	known = append(known, page.AllRoles.Names()...)
	for name := range strings.SplitSeq(roles, ",") {
		if name = strings.TrimPrefix(strings.TrimSpace(name), "-"); !slices.Contains(known, name) {
			return settings.DidYouMean(name, known)
		}
	}
	return ""
}
