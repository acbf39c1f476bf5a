// Node's pool has four threads; more calls would only wait.
const usualConcurrency = 16

/** On failure it awaits the running calls before it rejects, so that handles they use can be closed. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  concurrency = usualConcurrency
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const index = next++
      results[index] = await work(items[index]!)
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: Math.min(concurrency, items.length) }, worker))
  for (const settled of workers) if (settled.status === 'rejected') throw settled.reason
  return results
}
