"""What the steps of random conversations are made of: few words, so that they meet again."""

from __future__ import annotations

from reference.casefile import Json

DIALECTS = ["openai-chat", "openai-chat", "anthropic-messages", "openai-responses"]

ENVELOPE = '<session-skill name="alpha" state="active" bytes="2">\nhi\n</session-skill>'
WORDS = [
    ENVELOPE,
    f"{ENVELOPE}\n\nthen",
    "hello",
    "go",
    "hello",
    "go on",
    "é\n\nx",
    'say "x" \\ \t\u0001',
    "a\0b",
    "<think>t</think>",
    "ok\n",
]
PARTS: list[Json] = [
    {"text": "more"},
    {"text": "last"},
    {"text": " \n"},
    {"image": {"media-type": "image/png", "base64": "AAAA"}},
    {"image-url": "https://example.org/a.png"},
    {"block": {"type": "document", "n": 1}},
    {"block": {"type": "text", "text": "own", "cache_control": {"type": "ephemeral"}}},
    {"block": '{ "type":"x", "n": 1.0e2,"n" :2.50, "cache_control":{"type":"ephemeral"} }'},
    {"block": "[]"},
]
DATES = [*[None] * 8, *["2026-11-30", "2026-12-01"] * 5, "two\nlines"]
PARAMETERS: list[Json] = [
    *[{"model": "m1"}] * 20,
    *[{"model": "anthropic/claude-fable-5.1"}] * 14,
    {"model": "claude-opus-5-5"},
    {"model": "deepseek-v4"},
    *[{"model": "m1", "n": 1}] * 9,
    {"model": "m1", "temperature": 0.5, "stream": True},
    {"model": "m2"},
    {},
    '{"n": 1.0E+2, "model" :"m1" ,"n":0.10}',
    '{"model":"m1","user":"\\ud83d\\u006eumber 1","number 1":"\\u006eumber 2","n":1e3}',
    {"model": "m1", "messages": []},
    {"model": "m1", "input": "x"},
    "[]",
    "",
]
NAMES = ["notes.md", "/work/app/b.md", "/home/ada/n.md", "/etc/x", "~/n.md", "d/../a"]
CHANGES: list[Json] = [
    {"kind": "mode", "name": "ask", "text": "Ask first."},
    {"kind": "mode", "name": "plan", "text": "Only plan."},
    {"kind": "mode", "name": "plan", "text": "See /work/app/x."},
    {"kind": "mode", "name": "auto"},
    {"kind": "plan", "text": "1. do\n2. done\n"},
    {"kind": "plan"},
    {"kind": "personality", "text": "Terse."},
    {"kind": "personality"},
    {"kind": "mcp-instructions", "name": "srv", "text": "Ask it."},
    {"kind": "memory"},
    *[{"kind": "memory", "name": name, "text": "m"} for name in NAMES],
    *[{"kind": "instructions", "name": name, "text": "{{name}}\n"} for name in NAMES[:3]],
    {"kind": "memory", "name": "notes.md"},
]
TOLD = [change for change in CHANGES if change.get("name") != "" and "text" in change]
SOURCES: list[Json] = [
    {"part": "preamble", "text": "You are an agent.\n\n"},
    {"part": "preamble", "name": "p", "text": "\n"},
    {"part": "phase-prompt", "name": "phase", "text": "Now act."},
    {"part": "project-instructions", "name": "AGENTS.md", "text": "Be brief on 2026-11-30.\n"},
    {"part": "project-instructions", "name": "/work/app/d/A.md", "text": "In {{text}}."},
    {"part": "global-instructions", "name": "/home/ada/.config/A.md", "text": "Hi\0"},
    {"part": "global-instructions", "name": "/etc/agents", "text": "/work/app is here"},
    {"part": "project-instructions", "name": "/work/AGENTS.md", "text": "Given."},
    {"part": "project-context", "name": "tree", "text": "src/é\n\n"},
    {"part": "skill", "name": "own", "text": "Own skill\0"},
    {"part": "session-date", "name": "date", "text": "2026-11-30\n"},
]
BAD_SOURCES: list[Json] = [
    {"part": "preamble", "text": "It is 2026-11-30."},
    {"part": "phase-prompt", "text": "At 14:05 in /tmp"},
    {"part": "preamble", "text": "Work in (/work/app/d)."},
    {"part": "preamble", "name": "/home/ada", "text": "x"},
    {"part": "project-instructions", "name": "", "text": "x"},
]
TOOLS: list[Json] = [
    {"name": "grep", "description": "Finds.", "parameters": {"type": "object", "properties": {}}},
    {"name": "list", "parameters": '{"type": "object", "maximum": 1.0}'},
    {"name": "bash", "description": 'Runs "x".'},
    {"name": "page", "requires": ["page"], "unavailable": "No page."},
    {"name": "tab", "requires": ["page", "net"]},
    {"name": "look", "vision": True},
    {"name": "talk", "kinds": ["chat"]},
    {"name": "web", "definition": {"type": "web_search", "max_uses": 5}},
    {"name": "recall", "description": "Own."},
]
BAD_TOOLS: list[Json] = [{"name": ""}, {"name": "grep"}, {"name": "x", "parameters": "[]"}]
CHECKED_FIXED = [
    *("/work/app", "x/work/app", "(/work/app)", "/work/apple", "/work/app.", "/work/app.py"),
    *("see /work/app/a", "-/work/app", "/home/ada\\x", "~/work/app", "é/work/app", "/work/app-x"),
    *('"/home/ada"', "/work/app_", "/work", "/work/app\n", "a:/work/app,"),
]
USAGES: list[Json] = [
    {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}},
    {"usage": {"prompt_tokens": 9, "prompt_tokens_details": None}},
    {"input_tokens": 9, "output_tokens": 1, "input_tokens_details": {"cached_tokens": 0}},
    {"usage": {"input_tokens": 1, "cache_read_input_tokens": 7, "cache_creation_input_tokens": 2}},
    {"input_tokens": 1, "cache_creation_input_tokens": 2, "output_tokens": 3},
    {"prompt_tokens": 9, "prompt_cache_hit_tokens": 8, "prompt_cache_miss_tokens": 1},
    {"usageMetadata": {"promptTokenCount": 5, "candidatesTokenCount": 1, "thoughtsTokenCount": 2}},
    {"promptTokenCount": 5, "cachedContentTokenCount": 3},
    {"timings": {"cache_n": 4, "prompt_n": 2, "predicted_n": 1}},
    {
        "usage": {"prompt_tokens": 6, "completion_tokens": 1},
        "timings": {"cache_n": 4, "prompt_n": 2},
    },
    {"usage": {"inputTokens": 2, "cacheReadInputTokens": 8, "outputTokens": 3}},
    {"response": {"usage": {"input_tokens": 9, "output_tokens": 4}}},
    {"choices": [{"usage": {"prompt_tokens": 9, "cached_tokens": 4}}]},
    {"x_groq": {"usage": {"prompt_tokens": 9, "cache_creation": {"a": 1, "b": 2}}}},
    {"message": {"usage": {"input_tokens": 1, "cache_creation": {"a": 1, "b": 2}}}},
    {"prompt_eval_count": 4, "eval_count": 2},
    {"prompt_tokens": 430, "completion_tokens": 60},
    {"prompt_tokens": 500},
    {"usage": {}},
    {"id": 1},
    "[]",
]
SETTINGS = [
    *("tools.mcp_wait_ms", "reasoning.tags", "context.cut", "context.nul", "requests.cache_ttl"),
    *("context.ids.digits", "prompt.dates", "prompt.paths", "replies", "x", ""),
]
REOPENED: list[Json] = [
    *({"dialect": None}, {"overrides": {}}, {"start": "/work/app/d"}, {"root": "/work"}),
    *({"tools": [{"name": "other"}]}, {"vision": False}, {"conditions": ["net"]}),
    *({"without-tools": ["grep"]}, {"only-tools": []}, {"prompt": {}}, {"assembly": {}}),
]
"""Settings of a later open: most of them are not used any more."""
