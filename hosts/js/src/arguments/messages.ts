/** Messages of the conversation. */
import type * as Context from '../generated/interfaces/waybread-context-context.js';
import type {
  Delivery,
  Image,
  Json,
  Message,
  Part,
  Reply,
  Sender,
  UserMessage,
} from '../values.js';
import {
  boolean,
  json,
  list,
  object,
  oneOf,
  optional,
  refuseKind,
  string,
  variant,
} from './check.js';

const SENDERS: readonly Sender[] = ['person', 'machine', 'subagent'];
const DELIVERIES: readonly Delivery[] = ['starts-turn', 'step-boundary'];

/** A message as the case that it is. */
export function message(given: Message): Context.Message {
  return variant<Context.Message>(given, 'message', {
    user: (user: UserMessage) => ({ tag: 'user', val: userMessage(user) }),
    reply: (value: Reply) => ({ tag: 'reply', val: reply(value) }),
    wrapUp: (value: true) => wrapUp(value),
  });
}

function userMessage(given: UserMessage): Context.UserMessage {
  object(given, 'user', ['sender', 'delivery', 'text', 'parts', 'date']);
  const { sender = 'person', delivery = 'starts-turn', text = '', parts = [], date } = given;
  return {
    sender: oneOf(sender, 'user.sender', SENDERS),
    delivery: oneOf(delivery, 'user.delivery', DELIVERIES),
    text: string(text, 'user.text'),
    parts: list(parts, 'user.parts', part),
    ...optional('date', date, (value) => string(value, 'user.date')),
  };
}

function part(given: Part, argument: string): Context.Part {
  const cases = {
    text: (text: string, place: string) => ({ tag: 'text' as const, val: string(text, place) }),
    image: (value: Image, place: string) => ({ tag: 'image' as const, val: image(value, place) }),
    imageUrl: (url: string, place: string) => ({
      tag: 'image-url' as const,
      val: string(url, place),
    }),
    block: (block: Json, place: string) => ({ tag: 'block' as const, val: json(block, place) }),
  };
  return variant<Context.Part>(given, argument, cases, `${argument}.`);
}

function image(given: Image, argument: string): Context.Image {
  object(given, argument, ['mediaType', 'base64']);
  return {
    mediaType: string(given.mediaType, `${argument}.mediaType`),
    base64: string(given.base64, `${argument}.base64`),
  };
}

function reply(given: Reply): Context.Reply {
  object(given, 'reply', ['json', 'incomplete']);
  const { json: text, incomplete = false } = given;
  return { json: json(text, 'reply.json'), incomplete: boolean(incomplete, 'reply.incomplete') };
}

function wrapUp(given: unknown): Context.MessageWrapUp {
  return given === true ? { tag: 'wrap-up' } : refuseKind(given, 'wrapUp', '`true`');
}
