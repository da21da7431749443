package pgq_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/pgquill/pgquill/clients/go"
)

func Example() {
	program := os.Getenv("PGQ_PROGRAM")
	if program == "" {
		program = "pgq"
	}
	ctx := context.Background()
	client, err := pgq.Start(ctx, program)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	results, err := client.Both(ctx, []string{"SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE b = 2", "SELECT ("}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, result := range results {
		if result.Err != nil {
			fmt.Println(result.Err)
			continue
		}
		fmt.Println(result.Value.Fingerprint, result.Value.Normalized)
	}
}
