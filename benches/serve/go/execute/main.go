// Measures the statements per second that the Go client executes through a daemon. benches/postgres measures other
// clients.
//
//	execute SETTINGS ROWS SECONDS SOCKET
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"bench/timing"
	pgq "github.com/pgquill/pgquill/clients/go"
)

func main() {
	ctx := context.Background()
	rows, err := strconv.Atoi(os.Args[2])
	timing.Check(err)
	seconds, err := strconv.Atoi(os.Args[3])
	timing.Check(err)
	client, err := pgq.Dial(ctx, os.Args[4])
	timing.Check(err)
	session, err := client.Connect(ctx, os.Args[1])
	timing.Check(err)
	statement, err := session.Prepare(ctx, "SELECT id, name FROM harbors LIMIT $1")
	timing.Check(err)
	executed, bytes := 0, 0
	var parameters pgq.Parameters
	// A batch has one Sync message, as in benches/postgres.
	how := pgq.Execution{Results: pgq.Rows, SyncRows: uint32(rows)}
	answer := func(a *pgq.Answer) {
		timing.Check(a.Err)
		timing.Check(a.EachRow(func(values [][]byte) error {
			for _, value := range values {
				bytes += len(value)
			}
			return nil
		}))
	}
	begun := time.Now()
	for time.Since(begun) < time.Duration(seconds)*time.Second {
		parameters.Reset()
		for row := range rows {
			parameters.Add([]byte(strconv.Itoa(row%10 + 1)))
		}
		executing, err := statement.GoExecute(ctx, &parameters, how, answer)
		timing.Check(err)
		timing.Check(executing.Wait(ctx))
		executed += rows
	}
	fmt.Printf("%.0f %d\n", float64(executed)/time.Since(begun).Seconds(), bytes/executed)
}
