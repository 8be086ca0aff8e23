package crawl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"chaffinch/crawl/robots"
	"chaffinch/crawl/schedule"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
)

// event is a line of the journal. At least one of Seed, Take, Done, Lost, Flush,
// Received, Excluded and Away is set. Failed,
// Robots, Page and Ends accompany Done.
type event struct {
	At   time.Duration     `json:"at"` // since the beginning of the crawl
	Seed []schedule.Link   `json:"seed,omitempty"`
	Take *schedule.Task    `json:"take,omitempty"`
	Done *schedule.Outcome `json:"done,omitempty"`
	// Received holds links from other ranks.
	Received []schedule.Link `json:"received,omitempty"`
	Lost     bool            `json:"lost,omitempty"`  // the program ended before; running tasks are queued again
	Flush    bool            `json:"flush,omitempty"` // new URLs are added to the queue, since no task was available
	// Excluded counts the links and URLs excluded by earlier events, by rule.
	Excluded map[string]int64 `json:"excluded,omitempty"`
	// Away is the time for which the program did not run, or the machine slept, before the event.
	Away time.Duration `json:"away,omitempty"`
	// Failed is the reason why there is no response, as named by package fetch.
	Failed string `json:"failed,omitempty"`
	// Robots is a fetched robots.txt or tdmrep.json.
	Robots *robotsEvent `json:"robots,omitempty"`
	// Page holds the record positions and the result of a page.
	Page *pageEvent `json:"page,omitempty"`
	// Ends holds the lengths of the outputs after this event.
	Ends *ends `json:"ends,omitempty"`
}

// robotsEvent holds a robots.txt, or a tdmrep.json if the number has reservationsMark.
type robotsEvent struct {
	Number uint32        `json:"number"`
	Body   []byte        `json:"body"`
	group  *robots.Group // rules for this crawler; nil in an event from a journal
}

// pageEvent holds the positions of the records of a page and its result.
type pageEvent struct {
	URL    string `json:"url"`
	Status int    `json:"status"`
	Reason string `json:"reason,omitempty"` // why there is no record
	// Rule is the filter rule that dropped the page, without its value.
	Rule string `json:"rule,omitempty"`
	Lang string `json:"lang,omitempty"`
	// Type is the media type that the server sent for a page that is neither HTML nor text.
	Type string `json:"type,omitempty"`
	// Refused names the uses that page, server or site opt out of.
	Refused string `json:"refused,omitempty"`
	// Optout holds the statements that refuse them, as in [page.Metadata].
	Optout string `json:"optout,omitempty"`
	// Modified is the time of the last change that the server states, in Unix time.
	Modified int64  `json:"modified,omitempty"`
	Text     uint64 `json:"text,omitempty"` // fingerprint of the text
	// Depth is the number of links from a seed. Moved indicates a seed that redirects permanently:
	// its target is a seed, too.
	Depth  int    `json:"depth,omitempty"`
	Moved  bool   `json:"moved,omitempty"`
	Near   uint64 `json:"near,omitempty"`    // fingerprint that is similar for near-duplicates
	CopyOf string `json:"copy_of,omitempty"` // URL of the earlier near-duplicate
	Record int64  `json:"record,omitempty"`  // position of the record
	// Canonical is the canonical URL that the page declares, or "" if it is URL.
	Canonical string `json:"canonical,omitempty"`
	// Render is the result of rendering, nil for a page that needs none.
	Render *renderEvent `json:"render,omitempty"`
	Warc   string       `json:"warc"` // file and position of the response
	Offset int64        `json:"offset"`
}

// ends holds the lengths of the outputs.
type ends struct {
	Warc int   `json:"warc"` // number of the last archive
	Size int64 `json:"size"` // length of the last archive
	Text int64 `json:"text"` // length of the records
}

// journal appends events to a file. An event is written before the outputs that follow from it, so
// that a killed program has not sent requests that the journal lacks. After sync, a power failure
// loses no earlier events.
type journal struct {
	file   *disk.File
	number int
	length int64
	line   bytes.Buffer
}

func journalName(dir string, number int) string {
	return filepath.Join(dir, filepath.FromSlash(journalPath(number)))
}

// journalPath returns the path of a journal in the folder of its crawl.
func journalPath(number int) string { return fmt.Sprintf("journal/%08d.jsonl", number) }

// openJournal opens the journal with the given number and truncates it to length bytes, to
// append events.
func openJournal(dir string, number int, length int64) (*journal, error) {
	f, err := disk.OpenFile(journalName(dir, number), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(length); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if _, err := f.Seek(length, io.SeekStart); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &journal{file: f, number: number, length: length}, nil
}

// write writes an event and returns its place among all journals.
func (j *journal) write(e event) (place uint64, err error) {
	j.line.Reset()
	enc := json.NewEncoder(&j.line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return 0, err
	}
	if n := j.line.Len(); n > maxLine-maxTakenLine {
		return 0, fmt.Errorf("event: %d bytes, wanted at most %d: use fewer seeds", n, maxLine-maxTakenLine)
	}
	place = uint64(j.number)<<placeBits | uint64(j.length)
	n, err := j.file.Write(files.Seal(j.line.Bytes()))
	j.length += int64(n)
	return place, err
}

// placeBits is the number of low bits of a place that hold the offset of an event in its journal.
// The bits above hold the number of the journal.
const placeBits = 40

// readTaken returns the URL of the task in the Take event at a place.
func readTaken(dir string, place uint64) (string, error) {
	f, err := os.Open(journalName(dir, int(place>>placeBits)))
	if err != nil {
		return "", err
	}
	defer f.Close()
	at := int64(place & (1<<placeBits - 1))
	line, err := bufio.NewReader(io.NewSectionReader(f, at, maxTakenLine)).ReadSlice('\n')
	var e event
	if err == nil {
		err = files.Unseal(line, &e)
	}
	if err == nil && e.Take == nil {
		err = errors.New("no task at this place")
	}
	if err != nil {
		return "", fmt.Errorf("%s: byte %d: %w: it was changed", f.Name(), at, err)
	}
	return e.Take.Origin + e.Take.Path, nil
}

// maxTakenLine is more than the bytes of a line with a task; URLs have at most 2,048 bytes.
const maxTakenLine = 4096

// sync writes the journal to stable storage.
func (j *journal) sync() error  { return j.file.Sync() }
func (j *journal) close() error { return j.file.Close() }

// maxLine is the most bytes of an event or a record. The longest event holds all seeds of a crawl.
var maxLine = 1 << 30

// errLongLine reports a line of more than maxLine bytes.
var errLongLine = errors.New("line too long: the file is damaged")

// readLine appends a line with its line break to b. If it returns an error, or a line with a zero
// byte, the line may be incomplete.
func readLine(in *bufio.Reader, b []byte) ([]byte, error) {
	for {
		part, err := in.ReadSlice('\n')
		b = append(b, part...)
		switch {
		case err == bufio.ErrBufferFull && bytes.IndexByte(part, 0) >= 0:
			return b, nil
		case len(b) > maxLine:
			return b, errLongLine
		case err != bufio.ErrBufferFull:
			return b, err
		}
	}
}

// errJournalEnds is returned by callbacks of readJournal to end the journal before the event.
var errJournalEnds = errors.New("the journal ends here")

// readJournal calls fn for each complete event of a journal and returns the length of these events.
// An incomplete last line, left by a killed program, is ignored.
func readJournal(name string, fn func(event) error) (length int64, err error) {
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return readEvents(name, f, 0, fn)
}

// readEvents calls fn for each complete event that f, which starts at offset from of the journal
// name, contains. It returns the offset after the last one.
func readEvents(name string, f io.Reader, from int64, fn func(event) error) (length int64, err error) {
	length = from
	in := bufio.NewReaderSize(f, 1<<20)
	var line []byte
	for {
		line, err = readLine(in, line[:0])
		if bytes.IndexByte(line, 0) >= 0 {
			return length, nil // never written: file systems show zeros
		}
		if err == io.EOF {
			return length, nil
		}
		if err == errLongLine {
			return length, fmt.Errorf("%s: byte %d: %w: restore the file from a backup, or repeat the crawl in a new folder", name, length, err)
		}
		if err != nil {
			return length, err
		}
		var e event
		if err := files.Unseal(line, &e); err != nil {
			if _, more := in.Peek(1); more == io.EOF {
				return length, nil // an incomplete last line
			}
			return length, fmt.Errorf("%s: byte %d: no event at this place: %w: restore the file from a backup, or repeat the crawl in a new folder", name, length, err)
		}
		if err := fn(e); err == errJournalEnds {
			return length, nil
		} else if err != nil {
			return length, fmt.Errorf("%s: byte %d: %w", name, length, err)
		}
		length += int64(len(line))
	}
}
