// Package timing reads the workload and measures throughput.
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

// Workload returns the statements of the file named by the first argument.
func Workload() []string {
	bytes, err := os.ReadFile(os.Args[1])
	Check(err)
	return strings.Split(strings.TrimSpace(string(bytes)), "\n")
}

// Seconds returns the duration of a measurement, which is the second argument.
func Seconds() time.Duration {
	seconds, err := strconv.ParseFloat(os.Args[2], 64)
	Check(err)
	return time.Duration(seconds * float64(time.Second))
}

// Print calls round repeatedly for the duration of a measurement. round returns its number of statements. Print then
// prints a row with the name, the statements per second, and the CPU time per statement in this process and in the
// daemon, in nanoseconds. PGQ_DAEMON is the daemon's process ID.
func Print(name string, round func() int) {
	round() // fills caches and buffers
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

// daemonTime returns the CPU time of the daemon's threads, or 0 without a daemon.
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
