/**
 * `waybread/node`: what a session can work on, and what can be written of it, where there is a disk.
 *
 * @module
 */
export { Directory, type DirectoryOptions } from './directory.js';
export { writeHistory } from './history-file.js';
