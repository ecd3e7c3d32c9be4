//! What the component is told of a file's bytes: its text, or its size, and the hash of the bytes.

use sha2::{Digest, Sha256};

use crate::bindings::waybread::context::filesystem as wit;
use crate::filesystem::{FileError, MOST_BYTES, too_large};

/// A file that was read, checked and hashed.
pub(crate) fn of_file(bytes: Vec<u8>) -> Result<wit::HashedContentResult, FileError> {
    let size = size(&bytes).map_err(too_large)?;
    let sha256 = hash(&bytes);
    let content =
        String::from_utf8(bytes).map_or(wit::ContentResult::Binary(size), wit::ContentResult::Text);
    Ok(wit::HashedContentResult { content, sha256 })
}

/// One side of a change, borrowed. The error is a size that the contract can't count.
pub(crate) fn of_side(bytes: &[u8]) -> Result<wit::ContentParam<'_>, u64> {
    let size = size(bytes)?;
    Ok(std::str::from_utf8(bytes).map_or(wit::ContentParam::Binary(size), wit::ContentParam::Text))
}

/// SHA-256, 64 lowercase hex digits.
pub(crate) fn hash(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

fn size(bytes: &[u8]) -> Result<u32, u64> {
    let size = bytes.len() as u64;
    match u32::try_from(size) {
        Ok(size) if u64::from(size) <= MOST_BYTES => Ok(size),
        _ => Err(size),
    }
}
