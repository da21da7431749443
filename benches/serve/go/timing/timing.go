// Package timing reads the workload and measures for a number of seconds.
package timing

import (
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
	"time"
)

// Workload is the statements of the file that the first argument names.
func Workload() []string {
	bytes, err := os.ReadFile(os.Args[1])
	Check(err)
	return strings.Split(strings.TrimSpace(string(bytes)), "\n")
}

// Seconds is the second argument: how long each measurement takes.
func Seconds() time.Duration {
	seconds, err := strconv.ParseFloat(os.Args[2], 64)
	Check(err)
	return time.Duration(seconds * float64(time.Second))
}

// Print runs round, which returns how many statements it took, until the time is over; then it prints a line of the
// table: the name, and statements a second.
func Print(name string, round func() int) {
	round() // caches and buffers
	count, begun := 0, time.Now()
	for time.Since(begun) < Seconds() {
		count += round()
	}
	fmt.Printf("%s\t%.0f\n", name, float64(count)/time.Since(begun).Seconds())
}

// Check ends the program at an error.
func Check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
