import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package's folder. */
export const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));

/** Runs npm; what it prints. */
export function npm(cwd: string, ...given: string[]): string {
  return execFileSync('npm', given, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Packs a package into a folder; the names of the files in it. */
export function pack(folder: string, destination: string): { tarball: string; files: string[] } {
  const json = npm(folder, 'pack', '--json', '--ignore-scripts', '--pack-destination', destination);
  const [packed] = JSON.parse(json) as { filename: string; files: { path: string }[] }[];
  if (packed === undefined) throw new Error('npm packed nothing');
  const files = packed.files.map((file) => file.path);
  return { tarball: path.join(destination, packed.filename), files };
}

/** A project in a folder that has the packed package installed, without a network. */
export function install(folder: string): { files: string[] } {
  const manifest = { name: 'consumer', private: true, type: 'module' };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  const dependency = pack(path.join(PACKAGE, 'node_modules', '@noble', 'hashes'), folder);
  const { tarball, files } = pack(PACKAGE, folder);
  const options = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  npm(folder, 'install', ...options, dependency.tarball, tarball);
  return { files };
}

/** Makes a package of this one's development available to a project. */
export function link(folder: string, name: string): void {
  const target = path.join(folder, 'node_modules', name);
  mkdirSync(path.dirname(target), { recursive: true });
  symlinkSync(path.join(PACKAGE, 'node_modules', name), target);
}
