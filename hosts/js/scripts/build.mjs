// `npm run build`: components to glue (src/generated), the shared SQLite schema to a module, then
// TypeScript to dist/. A build that fails, or runs while the package is in use, leaves what is there.
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { transpileComponent } from './transpile.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const generated = path.join(root, 'src', 'generated');
const dist = path.join(root, 'dist');

async function generate() {
  const fresh = `${generated}.new`;
  await rm(fresh, { recursive: true, force: true });
  for (const name of ['waybread', 'recordings']) {
    await transpileComponent(path.join(root, 'component', `${name}.wasm`), name, fresh);
  }
  const schema = await readFile(path.join(root, '..', 'sqlite.sql'), 'utf8');
  const module = `// Made by scripts/build.mjs from hosts/sqlite.sql.\nexport const SCHEMA = ${JSON.stringify(schema)};\n`;
  await writeFile(path.join(fresh, 'schema.ts'), module);
  await rm(generated, { recursive: true, force: true });
  await rename(fresh, generated);
}

/** The package carries the repository's licences. */
async function licences() {
  for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) {
    await cp(path.join(root, '..', '..', name), path.join(root, name));
  }
}

/** Compiles in place, then takes away what an earlier build left. */
async function compile() {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const options = ['-p', 'tsconfig.build.json', '--listEmittedFiles'];
  const emitted = execFileSync(process.execPath, [tsc, ...options], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const written = emitted.split('\n').flatMap((line) => /(?<=^TSFILE: ).*/.exec(line) ?? []);
  const current = new Set([...written.map((file) => path.resolve(root, file)), ...(await glue())]);
  for (const file of await filesIn(dist)) {
    if (!current.has(file)) await rm(file);
  }
}

/** Copies what tsc does not compile. */
async function glue() {
  const files = (await filesIn(generated)).filter((file) => !/(?<!\.d)\.ts$/.test(file));
  const copies = files.map((file) => path.join(dist, 'generated', path.relative(generated, file)));
  for (const [index, copy] of copies.entries()) {
    await mkdir(path.dirname(copy), { recursive: true });
    await cp(/** @type {string} */ (files[index]), copy);
  }
  return copies;
}

/** @param {string} folder */
async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => path.join(entry.parentPath, entry.name));
}

try {
  await generate();
  await licences();
  await compile();
} catch (error) {
  // tsc's own words are on standard output.
  const { stdout } = /** @type {{ stdout?: string }} */ (error);
  if (stdout) console.error(stdout);
  console.error(`build failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
