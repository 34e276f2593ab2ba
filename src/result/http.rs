//! Printed HTTP responses, such as `curl -i` shows them, and the error pages of web
//! servers.

use memchr::memchr_iter;

/// How much of a page is searched for its title.
const MAX_PAGE_HEAD: usize = 256;

/// Returns the status code of a response, or of an error page by its title:
/// `<title>502 Bad Gateway</title>`.
pub(super) fn status_of(output: &str) -> Option<u16> {
    let output = output.trim_ascii_start();
    if let Some(version) = output.strip_prefix("HTTP/") {
        let code = version.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        return status_code(code.trim_ascii_start().as_bytes());
    }
    if !output.starts_with('<') {
        return None;
    }
    let head = output.get(..output.floor_char_boundary(MAX_PAGE_HEAD)).unwrap_or(output);
    let title = memchr_iter(b'<', head.as_bytes())
        .find_map(|at| head.get(at..).unwrap_or_default().strip_prefix("<title>"))?;
    status_code(title.trim_ascii_start().as_bytes())
}

/// Reads a status code at the beginning of a text.
pub(super) fn status_code(text: &[u8]) -> Option<u16> {
    let (code, rest) = text.split_at_checked(3)?;
    let is_code =
        code.iter().all(u8::is_ascii_digit) && !rest.first().is_some_and(u8::is_ascii_alphanumeric);
    is_code.then(|| code.iter().fold(0, |code, digit| code * 10 + u16::from(digit - b'0')))
}

/// Returns whether a status says that a service is busy or unreachable.
pub(super) fn is_busy(status: u16) -> bool {
    matches!(status, 429 | 502 | 503 | 504 | 529)
}

/// Returns the body of a response; anything else, and a response without a body, as it is.
pub(super) fn body_of(output: &str) -> &str {
    if !output.starts_with("HTTP/") || status_of(output).is_none() {
        return output;
    }
    // A blank line ends the head.
    let body = memchr_iter(b'\n', output.as_bytes()).find_map(|end| {
        let rest = output.get(end + 1..).unwrap_or_default();
        rest.strip_prefix('\n').or_else(|| rest.strip_prefix("\r\n"))
    });
    body.map(str::trim_ascii).filter(|body| !body.is_empty()).unwrap_or(output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_status() {
        for (output, status) in [
            ("HTTP/1.1 403 Forbidden\n\nno", Some(403)),
            ("HTTP/2 502\n", Some(502)),
            ("<html>\r\n<head><title>502 Bad Gateway</title></head>", Some(502)),
            ("HTTP/2 2000", None),
            ("HTTP/2 explained", None),
            ("403 Forbidden", None),
            ("<html><title>404s explained</title>", None),
            ("<html><p>no title", None),
            ("", None),
        ] {
            assert_eq!(status_of(output), status, "{output}");
        }
        assert!(is_busy(503) && !is_busy(404));
    }

    #[test]
    fn the_body_follows_a_blank_line() {
        for (output, body) in [
            ("HTTP/1.1 200 OK\r\nETag: \"a1\"\r\n\r\n{\"a\":1}", "{\"a\":1}"),
            ("HTTP/2 404 \ndate: today\n\nnot here", "not here"),
            ("HTTP/2 204 \ndate: today\n\n", "HTTP/2 204 \ndate: today\n\n"),
            ("HTTP/2 explained\n\nin short", "HTTP/2 explained\n\nin short"),
            ("plain\n\ntext", "plain\n\ntext"),
        ] {
            assert_eq!(body_of(output), body, "{output}");
        }
    }
}
