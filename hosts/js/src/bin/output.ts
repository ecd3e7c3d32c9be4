/** Standard output, to the end. */
import { reason } from '../system-words.js';

/** Prints to standard output, and waits until it is written. */
export async function print(text: string): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(text, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  } catch (error) {
    // Whoever read the output has seen enough.
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return;
    throw new Error(`the output cannot be written: ${reason(error)}`, { cause: error });
  }
}
