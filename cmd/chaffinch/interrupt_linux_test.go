package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestSecondInterrupt: a program that does not end soon after Ctrl-C ends at the next one.
func TestSecondInterrupt(t *testing.T) {
	testkit.Slow(t)
	cmd := exec.Command(program(t), "serve", "--listen", "127.0.0.1:0", "--token", "finch")
	out, err := cmd.StdoutPipe()
	must.Succeed(t, err)
	must.Succeed(t, cmd.Start())
	line := must.Get(bufio.NewReader(out).ReadString('\n'))(t)
	host, _, _ := strings.Cut(strings.TrimPrefix(line, "http://"), "/")
	conn := must.Get(net.Dial("tcp", host))(t)
	defer conn.Close()
	fmt.Fprintf(conn, "POST /v1/batch HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer finch\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{\"html\":\"<p>x\"}\n\r\n")
	_, err = bufio.NewReader(conn).ReadString('\n') // the request is open
	must.Succeed(t, err)
	go func() {
		for cmd.Process.Signal(os.Interrupt) == nil {
			time.Sleep(50 * time.Millisecond)
		}
	}()
	cmd.Wait()
	if s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !s.Signaled() || s.Signal() != syscall.SIGINT {
		t.Errorf("ended with %v, wanted the signal", cmd.ProcessState)
	}
}

// TestIgnoredInterrupt: a program that is started with ignored interrupts, as in the background of a
// script, leaves them ignored.
func TestIgnoredInterrupt(t *testing.T) {
	cmd := exec.Command("sh", "-c", `trap "" INT; exec "$0" serve --listen 127.0.0.1:0`, program(t))
	out, err := cmd.StdoutPipe()
	must.Succeed(t, err)
	must.Succeed(t, cmd.Start())
	defer cmd.Wait()
	defer cmd.Process.Kill()
	_, err = bufio.NewReader(out).ReadString('\n') // the program runs
	must.Succeed(t, err)
	status := string(must.Read(t, fmt.Sprintf("/proc/%d/status", cmd.Process.Pid)))
	_, mask, _ := strings.Cut(status, "\nSigIgn:\t")
	mask, _, _ = strings.Cut(mask, "\n")
	ignored := must.Get(strconv.ParseUint(mask, 16, 64))(t)
	if ignored>>(syscall.SIGINT-1)&1 == 0 {
		t.Errorf("ignored signals: %s, wanted SIGINT among them", mask)
	}
}
