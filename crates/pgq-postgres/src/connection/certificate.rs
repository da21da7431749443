//! Reads certificate files. Computes the hash of a server's certificate for SCRAM channel binding
//! (RFC 5929, `tls-server-end-point`). Parses only the signature algorithm of a certificate.

use std::path::Path;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use sha2::{Digest, Sha256, Sha384, Sha512};

use crate::error::Error;
use crate::settings::read_file;

/// Returns the certificates of a PEM file.
///
/// # Errors
/// Returns an error if the file is unreadable, is not PEM, or has no certificate.
pub fn read_certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, Error> {
    let failed = |error: &dyn std::fmt::Display| Error::Tls(format!("{}: {error}", path.display()));
    let bytes = read_file(path).map_err(|error| failed(&error))?;
    match CertificateDer::pem_slice_iter(&bytes).collect::<Result<Vec<_>, _>>() {
        Ok(certificates) if certificates.is_empty() => Err(failed(&"no certificate")),
        Ok(certificates) => Ok(certificates),
        Err(error) => Err(failed(&error)),
    }
}

/// Returns the certificate's hash. Uses the signature's hash function, or SHA-256 in place of MD5 and SHA-1. Returns
/// `None` if the signature has no single hash function. Without a hash, channel binding is impossible.
pub fn end_point_hash(certificate: &[u8]) -> Option<Vec<u8>> {
    Some(match signature_hash(certificate)? {
        256 => Sha256::digest(certificate).to_vec(),
        384 => Sha384::digest(certificate).to_vec(),
        _ => Sha512::digest(certificate).to_vec(),
    })
}

const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01];
const ECDSA_SHA1: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x01];
const ECDSA: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03];
const SHA2: &[u8] = &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02];

fn signature_hash(certificate: &[u8]) -> Option<u32> {
    let (_, certificate, _) = element(certificate)?;
    let (_, _, after) = element(certificate)?;
    let (_, algorithm, _) = element(after)?;
    let (_, oid, parameters) = element(algorithm)?;
    if oid == ECDSA_SHA1 {
        return Some(256);
    }
    let (last, family) = oid.split_last()?;
    match (family, last) {
        (RSA, 4 | 5 | 11) | (ECDSA, 2) => Some(256),
        (RSA, 12) | (ECDSA, 3) => Some(384),
        (RSA, 13) | (ECDSA, 4) => Some(512),
        // The parameters of RSASSA-PSS contain the hash function: [0] { SEQUENCE { OID } }. The default is SHA-1.
        (RSA, 10) => {
            let (_, parameters, _) = element(parameters)?;
            match element(parameters) {
                Some((0xa0, tagged, _)) => {
                    let (_, hash, _) = element(tagged)?;
                    let (_, oid, _) = element(hash)?;
                    match oid.strip_prefix(SHA2)? {
                        [1] => Some(256),
                        [2] => Some(384),
                        [3] => Some(512),
                        _ => None,
                    }
                }
                _ => Some(256),
            }
        }
        _ => None,
    }
}

/// Splits off the first DER element. Returns its tag, its content and the remaining bytes.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let [tag, length, rest @ ..] = bytes else { return None };
    let (length, rest) = match length {
        0..=0x7f => (usize::from(*length), rest),
        0x81..=0x84 => {
            let (digits, rest) = rest.split_at_checked(usize::from(length - 0x80))?;
            (digits.iter().fold(0, |number, digit| number << 8 | usize::from(*digit)), rest)
        }
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((*tag, content, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates the part of a certificate that this module parses.
    fn certificate(algorithm: &[u8]) -> Vec<u8> {
        let sequence = |content: &[u8]| [&[0x30, content.len() as u8], content].concat();
        sequence(&[sequence(b"tbs"), sequence(algorithm), b"\x03\x01\0".to_vec()].concat())
    }

    fn oid(family: &[u8], last: u8) -> Vec<u8> {
        [&[6, family.len() as u8 + 1], family, &[last]].concat()
    }

    #[test]
    fn the_hash_is_that_of_the_signature() {
        for (algorithm, expected) in [
            (oid(RSA, 11), Some(32)),
            (oid(RSA, 5), Some(32)),
            (oid(RSA, 12), Some(48)),
            (oid(ECDSA, 4), Some(64)),
            (oid(&[0x2b, 0x65], 0x70), None), // Ed25519
        ] {
            let hash = end_point_hash(&certificate(&algorithm));
            assert_eq!(hash.map(|hash| hash.len()), expected, "{algorithm:x?}");
        }
        let sha384 = oid(SHA2, 2);
        let hash = [&[0x30, sha384.len() as u8], &sha384[..]].concat();
        let tagged = [&[0xa0, hash.len() as u8], &hash[..]].concat();
        let pss = [oid(RSA, 10), [&[0x30, tagged.len() as u8], &tagged[..]].concat()].concat();
        assert_eq!(end_point_hash(&certificate(&pss)).unwrap().len(), 48);
    }

    #[test]
    fn what_is_no_certificate_has_no_hash() {
        let whole = certificate(&oid(RSA, 11));
        for end in 0..whole.len() {
            assert_eq!(end_point_hash(&whole[..end]), None, "{end}");
        }
    }
}
