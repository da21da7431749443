// Package peer implements the protocol of the benchmark programs (../../src/lib.rs) in Go.
package peer

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Function is a measured function of a parser. The benchmark compares the answers of all parsers.
type Function struct {
	name    string
	prepare func(sql string) (func(), error)
	answer  func(sql string) (string, error)
}

// result prevents the compiler from removing measured calls.
var result any

// Of returns a Function whose call takes a statement.
func Of[T any](name string, call func(string) (T, error), answer func(T) string) Function {
	return OfPrepared(name, func(sql string) (string, error) { return sql, nil }, call, answer)
}

// OfPrepared returns a Function whose call takes the result of prepare. Only the call is measured.
func OfPrepared[P, T any](
	name string, prepare func(string) (P, error), call func(P) (T, error), answer func(T) string,
) Function {
	return Function{
		name: name,
		prepare: func(sql string) (func(), error) {
			prepared, err := prepare(sql)
			return func() { result, _ = call(prepared) }, err
		},
		answer: func(sql string) (text string, err error) {
			defer func() {
				if problem := recover(); problem != nil { // the parser rejects the statement
					err = fmt.Errorf("%v", problem)
				}
			}()
			prepared, err := prepare(sql)
			if err != nil {
				return "", err
			}
			value, err := call(prepared)
			if err != nil {
				return "", err
			}
			return answer(value), nil
		},
	}
}

// Serve executes the commands on standard input.
func Serve(postgresql int32, functions []Function) {
	text, err := os.ReadFile(os.Args[1])
	check(err)
	statements := strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
	names := []string{}
	for _, function := range functions {
		names = append(names, function.name)
	}
	print(map[string]any{"postgresql": postgresql, "functions": names})
	var calls []func()
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadString('\n')
		if err != nil {
			return
		}
		switch words := strings.Fields(line); words[0] {
		case "answer":
			number, err := strconv.Atoi(words[1])
			check(err)
			answers := map[string]string{}
			for _, function := range functions {
				if answer, err := function.answer(statements[number]); err == nil {
					answers[function.name] = answer
				}
			}
			print(answers)
		case "prepare":
			calls = prepare(functions, words[1], statements, words[2])
			print(len(calls))
		case "round":
			start := cpuTime()
			for _, call := range calls {
				call()
			}
			print(cpuTime() - start)
		case "each":
			times := []int64{}
			for _, call := range calls {
				start := time.Now()
				call()
				times = append(times, time.Since(start).Nanoseconds())
			}
			print(times)
		default:
			log.Fatal("not a command: ", line)
		}
	}
}

// prepare returns a function's calls for the statements whose bit in bits is 1.
func prepare(functions []Function, name string, statements []string, bits string) (calls []func()) {
	for _, function := range functions {
		if function.name != name {
			continue
		}
		for number, sql := range statements {
			if bits[number] == '1' {
				call, err := function.prepare(sql)
				check(err)
				calls = append(calls, call)
			}
		}
	}
	return calls
}

// print writes a value as a line of JSON.
func print(value any) {
	line, err := json.Marshal(value)
	check(err)
	fmt.Println(string(line))
}

// cpuTime returns the CPU time of all threads of this process, in nanoseconds.
func cpuTime() int64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
