//! Conversion of paths to URIs and back. Files have the scheme `file`. A document of another scheme
//! (`untitled:Untitled-1`) uses its URI as its path, which no file has.

/// Returns the path of a document.
pub fn path_of(uri: &str) -> String {
    let Some(rest) = uri.strip_prefix("file://") else { return uri.to_owned() };
    // A host precedes the path: `file://server/share`.
    let (host, path) = rest.split_once('/').map_or((rest, ""), |(host, path)| (host, path));
    let path = decoded(path);
    let drive = path.as_bytes();
    match (host, drive) {
        ("" | "localhost", [letter, b':', ..]) if letter.is_ascii_alphabetic() => path,
        ("" | "localhost", _) => format!("/{path}"),
        (host, _) => format!("//{host}/{path}"),
    }
}

/// Returns the URI of a path.
pub fn uri_of(path: &str) -> String {
    match path.as_bytes() {
        [b'/', b'/', ..] => format!("file:{}", encoded(path)),
        [b'/', ..] => format!("file://{}", encoded(path)),
        [letter, b':', b'/', ..] if letter.is_ascii_alphabetic() => format!("file:///{}", encoded(path)),
        _ => path.to_owned(),
    }
}

fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).and_then(|b| (*b as char).to_digit(16));
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            _ => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b':' => out.push(byte as char),
            _ => out += &format!("%{byte:02X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_round_trip_through_uris() {
        for (uri, path) in [
            ("file:///a/b.hlsl", "/a/b.hlsl"),
            ("file:///a%20b/%C3%A9%25.hlsl", "/a b/\u{e9}%.hlsl"),
            ("file:///c:/x/y.hlsl", "c:/x/y.hlsl"),
            ("file://server/share/a.hlsl", "//server/share/a.hlsl"),
            ("untitled:Untitled-1", "untitled:Untitled-1"),
        ] {
            assert_eq!(path_of(uri), path);
            assert_eq!(uri_of(path), uri);
        }
        // Other spellings that clients use.
        assert_eq!(path_of("file:///c%3A/x.hlsl"), "c:/x.hlsl");
        assert_eq!(path_of("file://localhost/x%"), "/x%");
    }
}
