// Measures the statements per second of pg_query_go, which uses cgo: cgo WORKLOAD SECONDS
package main

import (
	pg_query "github.com/pganalyze/pg_query_go/v6"

	"bench/timing"
)

func main() {
	texts := timing.Workload()
	timing.Print("fingerprint, pg_query_go (cgo), in process", func() int {
		for _, text := range texts {
			_, err := pg_query.Fingerprint(text)
			timing.Check(err)
		}
		return len(texts)
	})
	timing.Print("normalize, pg_query_go (cgo), in process", func() int {
		for _, text := range texts {
			_, err := pg_query.Normalize(text)
			timing.Check(err)
		}
		return len(texts)
	})
}
