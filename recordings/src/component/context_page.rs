//! The interface `context-page`.

use super::Component;
use super::exports::waybread::recordings::context_page::Guest;

impl Guest for Component {
    fn table(report: String) -> Result<String, String> {
        crate::context_table_json(&report)
    }

    fn page(report: String) -> Result<String, String> {
        crate::context_page_json(&report)
    }
}
