/** Calls under way at once: Node's pool has four threads, so that many more would only wait. */
const usualConcurrency = 16

/**
 * The results in the order of the items. Where one of them fails the others are awaited before it rejects, so that the handles which they
 * use can be closed.
 */
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
