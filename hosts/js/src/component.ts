/** The component: its core modules, compiled once in a process, and instances of it. */
import { compile } from '#platform';
import { instantiate, type ImportObject } from './generated/waybread.js';
import type * as Context from './generated/interfaces/waybread-context-context.js';
import { once } from './once.js';

/** Core modules by the names that the glue gives them. */
export type CoreModules = ReadonlyMap<string, WebAssembly.Module>;

// Spelled out, so that a bundler sees which files belong to the code.
const FILES = {
  'waybread.core.wasm': new URL('./generated/waybread.core.wasm', import.meta.url),
  'waybread.core2.wasm': new URL('./generated/waybread.core2.wasm', import.meta.url),
  'waybread.core3.wasm': new URL('./generated/waybread.core3.wasm', import.meta.url),
};

/** Compiles core modules. */
export async function compileAll(files: Readonly<Record<string, URL>>): Promise<CoreModules> {
  const compiled = Object.entries(files).map(
    async ([name, url]) => [name, await compile(url)] as const,
  );
  return new Map(await Promise.all(compiled));
}

/** One of the modules; its absence is a fault of the build. */
export function coreModule(modules: CoreModules, name: string): WebAssembly.Module {
  const module = modules.get(name);
  if (module === undefined) throw new Error(`the package has no core module ${name}`);
  return module;
}

/** The compiled component. Each session has an instance of its own, so a trap harms no other. */
export class Component {
  readonly #modules: CoreModules;

  constructor(modules: CoreModules) {
    this.#modules = modules;
  }

  /** A new instance: memory of its own, and the host's functions in it. */
  instantiate(imports: ImportObject): typeof Context {
    const modules = this.#modules;
    return instantiate((name) => coreModule(modules, name), withoutVersions(imports)).context;
  }
}

/** The component of this process. */
export const loadComponent: () => Promise<Component> = once(
  async () => new Component(await compileAll(FILES)),
);

/** The glue's types name interfaces with their version, its code looks them up without. */
function withoutVersions(imports: ImportObject): ImportObject {
  const named = Object.entries(imports).map(([name, functions]) => [
    name.replace(/@.*$/, ''),
    functions as unknown,
  ]);
  return Object.fromEntries(named) as ImportObject;
}
