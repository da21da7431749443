//! Wakes the loop at a time that is exact to microseconds: the timeouts of epoll are whole milliseconds, rounded up.
//! On other systems than Linux, those of the loop must do.

use std::time::Duration;

use anyhow::Result;
use mio::{Registry, Token};

/// A timer of the loop.
pub struct Timer {
    #[cfg(target_os = "linux")]
    timer: nix::sys::timerfd::TimerFd,
}

impl Timer {
    /// One that makes an event of `token`.
    #[cfg(target_os = "linux")]
    pub fn new(registry: &Registry, token: Token) -> Result<Self> {
        use std::os::fd::{AsFd, AsRawFd};

        use nix::sys::timerfd::{ClockId, TimerFd, TimerFlags};
        let flags = TimerFlags::TFD_NONBLOCK | TimerFlags::TFD_CLOEXEC;
        let timer = TimerFd::new(ClockId::CLOCK_MONOTONIC, flags)?;
        registry.register(&mut mio::unix::SourceFd(&timer.as_fd().as_raw_fd()), token, mio::Interest::READABLE)?;
        Ok(Self { timer })
    }

    /// One that does nothing.
    #[cfg(not(target_os = "linux"))]
    pub fn new(_registry: &Registry, _token: Token) -> Result<Self> {
        Ok(Self {})
    }

    /// Asks for an event in so long, instead of the one that was asked for before.
    #[cfg(target_os = "linux")]
    pub fn set(&self, after: Duration) -> Result<()> {
        use nix::sys::time::TimeSpec;
        use nix::sys::timerfd::{Expiration, TimerSetTimeFlags};
        // Nothing at all would stop the timer.
        let after = TimeSpec::from_duration(after.max(Duration::from_nanos(1)));
        Ok(self.timer.set(Expiration::OneShot(after), TimerSetTimeFlags::empty())?)
    }

    /// Does nothing.
    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "as on Linux")]
    pub fn set(&self, _after: Duration) -> Result<()> {
        Ok(())
    }
}
