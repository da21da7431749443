//! Verification of a server's certificate, depending on `sslmode`.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_cert_signed_by_trust_anchor};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{DigitallySignedStruct, RootCertStore, SignatureScheme};

use super::certificate::read_certificates;
use crate::error::Error;
use crate::settings::{ChannelBindingMode, Settings, SslMode};

/// Returns the verifier for the settings.
pub fn verifier(settings: &Settings, provider: &Arc<CryptoProvider>) -> Result<Arc<dyn ServerCertVerifier>, Error> {
    let (mode, root) = (settings.tls.mode, settings.tls.root_certificate.as_deref());
    let verified = match (mode, root) {
        (SslMode::VerifyCa | SslMode::VerifyFull, None) => {
            let what = "a root certificate is needed to verify the server (sslrootcert, or ~/.postgresql/root.crt)";
            return Err(Error::Tls(what.into()));
        }
        (SslMode::VerifyCa | SslMode::VerifyFull | SslMode::Require, Some(root)) => Some(root),
        _ => None,
    };
    let any_name = |roots, proves_key| Arc::new(AnyName { roots, proves_key, provider: Arc::clone(provider) });
    let Some(root) = verified else {
        // Without root certificates, every certificate is accepted. Channel binding only compares the certificates that
        // the client and the server see, so it does not detect an attacker who sends a copy of the server's
        // certificate. Therefore, if channel binding is required, the handshake must prove that the other side has the
        // certificate's key.
        return Ok(any_name(None, settings.channel_binding == ChannelBindingMode::Require));
    };
    let mut roots = RootCertStore::empty();
    if root.as_os_str() == "system" {
        let loaded = rustls_native_certs::load_native_certs();
        roots.add_parsable_certificates(loaded.certs);
        if roots.is_empty() {
            return Err(Error::Tls("the system has no root certificates".into()));
        }
    } else if let Some(list) = &settings.tls.revocations {
        let what = "lists of revoked certificates are not supported";
        return Err(Error::Tls(format!("{}: {what}", list.display())));
    } else {
        for certificate in read_certificates(root)? {
            roots.add(certificate).map_err(|error| Error::Tls(format!("{}: {error}", root.display())))?;
        }
    }
    if mode != SslMode::VerifyFull {
        return Ok(any_name(Some(roots), true));
    }
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider)).build();
    Ok(verifier.map_err(|error| Error::Tls(error.to_string()))?)
}

/// A verifier that ignores the host name in a certificate. With root certificates, it verifies the chain. Without root
/// certificates, it accepts every certificate.
#[derive(Debug)]
struct AnyName {
    roots: Option<RootCertStore>,
    /// Whether the handshake must prove that the server has the certificate's key. If every certificate is accepted,
    /// this proof is useful only for channel binding, because an attacker can create both a certificate and its key.
    ///
    /// If this field is false, the certificate is not parsed. Therefore the verifier also accepts a certificate that
    /// webpki does not support (X.509 version 1), and a key that ring does not support (P-521).
    proves_key: bool,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for AnyName {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if let Some(roots) = &self.roots {
            let certificate = ParsedCertificate::try_from(end_entity)?;
            let algorithms = self.provider.signature_verification_algorithms.all;
            verify_server_cert_signed_by_trust_anchor(&certificate, roots, intermediates, now, algorithms)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        if !self.proves_key {
            return Ok(HandshakeSignatureValid::assertion());
        }
        verify_tls12_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        if !self.proves_key {
            return Ok(HandshakeSignatureValid::assertion());
        }
        verify_tls13_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        if self.proves_key {
            self.provider.signature_verification_algorithms.supported_schemes()
        } else {
            SCHEMES.into()
        }
    }
}

/// The signature schemes of TLS that are offered if signatures are not verified.
const SCHEMES: [SignatureScheme; 13] = [
    SignatureScheme::ED25519,
    SignatureScheme::ECDSA_NISTP256_SHA256,
    SignatureScheme::ECDSA_NISTP384_SHA384,
    SignatureScheme::ECDSA_NISTP521_SHA512,
    SignatureScheme::ED448,
    SignatureScheme::RSA_PSS_SHA512,
    SignatureScheme::RSA_PSS_SHA384,
    SignatureScheme::RSA_PSS_SHA256,
    SignatureScheme::RSA_PKCS1_SHA512,
    SignatureScheme::RSA_PKCS1_SHA384,
    SignatureScheme::RSA_PKCS1_SHA256,
    SignatureScheme::ECDSA_SHA1_Legacy,
    SignatureScheme::RSA_PKCS1_SHA1,
];
