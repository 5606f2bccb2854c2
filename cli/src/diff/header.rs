//! Names and times in the header of a difference, as GNU diff prints them: `a.txt`, a tab, and
//! `2026-11-24 01:02:03.000000000 +0000`.

use std::time::{SystemTime, UNIX_EPOCH};

const DAY: i64 = 24 * 60 * 60;

/// Returns a file name with its modification time.
pub fn header(name: &[u8], time: SystemTime) -> Vec<u8> {
    let (seconds, nanoseconds) = match time.duration_since(UNIX_EPOCH) {
        Ok(since) => (since.as_secs() as i64, since.subsec_nanos()),
        Err(before) => {
            let before = before.duration();
            let part = u32::from(before.subsec_nanos() > 0);
            (-(before.as_secs() as i64) - i64::from(part), part * 1_000_000_000 - before.subsec_nanos())
        }
    };
    let mut text = quoted(name);
    text.extend(b"\t");
    text.extend(date(seconds, nanoseconds, offset(seconds)).into_bytes());
    text
}

/// Returns a name, quoted as in C if it has a space, a quote, a backslash, a control character or a
/// byte outside ASCII.
pub fn quoted(name: &[u8]) -> Vec<u8> {
    if !name.iter().any(|byte| matches!(byte, b'"' | b'\\' | 0..=b' ' | 0x7f..)) {
        return name.to_vec();
    }
    let mut text = vec![b'"'];
    for &byte in name {
        match byte {
            b'"' | b'\\' => text.extend([b'\\', byte]),
            7..=13 => text.extend([b'\\', b"abtnvfr"[usize::from(byte) - 7]]),
            0..=0x1f | 0x7f.. => text.extend(format!("\\{byte:03o}").into_bytes()),
            _ => text.push(byte),
        }
    }
    text.push(b'"');
    text
}

/// Formats a date in the local zone, `offset` seconds ahead of UTC.
fn date(seconds: i64, nanoseconds: u32, offset: i64) -> String {
    let local = seconds + offset;
    let days = local.div_euclid(DAY);
    let second = local.rem_euclid(DAY);
    // Years begin in March here, so that a leap day ends its year. All eras of 400 years have the
    // same length.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day = shifted.rem_euclid(146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, year) = if month < 10 { (month + 3, year) } else { (month - 9, year + 1) };
    let year = year + 400 * era;
    let hour = second / 3600;
    let minute = second / 60 % 60;
    let second = second % 60;
    let sign = if offset < 0 { '-' } else { '+' };
    let zone = offset.abs() / 60;
    let zone_hours = zone / 60;
    let zone_minutes = zone % 60;
    format!(
        "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{nanoseconds:09} {sign}{zone_hours:02}{zone_minutes:02}"
    )
}

/// Returns the difference of local time and UTC at a time, in seconds; 0 if the system does not
/// report it.
fn offset(seconds: i64) -> i64 {
    #[cfg(unix)]
    {
        let time = seconds as libc::time_t;
        let mut local = std::mem::MaybeUninit::<libc::tm>::zeroed();
        // SAFETY: both pointers are valid; the call reads `time` and writes `local`.
        let known = unsafe { !libc::localtime_r(&raw const time, local.as_mut_ptr()).is_null() };
        // SAFETY: zeros are a valid value, and so is the value that the system writes.
        if known { unsafe { local.assume_init() }.tm_gmtoff } else { 0 }
    }
    #[cfg(not(unix))]
    {
        let _ = seconds;
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(date(0, 0, 0), "1970-01-01 00:00:00.000000000 +0000");
        assert_eq!(date(951_782_400, 5, 0), "2000-02-29 00:00:00.000000005 +0000");
        assert_eq!(date(1_795_485_723, 123_456_789, 5 * 3600 + 1800), "2026-11-24 07:32:03.123456789 +0530");
        assert_eq!(date(-1, 0, -3600), "1969-12-31 22:59:59.000000000 -0100");
        assert_eq!(date(4_102_444_799, 0, 0), "2099-12-31 23:59:59.000000000 +0000");
    }

    #[test]
    fn names_are_quoted_as_in_c() {
        assert_eq!(quoted(b"a-b"), b"a-b");
        assert_eq!(quoted(b"a\tb"), b"\"a\\tb\"");
        assert_eq!(quoted(b"a b"), b"\"a b\"");
        assert_eq!(quoted(b"a\"\\\n\x01"), br#""a\"\\\n\001""#);
        assert_eq!(quoted("é".as_bytes()), br#""\303\251""#);
    }
}
