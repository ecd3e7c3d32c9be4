import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { FileError } from '../src/index.js';
import { Directory } from '../src/node.js';
import { temporaryFolder } from './helpers/folder.js';
import { call, open, thrownBy } from './helpers/session.js';

let folder: string;
let root: string;
let outside: string;

function at(...names: string[]): string {
  return path.join(root, ...names);
}

function codeOf(work: () => unknown): string {
  const error = thrownBy(work);
  if (error instanceof FileError) return error.code;
  throw error;
}

/** What a read and an identify of a path are refused with: the same. */
function refusalOf(directory: Directory, file: string): string {
  const code = codeOf(() => directory.identify(file));
  expect(codeOf(() => directory.read(file))).toBe(code);
  return code;
}

beforeEach(() => {
  folder = temporaryFolder();
  [root, outside] = [path.join(folder, 'app'), path.join(folder, 'outside')];
  for (const each of [root, outside, at('src')]) mkdirSync(each);
  writeFileSync(at('a.ts'), '\ufeffx\r\n\0');
  writeFileSync(path.join(outside, 'secret'), 'secret');
});

describe('a directory', () => {
  it('reads bytes as they are, and names a file by its real path', () => {
    symlinkSync('../a.ts', at('src', 'link.ts'));
    symlinkSync(root, path.join(folder, 'other-name'));
    const directory = new Directory(path.join(folder, 'other-name'));
    const paths = [at('a.ts'), at('src', 'link.ts'), path.join(folder, 'other-name', 'a.ts')];
    for (const file of paths) {
      expect(directory.identify(file)).toBe(at('a.ts'));
      const read = directory.read(file);
      expect(read.identity).toBe(at('a.ts'));
      expect(Buffer.from(read.bytes)).toEqual(readFileSync(at('a.ts')));
    }
  });

  it('finds nothing where nothing can be', () => {
    const directory = new Directory(root);
    symlinkSync('nowhere', at('dangling'));
    symlinkSync('loop', at('loop'));
    const names = ['missing', 'dangling', 'loop', 'a.ts/below', 'n\0ul', 'x'.repeat(300)];
    for (const name of names) expect(refusalOf(directory, at(name))).toBe('not-found');
  });

  it('tells a directory from a file', () => {
    const directory = new Directory(root);
    expect(codeOf(() => directory.read(root))).toBe('is-directory');
    expect(codeOf(() => directory.read(at('src')))).toBe('is-directory');
    expect(directory.identify(at('src'))).toBe(at('src'));
  });

  it.skipIf(process.platform === 'win32')('opens neither pipe, socket nor device', async () => {
    const directory = new Directory(root);
    execFileSync('mkfifo', [at('pipe')]);
    // Opening it would wait for a writer for ever.
    expect(codeOf(() => directory.read(at('pipe')))).toBe('not-a-file');
    const server = createServer().listen(at('socket'));
    await once(server, 'listening');
    expect(codeOf(() => directory.read(at('socket')))).toBe('not-a-file');
    server.close();
    const everything = new Directory(root, { confined: false });
    expect(codeOf(() => everything.read('/dev/null'))).toBe('not-a-file');
  });

  it.skipIf(process.getuid?.() === 0)('says what it may not read', () => {
    chmodSync(at('a.ts'), 0);
    expect(codeOf(() => new Directory(root).read(at('a.ts')))).toBe('denied');
  });

  it('has to be one', () => {
    expect(() => new Directory(at('a.ts'))).toThrow('is not a directory');
    expect(() => new Directory(at('missing'))).toThrow('ENOENT');
  });
});

describe('what a repository holds', () => {
  it.skipIf(process.platform !== 'linux')('is told where its name is no text', async () => {
    symlinkSync(Buffer.concat([Buffer.from(root), Buffer.from([47, 0xff])]), at('link'));
    writeFileSync(Buffer.concat([Buffer.from(root), Buffer.from([47, 0xff])]), 'x');
    const session = await open({ filesystem: new Directory(root) }, { root });
    const read = session.insertResult(call('read'), { read: { path: 'link' } });
    expect(read.text).toBe(`[#0001] ${at('link')} cannot be read: its real path is not UTF-8.`);
  });

  it('is not walked for a path that no system takes', async () => {
    const session = await open({ filesystem: new Directory(root) }, { root });
    for (const deep of ['a/'.repeat(80_000), '../'.repeat(80_000), `src/${'x'.repeat(100_000)}`]) {
      const read = session.insertResult(call('read'), { read: { path: deep } });
      expect(read.treatment).toBe('failed');
    }
  });

  it.skipIf(process.platform !== 'linux')(
    'leads nowhere else while a folder is swapped',
    async () => {
      writeFileSync(at('src', 'secret'), 'mine');
      symlinkSync(outside, at('away'));
      const swap = `const { renameSync } = require('node:fs');
      for (let n = 0; n < 20000; n += 1)
        for (const [from, to] of [['src', 'x'], ['away', 'src'], ['src', 'away'], ['x', 'src']])
          renameSync(from, to);`;
      const swapping = spawn(process.execPath, ['-e', swap], { cwd: root, stdio: 'inherit' });
      const directory = new Directory(root);
      const read = new Set<string>();
      while (swapping.exitCode === null) {
        try {
          read.add(Buffer.from(directory.read(at('src', 'secret')).bytes).toString());
        } catch (error) {
          expect(error).toBeInstanceOf(FileError);
        }
        await new Promise(setImmediate);
      }
      expect([...read]).toEqual(['mine']);
    },
  );
});

describe('confinement', () => {
  it('refuses what lies outside, by whatever way', () => {
    const directory = new Directory(root);
    symlinkSync(path.join(outside, 'secret'), at('link'));
    symlinkSync(outside, at('folder'));
    symlinkSync('..', at('up'));
    const ways = [
      path.join(outside, 'secret'),
      at('link'),
      at('folder', 'secret'),
      at('up', 'outside', 'secret'),
      `${root}/../outside/secret`,
      folder,
      path.parse(root).root,
    ];
    for (const way of ways) expect(refusalOf(directory, way)).toBe('denied');
  });

  it('is not fooled by a name that begins like the root', () => {
    mkdirSync(`${root}-2`);
    writeFileSync(path.join(`${root}-2`, 'x'), '');
    expect(refusalOf(new Directory(root), path.join(`${root}-2`, 'x'))).toBe('denied');
    writeFileSync(at('..x'), 'x');
    expect(new Directory(root).identify(at('..x'))).toBe(at('..x'));
  });

  it('does not tell what is missing outside', () => {
    const directory = new Directory(root);
    expect(refusalOf(directory, path.join(outside, 'missing'))).toBe('denied');
    expect(refusalOf(directory, path.join(folder, 'missing', 'too'))).toBe('denied');
    expect(refusalOf(directory, at('missing', 'too'))).toBe('not-found');
  });

  it('does not tell what is missing where a link leads out', () => {
    const directory = new Directory(root);
    const links: [string, string][] = [
      [at('there'), '../outside/secret'],
      [at('absent'), '../outside/missing'],
      [at('absent-absolute'), path.join(outside, 'missing', 'too')],
      [at('absent-slash'), '../outside/missing/'],
      [at('far'), 'src/../absent'],
      [at('circle'), '../outside/circle'],
      [path.join(outside, 'circle'), 'circle'],
      [at('folder'), '../outside'],
      // `folder/..` is the folder of both, not the root.
      [at('above'), 'folder/../missing'],
    ];
    for (const [link, target] of links) symlinkSync(target, link);
    const ways = [
      ...['there', 'there/below', 'absent', 'absent/', 'absent/below', 'absent//below'],
      ...[
        'absent-absolute',
        'absent-slash',
        'absent/.',
        'far',
        'circle',
        'folder/missing',
        'above',
      ],
    ];
    for (const way of ways) {
      expect([way, refusalOf(directory, `${root}/${way}`)]).toEqual([way, 'denied']);
    }
  });

  it('tells what is missing where links stay inside', () => {
    symlinkSync('src/missing', at('absent'));
    symlinkSync('absent', at('far'));
    symlinkSync('circle-2', at('circle'));
    symlinkSync('circle', at('circle-2'));
    const directory = new Directory(root);
    for (const way of ['absent', 'absent/', 'far', 'far/below', 'circle']) {
      expect(refusalOf(directory, `${root}/${way}`)).toBe('not-found');
    }
    symlinkSync('../outside/missing', at('out'));
    const everything = new Directory(root, { confined: false });
    expect(refusalOf(everything, at('out'))).toBe('not-found');
  });

  it('lets a link outside lead in, and ends with `confined: false`', () => {
    symlinkSync(at('a.ts'), path.join(outside, 'in'));
    expect(new Directory(root).identify(path.join(outside, 'in'))).toBe(at('a.ts'));
    const everything = new Directory(root, { confined: false });
    symlinkSync(path.join(outside, 'secret'), at('link'));
    expect(everything.identify(at('link'))).toBe(path.join(outside, 'secret'));
    expect(Buffer.from(everything.read(at('link')).bytes).toString()).toBe('secret');
  });

  it('can hold everything', () => {
    const top = path.parse(root).root;
    expect(new Directory(top).identify(at('a.ts'))).toBe(at('a.ts'));
  });
});

describe('a session on a directory', () => {
  it('stubs a file that is reached by another name, and reads one that was replaced', async () => {
    symlinkSync('a.ts', at('b.ts'));
    const session = await open({ filesystem: new Directory(root) }, { root });
    const read = (file: string) => session.insertResult(call('read'), { read: { path: file } });
    expect(read('a.ts').treatment).toBe('full');
    expect(read('src/../b.ts')).toMatchObject({ treatment: 'unchanged-read', refersTo: '#0001' });
    writeFileSync(at('new'), 'y\n');
    renameSync(at('new'), at('a.ts'));
    expect(read('b.ts').text).toMatch(/^\[#0003 b\.ts lines 1-1 of 1 sha [0-9a-f]{8}\]\n1: y$/);
  });

  it('tells the model what is refused, by the path that it means', async () => {
    const session = await open({ filesystem: new Directory(root) }, { root });
    const read = (file: string) =>
      session.insertResult(call('read'), { read: { path: file } }).text;
    expect(read('../outside/secret')).toBe(`[#0001] Not allowed to read ${outside}/secret`);
    expect(read('missing')).toBe(`[#0002] No such file: ${at('missing')}`);
    expect(realpathSync(root)).toBe(root);
  });
});
