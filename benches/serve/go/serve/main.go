// Measures the statements per second of the Go client through a daemon. The statements are sent one by one, pipelined,
// in batches, and as JSON lines.
//
//	serve WORKLOAD SECONDS SOCKET
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"os"
	"sync"

	"bench/timing"
	pgq "github.com/pgquill/pgquill/clients/go"
)

func main() {
	ctx := context.Background()
	texts, socket := timing.Workload(), os.Args[3]
	client, err := pgq.Dial(ctx, socket)
	timing.Check(err)
	defer client.Close()
	const some = 4000

	single := func(name string, call func(string) error) {
		next := 0
		timing.Print(name+", Go, binary, batch 1", func() int {
			for range some {
				timing.Check(call(texts[next%len(texts)]))
				next++
			}
			return some
		})
		timing.Print(name+", Go, binary, 64 in flight", func() int {
			var group sync.WaitGroup
			for worker := range 64 {
				group.Add(1)
				go func() {
					defer group.Done()
					for n := worker; n < len(texts); n += 64 {
						timing.Check(call(texts[n]))
					}
				}()
			}
			group.Wait()
			return len(texts)
		})
	}
	single("fingerprint", func(sql string) error { _, err := client.Fingerprint(ctx, sql); return err })
	batches(ctx, "fingerprint, Go, binary, batch 1,000", texts, client.GoFingerprints)
	single("normalize", func(sql string) error { _, err := client.Normalize(ctx, sql); return err })
	batches(ctx, "normalize, Go, binary, batch 1,000", texts, client.GoNormalized)

	lines(socket, "fingerprint", texts)
	lines(socket, "normalize", texts)
}

// batches measures batches of 1,000 statements. The daemon processes one batch while the client reads the results of
// another.
func batches[T any](ctx context.Context, name string, texts []string, send func(context.Context, []string, *pgq.Handle) (*pgq.Pending[T], error)) {
	var pending []*pgq.Pending[T]
	take := func() {
		results, err := pending[0].Wait(ctx)
		timing.Check(err)
		timing.Check(results[0].Err)
		pending = pending[1:]
	}
	timing.Print(name, func() int {
		count := 0
		for ; count+1000 <= len(texts); count += 1000 {
			p, err := send(ctx, texts[count:count+1000], nil)
			timing.Check(err)
			if pending = append(pending, p); len(pending) > 2 {
				take()
			}
		}
		return count
	})
	for len(pending) > 0 {
		take()
	}
}

// lines measures JSON lines with only the standard library.
func lines(socket, op string, texts []string) {
	conn, err := net.Dial("unix", socket)
	timing.Check(err)
	defer conn.Close()
	reader, writer := bufio.NewReaderSize(conn, 1<<18), bufio.NewWriterSize(conn, 1<<18)
	request := func(sql any) []byte {
		line, err := json.Marshal(map[string]any{"id": 1, "op": op, "sql": sql})
		timing.Check(err)
		return append(line, '\n')
	}
	read := func() {
		var answer struct {
			Error   any
			Results []json.RawMessage
		}
		line, err := reader.ReadSlice('\n')
		for err == bufio.ErrBufferFull {
			_, err = reader.ReadSlice('\n')
			line = []byte("{}")
		}
		timing.Check(err)
		timing.Check(json.Unmarshal(line, &answer))
		if answer.Error != nil {
			panic(answer.Error)
		}
	}
	next := 0
	timing.Print(op+", Go, JSON lines, batch 1", func() int {
		for range 1000 {
			writer.Write(request(texts[next%len(texts)]))
			timing.Check(writer.Flush())
			read()
			next++
		}
		return 1000
	})
	timing.Print(op+", Go, JSON lines, 64 in flight", func() int {
		for range 20 {
			for range 64 {
				writer.Write(request(texts[next%len(texts)]))
				next++
			}
			timing.Check(writer.Flush())
			for range 64 {
				read()
			}
		}
		return 20 * 64
	})
	timing.Print(op+", Go, JSON lines, batch 1,000", func() int {
		for start := 0; start+1000 <= len(texts); start += 1000 {
			writer.Write(request(texts[start : start+1000]))
			timing.Check(writer.Flush())
			read()
		}
		return len(texts) / 1000 * 1000
	})
}
