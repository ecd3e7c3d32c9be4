import type { ContextReport } from '../../src/index.js';
import { replyOf } from './conversation.js';
import { call, open } from './session.js';

/** A key and a tool's name with what a page must escape. */
export const SESSION = 'chat-7 <b>&"\'';
export const TOOL = '<script>alert(1)</script>';

/** The report of a session with a window, that has something of most kinds. */
export async function reported(): Promise<ContextReport> {
  const tools = [{ name: 'bash', description: 'Runs a command.' }];
  const overrides = { budget: { window: 16_000, max_output: 1000 } };
  const session = await open({}, { dialect: 'openai-chat', tools, overrides });
  session.enableSkill('review', 'Read the whole diff first.');
  session.addMessage({ user: { text: 'Where is the parser?', date: '2026-11-30' } });
  const calls = ['bash', TOOL].map((name) => call(name));
  const told = calls.map(({ id, name }) => {
    return { id, type: 'function', function: { name, arguments: '{}' } };
  });
  const json = { ...replyOf('openai-chat', 'I look.'), tool_calls: told };
  session.addMessage({ reply: { json } });
  for (const each of calls) session.insertResult(each, { output: 'a line of it\n'.repeat(150) });
  return session.contextReport({ model: 'some-model' });
}
