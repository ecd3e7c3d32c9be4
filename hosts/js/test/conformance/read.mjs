// Reads a case file. JSON.parse alone would reorder keys that look like numbers and respell
// numbers, so what a session gets as JSON is cut out of the file's own text.
import { getNodeValue, parseTree } from 'jsonc-parser';

/** @import { Node } from 'jsonc-parser' */
/** @import { CaseFile } from './case.d.ts' */

/** Fields that a session gets as JSON: a string as it is, anything else as it is written. */
const VERBATIM = new Set([
  'arguments',
  'block',
  'definition',
  'json',
  'overrides',
  'parameters',
  'usage',
]);

/** So is what a compaction is finished with, where a message's reply is an object of fields. */
const VERBATIM_OF_FINISH = new Set([...VERBATIM, 'reply']);

/**
 * @param {string} json a case file's text
 * @returns {CaseFile}
 */
export function readCaseFile(json) {
  JSON.parse(json); // Says what is wrong and where.
  const tree = parseTree(json);
  if (tree === undefined) throw new Error('the case file is empty');
  return /** @type {CaseFile} */ (valueOf(tree, json));
}

/**
 * @param {Node} node
 * @param {string} json
 * @returns {unknown}
 */
function valueOf(node, json) {
  const children = node.children ?? [];
  if (node.type === 'array') return children.map((item) => valueOf(item, json));
  if (node.type !== 'object') return getNodeValue(node);
  const found = fields(node);
  const finishes = found.some(([key, { value }]) => key === 'do' && value === 'compact-finish');
  const verbatim = finishes ? VERBATIM_OF_FINISH : VERBATIM;
  const entries = found.map(([key, value]) => {
    return [key, isVerbatim(key, value, verbatim) ? compact(value, json) : valueOf(value, json)];
  });
  return Object.fromEntries(entries);
}

/**
 * @param {string} key
 * @param {Node} value
 * @param {ReadonlySet<string>} verbatim
 */
function isVerbatim(key, value, verbatim) {
  // A definition that is null is none.
  if (key === 'definition' && value.type === 'null') return false;
  return verbatim.has(key) && value.type !== 'string';
}

/**
 * JSON without white space, keys in the order written, numbers as they are spelled.
 *
 * @param {Node} node
 * @param {string} json
 * @returns {string}
 */
function compact(node, json) {
  if (node.type === 'string') return JSON.stringify(node.value);
  if (node.type === 'array') {
    return `[${(node.children ?? []).map((item) => compact(item, json)).join(',')}]`;
  }
  if (node.type !== 'object') return json.slice(node.offset, node.offset + node.length);
  const entries = fields(node).map(
    ([key, value]) => `${JSON.stringify(key)}:${compact(value, json)}`,
  );
  return `{${entries.join(',')}}`;
}

/**
 * An object's fields. A key given twice stands where it was first, with its last value.
 *
 * @param {Node} node
 * @returns {[string, Node][]}
 */
function fields(node) {
  /** @type {Map<string, Node>} */
  const found = new Map();
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key !== undefined && value !== undefined) found.set(String(key.value), value);
  }
  return [...found];
}
