package pgq

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strconv"
	"testing"
)

// TestPostgreSQL needs a server with its settings in PGQ_SERVER. tests/serve starts one.
func TestPostgreSQL(t *testing.T) {
	settings := os.Getenv("PGQ_SERVER")
	if settings == "" {
		t.Skip("no server: name it with PGQ_SERVER")
	}
	ctx, client := context.Background(), start(t)
	session, err := client.Connect(ctx, settings)
	if err != nil {
		t.Fatal(err)
	}
	if session.Parameters["server_version"] == "" || session.CancelKey == 0 {
		t.Errorf("%+v", session)
	}
	statement, err := session.Prepare(ctx, "SELECT 10 / $1::int AS n, $2::text AS \"b c\"")
	if err != nil {
		t.Fatal(err)
	}
	if len(statement.Parameters) != 2 || len(statement.Columns) != 2 || statement.Columns[1].Name != "b c" {
		t.Errorf("%+v", statement)
	}
	var rows Parameters
	rows.Add([]byte("5"), []byte("é"))
	rows.Add([]byte("2"), nil)
	rows.Add([]byte("0"), []byte("x"))
	rows.Add([]byte("1"), []byte("y"))
	answers, err := statement.Execute(ctx, &rows, Execution{Results: Rows})
	if err != nil || len(answers) != 4 {
		t.Fatal(answers, err)
	}
	for i, outcome := range []Outcome{Ran, Ran, Failed, NotRun} {
		if answers[i].Outcome != outcome || answers[i].Sync != (i == 3) {
			t.Errorf("%d: %+v", i, answers[i])
		}
	}
	answers[1].EachRow(func(values [][]byte) error {
		if string(values[0]) != "5" || values[1] != nil {
			t.Error(values)
		}
		return nil
	})
	var e *Error
	if !errors.As(answers[2].Err, &e) || e.SQLState() != "22012" {
		t.Error(answers[2].Err)
	}
	large, err := session.Prepare(ctx, "SELECT repeat('x', 1000000) FROM generate_series(1, $1::int)")
	if err != nil {
		t.Fatal(err)
	}
	rows.Reset()
	for n := range 3 {
		rows.Add([]byte(strconv.Itoa(n)))
	}
	answers, err = large.Execute(ctx, &rows, Execution{Results: Rows})
	if err != nil {
		t.Fatal(err)
	}
	for n := range answers {
		count := 0
		err := answers[n].EachRow(func(values [][]byte) error {
			count++
			if !bytes.Equal(values[0], bytes.Repeat([]byte("x"), 1000000)) {
				t.Error("a row is not whole")
			}
			return nil
		})
		if err != nil || count != n {
			t.Error(n, count, err)
		}
	}
	answers, err = large.Execute(ctx, &rows, Execution{Results: Tags})
	if err != nil || answers[2].Tag() != "SELECT 2" {
		t.Error(answers, err)
	}
	if err := session.Close(ctx); err != nil {
		t.Error(err)
	}
	if _, err := large.Execute(ctx, &rows, Execution{}); !errors.As(err, &e) || e.Code != CodeBadHandle {
		t.Error(err)
	}
}
