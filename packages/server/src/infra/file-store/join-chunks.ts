/** Joins chunks to at least `bytes` each, except the last: many small ones cost more than the copy. */
export async function* joinChunks(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  bytes: number
): AsyncGenerator<Buffer> {
  let batch: Buffer[] = []
  let gathered = 0
  for await (const chunk of chunks) {
    batch.push(chunk)
    gathered += chunk.length
    if (gathered < bytes) continue
    yield Buffer.concat(batch)
    batch = []
    gathered = 0
  }
  if (gathered > 0) yield Buffer.concat(batch)
}
