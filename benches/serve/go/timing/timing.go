// Package timing reads the workload and measures for a number of seconds.
package timing

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Workload returns the statements of the file that the first argument names.
func Workload() []string {
	bytes, err := os.ReadFile(os.Args[1])
	Check(err)
	return strings.Split(strings.TrimSpace(string(bytes)), "\n")
}

// Seconds returns the second argument: the duration of each measurement.
func Seconds() time.Duration {
	seconds, err := strconv.ParseFloat(os.Args[2], 64)
	Check(err)
	return time.Duration(seconds * float64(time.Second))
}

// Print calls round, which returns its number of statements, until the time is over. It then prints a line of the
// table: the name, statements per second, and CPU time per statement in nanoseconds, here and in the daemon
// of PGQ_DAEMON.
func Print(name string, round func() int) {
	round() // caches and buffers
	count, begun, own, daemon := 0, time.Now(), ownTime(), daemonTime()
	for time.Since(begun) < Seconds() {
		count += round()
	}
	seconds, n := time.Since(begun).Seconds(), float64(count)
	fmt.Printf("%s\t%.0f\t%.0f\t%.0f\n", name, n/seconds, float64(ownTime()-own)/n, float64(daemonTime()-daemon)/n)
}

// ownTime returns the CPU time of this process, in nanoseconds.
func ownTime() int64 {
	var usage syscall.Rusage
	Check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return usage.Utime.Nano() + usage.Stime.Nano()
}

// daemonTime returns the CPU time of the daemon's threads, as Linux counts it; 0 without a daemon.
func daemonTime() (sum int64) {
	threads, _ := filepath.Glob("/proc/" + os.Getenv("PGQ_DAEMON") + "/task/*/schedstat")
	for _, thread := range threads {
		text, _ := os.ReadFile(thread)
		time, _, _ := strings.Cut(string(text), " ")
		nanoseconds, _ := strconv.ParseInt(time, 10, 64)
		sum += nanoseconds
	}
	return sum
}

// Check ends the program if there is an error.
func Check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
