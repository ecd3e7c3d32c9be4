//! Whether a command line may have changed files. When in doubt, it may.

use crate::shell::{Command, commands};

/// Whether a command line may have changed a file that a session reads.
pub(crate) fn may_write(line: &str) -> bool {
    match commands(line) {
        Some(plain) => plain
            .iter()
            .any(|command| command.redirected || !reads_only(command)),
        None => true,
    }
}

/// Whether a tool that is neither a file tool nor a shell may have changed files: a subagent, a
/// tool of another server. Known ones that keep to themselves do not.
pub(crate) fn tool_may_write(tool: &str) -> bool {
    let tool = tool.to_ascii_lowercase();
    !one_of(HARMLESS_TOOLS, &tool) && !one_of(READING_TOOLS, &tool)
}

/// Whether a call that failed may have changed files all the same, as a subagent does that breaks
/// off. An edit does all or nothing.
pub(crate) fn failure_may_write(tool: &str) -> bool {
    tool_may_write(tool) && !one_of(EDITING_TOOLS, &tool.to_ascii_lowercase())
}

/// File and search tools that only show something, in lower case.
const READING_TOOLS: &str = "codebase_search file_search find find_file glob goto grep grep_search list \
    list_code_definition_names list_dir list_directory list_files ls open read read_file read_files \
    read_many_files scroll_down scroll_up search_codebase search_dir search_file \
    search_file_content search_files view";

/// Tools that edit one file, in lower case.
const EDITING_TOOLS: &str = "append apply_diff create edit edit_file insert insert_content multiedit \
    notebookedit replace search_and_replace str_replace_based_edit_tool str_replace_editor write \
    write_file write_to_file";

/// Tools that change no file of the project, in lower case.
const HARMLESS_TOOLS: &str = "ask_followup_question ask_user askuserquestion attempt_completion \
    enterplanmode exitplanmode fetch finish intent list_mcp_resources lsp recall report_intent skill \
    sql submit task_done taskcreate taskget tasklist taskupdate think thinking todo_write todoread \
    todowrite toolsearch update_plan update_todo_list update_topic view_image web_fetch web_search \
    webfetch websearch";

/// Commands that write nothing but their output, whatever their arguments.
const READERS: &str = "[ basename cat cd cksum cmp column comm cut date df diff dirname du echo egrep \
    exit export false fgrep file findstr fold get-childitem get-content grep head hexdump \
    hostname id join jq less ls md5sum more nl od paste popd printenv printf ps pushd pwd pytest \
    readlink realpath rg select-string seq set sha1sum sha256sum sleep stat strings tail test tr true tsc type uname unset wait wc which whoami";

/// Commands of git that leave the working tree as it is.
const GIT_READERS: &str = "add blame cat-file count-objects describe diff diff-tree fetch for-each-ref \
    grep log ls-files ls-remote ls-tree merge-base name-rev push reflog rev-list rev-parse shortlog \
    show show-ref status symbolic-ref version";

/// Flags of find that run something or write a file.
const FIND_WRITERS: &str = "-delete -exec -execdir -fls -fprint -fprint0 -fprintf -ok -okdir";

fn one_of(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|known| known == word)
}

fn reads_only(command: &Command) -> bool {
    let words: Vec<&str> = command.words.iter().map(String::as_str).collect();
    only_reads(&words)
}

fn only_reads(words: &[&str]) -> bool {
    let words = without_assignments(words);
    let Some((name, arguments)) = words.split_first() else {
        return true;
    };
    match name.to_ascii_lowercase().as_str() {
        "sed" => sed_reads(arguments),
        "sort" => !has_flag(arguments, "o", &["--output"]),
        "curl" => !has_flag(arguments, "oO", &["--output", "--remote-name"]),
        "awk" => {
            !has_flag(arguments, "i", &["--in"])
                && !arguments
                    .iter()
                    .any(|word| word.contains(['>', '|']) || word.contains("system("))
        }
        "tree" => !has_flag(arguments, "o", &[]),
        // A second operand is where the output goes.
        "uniq" | "xxd" => !has_flag(arguments, "r", &[]) && operands(arguments) < 2,
        "find" => !arguments.iter().any(|word| one_of(FIND_WRITERS, word)),
        "command" | "env" | "time" | "timeout" | "xargs" => only_reads(after_flags(arguments)),
        "git" => git_reads(arguments),
        "gh" => gh_reads(arguments),
        "go" => first_is(arguments, "build doc env list test version vet"),
        "cargo" => {
            first_is(arguments, "bench build check clippy metadata test tree")
                && !arguments.contains(&"--fix")
        }
        name => one_of(READERS, name),
    }
}

/// Without `NAME=value` in front.
fn without_assignments<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    let count = words.iter().take_while(|word| is_assignment(word)).count();
    words.get(count..).unwrap_or_default()
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// From the first word that is neither a flag nor a flag's number or placeholder.
fn after_flags<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    let plain = |word: &&str| {
        word.starts_with('-') || *word == "{}" || word.starts_with(|c: char| c.is_ascii_digit())
    };
    let count = words.iter().take_while(|word| plain(word)).count();
    words.get(count..).unwrap_or_default()
}

/// Whether one of the `short` letters stands in a cluster of flags, or a word begins with one of
/// the `long` ones.
fn has_flag(words: &[&str], short: &str, long: &[&str]) -> bool {
    words.iter().any(|word| {
        let cluster = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        cluster.is_some_and(|letters| letters.chars().any(|letter| short.contains(letter)))
            || long.iter().any(|long| word.starts_with(long))
    })
}

/// Words that are neither flags nor their numbers.
fn operands(words: &[&str]) -> usize {
    let operand = |word: &&&str| !word.starts_with('-') && word.parse::<u32>().is_err();
    words.iter().filter(operand).count()
}

fn sed_reads(words: &[&str]) -> bool {
    let given = words.windows(2).filter_map(|pair| match pair {
        ["-e" | "--expression", script] => Some(*script),
        _ => None,
    });
    let first = words.iter().find(|word| !word.starts_with('-')).copied();
    !has_flag(words, "if", &["--in-place", "--file"])
        && !given
            .chain(first)
            .flat_map(|script| script.split([';', '\n']))
            .any(sed_writes)
}

/// Whether a command of sed writes (`w`) or runs (`e`), itself or by a flag of its substitution.
fn sed_writes(command: &str) -> bool {
    let bare = command.trim_start_matches(|c: char| c.is_ascii_digit() || ",$!{ ".contains(c));
    let mut characters = bare.chars();
    let delimiter = match characters.next() {
        Some('w' | 'W' | 'e') => return true,
        Some('s') => characters.next(),
        Some('/') => Some('/'),
        _ => None,
    };
    let flags = delimiter.and_then(|delimiter| bare.rsplit(delimiter).next());
    flags.is_some_and(|flags| flags.contains(['w', 'e']))
}

fn first_is(words: &[&str], known: &str) -> bool {
    words.first().is_some_and(|word| one_of(known, word))
}

fn git_reads(words: &[&str]) -> bool {
    let mut rest = words;
    while let Some((first, after)) = rest
        .split_first()
        .filter(|(first, _)| first.starts_with('-'))
    {
        let with_value = ["-C", "-c"].contains(first);
        rest = after.get(usize::from(with_value)..).unwrap_or_default();
    }
    let Some((command, arguments)) = rest.split_first() else {
        return true;
    };
    match *command {
        "branch" | "tag" | "remote" | "config" => {
            arguments.iter().all(|word| word.starts_with('-')) || arguments.contains(&"--get")
        }
        "stash" | "worktree" => first_is(arguments, "list show"),
        command => one_of(GIT_READERS, command) && !has_flag(arguments, "", &["--output"]),
    }
}

fn gh_reads(words: &[&str]) -> bool {
    words.first() == Some(&"api")
        || words
            .get(1)
            .is_some_and(|verb| one_of("checks diff list status view", verb))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_readers_do_not_write() {
        for line in [
            "ls -la",
            "cat a | grep -i x | sort -u",
            "sed -n '1,2p' a",
            "find . -name '*.rs' | head",
            "cd a && git --no-pager -C b log -3",
            "git branch --show-current",
            "A=1 go test ./...",
            "rg -n x | xargs -n 1 wc -l",
            "cargo test --all",
            "git config --get user.name",
            "awk '{print $1}' a",
            "gh pr view 3",
            "ls 2>/dev/null",
            "env A=1 go test ./...",
            "sed -n '/the/,/end/p' src/we.rs",
            "sed -e 's/we/x/' a | uniq -c | xxd -l 64",
            "",
        ] {
            assert!(!may_write(line), "{line}");
        }
    }

    #[test]
    fn tools_are_judged_by_name() {
        assert!(!tool_may_write("Read") && !tool_may_write("TodoWrite"));
        assert!(tool_may_write("Edit") && tool_may_write("Task"));
        assert!(!failure_may_write("Edit") && !failure_may_write("Grep"));
        assert!(failure_may_write("Task") && failure_may_write("apply_patch"));
    }

    #[test]
    fn anything_else_may_write() {
        for line in [
            "sed -i 's/a/b/' a",
            "sed -ni p a",
            "sed -n '1,5w b' a",
            "sed 's/a/b/w c' a",
            "env A=1 python x.py",
            "uniq a b",
            "xxd -r a",
            "awk -i inplace '{print}' a",
            "awk '{print | \"sh\"}' a",
            "tree -o a",
            "git diff --output=a",
            "cat a > b",
            "sort -o a a",
            "find . -delete",
            "rm a",
            "python x.py",
            "git checkout a",
            "git commit -m x",
            "git branch new",
            "cat <<E > a\nE",
            "echo $(rm a)",
            "npm run check",
            "cargo clippy --fix",
            "awk '{print > \"b\"}' a",
            "curl -o a b",
            "xargs rm",
            "git stash",
            "gh pr checkout 3",
            "make",
        ] {
            assert!(may_write(line), "{line}");
        }
    }

    #[test]
    fn tools_may_write_unless_known() {
        assert!(tool_may_write("Task") && tool_may_write("mcp__x__y"));
        assert!(!tool_may_write("TodoWrite") && !tool_may_write("think"));
    }
}
