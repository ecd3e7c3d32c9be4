/** What the system says of a failure. */
import { getSystemErrorMap } from 'node:util';

/** Where libuv's words are not the system's. */
const SYSTEM_WORDS: ReadonlyMap<unknown, string> = new Map([
  ['ELOOP', 'too many levels of symbolic links'],
]);

/** `No such file or directory`: the system's words without the call and the path. */
export function reason(error: unknown): string {
  const number = error instanceof Error && 'errno' in error ? Number(error.errno) : 0;
  const [name, libuv] = getSystemErrorMap().get(number) ?? [];
  const words = SYSTEM_WORDS.get(name) ?? libuv;
  if (words === undefined) return error instanceof Error ? error.message : String(error);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
