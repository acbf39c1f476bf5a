import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A site that reads a file from the disk for each request. */
export async function startFileSite(page: string): Promise<{ url: string; close(): void }> {
  const server = createServer((_request, response) => {
    readFile(page).then(
      (content) => response.end(content),
      () => response.writeHead(500).end()
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => void server.close()
  }
}

/** Milliseconds of each request, one after the other, so that a queue of our own does not count. */
export async function requestTimes(url: string, count: number, isOver: () => boolean = () => false): Promise<number[]> {
  const times: number[] = []
  while (times.length < count && !isOver()) {
    const before = performance.now()
    await (await fetch(url)).arrayBuffer()
    times.push(performance.now() - before)
  }
  return times
}
