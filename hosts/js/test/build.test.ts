/** What the build makes of the components. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { transpileComponent } from '../scripts/transpile.mjs';
import { temporaryFolder } from './helpers/folder.js';

const COMPONENTS = fileURLToPath(new URL('../component', import.meta.url));
const GENERATED = fileURLToPath(new URL('../src/generated', import.meta.url));

function filesIn(folder: string): Map<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(folder, file), readFileSync(file)] as const;
    }),
  );
}

describe('the build', () => {
  it.each([
    ['waybread', ['core', 'core2', 'core3'], ['context:filesystem', 'context:storage']],
    ['recordings', ['core'], []],
  ])('makes the same bytes of %s twice', async (name, modules, imports) => {
    const folders = [temporaryFolder(), temporaryFolder()];
    for (const folder of folders) {
      await transpileComponent(path.join(COMPONENTS, `${name}.wasm`), name, folder);
    }
    const [one, other] = folders.map(filesIn);
    expect(one).toEqual(other);
    expect([...(one?.keys() ?? [])].filter((file) => file.endsWith('.wasm')).sort()).toEqual(
      modules.map((module) => `${name}.${module}.wasm`).sort(),
    );
    // What the package was built from is what lies here.
    const glue = one?.get(`${name}.js`)?.toString() ?? '';
    expect(glue).toBe(readFileSync(path.join(GENERATED, `${name}.js`), 'utf8'));
    const found = [...glue.matchAll(/imports\["waybread:(\w+)\/(\w+)"\]/g)];
    expect(found.map(([, world, part]) => `${world ?? ''}:${part ?? ''}`)).toEqual(imports);
  });

  it('says what is missing, and what makes it', async () => {
    const missing = path.join(temporaryFolder(), 'waybread.wasm');
    await expect(transpileComponent(missing, 'waybread', temporaryFolder())).rejects.toThrow(
      'waybread.wasm is missing: run `cargo xtask build` first',
    );
  });
});
