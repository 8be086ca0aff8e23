package csp

import "testing"

// The hashes are those of openssl dgst -sha256 -binary | base64.
func TestSelfContained(t *testing.T) {
	const want = "default-src 'none'; script-src 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='; " +
		"style-src 'sha256-gG2yISYereRMiG2lMXrbiUgi0Ubw9p7QCeWcroOvy9Y='; base-uri 'none'; form-action 'none'"
	if got := SelfContained("alert(1)", "p{}"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if SelfContained("alert(2)", "p{}") == want {
		t.Error("another script has the same policy")
	}
}
