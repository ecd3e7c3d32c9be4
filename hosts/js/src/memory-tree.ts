import { FileError } from './errors.js';
import type { File, FileSystem } from './ports.js';
import { enter, follow, parent, split, textOf, type TreePath } from './tree-path.js';

/** As many links as Linux follows on the way to one file. */
const MOST_LINKS = 40;

type Entry =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'directory' | 'denied' }
  | { readonly kind: 'broken'; readonly words: string };

const encoder = new TextEncoder();

/**
 * Files in memory: for tests, for replays, for a server's chats, for a browser.
 *
 * It may change under an open session. Folders exist where a file lies in them. A path that begins
 * with a drive letter or a share is a Windows path: both slashes separate, and identities are
 * written with `\`.
 *
 * @example
 * ```ts
 * const tree = new MemoryTree({ '/work/app/a.ts': 'x\n' });
 * tree.link('/work/app/b.ts', 'a.ts');
 * tree.identify('/work/app/b.ts'); // /work/app/a.ts
 * ```
 */
export class MemoryTree implements FileSystem {
  readonly #entries = new Map<string, Entry>();
  /** How many entries lie below each folder. */
  readonly #below = new Map<string, number>();

  /** With files by their absolute paths. */
  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    for (const [path, content] of Object.entries(files)) this.write(path, content);
  }

  /** Makes a file, or replaces what is there. */
  write(path: string, content: string | Uint8Array): void {
    const bytes = typeof content === 'string' ? encoder.encode(content) : content.slice();
    this.#put(path, { kind: 'file', bytes });
  }

  /** Makes a symbolic link, relative to its folder or absolute. */
  link(path: string, target: string): void {
    this.#put(path, { kind: 'link', target });
  }

  /** Makes a directory, which may stay empty. */
  makeDirectory(path: string): void {
    this.#put(path, { kind: 'directory' });
  }

  /** Makes a file that may not be read. */
  deny(path: string): void {
    this.#put(path, { kind: 'denied' });
  }

  /** Makes a file whose read fails for a reason that no model can act on, in these words. */
  breakWith(path: string, words: string): void {
    this.#put(path, { kind: 'broken', words });
  }

  /** Takes away what is at the path, a link and not what it leads to. Says whether there was any. */
  remove(path: string): boolean {
    const whole = split(path);
    const there = this.#entries.delete(textOf(whole));
    if (there) this.#count(whole, -1);
    return there;
  }

  identify(path: string): string {
    return textOf(this.#realPath(path));
  }

  read(path: string): File {
    const identity = this.identify(path);
    const entry = this.#entries.get(identity);
    switch (entry?.kind) {
      case 'file':
        return { identity, bytes: entry.bytes };
      case 'denied':
        throw new FileError('denied');
      case 'broken':
        throw new Error(entry.words);
      default:
        // What is real and has no entry is a folder that something lies in.
        throw new FileError('is-directory');
    }
  }

  #put(path: string, entry: Entry): void {
    const whole = split(path);
    const key = textOf(whole);
    if (!this.#entries.has(key)) this.#count(whole, 1);
    this.#entries.set(key, entry);
  }

  #count(path: TreePath, change: number): void {
    let folder = split(textOf(path));
    while (folder.names.length > 0) {
      folder = parent(folder);
      const key = textOf(folder);
      this.#below.set(key, (this.#below.get(key) ?? 0) + change);
    }
  }

  /** The path with every link followed. */
  #realPath(path: string): TreePath {
    const whole = split(path);
    let real: TreePath = { volume: whole.volume, names: [] };
    const ahead = whole.names.toReversed();
    let links = 0;
    for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
      const next = enter(real, name);
      const entry = this.#entries.get(textOf(next));
      if (entry?.kind === 'link') {
        if (++links > MOST_LINKS) throw new FileError('not-found');
        const target = follow(parent(next), entry.target);
        real = { volume: target.volume, names: [] };
        ahead.push(...target.names.toReversed());
      } else if (this.#leadsOn(next, entry, ahead.length === 0)) {
        real = next;
      } else {
        throw new FileError('not-found');
      }
    }
    return real;
  }

  /** Whether something is there, and a folder where the path goes on. */
  #leadsOn(path: TreePath, entry: Entry | undefined, isLast: boolean): boolean {
    if (entry !== undefined) return entry.kind === 'directory' || isLast;
    return path.names.length === 0 || (this.#below.get(textOf(path)) ?? 0) > 0;
  }
}
