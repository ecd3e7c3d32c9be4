/**
 * `waybread/node`: what a session can work on where there is a disk.
 *
 * @module
 */
export { Directory, type DirectoryOptions } from './directory.js';
