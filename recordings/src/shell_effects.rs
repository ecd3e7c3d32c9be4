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
    !one_of(HARMLESS_TOOLS, &tool.to_ascii_lowercase())
}

/// Tools that change no file of the project, in lower case.
const HARMLESS_TOOLS: &str = "ask_followup_question ask_user askuserquestion attempt_completion \
    enterplanmode exitplanmode fetch finish intent list_mcp_resources lsp recall report_intent skill \
    sql submit task_done taskcreate taskget tasklist taskupdate think thinking todo_write todoread \
    todowrite toolsearch update_plan update_todo_list update_topic view_image web_fetch web_search \
    webfetch websearch";

/// Commands that write nothing but their output, whatever their arguments.
const READERS: &str = "[ basename cat cd cksum cmp column comm cut date df diff dirname du echo egrep \
    env exit export false fgrep file findstr fold get-childitem get-content grep head hexdump \
    hostname id join jq less ls md5sum more nl od paste popd printenv printf ps pushd pwd pytest \
    readlink realpath rg select-string seq set sha1sum sha256sum sleep stat strings tail test tr tree \
    true tsc type uname uniq unset wait wc which whoami xxd";

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
        "sed" => !has_flag(arguments, "i", &["--in-place"]),
        "sort" => !has_flag(arguments, "o", &["--output"]),
        "curl" => !has_flag(arguments, "oO", &["--output", "--remote-name"]),
        "awk" => !arguments
            .iter()
            .any(|word| word.contains('>') || word.contains("system(")),
        "find" => !arguments.iter().any(|word| one_of(FIND_WRITERS, word)),
        "command" | "time" | "timeout" | "xargs" => only_reads(after_flags(arguments)),
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
        command => one_of(GIT_READERS, command),
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
            "",
        ] {
            assert!(!may_write(line), "{line}");
        }
    }

    #[test]
    fn anything_else_may_write() {
        for line in [
            "sed -i 's/a/b/' a",
            "sed -ni p a",
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
