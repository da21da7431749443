package pgq

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

const fingerprintOfOne = Fingerprint(0x50fde20626009aba)

// program returns the path in PGQ_PROGRAM, or pgq on the PATH.
func program(t testing.TB) string {
	if name := os.Getenv("PGQ_PROGRAM"); name != "" {
		return name
	}
	name, err := exec.LookPath("pgq")
	if err != nil {
		t.Skip("no pgq: name it with PGQ_PROGRAM")
	}
	return name
}

func start(t testing.TB, options ...string) *Client {
	client, err := Start(context.Background(), program(t), options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// check returns a function that fails the test unless err is nil and got equals want.
func check[T any](t *testing.T, want T) func(T, error) {
	t.Helper()
	return func(got T, err error) {
		t.Helper()
		if err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Errorf("%+v, %v; not %+v", got, err, want)
		}
	}
}

func TestEveryOperationAnswers(t *testing.T) {
	ctx, client := context.Background(), start(t)
	hello, err := client.Hello(ctx)
	if err != nil || hello.Protocol != 1 || hello.MaxFrameBytes == 0 {
		t.Errorf("%+v, %v", hello, err)
	}
	check(t, fingerprintOfOne)(client.Fingerprint(ctx, "SELECT 1"))
	check(t, "SELECT $1")(client.Normalize(ctx, "SELECT 'é'"))
	tree, err := client.Tree(ctx, "SELECT 'é' AS a", nil)
	if err != nil || !json.Valid(tree) {
		t.Fatal(string(tree), err)
	}
	check(t, "SELECT 'é' AS a")(client.Deparse(ctx, tree, nil))
	encoded, err := client.TreeProtobuf(ctx, "select  1", nil)
	if err != nil {
		t.Fatal(err)
	}
	check(t, "SELECT 1")(client.DeparseProtobuf(ctx, encoded, nil))
	check(t, "SELECT 1")(client.Reformat(ctx, "select  1", nil))
	check(t, []Token{{0, 6, "SELECT", "RESERVED_KEYWORD"}, {7, 8, "ICONST", "NO_KEYWORD"}})(client.Scan(ctx, "SELECT 1", nil))
	check(t, []Range{{0, 8}, {10, 18}})(client.Split(ctx, "SELECT 1; SELECT 2", nil))
	summary, err := client.Summary(ctx, "SELECT * FROM a.b", nil)
	if err != nil || len(summary) != 1 || summary[0].Tables[0].Name != "a.b" || *summary[0].Tables[0].Schema != "a" {
		t.Errorf("%+v, %v", summary, err)
	}
	warnings, err := client.Warnings(ctx, "SELECT "+strings.Repeat("a", 70), nil)
	if err != nil || len(warnings) != 1 {
		t.Errorf("%+v, %v", warnings, err)
	}
}

func TestErrorsHaveTheirPlace(t *testing.T) {
	_, err := start(t).Fingerprint(context.Background(), "SELECT 'é',\n  +")
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if e.Code != CodeSyntax || e.Offset != 16 || e.Line != 2 || e.Column != 4 || e.SQLState() != "42601" {
		t.Errorf("%+v", e)
	}
	if e.Error() != "pgq: 2:4: syntax error at end of input" {
		t.Error(e.Error())
	}
}

func TestBatchesKeepErrorsInTheirPlaces(t *testing.T) {
	ctx, client := context.Background(), start(t)
	var texts []string
	for range 1000 {
		texts = append(texts, "SELECT 1", "SELECT (", "SELECT 2")
	}
	results, err := client.Fingerprints(ctx, texts, nil)
	if err != nil || len(results) != 3000 {
		t.Fatal(len(results), err)
	}
	for i, result := range results {
		if wrong := i%3 == 1; (result.Err != nil) != wrong || (!wrong && result.Value != fingerprintOfOne) {
			t.Fatal(i, result)
		}
	}
	both, err := client.Both(ctx, []string{"SELECT 1", "SELECT 1, $2147483647"}, nil)
	if err != nil || both[0].Value != (Both{fingerprintOfOne, "SELECT $1"}) || both[1].Flags&FlagKept == 0 {
		t.Error(both, err)
	}
	empty, err := client.Normalized(ctx, nil, nil)
	if err != nil || len(empty) != 0 {
		t.Error(empty, err)
	}
}

func TestAnswersOfManyFrames(t *testing.T) {
	var texts []string
	for n := range 3000 {
		texts = append(texts, fmt.Sprintf("SELECT a, b, c, d, e, f, g, h, i, %d", n))
	}
	results, err := start(t).Trees(context.Background(), texts, nil)
	if err != nil || len(results) != len(texts) {
		t.Fatal(len(results), err)
	}
	for n, result := range results {
		if want := fmt.Sprintf(`"ival":{"ival":%d}`, n); n > 0 && !bytes.Contains(result.Value, []byte(want)) {
			t.Fatal(n, string(result.Value))
		}
	}
}

func TestOptionsHaveHandles(t *testing.T) {
	ctx, client := context.Background(), start(t)
	handle, err := client.Options(ctx, Options{Placeholders: "qmark", OneLine: true})
	if err != nil {
		t.Fatal(err)
	}
	results, err := client.Normalized(ctx, []string{"SELECT ?,\n 1"}, handle)
	if err != nil || results[0].Value != "SELECT $1, $2" {
		t.Error(results, err)
	}
	if err := handle.Drop(ctx); err != nil {
		t.Error(err)
	}
	var e *Error
	if _, err := client.Normalized(ctx, []string{"x"}, handle); !errors.As(err, &e) || e.Code != CodeBadHandle {
		t.Error(err)
	}
}

func TestGoroutinesShareAClient(t *testing.T) {
	ctx, client := context.Background(), start(t)
	var group sync.WaitGroup
	for number := range 64 {
		group.Add(1)
		go func() {
			defer group.Done()
			for n := range 100 {
				got, err := client.Normalize(ctx, fmt.Sprintf("SELECT a%d FROM t WHERE b = %d", number, n))
				if want := fmt.Sprintf("SELECT a%d FROM t WHERE b = $1", number); err != nil || got != want {
					t.Error(got, err)
				}
			}
		}()
	}
	group.Wait()
}

// TestPipelinesLargerThanAllBuffers sends more than the buffers of sockets and the daemon before it waits.
func TestPipelinesLargerThanAllBuffers(t *testing.T) {
	ctx, client := context.Background(), start(t)
	texts := make([]string, 2000)
	for n := range texts {
		texts[n] = fmt.Sprintf("SELECT a FROM t WHERE b = %d AND c = '%s'", n, strings.Repeat("x", 500))
	}
	var pending []*Pending[string]
	for range 30 {
		p, err := client.GoNormalized(ctx, texts, nil)
		if err != nil {
			t.Fatal(err)
		}
		pending = append(pending, p)
	}
	for _, p := range pending {
		results, err := p.Wait(ctx)
		if err != nil || len(results) != len(texts) || results[7].Value != "SELECT a FROM t WHERE b = $1 AND c = $2" {
			t.Fatal(len(results), err)
		}
	}
}

func TestAContextEndsTheWaitAndNothingElse(t *testing.T) {
	client := start(t)
	ctx, cancel := context.WithCancel(context.Background())
	pending, err := client.GoFingerprints(ctx, make([]string, 50_000), nil)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := pending.Wait(ctx); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := client.Fingerprint(ctx, "SELECT 1"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	check(t, fingerprintOfOne)(client.Fingerprint(context.Background(), "SELECT 1"))
}

func TestARefusedFrameEndsTheClientWithItsReason(t *testing.T) {
	client := start(t, "--max-statement-bytes", "1kB")
	_, err := client.Fingerprint(context.Background(), strings.Repeat("x", 500_000))
	if err == nil || !strings.Contains(err.Error(), "allowed") {
		t.Error(err)
	}
	if _, err := client.Hello(context.Background()); err == nil {
		t.Error("the client goes on")
	}
}

func TestAClosedClientSaysSo(t *testing.T) {
	client := start(t)
	client.Close()
	if _, err := client.Hello(context.Background()); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

func TestASocketIsDialed(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "pgq.sock")
	daemon := exec.Command(program(t), "serve", "--socket", socket)
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	var client *Client
	var err error
	for until := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if client, err = Dial(ctx, socket); err == nil || time.Now().After(until) {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	check(t, fingerprintOfOne)(client.Fingerprint(ctx, "SELECT 1"))
	daemon.Process.Signal(os.Interrupt)
	if err := daemon.Wait(); err != nil {
		t.Error(err)
	}
	var e *Error
	for err == nil {
		_, err = client.Hello(ctx)
	}
	if errors.As(err, &e) && e.Code != CodeShuttingDown {
		t.Error(err)
	}
	client.Close()
}
