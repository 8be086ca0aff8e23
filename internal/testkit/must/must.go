// Package must stops tests at the first step that fails.
package must

// A test is a testing.TB or its like in packages that draw inputs.
type test interface {
	Helper()
	Fatal(args ...any)
}

// Succeed stops the test t if err is not nil.
func Succeed(t test, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
