package space

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/serve/access"
	"chaffinch/serve/desk/journal"
)

// Account is the account of a user.
type Account struct {
	Name  string `json:"name"`
	Admin bool   `json:"admin,omitempty"`
	// Hash is the SHA-256 of the token. A token has 130 random bits, so that a slow hash is not needed.
	Hash    string    `json:"hash"`
	Created time.Time `json:"created"`
	Quota
}

// maxAccounts bounds the accounts.
const maxAccounts = journal.MaxPeople - 1 // the owner has a workspace too

// Users holds the accounts in the folder of a server. The file may be changed by another process
// at any time. Users is safe for concurrent use.
type Users struct {
	dir string

	mu       sync.Mutex
	accounts []Account
	stamp    fileStamp
}

// fileStamp identifies a state of a file.
type fileStamp struct {
	size int64
	time time.Time
}

// OpenUsers returns the accounts in the folder of a server.
func OpenUsers(dir string) *Users { return &Users{dir: dir} }

// List returns the accounts, ordered by name.
func (u *Users) List() ([]Account, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.read(); err != nil {
		return nil, err
	}
	return slices.Clone(u.accounts), nil
}

// read reads the file if it has changed.
func (u *Users) read() error {
	name := filepath.Join(u.dir, accountName)
	st, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		u.accounts, u.stamp = nil, fileStamp{}
		return nil
	}
	if err != nil {
		return err
	}
	now := fileStamp{st.Size(), st.ModTime()}
	if now == u.stamp {
		return nil
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var list []Account
	if err := json.Unmarshal(b, &list); err != nil {
		return fmt.Errorf("%s: %w: wanted a list of accounts as chaffinch users add writes it", name, err)
	}
	u.accounts, u.stamp = list, now
	return nil
}

// hashOf returns the hash of a token.
func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// Find returns the user with a token. It takes the same time for every wrong token.
func (u *Users) Find(token string) (access.User, bool) {
	hash := []byte(hashOf(token))
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.read(); err != nil {
		return access.User{}, false // no user can be verified
	}
	var found access.User
	for _, a := range u.accounts {
		if subtle.ConstantTimeCompare(hash, []byte(a.Hash)) == 1 {
			found = access.User{Name: a.Name, Admin: a.Admin}
		}
	}
	return found, found.Name != ""
}

// account returns the account of a user, and reports whether there is one.
func (u *Users) account(name string) (Account, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.read() != nil {
		return Account{}, false
	}
	i := slices.IndexFunc(u.accounts, func(a Account) bool { return a.Name == name })
	if i < 0 {
		return Account{}, false
	}
	return u.accounts[i], true
}

// ErrUser is wrapped by the errors of accounts that exist already, do not exist or have invalid
// names.
var ErrUser = errors.New("user")

// CheckUser returns an error if a name cannot be the name of a user.
func CheckUser(name string) error {
	if name == access.Owner.Name || name == journal.Judged {
		return fmt.Errorf("%w %q: reserved: wanted another name", ErrUser, name)
	}
	if err := checkName(name); err != nil {
		return fmt.Errorf("%w %w", ErrUser, err)
	}
	return nil
}

// Add adds an account. The token is not stored: it cannot be shown again.
func (u *Users) Add(a Account) (token string, err error) {
	if err := CheckUser(a.Name); err != nil {
		return "", err
	}
	token = rand.Text()
	a.Hash = hashOf(token)
	return token, u.change(func(list []Account) ([]Account, error) {
		if slices.ContainsFunc(list, func(b Account) bool { return a.Name == b.Name }) {
			return nil, fmt.Errorf("%w %q: exists already: remove it first for a new token", ErrUser, a.Name)
		}
		if len(list) >= maxAccounts {
			return nil, fmt.Errorf("%w %q: a server has at most %d users", ErrUser, a.Name, maxAccounts)
		}
		return append(list, a), nil
	})
}

// Set changes role and quota of an account.
func (u *Users) Set(name string, admin bool, q Quota) error {
	return u.change(func(list []Account) ([]Account, error) {
		for i := range list {
			if list[i].Name == name {
				list[i].Admin, list[i].Quota = admin, q
				return list, nil
			}
		}
		return nil, noUser(name, list)
	})
}

// Remove removes an account. Workspace and corpora of the user are kept.
func (u *Users) Remove(name string) error {
	return u.change(func(list []Account) ([]Account, error) {
		rest := slices.DeleteFunc(slices.Clone(list), func(a Account) bool { return a.Name == name })
		if len(rest) == len(list) {
			return nil, noUser(name, list)
		}
		return rest, nil
	})
}

func noUser(name string, list []Account) error {
	names := []string{}
	for _, a := range list {
		names = append(names, a.Name)
	}
	return fmt.Errorf("%w %q: no user has this name: there are %s", ErrUser, name, cmp.Or(strings.Join(names, ", "), "no users"))
}

// change replaces the accounts, one process at a time.
func (u *Users) change(to func([]Account) ([]Account, error)) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := disk.MkdirAll(u.dir); err != nil {
		return err
	}
	name := filepath.Join(u.dir, accountName)
	f, err := disk.OpenFile(name+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	for wait := time.Millisecond; ; wait *= 2 {
		err := disk.Lock(f.File)
		if !errors.Is(err, disk.ErrLocked) {
			break // some file systems have no locks
		}
		if wait > 2*time.Second {
			return fmt.Errorf("%s: %w: repeat the command", name, err)
		}
		time.Sleep(wait)
	}
	if err := u.read(); err != nil {
		return err
	}
	list, err := to(slices.Clone(u.accounts))
	if err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b Account) int { return strings.Compare(a.Name, b.Name) })
	u.stamp = fileStamp{}
	return files.WriteJSON(name, list, "  ")
}

// checkName returns an error if a name cannot be the name of a user or an uploaded corpus.
func checkName(name string) error {
	bad := strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
	})
	if name == "" || len(name) > 40 || bad {
		return fmt.Errorf("name %q: wanted 1 to 40 of a to z, 0 to 9, - and _", name)
	}
	return nil
}
