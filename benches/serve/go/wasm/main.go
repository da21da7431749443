// Measures the statements per second of wasilibs/go-pgquery, which is C compiled to WebAssembly: wasm WORKLOAD SECONDS
package main

import (
	pg_query "github.com/wasilibs/go-pgquery"

	"bench/timing"
)

func main() {
	texts := timing.Workload()
	timing.Print("fingerprint, wasilibs/go-pgquery, in process", func() int {
		for _, text := range texts {
			_, err := pg_query.Fingerprint(text)
			timing.Check(err)
		}
		return len(texts)
	})
	timing.Print("normalize, wasilibs/go-pgquery, in process", func() int {
		for _, text := range texts {
			_, err := pg_query.Normalize(text)
			timing.Check(err)
		}
		return len(texts)
	})
}
