/** Does the work once and keeps its promise; after a failure the next call tries again. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  return () => {
    kept ??= work().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}
