//! Parquet's encodings of values and levels (apache/parquet-format, Encodings.md): PLAIN, and the hybrid of
//! runs and packed bits. Bytes only; knows no page.

/// Values of a group that is packed together.
const GROUP: usize = 8;

/// Groups that one header may announce: so many that it takes one byte.
const MOST_GROUPS: usize = 63;

/// Bits that the numbers up to `max` need.
pub fn bit_width(max: u32) -> u8 {
    (u32::BITS - max.leading_zeros()) as u8
}

/// Appends numbers of `width` bits as runs of equal ones and packed groups.
pub fn write_hybrid(numbers: &[u32], width: u8, out: &mut Vec<u8>) {
    let mut rest = numbers;
    // Numbers before `rest` that wait to be packed.
    let mut packed = &numbers[..0];
    let mut done = 0;
    while let Some(first) = rest.first() {
        let run = rest.iter().take_while(|number| *number == first).count();
        let take = if run >= GROUP || (run == rest.len() && packed.is_empty()) {
            write_packed(packed, width, out);
            write_varint((run as u64) << 1, out);
            out.extend_from_slice(&first.to_le_bytes()[..usize::from(width).div_ceil(8)]);
            done += packed.len() + run;
            run
        } else {
            // Whole groups: one may begin before a run and take a part of it.
            GROUP.min(rest.len())
        };
        rest = &rest[take..];
        packed = &numbers[done..numbers.len() - rest.len()];
        if packed.len() == MOST_GROUPS * GROUP {
            write_packed(packed, width, out);
            done += packed.len();
            packed = &numbers[done..done];
        }
    }
    write_packed(packed, width, out);
}

/// Appends groups of packed numbers with their header; the last group is filled up with zeros.
fn write_packed(numbers: &[u32], width: u8, out: &mut Vec<u8>) {
    if numbers.is_empty() {
        return;
    }
    write_varint((numbers.len().div_ceil(GROUP) as u64) << 1 | 1, out);
    for group in numbers.chunks(GROUP) {
        let (mut bits, mut count) = (0u64, 0u8);
        let mut filled = [0; GROUP];
        filled[..group.len()].copy_from_slice(group);
        for number in filled {
            bits |= u64::from(number) << count;
            count += width;
            while count >= 8 {
                out.push(bits as u8);
                bits >>= 8;
                count -= 8;
            }
        }
    }
}

fn write_varint(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends the levels of a data page: their size, and a hybrid of numbers up to `max`.
pub fn write_levels(levels: impl Iterator<Item = u8>, max: u8, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    let levels: Vec<u32> = levels.map(u32::from).collect();
    write_hybrid(&levels, bit_width(u32::from(max)), out);
    let len = (out.len() - start - 4) as u32;
    out[start..start + 4].copy_from_slice(&len.to_le_bytes());
}

/// Appends a text: its length and its bytes.
#[inline]
pub fn write_text(text: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&(text.len() as u32).to_le_bytes());
    out.extend_from_slice(text);
}

/// Appends truth values, eight in a byte.
pub fn write_bits(values: impl Iterator<Item = bool>, out: &mut Vec<u8>) {
    let (mut byte, mut count) = (0, 0);
    for value in values {
        byte |= u8::from(value) << count;
        count += 1;
        if count == 8 {
            out.push(byte);
            (byte, count) = (0, 0);
        }
    }
    if count > 0 {
        out.push(byte);
    }
}

#[cfg(test)]
mod tests {
    use super::{bit_width, write_bits, write_hybrid};

    /// Reads `count` numbers back.
    fn read_hybrid(mut bytes: &[u8], width: u8, count: usize) -> Vec<u32> {
        let mut numbers = Vec::new();
        while numbers.len() < count {
            let (mut header, mut shift) = (0u64, 0);
            loop {
                let byte = bytes[0];
                bytes = &bytes[1..];
                header |= u64::from(byte & 0x7f) << shift;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
            }
            if header & 1 == 0 {
                let size = usize::from(width).div_ceil(8);
                let mut number = [0; 4];
                number[..size].copy_from_slice(&bytes[..size]);
                bytes = &bytes[size..];
                numbers.extend(std::iter::repeat_n(u32::from_le_bytes(number), (header >> 1) as usize));
            } else {
                for index in 0..(header >> 1) as usize * 8 {
                    let bit = |at: usize| u32::from(bytes[at / 8] >> (at % 8) & 1);
                    let start = index * usize::from(width);
                    numbers.push((0..usize::from(width)).map(|at| bit(start + at) << at).sum());
                }
                bytes = &bytes[(header >> 1) as usize * usize::from(width)..];
            }
        }
        assert!(bytes.is_empty());
        numbers.truncate(count);
        numbers
    }

    #[test]
    fn numbers_come_back() {
        let mut state = 1u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        for case in 0..2000 {
            let max = [1, 2, 3, 7, 8, 255, 256, 70_000, u32::MAX][case % 9];
            let mut numbers = Vec::new();
            for _ in 0..random(40) {
                let number = random(u64::from(max) + 1) as u32;
                numbers.extend(std::iter::repeat_n(number, [1, 1, 1, 2, 7, 8, 9, 600][random(8) as usize]));
            }
            let mut out = Vec::new();
            write_hybrid(&numbers, bit_width(max), &mut out);
            assert_eq!(read_hybrid(&out, bit_width(max), numbers.len()), numbers);
        }
    }

    #[test]
    fn truth_values_are_packed_from_the_lowest_bit() {
        let mut out = Vec::new();
        write_bits([true, false, true, false, false, false, false, false, true].into_iter(), &mut out);
        assert_eq!(out, [0b101, 1]);
    }
}
