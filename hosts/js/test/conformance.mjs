// Performs one conformance case file and writes the transcript to standard output:
//
//     node test/conformance.mjs CASEFILE
import { readFile } from 'node:fs/promises';
import { transcript } from './conformance/run.mjs';

const [file, ...more] = process.argv.slice(2);
if (file === undefined || more.length > 0) {
  console.error('conformance: give one case file');
  process.exitCode = 2;
} else {
  try {
    process.stdout.write(await transcript(await readFile(file, 'utf8')));
  } catch (error) {
    console.error(
      `conformance: ${file}: ${error instanceof Error ? error.message : String(error)}`,
    );
    process.exitCode = 1;
  }
}
