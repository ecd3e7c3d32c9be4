// Turns a component into JavaScript glue, its core modules and their types.
//
// The glue is jco's, with three changes made at build time; each is checked, so that another version
// of jco can't slip through unnoticed:
//
// - jco decodes strings with a decoder that drops a leading byte order mark, so a text that the
//   component stores would come back shorter: `text-decoder.js` stands in for it;
// - every call asks `process.env` whether to write debug messages, a quarter of a small call's time;
// - what is left of that and of jco's own asynchronous calls is dropped as dead code.
import { readFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { transpile } from '@bytecodealliance/jco';
import { build } from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));

/**
 * Writes `<name>.js`, `<name>.d.ts`, `<name>.core*.wasm` and `interfaces/*.d.ts` into a folder. The
 * same component gives the same bytes.
 *
 * @param {string} component path of the component
 * @param {string} name name of the files written
 * @param {string} folder where they go
 */
export async function transpileComponent(component, name, folder) {
  const { files } = await transpile(await readComponent(component), {
    name,
    instantiation: 'sync',
    wasiShim: false,
    nodejsCompat: false,
  });
  for (const [file, bytes] of Object.entries(files)) {
    const isGlue = file === `${name}.js`;
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, isGlue ? await trim(new TextDecoder().decode(bytes)) : bytes);
  }
}

/** @param {string} component */
async function readComponent(component) {
  try {
    return await readFile(component);
  } catch (error) {
    const name = path.relative(path.dirname(here), component);
    throw new Error(`${name} is missing: run \`cargo xtask build\` first`, { cause: error });
  }
}

/** @param {string} glue */
async function trim(glue) {
  const result = await build({
    stdin: { contents: glue, loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    minifySyntax: true,
    define: { 'globalThis.process.env.JCO_DEBUG': 'undefined' },
    inject: [path.join(here, 'text-decoder.js')],
  });
  const [output] = result.outputFiles;
  if (output === undefined) throw new Error('esbuild wrote nothing');
  return checked(output.text);
}

/** @param {string} glue */
function checked(glue) {
  const decoders = glue.match(/new \w*TextDecoder\w*\([^)]*\)/g) ?? [];
  if (decoders.length !== 1 || !glue.includes('ignoreBOM')) {
    throw new Error(
      `the glue must make one decoder, ours; it makes ${decoders.join(', ') || 'none'}`,
    );
  }
  if (glue.includes('JCO_DEBUG')) throw new Error('the glue still asks for JCO_DEBUG');
  return glue;
}
