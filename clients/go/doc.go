// Package pgq is a client of `pgq serve`: PostgreSQL's own parser for Go programs without cgo.
//
// A [Client] is one connection. Its methods may be called from any number of goroutines at once: their
// requests share the connection as a pipeline and are answered in order. A call costs a round trip; batches
// ([Client.Fingerprints] and its like) share one among all their texts, and [Client.GoFingerprints] returns
// before the answer is there, so that one goroutine can keep several batches under way.
//
//	client, err := pgq.Start(ctx, "pgq") // or pgq.Dial(ctx, "") for a daemon that runs
//	if err != nil {
//		return err
//	}
//	defer client.Close()
//	fingerprint, err := client.Fingerprint(ctx, "SELECT a FROM t WHERE b = 1")
//
// Errors of SQL are of the type *[Error], with PostgreSQL's message and the position.
package pgq
