// Measures the statements per second of sqlc-dev/oliphant, which is pure Go: oliphant WORKLOAD SECONDS
package main

import (
	"github.com/sqlc-dev/oliphant"

	"bench/timing"
)

func main() {
	texts := timing.Workload()
	timing.Print("fingerprint, sqlc-dev/oliphant, in process", func() int {
		for _, text := range texts {
			_, err := oliphant.Fingerprint(text)
			timing.Check(err)
		}
		return len(texts)
	})
	timing.Print("normalize, sqlc-dev/oliphant, in process", func() int {
		for _, text := range texts {
			_, err := oliphant.Normalize(text)
			timing.Check(err)
		}
		return len(texts)
	})
}
