import { describe, expect, it } from 'vitest';
import { FileError, MemoryTree } from '../src/index.js';
import { thrownBy } from './helpers/session.js';

function codeOf(work: () => unknown): string {
  const error = thrownBy(work);
  if (error instanceof FileError) return error.code;
  throw error;
}

function textAt(tree: MemoryTree, path: string): string {
  return new TextDecoder().decode(tree.read(path).bytes);
}

describe('a tree in memory', () => {
  it('holds files, text and bytes, and changes', () => {
    const tree = new MemoryTree({ '/a/b.txt': 'é', '/a/c': Uint8Array.of(0xff) });
    expect(tree.read('/a/b.txt')).toEqual({
      identity: '/a/b.txt',
      bytes: Uint8Array.of(0xc3, 0xa9),
    });
    expect(tree.read('/a/c').bytes).toEqual(Uint8Array.of(0xff));
    tree.write('/a/b.txt', 'new');
    expect(textAt(tree, '/a/b.txt')).toBe('new');
    expect(tree.remove('/a/b.txt')).toBe(true);
    expect(tree.remove('/a/b.txt')).toBe(false);
    expect(codeOf(() => tree.read('/a/b.txt'))).toBe('not-found');
  });

  it('keeps what it was given, not what becomes of it', () => {
    const bytes = Uint8Array.of(1);
    const tree = new MemoryTree({ '/a': bytes });
    bytes[0] = 2;
    expect(tree.read('/a').bytes).toEqual(Uint8Array.of(1));
  });

  it('has folders where files lie in them', () => {
    const tree = new MemoryTree({ '/a/b/c': '', '/a/b/d': '' });
    for (const folder of ['/', '/a', '/a/b']) {
      expect(codeOf(() => tree.read(folder))).toBe('is-directory');
      expect(tree.identify(folder)).toBe(folder);
    }
    tree.remove('/a/b/c');
    expect(tree.identify('/a/b')).toBe('/a/b');
    tree.remove('/a/b/d');
    expect(codeOf(() => tree.identify('/a/b'))).toBe('not-found');
    tree.makeDirectory('/a/empty');
    expect(codeOf(() => tree.read('/a/empty'))).toBe('is-directory');
    expect(codeOf(() => tree.read('/a/empty/x'))).toBe('not-found');
  });

  it('finds nothing below a file', () => {
    const tree = new MemoryTree({ '/a': '' });
    expect(codeOf(() => tree.identify('/a/b'))).toBe('not-found');
  });

  it('follows links, relative and absolute, to files and folders', () => {
    const tree = new MemoryTree({ '/work/app/a.ts': 'x' });
    tree.link('/work/app/b.ts', './a.ts');
    tree.link('/work/link', '/work/app');
    tree.link('/work/app/up', '../link/b.ts');
    for (const path of ['/work/app/b.ts', '/work/link/a.ts', '/work/app/up', '/work/link/up']) {
      expect(tree.identify(path)).toBe('/work/app/a.ts');
      expect(textAt(tree, path)).toBe('x');
    }
    expect(tree.remove('/work/app/b.ts')).toBe(true);
    expect(textAt(tree, '/work/app/a.ts')).toBe('x');
  });

  it('finds nothing where a link leads nowhere or round in a circle', () => {
    const tree = new MemoryTree();
    tree.link('/nowhere', 'x');
    tree.link('/a', 'b');
    tree.link('/b', '/a');
    for (const path of ['/nowhere', '/a', '/b/c']) {
      expect(codeOf(() => tree.read(path))).toBe('not-found');
    }
  });

  it('follows forty links on the way, and no more', () => {
    const tree = new MemoryTree({ '/0': 'x' });
    for (let n = 1; n <= 41; n += 1) tree.link(`/${String(n)}`, String(n - 1));
    expect(tree.identify('/40')).toBe('/0');
    expect(codeOf(() => tree.identify('/41'))).toBe('not-found');
  });

  it('has files that are denied or broken', () => {
    const tree = new MemoryTree();
    tree.deny('/denied');
    tree.breakWith('/broken', 'a bad sector');
    expect(tree.identify('/denied')).toBe('/denied');
    expect(codeOf(() => tree.read('/denied'))).toBe('denied');
    expect(tree.identify('/broken')).toBe('/broken');
    expect(() => tree.read('/broken')).toThrow('a bad sector');
  });

  it('has Windows paths where one begins with a drive or a share', () => {
    const tree = new MemoryTree({ 'C:\\work\\a.ts': 'x', '\\\\server\\share\\b.ts': 'y' });
    tree.link('c:/work/link.ts', 'a.ts');
    tree.link('C:\\work\\top.ts', '\\work\\a.ts');
    for (const path of ['C:\\work\\a.ts', 'c:/work/link.ts', 'C:/work\\top.ts']) {
      expect(tree.identify(path)).toBe('C:\\work\\a.ts');
    }
    expect(tree.identify('\\\\server/share/b.ts')).toBe('\\\\server\\share\\b.ts');
    expect(tree.identify('C:\\')).toBe('C:\\');
    expect(codeOf(() => tree.identify('D:\\work\\a.ts'))).toBe('not-found');
    // On Unix a backslash is a letter like any other.
    tree.write('/a\\b', 'z');
    expect(tree.identify('/a\\b')).toBe('/a\\b');
  });
});
