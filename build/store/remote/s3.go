package remote

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"chaffinch/build/store"
)

// s3 is a bucket.
type s3 struct {
	cfg    *service
	scheme string
	bucket string
	at     string // endpoint
	ask    requests
}

// newS3 returns the store of a bucket, configured by environment variables.
func newS3(scheme, bucket string, cfg *service) (*s3, error) {
	env := cfg.Env
	endpoint := first(env("AWS_ENDPOINT_URL_S3"), env("AWS_ENDPOINT_URL"), "https://s3.amazonaws.com")
	if scheme == "gs" {
		endpoint = first(env("CHAFFINCH_GS_ENDPOINT"), "https://storage.googleapis.com")
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, fmt.Errorf("endpoint %q: wanted one such as https://s3.example.org: set AWS_ENDPOINT_URL", endpoint)
	}
	transport, err := minio.DefaultTransport(u.Scheme == "https")
	if err != nil {
		return nil, err
	}
	transport.DialContext = dialIdle(transport.DialContext, cfg.Idle)
	core, err := minio.NewCore(u.Host, &minio.Options{
		Creds: keys(env), Secure: u.Scheme == "https", Region: first(env("AWS_REGION"), env("AWS_DEFAULT_REGION")), Transport: transport, MaxRetries: 1,
	})
	if err != nil {
		return nil, fmt.Errorf("%s://%s: %w", scheme, bucket, err)
	}
	core.SetAppInfo("chaffinch", "1")
	return &s3{cfg: cfg, scheme: scheme, bucket: bucket, at: endpoint, ask: newRequests(core, bucket)}, nil
}

func first(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

// keys returns the credentials from variables, from the files of AWS tools, or from the
// machine if it belongs to AWS. Otherwise requests are anonymous.
func keys(env func(string) string) *credentials.Credentials {
	if id, secret := env("AWS_ACCESS_KEY_ID"), env("AWS_SECRET_ACCESS_KEY"); id != "" && secret != "" {
		return credentials.NewStaticV4(id, secret, env("AWS_SESSION_TOKEN"))
	}
	list := []credentials.Provider{&credentials.FileAWSCredentials{Profile: env("AWS_PROFILE")}}
	if env("AWS_EC2_METADATA_DISABLED") != "true" {
		list = append(list, &credentials.IAM{Client: &http.Client{Timeout: 2 * time.Second}})
	}
	return credentials.NewChainCredentials(list)
}

// String returns the address of the bucket.
func (s *s3) String() string { return s.scheme + "://" + s.bucket }

func (s *s3) name(object string) string { return s.String() + "/" + object }

// fault converts an error of a service to an error with advice, or to again.
func (s *s3) fault(object string, err error) error {
	if err == nil {
		return nil
	}
	var r minio.ErrorResponse
	if !errors.As(err, &r) {
		if errors.Is(err, context.Canceled) {
			return err
		}
		return &again{err: fmt.Errorf("%s: %w", s.name(object), err)}
	}
	say := func(way string) error {
		return fmt.Errorf("%s: %s says: %s (%s): %s", s.name(object), s.at, r.Message, r.Code, way)
	}
	const who = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (AWS_SESSION_TOKEN with temporary ones), or AWS_PROFILE"
	switch r.Code {
	case "NoSuchKey", "NotFound":
		return missing(s.name(object))
	case "NoSuchBucket", "InvalidBucketName":
		return say("name a bucket that is there; AWS_ENDPOINT_URL names another service")
	case "ConditionalRequestConflict", "OperationAborted": // the object of the other request may not come to exist
		return &again{err: say("another request writes it")}
	case "PreconditionFailed":
		return fmt.Errorf("%s: %w", s.name(object), fs.ErrExist)
	case "AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken", "AllAccessDisabled":
		return say(who)
	case "AuthorizationHeaderMalformed", "PermanentRedirect", "IllegalLocationConstraintException", "InvalidRegion":
		return say("set AWS_REGION to the region of the bucket" + region(r.Region))
	case "InvalidRange":
		return fmt.Errorf("%s: %w", s.name(object), errChanged)
	}
	busy := r.StatusCode >= 500 || r.StatusCode == http.StatusTooManyRequests || r.StatusCode == http.StatusRequestTimeout
	switch r.Code {
	case "SlowDown", "RequestTimeout", "InternalError", "BadDigest", "XAmzContentSHA256Mismatch", "IncompleteBody", "RequestTimeTooSkewed":
		busy = r.Code != "RequestTimeTooSkewed"
	}
	if busy {
		return &again{err: say("it is busy, or fails")}
	}
	switch r.StatusCode { // responses without a body, such as responses to HEAD
	case http.StatusNotFound:
		return missing(s.name(object))
	case http.StatusMovedPermanently, http.StatusTemporaryRedirect, http.StatusBadRequest:
		return say("set AWS_REGION to the region of the bucket" + region(r.Region) + ", and AWS_ENDPOINT_URL if it is not at AWS")
	case http.StatusForbidden:
		return say(who)
	case http.StatusPreconditionFailed, http.StatusConflict:
		return fmt.Errorf("%s: %w", s.name(object), fs.ErrExist)
	case 0:
		return &again{err: fmt.Errorf("%s: %w", s.name(object), err)}
	}
	return fmt.Errorf("%s: %w", s.name(object), err)
}

func region(name string) string {
	if name == "" {
		return ""
	}
	return ", " + name
}

// Stat returns the properties of an object.
func (s *s3) Stat(ctx context.Context, name string) (o store.Object, err error) {
	err = s.cfg.retry(ctx, func(int) (err error) {
		o, err = s.ask.stat(ctx, name)
		return s.fault(name, err)
	})
	return o, err
}

// Open opens a part of an object.
func (s *s3) Open(ctx context.Context, name string, from, n int64) (io.ReadCloser, error) {
	o, n, err := extent(ctx, s, name, from, n)
	if err != nil {
		return nil, err
	}
	return newBody(ctx, s.cfg, s.name(name), from, n, func(ctx context.Context, from, n int64) (io.ReadCloser, error) {
		in, head, err := s.ask.get(ctx, name, o.Tag, from, n)
		if err != nil {
			if errors.Is(s.fault(name, err), fs.ErrExist) { // If-Match
				return nil, fmt.Errorf("%s: %w", s.name(name), errChanged)
			}
			return nil, s.fault(name, err)
		}
		if err := begins(head, from); err != nil {
			in.Close()
			return nil, &again{err: fmt.Errorf("%s: %w", s.name(name), err)}
		}
		return in, nil
	})
}

// begins returns an error if a response does not begin at the requested offset.
func begins(head http.Header, from int64) error {
	r := head.Get("Content-Range")
	if r == "" && from == 0 {
		return nil
	}
	if !strings.HasPrefix(r, fmt.Sprintf("bytes %d-", from)) {
		return fmt.Errorf("the answer has the range %q, wanted one from byte %d on", r, from)
	}
	return nil
}

// List ranges over objects.
func (s *s3) List(ctx context.Context, prefix string) iter.Seq2[store.Object, error] {
	return func(yield func(store.Object, error) bool) {
		for after := ""; ; {
			var page []store.Object
			var more bool
			err := s.cfg.retry(ctx, func(int) (err error) {
				page, more, err = s.ask.list(ctx, prefix, after)
				return s.fault(prefix, err)
			})
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(store.Object{}, err)
				return
			}
			for _, o := range page {
				if !yield(o, nil) {
					return
				}
				after = o.Name
			}
			if !more || len(page) == 0 {
				return
			}
		}
	}
}

// Put creates an object from a file. It writes a large file in parts.
func (s *s3) Put(ctx context.Context, name, file string, replace bool) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return err
	}
	parts := st.Size() > s.cfg.PartBytes
	if parts {
		err = s.putParts(ctx, name, f, st.Size(), replace)
	} else {
		err = s.putWhole(ctx, name, f, st.Size(), replace)
	}
	if err != nil {
		return err
	}
	o, err := s.Stat(ctx, name)
	if errors.Is(err, fs.ErrNotExist) && !parts { // another process has removed it since, such as an expired lease
		return nil
	}
	if err == nil && o.Size != st.Size() {
		err = fmt.Errorf("%s: %d bytes are there, %d were written: %s changes the objects that it stores", s.name(name), o.Size, st.Size(), s.at)
	}
	return err
}

// digests returns the digests of a part.
func (s *s3) digests(b []byte) (md5Base64, sha256Hex string) {
	if s.cfg.NoDigests {
		return "", ""
	}
	m, h := md5.Sum(b), sha256.Sum256(b)
	return base64.StdEncoding.EncodeToString(m[:]), hex.EncodeToString(h[:])
}

func (s *s3) putWhole(ctx context.Context, name string, f io.ReaderAt, size int64, replace bool) error {
	b := make([]byte, size)
	if _, err := f.ReadAt(b, 0); err != nil && err != io.EOF {
		return err
	}
	m, h := s.digests(b)
	return s.cfg.retry(ctx, func(try int) error {
		err := s.fault(name, s.ask.put(ctx, name, b, m, h, replace))
		if try > 0 && errors.Is(err, fs.ErrExist) && s.mine(ctx, name, b) { // the response to an earlier try was lost
			return nil
		}
		return err
	})
}

// mine reports whether an object holds these bytes.
func (s *s3) mine(ctx context.Context, name string, b []byte) bool {
	there, err := store.Read(ctx, s, name, int64(len(b)))
	return err == nil && bytes.Equal(there, b)
}

// maxParts is the maximum number of parts of an object.
const maxParts = 10_000

func (s *s3) putParts(ctx context.Context, name string, f io.ReaderAt, size int64, replace bool) (err error) {
	var id string
	err = s.cfg.retry(ctx, func(int) (err error) {
		id, err = s.ask.begin(ctx, name)
		return s.fault(name, err)
	})
	if err != nil {
		return err
	}
	defer func() {
		if err != nil { // otherwise the written parts incur cost
			stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.cfg.Idle)
			defer cancel()
			s.ask.abort(stop, name, id)
		}
	}()
	part := max(s.cfg.PartBytes, (size+maxParts-1)/maxParts)
	buf := make([]byte, part)
	var tags []string // of the parts
	for at := int64(0); at < size; at += part {
		b := buf[:min(part, size-at)]
		if _, err := f.ReadAt(b, at); err != nil && err != io.EOF {
			return err
		}
		m, h := s.digests(b)
		err := s.cfg.retry(ctx, func(try int) error {
			if try > 0 {
				buf = make([]byte, part) // for the next part: the failed request may still read this one
			}
			tag, err := s.ask.part(ctx, name, id, len(tags)+1, b, m, h)
			if err != nil {
				return s.fault(name, err)
			}
			tags = append(tags, tag)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return s.cfg.retry(ctx, func(try int) error {
		err := s.ask.finish(ctx, name, id, tags, replace)
		if minio.ToErrorResponse(err).Code == "NoSuchUpload" && try > 0 { // the response to an earlier try was lost
			return nil // Put checks the size
		}
		return s.fault(name, err)
	})
}

// Remove removes an object.
func (s *s3) Remove(ctx context.Context, name string) error {
	err := s.cfg.retry(ctx, func(int) error {
		return s.fault(name, s.ask.remove(ctx, name))
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
