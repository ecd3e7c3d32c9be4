use proptest::prelude::*;
use serde_json::Value;

use super::class::{ASCII, ASCII_CLASSES, SCRIPT_CLASSES, SCRIPTS};
use super::weights::{ASCII_FURTHER, CELLS, SCRIPT_ROW, WEIGHTS};
use super::*;

const FILE: &str = include_str!("../../../conformance/tokens.json");
const LOOP: &str = include_str!("../../../conformance/loop.json");

fn o200k(text: &str) -> u64 {
    estimate(text).thousandths(Vocabulary::O200k)
}

fn file() -> Value {
    serde_json::from_str(FILE).unwrap()
}

/// The names of an object's members, in their order.
fn names(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

fn rows(table: &Value) -> Vec<Vec<u64>> {
    let rows = table.as_object().unwrap().values();
    rows.map(|row| serde_json::from_value(row.clone()).unwrap())
        .collect()
}

#[test]
fn the_file_names_the_classes_and_their_characters() {
    let file = file();
    let ascii: Vec<(&str, &str)> = file["ascii"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, members)| (name.as_str(), members.as_str().unwrap()))
        .collect();
    assert_eq!(ascii, ASCII);
    let scripts: Vec<(&str, String)> = SCRIPTS
        .iter()
        .map(|(name, first, last)| (*name, format!("{first:04X}-{last:04X}")))
        .collect();
    let named: Vec<(&str, String)> = file["beyond"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, range)| (name.as_str(), range.as_str().unwrap().to_owned()))
        .collect();
    assert_eq!(named, scripts);
}

#[test]
fn the_file_has_the_table_that_is_compiled_in() {
    let file = file();
    assert_eq!(names(&file["weights"]), ["o200k", "cl100k"]);
    for (vocabulary, column) in [("o200k", 0), ("cl100k", 1)] {
        let table = &file["weights"][vocabulary];
        let ascii: Vec<&str> = ASCII.iter().map(|(name, _)| *name).collect();
        assert_eq!(
            names(&table["first"]),
            [ascii.clone(), vec!["beyond"]].concat()
        );
        assert_eq!(names(&table["further"]), ascii);
        let scripts: Vec<&str> = SCRIPTS.iter().map(|(name, ..)| *name).collect();
        assert_eq!(names(&table["beyond"]), [scripts, vec!["other"]].concat());
        let parts = ["first", "further", "beyond"].map(|part| rows(&table[part]));
        assert!(parts[0].iter().all(|row| row.len() == ASCII_CLASSES));
        assert!(parts[1].iter().all(|row| row.len() == ASCII_FURTHER));
        assert!(parts[2].iter().all(|row| row.len() == SCRIPT_ROW));
        let all: Vec<u64> = parts.concat().concat();
        let compiled: Vec<u64> = WEIGHTS
            .iter()
            .map(|weights| weights[column].into())
            .collect();
        assert_eq!(all, compiled);
    }
}

#[test]
fn scripts_are_ascending_and_apart() {
    for pair in SCRIPTS.windows(2) {
        assert!(pair[0].1 <= pair[0].2 && pair[0].2 < pair[1].1, "{pair:?}");
    }
}

/// What the file says `text` costs in o200k, worked out from the names of its cells.
fn by_hand(cells: &[(&str, &str, usize)]) -> u64 {
    let weights = &file()["weights"]["o200k"];
    let cell = |(part, row, column): &(&str, &str, usize)| weights[*part][*row][*column].as_u64();
    cells.iter().map(|named| cell(named).unwrap()).sum()
}

#[test]
fn each_character_costs_what_its_cell_says() {
    // A text begins as after a newline.
    assert_eq!(o200k("A"), by_hand(&[("first", "newline", 1)]));
    assert_eq!(
        o200k("ab 1"),
        by_hand(&[
            ("first", "newline", 0),
            ("further", "lower", 0),
            ("first", "lower", 3),
            ("first", "space", 2),
        ])
    );
    // From the eighth character of a run on, each costs what the eighth does.
    let letters = |number: usize| o200k(&"x".repeat(number));
    assert_eq!(letters(9) - letters(8), letters(8) - letters(7));
    assert_eq!(letters(8) - letters(7), by_hand(&[("further", "lower", 6)]));
}

#[test]
fn beyond_ascii_a_space_before_counts_and_so_does_the_place() {
    assert_eq!(o200k("я"), by_hand(&[("beyond", "cyrillic", 1)]));
    let spaced = [
        ("first", "newline", 3),
        ("beyond", "cyrillic", 0),
        ("beyond", "cyrillic", 2),
    ];
    assert_eq!(o200k(" яя"), by_hand(&spaced));
    // Two scripts are two runs; after both, ASCII begins one as after any script.
    let mixed = [
        ("beyond", "han", 1),
        ("beyond", "kana", 1),
        ("first", "beyond", 0),
    ];
    assert_eq!(o200k("漢かa"), by_hand(&mixed));
    assert_eq!(o200k("\u{10ffff}"), by_hand(&[("beyond", "other", 1)]));
    assert_eq!(o200k("\u{300}"), by_hand(&[("beyond", "combining", 1)]));
}

#[test]
fn nothing_is_no_token() {
    assert_eq!(estimate(""), Estimate::default());
    assert_eq!(estimate("").tokens(Vocabulary::Cl100k), 0);
}

/// Counted by the tokenizers themselves: text, o200k_base, cl100k_base.
const COUNTED: [(&str, u64, u64); 14] = [
    (
        "The quick brown fox jumps over the lazy dog, and nobody in the village was surprised.",
        18,
        18,
    ),
    (
        "fn main() {\n    let answer = compute(6, 7)?;\n    println!(\"{answer}\");\n}",
        21,
        21,
    ),
    (
        "\n{\"path\":\"src/lib.rs\",\"offset\":10,\"limit\":200,\"note\":\"a \\\"quoted\\\" word\\n\"}",
        25,
        25,
    ),
    (
        "c81e728d9d4c2f636f067f89cc14862c a87ff679a2f3e71d9181a67b7542122c",
        40,
        40,
    ),
    (
        "2026-03-14T09:26:53.589Z INFO request done status=200 took=12.41ms",
        27,
        27,
    ),
    ("今天的天气很好，我们去公园散步吧。", 12, 21),
    ("今日は天気がいいので、公園まで歩いて行きましょう。", 16, 28),
    ("오늘은 날씨가 좋으니 공원까지 걸어갑시다.", 17, 28),
    ("Сегодня хорошая погода, пойдём гулять в парк.", 14, 26),
    ("الطقس جميل اليوم، هيا نذهب إلى الحديقة.", 14, 27),
    ("it works!! 🎉🎉 thanks 🙏 see you tomorrow 👋", 15, 18),
    ("12345678901234567890 3.14159265 0xdeadbeef", 19, 19),
    (
        "def total(items):\n    return sum(item.price for item in items)",
        14,
        14,
    ),
    (
        "\ndrwxr-xr-x  5 root root   4096 Mar  1 10:30 node_modules\n-rw-r--r--  1 root root  12345 Mar  1 10:30 package-lock.json\n",
        54,
        54,
    ),
];

#[test]
fn estimates_are_near_what_tokenizers_count() {
    for (text, o200k, cl100k) in COUNTED {
        for (vocabulary, counted) in [(Vocabulary::O200k, o200k), (Vocabulary::Cl100k, cl100k)] {
            let estimated = estimate(text).tokens(vocabulary);
            let most = counted.div_ceil(4);
            assert!(
                estimated.abs_diff(counted) <= most,
                "{text}: {estimated}, counted {counted} in {vocabulary:?}"
            );
        }
    }
}

/// Characters that hardly merge, and rows of one sign: a text, how often, and what the tokenizers count.
const COUNTED_BY_CLASS: [(&str, &str, usize, u64, u64); 16] = [
    (
        "jamo",
        "\u{110b}\u{1169}\u{1102}\u{1173}\u{11af} \u{110b}\u{1169}\u{1112}\u{116e} ",
        8,
        232,
        217,
    ),
    (
        "braille",
        "\u{28ff}\u{28f7}\u{28ef}\u{28df}\u{287f}\u{28bf}\u{28fb}\u{28fd}\u{28fe} ",
        10,
        261,
        271,
    ),
    ("private", "\u{e0a0}\u{e0b0}\u{f115} ", 10, 91, 100),
    (
        "mathematical",
        "\u{1d57f}\u{1d58d}\u{1d58a} \u{1d596}\u{1d59a}\u{1d58e}\u{1d588}\u{1d590} ",
        10,
        260,
        241,
    ),
    (
        "ethiopic",
        "\u{12db}\u{122c} \u{12a8}\u{1230}\u{12d3}\u{1275} \u{1260}\u{128b}\u{120b} \u{1235}\u{1208} \u{12a0}\u{12f2}\u{1231} ",
        6,
        198,
        253,
    ),
    (
        "syriac",
        "\u{72b}\u{720}\u{721}\u{710} \u{725}\u{720}\u{721}\u{710} ",
        10,
        180,
        180,
    ),
    ("ancient", "\u{13000}\u{13080}\u{130c0} ", 10, 130, 130),
    ("han-more", "\u{20000}\u{20087} ", 10, 80, 80),
    ("combining", "fore\u{302}t e\u{301}te\u{301} ", 10, 71, 81),
    ("other", "\u{a000}\u{a080}\u{a0c0} ", 10, 91, 91),
    (
        "row of =",
        "===============================================================================\n",
        20,
        40,
        40,
    ),
    (
        "row of -",
        "-------------------------------------------------------------------------------\n",
        20,
        40,
        40,
    ),
    (
        "row of *",
        "****************************************\n",
        20,
        40,
        40,
    ),
    (
        "row of _",
        "____________________________________________________________\n",
        20,
        60,
        80,
    ),
    (
        "row of /",
        "////////////////////////////////////////////////////////////\n",
        20,
        60,
        40,
    ),
    (
        "row of .",
        "............................................................\n",
        20,
        60,
        60,
    ),
];

#[test]
fn classes_that_were_far_off_are_near() {
    for (class, text, times, o200k, cl100k) in COUNTED_BY_CLASS {
        let estimate = estimate(&text.repeat(times));
        for (vocabulary, counted) in [(Vocabulary::O200k, o200k), (Vocabulary::Cl100k, cl100k)] {
            let estimated = estimate.tokens(vocabulary);
            assert!(
                estimated.abs_diff(counted) * 4 <= counted,
                "{class}: {estimated}, counted {counted} in {vocabulary:?}"
            );
        }
    }
}

#[test]
fn tokens_are_rounded_half_up() {
    let tokens = |thousandths| {
        let estimate = Estimate {
            o200k: thousandths,
            cl100k: 0,
        };
        estimate.tokens(Vocabulary::O200k)
    };
    assert_eq!([0, 499, 500, 1499, 1500].map(tokens), [0, 0, 1, 1, 2]);
}

#[test]
fn a_piece_can_be_taken_away_again() {
    let (first, second) = (estimate("one message"), estimate("and another"));
    assert_eq!((first + second).without(second), first);
    assert_eq!(first.without(first + second), Estimate::default());
}

#[test]
fn models_of_loop_json_are_found_by_their_prefix() {
    let settings: Value = serde_json::from_str(LOOP).unwrap();
    let entries: Vec<String> =
        serde_json::from_value(settings["tokens"]["models"].clone()).unwrap();
    let table = ModelTable::parse(&entries).unwrap();
    let vocabulary = |name| {
        let (model, named) = table.find(name);
        (model.vocabulary, named)
    };
    assert_eq!(vocabulary("gpt-4o-mini"), (Vocabulary::O200k, true));
    assert_eq!(vocabulary(" openai/gpt-4.1 "), (Vocabulary::O200k, true));
    assert_eq!(vocabulary("gpt-4-turbo"), (Vocabulary::Cl100k, true));
    assert_eq!(vocabulary("gpt-3.5-turbo"), (Vocabulary::Cl100k, true));
    assert_eq!(vocabulary("some-model"), (Vocabulary::O200k, false));
    assert_eq!(vocabulary(""), (Vocabulary::O200k, false));
}

#[test]
fn a_factor_scales_the_estimate_before_it_is_rounded() {
    let table =
        ModelTable::parse(&["big cl100k 1500", "huge cl100k 4294967295", "* o200k 1"]).unwrap();
    let estimate = Estimate {
        o200k: 499_999,
        cl100k: 1_000,
    };
    assert_eq!(table.find("big-2").0.tokens(estimate), 2);
    assert_eq!(table.find("other").0.tokens(estimate), 0);
    let most = Estimate {
        o200k: u64::MAX,
        cl100k: u64::MAX,
    };
    assert_eq!(table.find("huge").0.tokens(most), u64::MAX);
}

#[test]
fn the_first_entry_wins() {
    let table = ModelTable::parse(&["a-b o200k 2000", "a o200k 3000", "* o200k 1000"]).unwrap();
    assert_eq!(table.find("a-bc").0.factor, 2000);
    assert_eq!(table.find("a-c").0.factor, 3000);
}

#[test]
fn entries_that_are_none_are_named() {
    for wrong in [
        "",
        "gpt",
        "gpt o200k",
        "gpt p50k 1000",
        "gpt o200k 0",
        "gpt o200k -1",
        "gpt o200k 1 2",
        " o200k 1",
    ] {
        let (position, problem) = ModelTable::parse(&["* o200k 1000", wrong]).unwrap_err();
        assert_eq!(position, 1);
        assert!(
            problem.starts_with(&format!("is `{wrong}`, must be")),
            "{problem}"
        );
    }
    let none: [&str; 0] = [];
    let (position, problem) = ModelTable::parse(&none).unwrap_err();
    assert_eq!(
        (position, problem.as_str()),
        (0, "lacks an entry for other models, `* o200k 1000`")
    );
}

/// Texts of all classes, with runs.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "\\PC{0,8}",
        "[a-zA-Z0-9 _.,:;/\\\\\n\r\t\"'(){}=-]{0,24}",
        "[а-яぁ-ん一-龥가-힣ا-ي\u{900}-\u{97f}😀-🙏]{0,8}",
        ("[ \na0-]", 0_usize..40).prop_map(|(one, times)| one.repeat(times)),
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn more_text_is_never_fewer_tokens(text in texts(), more in texts()) {
        let (less, all) = (estimate(&text), estimate(&format!("{text}{more}")));
        for vocabulary in [Vocabulary::O200k, Vocabulary::Cl100k] {
            prop_assert!(all.thousandths(vocabulary) >= less.thousandths(vocabulary));
        }
    }

    #[test]
    fn a_text_that_is_cut_where_lines_begin_is_the_sum_of_its_pieces(
        lines in prop::collection::vec(texts(), 0..6),
    ) {
        let lines: Vec<String> = lines.iter().map(|line| format!(".{line}\n")).collect();
        let pieces: Estimate = lines.iter().map(|line| estimate(line)).sum();
        prop_assert_eq!(pieces, estimate(&lines.concat()));
    }

    #[test]
    fn every_character_has_one_cell_of_the_table(text in texts()) {
        let mut count = 0;
        cells(&text, |cell| {
            assert!(cell < CELLS);
            count += 1;
        });
        prop_assert_eq!(count, text.chars().count());
    }

    #[test]
    fn an_estimate_is_the_same_every_time(text in texts()) {
        prop_assert_eq!(estimate(&text), estimate(&text.clone()));
    }
}

#[test]
fn the_classes_are_counted() {
    assert_eq!(
        (ASCII.len(), SCRIPTS.len() + 1),
        (ASCII_CLASSES, SCRIPT_CLASSES)
    );
}
