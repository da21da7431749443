// Package pgq is a client of `pgq serve`, which offers PostgreSQL's own parser to Go programs without cgo.
//
// A [Client] is one connection. Any number of goroutines may call its methods concurrently. Their requests share the
// connection as a pipeline and are answered in order. A call costs a round trip. A batch ([Client.Fingerprints] and
// the other plural methods) costs one round trip for all its texts. [Client.GoFingerprints] returns before the answer
// arrives, so one goroutine can have several batches in progress.
//
//	client, err := pgq.Start(ctx, "pgq") // or pgq.Dial(ctx, "") for a running daemon
//	if err != nil {
//		return err
//	}
//	defer client.Close()
//	fingerprint, err := client.Fingerprint(ctx, "SELECT a FROM t WHERE b = 1")
//
// Errors in SQL have the type *[Error], with PostgreSQL's message and the position.
package pgq
