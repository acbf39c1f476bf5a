import { readdirSync, readlinkSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { createDiskFileStore } from './disk-file-store.ts'
import type { ArchiveLimits } from './file-store.ts'

export const generousLimits: ArchiveLimits = { maxBytes: 1024 ** 3, maxEntries: 10_000, maxRatio: 1000 }

/** Another one than the process where the process may give files away. */
export const tenantUid = process.getuid?.() === 0 ? 23_456 : (process.getuid?.() ?? 0)

/** A tree on a real disk, with a directory outside of it that holds a secret. */
export async function makeTree() {
  const parent = await mkdtemp(join(tmpdir(), 'file-store-'))
  onTestFinished(() => rm(parent, { recursive: true, force: true }))
  const [root, outside, stagingDirectory] = ['root', 'outside', 'staging'].map((name) => join(parent, name)) as [
    string,
    string,
    string
  ]
  await mkdir(root)
  await mkdir(outside)
  await writeFile(join(outside, 'secret'), 'the secret')
  const store = createDiskFileStore({ stagingDirectory })
  const tree = store.tree({ root, uid: tenantUid, isProtected: (name) => name === '.env' })
  return {
    tree,
    store,
    parent,
    root,
    outside,
    stagingDirectory,
    leftovers: () => readdir(stagingDirectory),
    openHandles: () => openBelow(parent)
  }
}

/** What this process has open below the directory. */
function openBelow(directory: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((number) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${number}`)
      return path.startsWith(directory) ? [path] : []
    } catch {
      // The handle that listed them is closed by now.
      return []
    }
  })
}

export async function textOfStream(stream: Readable): Promise<string> {
  return (await bufferOf(stream)).toString()
}

export async function bufferOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}
