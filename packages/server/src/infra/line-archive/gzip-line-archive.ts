import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { syncDirectory } from '../disk/atomic-file.ts'
import { exists } from '../disk/exists.ts'
import type { LineArchive } from './line-archive.ts'

const stagedSuffix = '.new'

export function createGzipLineArchive({ directory }: { directory: string }): LineArchive {
  const pathOf = (name: string) => join(directory, name)
  const staged = (name: string) => pathOf(`${name}${stagedSuffix}`)
  const find = async (name: string) => {
    for (const path of [pathOf(name), staged(name)]) if (await exists(path)) return path
    return undefined
  }
  const publish = async (name: string) => {
    if (await exists(pathOf(name))) return
    await rename(staged(name), pathOf(name))
    await syncDirectory(directory)
  }
  return {
    async stage(name, lines) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      // `flush` syncs before closing.
      const file = createWriteStream(staged(name), { mode: 0o600, flush: true })
      await pipeline(Readable.from(terminated(lines)), createGzip(), file)
      await syncDirectory(directory)
      return hashOf(staged(name))
    },
    publish,
    async settleStaged(kept, since) {
      for (const file of await namesIn(directory)) {
        if (!file.endsWith(stagedSuffix)) continue
        const name = file.slice(0, -stagedSuffix.length)
        if (kept.includes(name)) await publish(name)
        else if ((await stat(pathOf(file))).mtime < since) await rm(pathOf(file), { force: true })
      }
    },
    async hash(name) {
      const path = await find(name)
      return path === undefined ? undefined : hashOf(path)
    },
    async *read(name) {
      const path = await find(name)
      if (path === undefined) throw new Error(`${name} does not exist in ${directory}`)
      yield* linesOf(path)
    }
  }
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const source = createReadStream(path)
  const text = source.pipe(createGunzip())
  source.on('error', (error) => text.destroy(error))
  const lines = createInterface({ input: text, crlfDelay: Infinity })
  // readline does not forward errors of its input.
  let failure: Error | undefined
  text.on('error', (error) => {
    failure = error
    lines.close()
  })
  try {
    yield* lines
    if (failure) throw failure
  } finally {
    lines.close()
    source.destroy()
    text.destroy()
  }
}

async function* terminated(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  return hash.digest('hex')
}

const namesIn = (directory: string): Promise<string[]> =>
  readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
