//! A timer with microsecond precision. It is needed because epoll rounds timeouts up to milliseconds. It exists only on
//! Linux. On other systems, the loop uses its normal timeouts.

use std::time::Duration;

use anyhow::Result;
use mio::{Registry, Token};

pub struct Timer {
    #[cfg(target_os = "linux")]
    timer: nix::sys::timerfd::TimerFd,
}

impl Timer {
    /// Creates a timer with events for `token`.
    #[cfg(target_os = "linux")]
    pub fn new(registry: &Registry, token: Token) -> Result<Self> {
        use std::os::fd::{AsFd, AsRawFd};

        use nix::sys::timerfd::{ClockId, TimerFd, TimerFlags};
        let flags = TimerFlags::TFD_NONBLOCK | TimerFlags::TFD_CLOEXEC;
        let timer = TimerFd::new(ClockId::CLOCK_MONOTONIC, flags)?;
        registry.register(&mut mio::unix::SourceFd(&timer.as_fd().as_raw_fd()), token, mio::Interest::READABLE)?;
        Ok(Self { timer })
    }

    /// Creates a timer that does nothing.
    #[cfg(not(target_os = "linux"))]
    pub fn new(_registry: &Registry, _token: Token) -> Result<Self> {
        Ok(Self {})
    }

    /// Requests an event after this time. Replaces the previous request.
    #[cfg(target_os = "linux")]
    pub fn set(&self, after: Duration) -> Result<()> {
        use nix::sys::time::TimeSpec;
        use nix::sys::timerfd::{Expiration, TimerSetTimeFlags};
        // Zero would stop the timer.
        let after = TimeSpec::from_duration(after.max(Duration::from_nanos(1)));
        Ok(self.timer.set(Expiration::OneShot(after), TimerSetTimeFlags::empty())?)
    }

    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "as on Linux")]
    pub fn set(&self, _after: Duration) -> Result<()> {
        Ok(())
    }
}
