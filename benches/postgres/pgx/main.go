// Runs the benchmark of crates/pgq-postgres/examples/batches.rs with pgx.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

const query = "SELECT id, name FROM harbors LIMIT $1"

func main() {
	ctx := context.Background()
	rows, err := strconv.Atoi(os.Args[2])
	check(err)
	seconds, err := strconv.Atoi(os.Args[3])
	check(err)
	conn, err := pgx.Connect(ctx, os.Args[1])
	check(err)
	_, err = conn.Prepare(ctx, "limited", query)
	check(err)
	executed, bytes := 0, 0
	begun := time.Now()
	for time.Since(begun) < time.Duration(seconds)*time.Second {
		batch := &pgx.Batch{}
		for row := 0; row < rows; row++ {
			batch.Queue("limited", row%10+1)
		}
		results := conn.SendBatch(ctx, batch)
		for row := 0; row < rows; row++ {
			found, err := results.Query()
			check(err)
			for found.Next() {
				for _, value := range found.RawValues() {
					bytes += len(value)
				}
			}
			check(found.Err())
		}
		check(results.Close())
		executed += rows
	}
	fmt.Printf("%.0f %d\n", float64(executed)/time.Since(begun).Seconds(), bytes/executed)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
