// Texts, contents and tree entries of a case, which may be given in pieces.

/** @import { MemoryTree } from 'waybread' */
/** @import { Content, Entry, Piece, Text } from './case.d.ts' */

/** @param {Text} given */
export function text(given) {
  return typeof given === 'string' ? given : given.map(piece).join('');
}

/** @param {string | Piece} given */
function piece(given) {
  if (typeof given === 'string') return given;
  if ('repeat' in given) return given.repeat.repeat(given.times);
  const { count, from, to } = given;
  const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  return numbers.map((number) => count.replaceAll('{n}', String(number))).join('');
}

/** @param {Content} given */
export function content(given) {
  if (typeof given === 'string' || !('base64' in given)) return text(given);
  return Uint8Array.from(atob(given.base64), (character) => character.charCodeAt(0));
}

/**
 * Puts an entry into the tree.
 *
 * @param {MemoryTree} tree
 * @param {string} path
 * @param {Entry} entry
 */
export function put(tree, path, entry) {
  if (typeof entry === 'string' || 'base64' in entry || Array.isArray(entry)) {
    tree.write(path, content(/** @type {Content} */ (entry)));
  } else if ('link' in entry) tree.link(path, entry.link);
  else if ('broken' in entry) tree.breakWith(path, entry.broken);
  else if ('denied' in entry) tree.deny(path);
  else if ('directory' in entry) tree.makeDirectory(path);
  else throw new Error(`${path}: ${JSON.stringify(entry)} is no entry of a tree`);
}
