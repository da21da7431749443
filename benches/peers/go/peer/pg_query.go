package peer

import "strconv"

// API is that of pg_query_go, which the other two have as well, some with types of their own.
type API[Tree, Tokens any] struct {
	Parse       func(string) (Tree, error)
	Version     func(Tree) int32
	Statements  func(Tree) int
	Fingerprint func(string) (string, error)
	Normalize   func(string) (string, error)
	Scan        func(string) (Tokens, error)
	Count       func(Tokens) int
	Deparse     func(Tree) (string, error)
}

// Serve runs a parser with this API until standard input ends.
func (api API[Tree, Tokens]) Serve() {
	text := func(text string) string { return text }
	tree, err := api.Parse("SELECT 1")
	check(err)
	Serve(api.Version(tree), []Function{
		Of("parse", api.Parse, func(tree Tree) string { return strconv.Itoa(api.Statements(tree)) }),
		Of("fingerprint", api.Fingerprint, text),
		Of("normalize", api.Normalize, text),
		Of("both", api.both, text),
		Of("scan", api.Scan, func(tokens Tokens) string { return strconv.Itoa(api.Count(tokens)) }),
		OfPrepared("deparse", api.Parse, api.Deparse, text),
	})
}

// both is what a record of a log takes: a fingerprint and a normalized text.
func (api API[Tree, Tokens]) both(sql string) (string, error) {
	fingerprint, err := api.Fingerprint(sql)
	if err != nil {
		return "", err
	}
	normalized, err := api.Normalize(sql)
	return fingerprint + " " + normalized, err
}
