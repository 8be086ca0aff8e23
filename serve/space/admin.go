package space

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/build"
	"chaffinch/internal/files"
	"chaffinch/serve/access"
	"chaffinch/serve/corpora"
	"chaffinch/serve/problem"
)

// Served is a corpus that an administrator has added.
type Served struct {
	Name string `json:"name" minLength:"1" maxLength:"100" doc:"Name of the corpus."`
	Path string `json:"path" minLength:"1" maxLength:"4000" doc:"Folder of an index or of a build with an index, on the server, in one of the allowed folders."`
}

// index returns the folder of the index.
func (c Served) index() string {
	if index, ok, err := build.IndexOf(c.Path); ok && err == nil {
		return index
	}
	return c.Path
}

func (s *Server) readServed() error {
	name := filepath.Join(s.cfg.Dir, servedName)
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, &s.served); err != nil {
		return fmt.Errorf("%s: %w: wanted a list of names and paths as the server writes it", name, err)
	}
	return nil
}

// addServed serves a corpus in one of the allowed folders.
func (s *Server) addServed(c Served) error {
	if strings.ContainsAny(c.Name, "/?#%~") || strings.TrimSpace(c.Name) != c.Name {
		return problem.New(http.StatusUnprocessableEntity, "name %q: wanted a name without / ? # %% ~ and outer spaces", c.Name)
	}
	real := files.RealPath(c.Path)
	if !filepath.IsAbs(c.Path) || !slices.ContainsFunc(s.cfg.Roots, func(root string) bool { return files.Within(real, files.RealPath(root)) }) {
		roots := cmp.Or(strings.Join(s.cfg.Roots, ", "), "the roots of the server, which has none")
		return problem.New(http.StatusUnprocessableEntity, "path %q: outside the allowed folders: wanted an absolute path in one of %s", c.Path, roots)
	}
	c.Path = real
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.set.Add(c.Name, c.index(), nil); errors.Is(err, corpora.ErrExists) {
		return problem.New(http.StatusConflict, "corpus %q: exists already: wanted another name", c.Name)
	} else if err != nil {
		return problem.New(http.StatusUnprocessableEntity, "path %q: %v: wanted the folder of an index", c.Path, err)
	}
	s.served = append(s.served, c)
	return s.writeServed()
}

func (s *Server) writeServed() error {
	return files.WriteJSON(filepath.Join(s.cfg.Dir, servedName), s.served, "  ")
}

// dropServed stops serving an added corpus. Its files are kept.
func (s *Server) dropServed(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.served, func(c Served) bool { return c.Name == name })
	if i < 0 {
		return problem.New(http.StatusNotFound, "no added corpus has the name %q: wanted one in /v1/admin", name)
	}
	s.served = slices.Delete(s.served, i, i+1)
	return errors.Join(s.set.Remove(name), s.writeServed())
}

// Member is a user with what the user stores.
type Member struct {
	Name  string `json:"name"`
	Admin bool   `json:"admin"`
	Quota Quota  `json:"quota"`
	Used  Quota  `json:"used"`
}

// Admin describes a server for an administrator.
type Admin struct {
	Users   []Member `json:"users"`
	Corpora []Served `json:"corpora" doc:"Corpora that an administrator has added."`
	Roots   []string `json:"roots" doc:"Folders whose corpora may be added."`
	Uploads []Upload `json:"uploads" doc:"Uploaded corpora of all users."`
}

// errNobody is the problem of a request without a user.
var errNobody = problem.New(http.StatusForbidden, "this request has no user: wanted the token of a user")

// overview describes the server.
func (s *Server) overview() (a Admin, err error) {
	accounts, err := s.users.List()
	if err != nil {
		return a, err
	}
	a = Admin{Users: []Member{}, Corpora: []Served{}, Roots: append([]string{}, s.cfg.Roots...), Uploads: s.uploadsOf("")}
	accounts = append([]Account{{Name: access.Owner.Name, Admin: true}}, accounts...)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range accounts {
		a.Users = append(a.Users, Member{u.Name, u.Admin, u.Quota.or(s.cfg.Quota), s.usage(u.Name)})
	}
	a.Corpora = append(a.Corpora, s.served...)
	return a, nil
}

// userProblem makes a problem of the error of an account.
func userProblem(err error) error {
	if errors.Is(err, ErrUser) {
		return problem.New(http.StatusUnprocessableEntity, "%v", err)
	}
	return err
}
