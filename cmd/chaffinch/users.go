package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"chaffinch/internal/report"
	"chaffinch/internal/table"
	"chaffinch/serve/space"
)

// usersCmd lists the commands that manage the users of a server.
type usersCmd struct {
	Add    usersAddCmd    `cmd:"" help:"Add a user, and print the token."`
	List   usersListCmd   `cmd:"" help:"List the users."`
	Set    usersSetCmd    `cmd:"" help:"Change role and quota of a user."`
	Remove usersRemoveCmd `cmd:"" help:"Remove a user."`
}

// Help is the long text of --help.
func (usersCmd) Help() string {
	return `Users log in to "chaffinch serve --store DIR" with a token. Each one has a workspace that other users cannot see. A running server notices changes at once.

Examples:
  chaffinch users add workspaces/ anna
  chaffinch users add workspaces/ eve --admin
  chaffinch users set workspaces/ anna --quota 20GiB
  chaffinch users list workspaces/
  chaffinch users remove workspaces/ anna`
}

// userArgs names a user.
type userArgs struct {
	Dir  string `arg:"" help:"Folder of the server (--store of chaffinch serve)."`
	Name string `arg:"" help:"Name of the user: a to z, 0 to 9, - and _."`
}

// userFlags are role and quota of a user.
type userFlags struct {
	Admin       bool     `help:"Administrator: may add corpora and users, set quotas, and delete uploaded corpora of others."`
	Quota       byteSize `placeholder:"SIZE" help:"Maximum size of uploaded files and built corpora. Default: the quota of the server."`
	UserCorpora int      `placeholder:"N" help:"Maximum number of uploaded corpora. Default: the limit of the server."`
}

func (f userFlags) quota() space.Quota {
	return space.Quota{Bytes: int64(f.Quota), Corpora: f.UserCorpora}
}

// openUsers opens the accounts in the folder of a server. A missing folder is an error unless create is
// set: then adding a user creates it.
func openUsers(dir string, create bool) (*space.Users, error) {
	st, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && create:
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: no such folder: wanted the folder of chaffinch serve --store; chaffinch users add creates it", dir)
	case err != nil:
		return nil, err
	case !st.IsDir():
		return nil, fmt.Errorf("%s: a file: wanted a folder", dir)
	}
	return space.OpenUsers(dir), nil
}

type usersAddCmd struct {
	userArgs
	userFlags
}

// Help is the long text of --help.
func (usersAddCmd) Help() string {
	return `Prints the token of the user. Only its hash is stored: the token cannot be printed again.

Examples:
  chaffinch users add workspaces/ anna
  chaffinch users add workspaces/ eve --admin

Exit code: 0 completed; 2 failed.`
}

// Run adds a user.
func (c *usersAddCmd) Run(con *console) error {
	users, err := openUsers(c.Dir, true)
	if err != nil {
		return err
	}
	token, err := users.Add(space.Account{Name: c.Name, Admin: c.Admin, Quota: c.quota(), Created: time.Now().UTC()})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(con.out, token)
	return err
}

type usersSetCmd struct {
	userArgs
	userFlags
}

// Help is the long text of --help.
func (usersSetCmd) Help() string {
	return `Replaces role and quota of a user; flags that are left out get their defaults. The token stays.

Examples:
  chaffinch users set workspaces/ anna --quota 20GiB
  chaffinch users set workspaces/ eve --admin

Exit code: 0 completed; 2 failed.`
}

// Run changes a user.
func (c *usersSetCmd) Run() error {
	users, err := openUsers(c.Dir, false)
	if err != nil {
		return err
	}
	return users.Set(c.Name, c.Admin, c.quota())
}

type usersListCmd struct {
	Dir string `arg:"" help:"Folder of the server (--store of chaffinch serve)."`
}

// Help is the long text of --help.
func (usersListCmd) Help() string {
	return `Prints name, role and quota of each user. Tokens are not stored.

Examples:
  chaffinch users list workspaces/

Exit code: 0 completed; 2 failed.`
}

// Run lists the users.
func (c *usersListCmd) Run(con *console) error {
	users, err := openUsers(c.Dir, false)
	if err != nil {
		return err
	}
	list, err := users.List()
	if err != nil {
		return err
	}
	t := table.New("user", "role", ">quota", ">corpora", "created")
	for _, a := range list {
		role, bytes, corpora := "user", "", ""
		if a.Admin {
			role = "administrator"
		}
		if a.Bytes > 0 {
			bytes = report.Size(a.Bytes)
		}
		if a.Corpora > 0 {
			corpora = number(int64(a.Corpora))
		}
		t.Add(a.Name, role, bytes, corpora, a.Created.Format(time.DateOnly))
	}
	return t.Write(con.out, "")
}

type usersRemoveCmd struct {
	userArgs
}

// Help is the long text of --help.
func (usersRemoveCmd) Help() string {
	return `The token is no longer valid. Workspace and corpora of the user are kept in workspaces/NAME.jsonl and corpora/NAME, and belong to the next user of this name: delete them if they are no longer needed, while the server is stopped.

Examples:
  chaffinch users remove workspaces/ anna

Exit code: 0 completed; 2 failed.`
}

// Run removes a user.
func (c *usersRemoveCmd) Run() error {
	users, err := openUsers(c.Dir, false)
	if err != nil {
		return err
	}
	return users.Remove(c.Name)
}
