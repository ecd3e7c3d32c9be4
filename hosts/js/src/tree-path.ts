/** Paths of the in-memory tree: like Unix's, or like Windows' where one begins with a drive or share. */

/** A path taken apart: `C:` or `\\server\share`, empty on Unix, and the names on the way. */
export interface TreePath {
  readonly volume: string;
  readonly names: readonly string[];
}

const DRIVE = /^([A-Za-z]:)[/\\]/;
const SHARE = /^\\\\[^/\\]+[/\\][^/\\]+(?=[/\\]|$)/;

/** The names as they are written. A path that is not absolute begins at `/`. */
export function split(path: string): TreePath {
  const volume = volumeOf(path);
  return { volume, names: namesIn(path.slice(volume.length), volume) };
}

/** Where a link in a folder leads, with the names on the way as they are written. */
export function follow(folder: TreePath, target: string): TreePath {
  if (volumeOf(target) !== '') return split(target);
  const names = namesIn(target, folder.volume);
  const fromTop = target.startsWith('/') || (folder.volume !== '' && target.startsWith('\\'));
  return { volume: folder.volume, names: fromTop ? names : [...folder.names, ...names] };
}

/** One name further. At the top, `..` stays at the top. */
export function enter({ volume, names }: TreePath, name: string): TreePath {
  if (name === '' || name === '.') return { volume, names };
  return { volume, names: name === '..' ? names.slice(0, -1) : [...names, name] };
}

/** The folder that a path lies in; of the top, the top. */
export function parent({ volume, names }: TreePath): TreePath {
  return { volume, names: names.slice(0, -1) };
}

/** The path as text, without `.`, `..` and doubled separators. */
export function textOf(path: TreePath): string {
  const { volume, names } = path.names.reduce<TreePath>(enter, { volume: path.volume, names: [] });
  const separator = volume === '' ? '/' : '\\';
  const whole = [volume, ...names].join(separator);
  return names.length === 0 ? whole + separator : whole;
}

function volumeOf(path: string): string {
  const drive = DRIVE.exec(path)?.[1]?.toUpperCase();
  return drive ?? SHARE.exec(path)?.[0].replaceAll('/', '\\') ?? '';
}

function namesIn(path: string, volume: string): string[] {
  return path.split(volume === '' ? '/' : /[/\\]/).filter((name) => name !== '');
}
