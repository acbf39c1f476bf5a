import { open, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

interface FollowOptions {
  signal: AbortSignal
  pollMs?: number
}

// A flood writes more than is worth reading: the skipped lines belong to the same clients.
const maxBytesPerPoll = 1024 * 1024

/** Calls `onLine` for each line that is appended to a file from now on. Survives its rotation, truncation and absence. */
export async function followFile(
  path: string,
  onLine: (line: string) => void,
  { signal, pollMs = 2_000 }: FollowOptions
): Promise<void> {
  let { inode, size: offset } = await sizeOf(path)
  let rest = ''
  while (!signal.aborted) {
    await sleep(pollMs, undefined, { signal, ref: false }).catch(() => {}) // Aborted.
    const found = await sizeOf(path)
    if (found.inode !== inode || found.size < offset) {
      offset = 0
      rest = ''
    }
    inode = found.inode
    if (found.size <= offset) continue
    const start = Math.max(offset, found.size - maxBytesPerPoll)
    const lines = (rest + (await read(path, start, found.size - start))).split('\n')
    offset = found.size
    rest = lines.pop()!.slice(0, 4096)
    for (const line of lines) onLine(line)
  }
}

async function sizeOf(path: string): Promise<{ inode: number | undefined; size: number }> {
  const found = await stat(path).catch(whenMissing)
  return { inode: found?.ino, size: found?.size ?? 0 }
}

function whenMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function read(path: string, position: number, length: number): Promise<string> {
  const file = await open(path).catch(whenMissing)
  if (!file) return '' // Rotated a moment ago.
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}
