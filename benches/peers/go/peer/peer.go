// Package peer implements the protocol of the parsers' programs (../../src/lib.rs) for programs in Go.
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
)

// A Function of a parser. The answer is compared with other parsers' answers.
type Function struct {
	name    string
	prepare func(sql string) (func(), error)
	answer  func(sql string) (string, error)
}

// result keeps the compiler from removing calls.
var result any

// Of returns a function of a statement.
func Of[T any](name string, call func(string) (T, error), answer func(T) string) Function {
	return OfPrepared(name, func(sql string) (string, error) { return sql, nil }, call, answer)
}

// OfPrepared returns a function of a value that is prepared from a statement. The preparation is not measured.
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
				if problem := recover(); problem != nil { // a panic is a refusal
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

// Serve runs a parser until standard input ends.
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
		default:
			log.Fatal("not a command: ", line)
		}
	}
}

// prepare returns the calls of a function with the statements that have 1 in bits.
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

// print writes a line of JSON.
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
