/** The package as a user gets it: packed, installed without a network, imported, compiled against. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { install, link, PACKAGE } from './helpers/package.js';

let folder: string;
let files: string[];

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'waybread-consumer-')));
  ({ files } = install(folder));
}, 120_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function runModule(code: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', code],
    { cwd: folder, encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

/** What `tsc` says of a consumer: nothing where it compiles. */
function compile(name: string, code: string, options: object): string {
  writeFileSync(path.join(folder, `${name}.ts`), code);
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    ...options,
  };
  const config = path.join(folder, `tsconfig.${name}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  const tsc = path.join(PACKAGE, 'node_modules', 'typescript', 'bin', 'tsc');
  return spawnSync(process.execPath, [tsc, '-p', config], { cwd: folder, encoding: 'utf8' }).stdout;
}

describe('the package', () => {
  it('holds what it needs, and nothing else', () => {
    const outside = files.filter((file) => !file.startsWith('dist/')).sort();
    expect(outside).toEqual(['LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'package.json']);
    expect(files.filter((file) => file.endsWith('.wasm')).sort()).toEqual([
      'dist/generated/recordings.core.wasm',
      'dist/generated/waybread.core.wasm',
      'dist/generated/waybread.core2.wasm',
      'dist/generated/waybread.core3.wasm',
    ]);
    const others = files.filter((file) => !/\.(wasm|js|d\.ts)$/.test(file));
    expect(others.sort()).toEqual(outside);
  });

  it('is imported by its entries', () => {
    const answer = runModule(`
      import { MemoryStorage, MemoryTree, Session } from 'waybread';
      import { Directory } from 'waybread/node';
      import { replay } from 'waybread/replay';
      const hosts = { storage: new MemoryStorage(), filesystem: new Directory('.') };
      const session = await Session.open('s', { root: process.cwd() }, hosts);
      const call = { id: '1', name: 'bash', arguments: '{}' };
      console.log(session.insertResult(call, { output: 'ok' }).text);
      console.log((await replay([])).report.files, typeof MemoryTree);
    `);
    expect(answer).toEqual({ status: 0, stderr: '', stdout: '[#0001]\nok\n0 function\n' });
  });

  it('asks for better-sqlite3 where it is used and not there', () => {
    const code = `import { SqliteStorage } from 'waybread/sqlite';
      new SqliteStorage(':memory:').append('s', 0, ['r'], []);`;
    const without = runModule(code);
    expect(without.status).toBe(1);
    expect(without.stderr).toContain("Cannot find package 'better-sqlite3'");
    link(folder, 'better-sqlite3');
    expect(runModule(code)).toEqual({ status: 0, stderr: '', stdout: '' });
  });

  it('brings its command', () => {
    const command = path.join(folder, 'node_modules', '.bin', 'waybread-replay');
    expect(execFileSync(command, ['--help'], { encoding: 'utf8' })).toContain('Usage:');
  });

  it('has types for a browser, which knows nothing of Node', () => {
    const code = `import { MemoryStorage, MemoryTree, Session, WaybreadError, type Inserted } from 'waybread';
      import { replay, type Report } from 'waybread/replay';
      const hosts = { storage: new MemoryStorage(), filesystem: new MemoryTree({ '/a': 'x' }) };
      const session: Session = await Session.open('s', { root: '/' }, hosts);
      const inserted: Inserted = session.insertResult(
        { id: '1', name: 'read', arguments: '{}' }, { read: { path: 'a' } });
      const report: Report = (await replay([{ name: 'x', content: inserted.text }])).report;
      export const failed: string[] = report.failed_files.map(({ file }) => file);
      export function codeOf(error: unknown): string {
        return error instanceof WaybreadError ? error.detail.code : '';
      }`;
    expect(compile('browser', code, { lib: ['es2022', 'dom'], types: [] })).toBe('');
    const wrong = code.replace("{ path: 'a' }", '{ file: 1 }');
    expect(compile('wrong', wrong, { lib: ['es2022', 'dom'], types: [] })).toContain("'file'");
  });

  it('has types for Node', () => {
    for (const name of ['@types/node', '@types/better-sqlite3', 'undici-types']) link(folder, name);
    const code = `import Database from 'better-sqlite3';
      import { Session, type Hosts } from 'waybread';
      import { Directory } from 'waybread/node';
      import { SqliteStorage } from 'waybread/sqlite';
      const storage = new SqliteStorage(new Database(':memory:'));
      const hosts: Hosts = { storage, filesystem: new Directory('.', { confined: false }) };
      export const session: Session = await Session.open('s', { root: '/' }, hosts);`;
    expect(compile('node', code, { lib: ['es2022'], types: ['node'] })).toBe('');
  });
});

describe('the entries for browsers', () => {
  it.each(['index.js', 'replay.js', 'audit.js'])(
    '%s is bundled without anything of Node',
    async (entry) => {
      const { metafile } = await build({
        entryPoints: [path.join(folder, 'node_modules', 'waybread', 'dist', entry)],
        bundle: true,
        format: 'esm',
        platform: 'browser',
        target: 'es2022',
        write: false,
        metafile: true,
      });
      const inputs = Object.keys(metafile.inputs).join('\n');
      expect(inputs).toContain('platform/web.js');
      expect(inputs).not.toContain('platform/node.js');
      const sources = Object.values(metafile.inputs).flatMap(({ imports }) => imports);
      expect(sources.filter(({ external }) => external === true)).toEqual([]);
    },
  );
});
