//! A timer with microsecond precision. It is needed because epoll rounds timeouts up to milliseconds.

use std::os::fd::{AsFd, AsRawFd};
use std::time::Duration;

use anyhow::Result;
use mio::{Registry, Token};
use nix::sys::time::TimeSpec;
use nix::sys::timerfd::{ClockId, Expiration, TimerFd, TimerFlags, TimerSetTimeFlags};

pub struct Timer(TimerFd);

impl Timer {
    /// Creates a timer whose events have the token `token`.
    pub fn new(registry: &Registry, token: Token) -> Result<Self> {
        let flags = TimerFlags::TFD_NONBLOCK | TimerFlags::TFD_CLOEXEC;
        let timer = TimerFd::new(ClockId::CLOCK_MONOTONIC, flags)?;
        registry.register(&mut mio::unix::SourceFd(&timer.as_fd().as_raw_fd()), token, mio::Interest::READABLE)?;
        Ok(Self(timer))
    }

    /// Requests an event after this time. Replaces the previous request.
    pub fn set(&self, after: Duration) -> Result<()> {
        // Zero would stop the timer.
        let after = TimeSpec::from_duration(after.max(Duration::from_nanos(1)));
        Ok(self.0.set(Expiration::OneShot(after), TimerSetTimeFlags::empty())?)
    }
}
