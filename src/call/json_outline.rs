//! The direct children of a JSON container, as slices of its text. Only for
//! text that is known to be JSON: it checks nothing.

/// The items of an array.
pub(crate) fn items(array: &str) -> impl Iterator<Item = &str> {
    Children { text: inside(array) }
}

/// The entries of an object: key (quotes on) and value.
pub(crate) fn entries(object: &str) -> impl Iterator<Item = (&str, &str)> {
    Children { text: inside(object) }.filter_map(|entry| {
        let colon = end_of_string(entry)?;
        let (key, rest) = entry.split_at_checked(colon)?;
        Some((key, rest.trim_ascii_start().strip_prefix(':')?.trim_ascii()))
    })
}

fn inside(container: &str) -> &str {
    let trimmed = container.trim_ascii();
    trimmed.get(1..trimmed.len().saturating_sub(1)).unwrap_or_default()
}

/// The position after the string that the text begins with.
fn end_of_string(text: &str) -> Option<usize> {
    let mut escaped = false;
    let inner = text.as_bytes().get(1..)?;
    let end = inner.iter().position(|byte| {
        let closes = !escaped && *byte == b'"';
        escaped = !escaped && *byte == b'\\';
        closes
    })?;
    Some(end + 2)
}

/// Splits at the commas that are outside strings and inner containers.
struct Children<'t> {
    text: &'t str,
}

impl<'t> Iterator for Children<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let mut depth = 0usize;
        let mut inside_string = false;
        let mut escaped = false;
        let comma = self.text.bytes().position(|byte| {
            if inside_string {
                inside_string = escaped || byte != b'"';
                escaped = !escaped && byte == b'\\';
                return false;
            }
            match byte {
                b'"' => inside_string = true,
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth = depth.saturating_sub(1),
                b',' => return depth == 0,
                _ => {}
            }
            false
        });
        let child = match comma {
            Some(at) => {
                let child = self.text.get(..at)?;
                self.text = self.text.get(at + 1..)?;
                child
            }
            None => core::mem::take(&mut self.text),
        };
        let child = child.trim_ascii();
        (!child.is_empty()).then_some(child)
    }
}
