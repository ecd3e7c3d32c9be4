// `npm run build`: components to glue (src/generated), the shared SQLite schema to a module, then
// TypeScript to dist/.
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { transpileComponent } from './transpile.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const generated = path.join(root, 'src', 'generated');
const dist = path.join(root, 'dist');

async function generate() {
  await rm(generated, { recursive: true, force: true });
  for (const name of ['waybread', 'recordings']) {
    await transpileComponent(path.join(root, 'component', `${name}.wasm`), name, generated);
  }
  const schema = await readFile(path.join(root, '..', 'sqlite.sql'), 'utf8');
  const module = `// Made by scripts/build.mjs from hosts/sqlite.sql.\nexport const SCHEMA = ${JSON.stringify(schema)};\n`;
  await writeFile(path.join(generated, 'schema.ts'), module);
}

async function compile() {
  await rm(dist, { recursive: true, force: true });
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  await mkdir(dist, { recursive: true });
  await cp(generated, path.join(dist, 'generated'), {
    recursive: true,
    filter: (source) => !/(?<!\.d)\.ts$/.test(source),
  });
}

try {
  await generate();
  await compile();
} catch (error) {
  console.error(`build failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
