/** Bytes to what the component takes: text where they are UTF-8, and their hash. */
import { sha256 } from '#platform';
import type { Content, HashedContent } from './generated/interfaces/waybread-context-filesystem.js';

const encoder = new TextEncoder();
// A byte order mark is content: it is kept.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Text as it is, bytes as text or, where they are not UTF-8, as their number. */
export function contentOf(source: string | Uint8Array): Content {
  if (typeof source === 'string') return { tag: 'text', val: source };
  try {
    return { tag: 'text', val: decoder.decode(source) };
  } catch (error) {
    // Anything else is not about the encoding: a text too long for this machine.
    if (!(error instanceof TypeError)) throw error;
    return { tag: 'binary', val: source.length };
  }
}

/** The content with the SHA-256 of its bytes. A text's bytes are its UTF-8. */
export function hashedContentOf(source: string | Uint8Array): HashedContent {
  const bytes = typeof source === 'string' ? encoder.encode(source) : source;
  return { content: contentOf(source), sha256: sha256(bytes) };
}
