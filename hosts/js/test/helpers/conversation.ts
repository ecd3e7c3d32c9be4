import { createHash } from 'node:crypto';
import type { Added, Dialect, Request, Session } from '../../src/index.js';

export const DIALECTS: readonly Dialect[] = [
  'openai-chat',
  'anthropic-messages',
  'openai-responses',
];
export const PARAMETERS = { model: 'some-model', max_tokens: 100 };

/** A reply as each provider gives it: a thought, a sentence, and a call of `bash` for each id. */
export function replyOf(dialect: Dialect, text: string, ids: readonly string[] = []): object {
  return REPLIES[dialect](text, ids);
}

const REPLIES: Record<Dialect, (text: string, ids: readonly string[]) => object> = {
  'openai-chat': (text, ids) => ({
    role: 'assistant',
    content: text,
    reasoning_content: 'thought',
    tool_calls: ids.map((id) => ({
      id,
      type: 'function',
      function: { name: 'bash', arguments: '{}' },
    })),
  }),
  'anthropic-messages': (text, ids) => [
    { type: 'thinking', thinking: 'thought', signature: 'c2ln' },
    { type: 'text', text },
    ...ids.map((id) => ({ type: 'tool_use', id, name: 'bash', input: {} })),
  ],
  'openai-responses': (text, ids) => [
    { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'ZW5j' },
    { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text }] },
    ...ids.map((id) => ({ type: 'function_call', call_id: id, name: 'bash', arguments: '{}' })),
  ],
};

let replies = 0;

/** A reply that calls `bash` once, and what came of it. */
export function step(session: Session, dialect: Dialect, output: string): Added {
  replies += 1;
  const id = `reply-call-${String(replies)}`;
  const added = session.addMessage({ reply: { json: replyOf(dialect, 'Next.', [id]) } });
  for (const { call } of added.calls) session.insertResult(call, { output });
  return added;
}

/** What a request says of its body, found in the body itself. */
export function measured({ body }: Pick<Request, 'body'>): { length: number; sha256: string } {
  return {
    length: Buffer.byteLength(body),
    sha256: createHash('sha256').update(body).digest('hex'),
  };
}

/** A whole response of each provider, which says one thing. */
export function summaryOf(dialect: Dialect, text: string): object {
  return SUMMARIES[dialect](text);
}

const SUMMARIES: Record<Dialect, (text: string) => object> = {
  'openai-chat': (content) => ({
    choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
  }),
  'anthropic-messages': (text) => ({
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
  }),
  'openai-responses': (text) => ({
    object: 'response',
    status: 'completed',
    output: [
      { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text }] },
    ],
  }),
};
