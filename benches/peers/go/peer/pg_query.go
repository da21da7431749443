package peer

import "strconv"

// Tree is a parse tree of pg_query_go or a parser with the same messages.
type Tree[Statement any] interface {
	GetVersion() int32
	GetStmts() []Statement
}

// Tokens is a scan result of pg_query_go or a parser with the same messages.
type Tokens[Token any] interface {
	GetTokens() []Token
}

// ServeAPI executes the commands on standard input with a parser that has pg_query_go's API.
func ServeAPI[T Tree[Statement], S Tokens[Token], Statement, Token any](
	parse func(string) (T, error),
	fingerprint func(string) (string, error),
	normalize func(string) (string, error),
	scan func(string) (S, error),
	deparse func(T) (string, error),
) {
	// Both results are needed for a log record.
	both := func(sql string) (string, error) {
		hash, err := fingerprint(sql)
		if err != nil {
			return "", err
		}
		normalized, err := normalize(sql)
		return hash + " " + normalized, err
	}
	text := func(text string) string { return text }
	tree, err := parse("SELECT 1")
	check(err)
	Serve(tree.GetVersion(), []Function{
		Of("parse", parse, func(tree T) string { return strconv.Itoa(len(tree.GetStmts())) }),
		Of("fingerprint", fingerprint, text),
		Of("normalize", normalize, text),
		Of("both", both, text),
		Of("scan", scan, func(tokens S) string { return strconv.Itoa(len(tokens.GetTokens())) }),
		OfPrepared("deparse", parse, deparse, text),
	})
}
