package remote

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"github.com/minio/minio-go/v7"

	"chaffinch/build/store"
)

// maxPage is the number of objects in a response to a list request.
const maxPage = 1000

// requests are the requests to a bucket, as functions without types of minio-go. If an
// interface value reached a minio-go type, the linker would keep all its methods in programs
// that use reflection to find methods, like the command. The methods of the client add 1.5
// MB.
type requests struct {
	stat func(ctx context.Context, name string) (store.Object, error)
	// get reads n bytes of an object with the given tag.
	get func(ctx context.Context, name, tag string, from, n int64) (io.ReadCloser, http.Header, error)
	// list returns the first objects after a name.
	list func(ctx context.Context, prefix, after string) (page []store.Object, more bool, err error)
	// put and finish create an object unless it exists and replace is not set.
	put    func(ctx context.Context, name string, b []byte, md5Base64, sha256Hex string, replace bool) error
	begin  func(ctx context.Context, name string) (id string, err error)
	part   func(ctx context.Context, name, id string, number int, b []byte, md5Base64, sha256Hex string) (tag string, err error)
	finish func(ctx context.Context, name, id string, tags []string, replace bool) error
	abort  func(ctx context.Context, name, id string) error
	remove func(ctx context.Context, name string) error
}

// newRequests returns the requests to a bucket.
func newRequests(core *minio.Core, bucket string) requests {
	options := func(replace bool) minio.PutObjectOptions {
		opts := minio.PutObjectOptions{DisableContentSha256: true} // each part has its own hash, not in frames
		if !replace {
			opts.SetMatchETagExcept("*")
		}
		return opts
	}
	return requests{
		stat: func(ctx context.Context, name string) (store.Object, error) {
			o, err := core.StatObject(ctx, bucket, name, minio.StatObjectOptions{})
			if err != nil {
				return store.Object{}, err
			}
			return store.Object{Name: name, Size: o.Size, Tag: o.ETag, Changed: o.LastModified}, nil
		},
		get: func(ctx context.Context, name, tag string, from, n int64) (io.ReadCloser, http.Header, error) {
			var opts minio.GetObjectOptions
			if err := opts.SetRange(from, from+n-1); err != nil {
				return nil, nil, err
			}
			if err := opts.SetMatchETag(tag); err != nil {
				return nil, nil, err
			}
			in, _, head, err := core.GetObject(ctx, bucket, name, opts)
			return in, head, err
		},
		list: func(ctx context.Context, prefix, after string) (page []store.Object, more bool, err error) {
			opts := minio.ListObjectsOptions{Prefix: prefix, Recursive: true, StartAfter: after, MaxKeys: maxPage}
			for o := range core.Client.ListObjectsIter(ctx, bucket, opts) {
				if o.Err != nil {
					return nil, false, o.Err
				}
				page = append(page, store.Object{Name: o.Key, Size: o.Size, Tag: o.ETag, Changed: o.LastModified})
				if len(page) == maxPage {
					return page, true, nil
				}
			}
			return page, false, ctx.Err()
		},
		put: func(ctx context.Context, name string, b []byte, md5Base64, sha256Hex string, replace bool) error {
			_, err := core.PutObject(ctx, bucket, name, bytes.NewReader(b), int64(len(b)), md5Base64, sha256Hex, options(replace))
			return err
		},
		begin: func(ctx context.Context, name string) (string, error) {
			return core.NewMultipartUpload(ctx, bucket, name, minio.PutObjectOptions{})
		},
		part: func(ctx context.Context, name, id string, number int, b []byte, md5Base64, sha256Hex string) (string, error) {
			p, err := core.PutObjectPart(ctx, bucket, name, id, number, bytes.NewReader(b), int64(len(b)),
				minio.PutObjectPartOptions{Md5Base64: md5Base64, Sha256Hex: sha256Hex, DisableContentSha256: true})
			return p.ETag, err
		},
		finish: func(ctx context.Context, name, id string, tags []string, replace bool) error {
			var parts []minio.CompletePart
			for i, tag := range tags {
				parts = append(parts, minio.CompletePart{PartNumber: i + 1, ETag: tag})
			}
			_, err := core.CompleteMultipartUpload(ctx, bucket, name, id, parts, options(replace))
			return err
		},
		abort: func(ctx context.Context, name, id string) error {
			return core.AbortMultipartUpload(ctx, bucket, name, id)
		},
		remove: func(ctx context.Context, name string) error {
			return core.RemoveObject(ctx, bucket, name, minio.RemoveObjectOptions{})
		},
	}
}
