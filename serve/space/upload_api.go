package space

import (
	"cmp"
	"context"
	"mime"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"chaffinch/serve/access"
	"chaffinch/serve/gate"
	"chaffinch/serve/problem"
)

// forUser makes an operation from one for the user of a request. Without a user it is a problem.
func forUser[I, O any](do func(ctx context.Context, user string, in *I) (*O, error)) func(context.Context, *I) (*O, error) {
	return func(ctx context.Context, in *I) (*O, error) {
		user := access.Who(ctx).Name
		if user == "" {
			return nil, errNobody
		}
		return do(ctx, user, in)
	}
}

// forAdmin makes an operation for administrators only.
func forAdmin[I, O any](do func(context.Context, *I) (*O, error)) func(context.Context, *I) (*O, error) {
	return func(ctx context.Context, in *I) (*O, error) {
		if u := access.Who(ctx); !u.Admin {
			return nil, problem.New(http.StatusForbidden, "user %q is not an administrator: wanted the token of an administrator", u.Name)
		}
		return do(ctx, in)
	}
}

type oneUpload struct{ Body Upload }

// shownUpload returns the answer of an operation on a corpus.
func shownUpload(u Upload, err error) (*oneUpload, error) {
	if err != nil {
		return nil, err
	}
	return &oneUpload{u}, nil
}

// OfUpload names a corpus of the user.
type OfUpload struct {
	Name string `path:"name" doc:"Name of an uploaded corpus of the user."`
}

// Uploads lists uploaded corpora.
type Uploads struct {
	Corpora []Upload `json:"corpora"`
	Quota   Quota    `json:"quota"`
	Used    Quota    `json:"used"`
}

func (a *api) uploads(_ context.Context, user string, _ *none) (*struct{ Body Uploads }, error) {
	out := Uploads{Corpora: a.uploadsOf(user), Quota: a.quota(user)}
	a.mu.Lock()
	defer a.mu.Unlock()
	out.Used = a.usage(user)
	return &struct{ Body Uploads }{out}, nil
}

func (a *api) newUpload(_ context.Context, user string, in *struct {
	Body struct {
		Name string `json:"name" minLength:"1" doc:"Name of the corpus: a to z, 0 to 9, - and _."`
	}
}) (*oneUpload, error) {
	return shownUpload(a.create(user, in.Body.Name))
}

func (a *api) file(ctx context.Context, user string, in *struct {
	OfUpload
	Path    string `query:"path" required:"true" doc:"Relative path of the file, such as folder/page.html."`
	Offset  int64  `query:"offset" minimum:"0" doc:"Size of the file so far; 0 starts the file again."`
	Type    string `header:"Content-Type" doc:"Any type but a form."`
	RawBody []byte
}) (*oneUpload, error) {
	if media, _, err := mime.ParseMediaType(cmp.Or(in.Type, "application/octet-stream")); err != nil || media == "multipart/form-data" || media == "application/x-www-form-urlencoded" {
		return nil, problem.New(http.StatusUnsupportedMediaType, "Content-Type %q: wanted the bytes of the file as the body, as application/octet-stream", in.Type)
	}
	gate.Holds(ctx, int64(len(in.RawBody)))
	return shownUpload(a.store(user, in.Name, in.Path, in.Offset, in.RawBody))
}

func (a *api) start(_ context.Context, user string, in *struct {
	OfUpload
	Body BuildSettings
}) (*oneUpload, error) {
	return shownUpload(a.enqueue(user, in.Name, in.Body))
}

func (a *api) cancel(_ context.Context, user string, in *OfUpload) (*oneUpload, error) {
	return shownUpload(a.cancelBuild(user, in.Name))
}

func (a *api) shares(_ context.Context, user string, in *struct {
	OfUpload
	Body struct {
		Shared bool `json:"shared" doc:"Whether all users of the server may query the corpus."`
	}
}) (*oneUpload, error) {
	return shownUpload(a.share(user, in.Name, in.Body.Shared))
}

func (a *api) deleteUpload(ctx context.Context, user string, in *OfUpload) (*done, error) {
	return finished(a.remove(ctx, user, in.Name))
}

// registerAdmin adds the operations of administrators.
func (a *api) registerAdmin(to huma.API) {
	op := func(method, id, path, summary string) huma.Operation {
		return huma.Operation{OperationID: id, Method: method, Path: "/v1/admin" + path, Summary: summary, Tags: []string{"workspace"}}
	}
	const get, post, del = http.MethodGet, http.MethodPost, http.MethodDelete
	problem.Register(to, op(get, "admin", "", "Show users, quotas and corpora (administrators)"), forAdmin(a.admin))
	problem.Register(to, op(post, "admin-corpus-add", "/corpora", "Serve a corpus of an allowed folder (administrators)"), forAdmin(a.addCorpus))
	problem.Register(to, op(del, "admin-corpus-remove", "/corpora", "Stop serving an added corpus (administrators)"), forAdmin(a.removeCorpus))
	problem.Register(to, op(post, "admin-user-set", "/users", "Add a user, or change role and quota (administrators)"), forAdmin(a.setUser))
	problem.Register(to, op(del, "admin-user-remove", "/users", "Remove a user; workspace and corpora are kept (administrators)"), forAdmin(a.removeUser))
	problem.Register(to, op(del, "admin-upload-delete", "/uploads", "Delete an uploaded corpus of a user (administrators)"), forAdmin(a.removeUpload))
}

func (a *api) admin(_ context.Context, _ *none) (*struct{ Body Admin }, error) {
	out, err := a.overview()
	return &struct{ Body Admin }{out}, err
}

func (a *api) addCorpus(_ context.Context, in *struct{ Body Served }) (*done, error) {
	return finished(a.addServed(in.Body))
}

func (a *api) removeCorpus(_ context.Context, in *struct {
	Name string `query:"name" required:"true" doc:"Name of an added corpus."`
}) (*done, error) {
	return finished(a.dropServed(in.Name))
}

// UserSet is the result of an added or changed user.
type UserSet struct {
	Name  string `json:"name"`
	Token string `json:"token,omitempty" doc:"Token of a new user. It is not stored and cannot be shown again."`
}

func (a *api) setUser(_ context.Context, in *struct {
	Body struct {
		Name  string `json:"name" minLength:"1" doc:"Name of the user: a to z, 0 to 9, - and _."`
		Admin bool   `json:"admin,omitempty" doc:"Whether the user is an administrator."`
		Quota
	}
}) (*struct{ Body UserSet }, error) {
	b := in.Body
	out := UserSet{Name: b.Name}
	var err error
	if _, ok := a.users.account(b.Name); ok {
		err = a.users.Set(b.Name, b.Admin, b.Quota)
	} else {
		out.Token, err = a.users.Add(Account{Name: b.Name, Admin: b.Admin, Quota: b.Quota, Created: a.cfg.Now().UTC()})
	}
	if err != nil {
		return nil, userProblem(err)
	}
	return &struct{ Body UserSet }{out}, nil
}

func (a *api) removeUser(_ context.Context, in *struct {
	Name string `query:"name" required:"true" doc:"Name of a user."`
}) (*done, error) {
	return finished(userProblem(a.users.Remove(in.Name)))
}

func (a *api) removeUpload(ctx context.Context, in *struct {
	Owner string `query:"owner" required:"true" doc:"Name of the user."`
	Name  string `query:"name" required:"true" doc:"Name of the corpus."`
}) (*done, error) {
	return finished(a.remove(ctx, in.Owner, in.Name))
}
