//! The rivals and how each is called.
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Text of a page, given its ID and bytes.
pub type Extract = Arc<dyn Fn(&str, &[u8]) -> Result<String, String> + Send + Sync>;

pub struct Rival {
    pub name: &'static str,
    pub package: &'static str,
    /// Makes the extractor for the set in a folder.
    pub make: fn(&Path) -> Result<Extract, String>,
}

pub const ALL: &[Rival] = &[
    Rival { name: "dom_smoothie", package: "dom_smoothie", make: dom_smoothie },
    Rival { name: "dom_smoothie-raw", package: "dom_smoothie", make: dom_smoothie_raw },
    Rival { name: "rs-trafilatura", package: "rs-trafilatura", make: rs_trafilatura },
    Rival { name: "rs-trafilatura-url", package: "rs-trafilatura", make: rs_trafilatura_url },
];

/// The names of all rivals.
pub fn names() -> Vec<&'static str> {
    ALL.iter().map(|r| r.name).collect()
}

/// Text with a line for each block.
fn dom_smoothie(_: &Path) -> Result<Extract, String> {
    Ok(smoothie(dom_smoothie::TextMode::Formatted))
}

/// Defaults: text with the white space of the source.
fn dom_smoothie_raw(_: &Path) -> Result<Extract, String> {
    Ok(smoothie(dom_smoothie::TextMode::Raw))
}

fn smoothie(text_mode: dom_smoothie::TextMode) -> Extract {
    Arc::new(move |_, page| {
        let config = dom_smoothie::Config { text_mode, ..Default::default() };
        let mut parser = dom_smoothie::Readability::new(&*decode(page), None, Some(config)).map_err(|e| e.to_string())?;
        match parser.parse() {
            Ok(article) => Ok(article.text_content.to_string()),
            Err(dom_smoothie::ReadabilityError::GrabFailed) => Ok(String::new()), // it found no article
            Err(e) => Err(e.to_string()),
        }
    })
}

/// Defaults; it guesses the type of page.
fn rs_trafilatura(_: &Path) -> Result<Extract, String> {
    Ok(Arc::new(|_, page| {
        let found = rs_trafilatura::extract(&decode(page)).map_err(|e| e.to_string())?;
        Ok(found.content_text)
    }))
}

/// The same with the address of the page, where meta.jsonl has it: a feature of its types.
fn rs_trafilatura_url(set: &Path) -> Result<Extract, String> {
    let urls = urls(set)?;
    Ok(Arc::new(move |id, page| {
        let options = rs_trafilatura::Options { url: urls.get(id).cloned(), ..Default::default() };
        let found = rs_trafilatura::extract_with_options(&decode(page), &options).map_err(|e| e.to_string())?;
        Ok(found.content_text)
    }))
}

/// The addresses of the pages by ID.
fn urls(set: &Path) -> Result<HashMap<String, String>, String> {
    let path = set.join("meta.jsonl");
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut urls = HashMap::new();
    for (i, line) in text.lines().enumerate() {
        let meta: serde_json::Value = serde_json::from_str(line).map_err(|e| format!("{}:{}: {e}", path.display(), i + 1))?;
        if let (Some(id), Some(url)) = (meta["id"].as_str(), meta["url"].as_str()) {
            urls.insert(id.to_string(), url.to_string());
        }
    }
    Ok(urls)
}

/// The page in UTF-8: by its byte order mark, as it is where that is valid, by
/// what its first 4 KiB declare, else as guessed.
fn decode(page: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, _)) = encoding_rs::Encoding::for_bom(page) {
        return encoding.decode(page).0;
    }
    if let Ok(text) = std::str::from_utf8(page) {
        return text.into();
    }
    if let Some(encoding) = declared(&page[..page.len().min(4096)]) {
        return encoding.decode(page).0;
    }
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
    detector.feed(page, true);
    detector.guess(None, chardetng::Utf8Detection::Allow).decode(page).0
}

/// The encoding named after the first "charset=".
fn declared(head: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    let at = head.windows(8).position(|w| w.eq_ignore_ascii_case(b"charset="))?;
    let label = head[at + 8..].trim_ascii_start();
    let label = label.strip_prefix(b"\"").or(label.strip_prefix(b"'")).unwrap_or(label);
    let end = label.iter().position(|b| !b.is_ascii_alphanumeric() && !b"-_:.".contains(b)).unwrap_or(label.len());
    encoding_rs::Encoding::for_label(&label[..end])
}
