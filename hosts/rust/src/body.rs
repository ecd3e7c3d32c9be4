//! The body of the last request, which the next one begins with.

use std::sync::Arc;

use crate::request::Body;

/// What the session keeps of its requests. A step costs what is new in it: the bytes that stand are
/// neither sent through the component again nor copied.
#[derive(Default)]
pub(crate) struct LastBody(Arc<String>);

impl LastBody {
    /// Makes the next body of what stands and what follows it, and shares it.
    ///
    /// # Errors
    ///
    /// A sentence, if the parts don't fit what is kept: a fault of the component. What is kept is as it
    /// was then.
    pub(crate) fn next(&mut self, keep: u32, tail: &str, length: u32) -> Result<Body, String> {
        let keep = self.standing(keep, tail, length)?.len();
        self.put(keep, tail);
        Ok(Body::new(Arc::clone(&self.0)))
    }

    /// A body that begins with what is kept and stands beside it: the next one goes on from what is kept.
    ///
    /// # Errors
    ///
    /// As [`next`](Self::next).
    pub(crate) fn beside(&self, keep: u32, tail: &str, length: u32) -> Result<Body, String> {
        let standing = self.standing(keep, tail, length)?;
        Ok(Body::new(Arc::new([standing, tail].concat())))
    }

    /// The first `keep` bytes of what is kept.
    fn standing(&self, keep: u32, tail: &str, length: u32) -> Result<&str, String> {
        let standing = self.0.get(..keep as usize).ok_or_else(|| {
            let kept = self.0.len();
            format!(
                "it said that {keep} bytes of the previous request stand, which has {kept}, or where \
                 no character ends"
            )
        })?;
        let whole = standing.len().saturating_add(tail.len());
        if whole != length as usize {
            return Err(format!(
                "it said that the request has {length} bytes, and gave {whole}"
            ));
        }
        Ok(standing)
    }

    fn put(&mut self, keep: usize, tail: &str) {
        if let Some(own) = Arc::get_mut(&mut self.0) {
            own.truncate(keep);
            own.push_str(tail);
        } else {
            // Somebody still holds the previous body, which stays what it is.
            let standing = self.0.get(..keep).unwrap_or_default();
            self.0 = Arc::new([standing, tail].concat());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_grows_by_what_is_new() {
        let mut last = LastBody::default();
        let first = last.next(0, "[1]", 3).unwrap();
        assert_eq!(first.as_str(), "[1]");
        let second = last.next(2, ",2]", 5).unwrap();
        assert_eq!((first.as_str(), second.as_str()), ("[1]", "[1,2]"));
        assert_eq!(last.next(4, "]", 5).unwrap(), second);
        assert_eq!(last.next(0, "", 0).unwrap().as_str(), "");
    }

    #[test]
    fn a_body_that_nobody_holds_is_not_copied() {
        let mut last = LastBody::default();
        drop(last.next(0, &"x".repeat(1000), 1000).unwrap());
        let address = last.0.as_ptr();
        drop(last.next(999, "y", 1000).unwrap());
        assert_eq!(last.0.as_ptr(), address);
        let held = last.next(999, "z", 1000).unwrap();
        let next = last.next(0, "z", 1).unwrap();
        assert_eq!((held.len(), next.len()), (1000, 1));
    }

    #[test]
    fn a_body_beside_the_last_one_leaves_it_where_it_is() {
        let mut last = LastBody::default();
        let sent = last.next(0, "[1]", 3).unwrap();
        let address = last.0.as_ptr();
        let beside = last.beside(2, ",\"sum up\"]", 12).unwrap();
        assert_eq!((sent.as_str(), beside.as_str()), ("[1]", "[1,\"sum up\"]"));
        drop(sent);
        assert_eq!(last.next(2, ",2]", 5).unwrap().as_str(), "[1,2]");
        assert_eq!((last.0.as_ptr(), beside.len()), (address, 12));
        assert!(last.beside(6, "", 6).unwrap_err().contains("has 5"));
        assert!(last.beside(2, "]", 4).unwrap_err().contains("gave 3"));
        assert_eq!(last.next(4, "]", 5).unwrap().as_str(), "[1,2]");
    }

    #[test]
    fn parts_that_do_not_fit_are_an_error_and_change_nothing() {
        let mut last = LastBody::default();
        last.next(0, "\"ä\"", 4).unwrap();
        let beyond = last.next(5, "", 5).unwrap_err();
        assert!(
            beyond.contains("5 bytes") && beyond.contains("has 4"),
            "{beyond}"
        );
        assert!(
            last.next(2, "", 2)
                .unwrap_err()
                .contains("no character ends")
        );
        let length = last.next(4, "x", 6).unwrap_err();
        assert!(
            length.contains("6 bytes") && length.contains("gave 5"),
            "{length}"
        );
        assert_eq!(last.next(4, "", 4).unwrap().as_str(), "\"ä\"");
    }
}
