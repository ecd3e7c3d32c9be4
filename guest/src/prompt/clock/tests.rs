use super::find;

#[test]
fn finds_dates() {
    for (text, found) in [
        ("It is 2026-11-30.", "2026-11-30"),
        ("2026/1/3", "2026/1/3"),
        ("2026.11.30", "2026.11.30"),
        ("at 2026-11-30T14:05:09Z", "2026-11-30"),
        ("[2026-11-30]", "2026-11-30"),
        ("Date:2026-11-30", "2026-11-30"),
        ("<date>2026-11-30</date>", "2026-11-30"),
        ("今天是2026-11-30。", "2026-11-30"),
        ("am 30.11.2026 um", "30.11.2026"),
        ("30-11-2026", "30-11-2026"),
        ("11/30/2026", "11/30/2026"),
        ("since 30 November 2026", "30 November 2026"),
        ("30th of November 2026", "30th of November 2026"),
        ("30. November 2026", "30. November 2026"),
        ("30-Nov-2026", "30-Nov-2026"),
        ("Nov. 30, 2026", "Nov. 30, 2026"),
        ("November 30th, 2026", "November 30th, 2026"),
        ("SEPT 3 2026", "SEPT 3 2026"),
        ("Thu Nov  5 2026", "Nov  5 2026"),
        ("今天是2026年11月30日星期一", "2026年11月30日"),
        ("20261130T120500Z", "20261130T120500Z"),
        ("20261130T1205+0200,", "20261130T1205+0200"),
        ("version 2024-01-02 of 2026-11-30", "2026-11-30"),
    ] {
        found_is(text, found);
    }
}

#[test]
fn finds_times() {
    for (text, found) in [
        ("now 14:05", "14:05"),
        ("23:59:59", "23:59:59"),
        ("14:05:09.5+02 it was", "14:05:09.5+02"),
        ("2:05 pm", "2:05 pm"),
        ("2:05:09\u{202f}PM", "2:05:09\u{202f}PM"),
        ("2 pm", "2 pm"),
        ("2pm", "2pm"),
        ("at 9 am.", "9 am"),
        ("9 a.m.", "9 a.m."),
        ("14:05 UTC", "14:05 UTC"),
        ("14:05Z", "14:05Z"),
        ("14:05 +02:00", "14:05 +02:00"),
        ("At 14:05: begin", "14:05"),
        ("The time is: `14:05`.", "14:05"),
        ("it’s 14:05", "14:05"),
        ("<time>14:05</time>", "14:05"),
    ] {
        found_is(text, found);
    }
}

fn found_is(text: &str, found: &str) {
    let (at, given) = find(text).expect(text);
    assert_eq!(given, found, "{text}");
    let rest: String = text.chars().skip(at).collect();
    assert!(rest.starts_with(found), "{text}");
}

#[test]
fn lets_other_numbers_pass() {
    for text in [
        "",
        "2000 lines",
        "v2026-11-30",
        "1.2.3",
        "2026.1.3",
        "192.168.1.2026",
        "at 24:00",
        "a.ts:10:20",
        "src/a.ts:10:200",
        "src/a.ts (10:20)",
        "2:05",
        "14:05",
        "§10.3",
        "30 days",
        "May 2026",
        "2026-13-01",
        "1026-11-30",
        "0x12:30",
        "gpt-4o-2024-08-06",
        "claude-3-5-sonnet-20241022",
        "anthropic-version: 2023-06-01",
        "\"api_version\": \"2023-06-01\"",
        "--since=2024-01-01",
        "foo_2024-01-02",
        "2024-01-02-post.md",
        "2024-01-02.log",
        "https://x/2024/01/02/post",
        "x[10:20]",
        "lines 10:20",
        "this 10:20",
        "UTC+02:00",
        "-p 22:22",
        "ratio 16:09",
        "01:02:03:04:05:06",
        "00:1A:2B:3C:4D:5E",
        "2.12.2023.1",
        "11.30.2026",
        "Zeile 2 am Ende",
        "12:05 pmx",
    ] {
        assert_eq!(find(text), None, "{text}");
    }
}
