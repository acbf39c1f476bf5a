import type { BigIntStats, Dirent } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { openIfDirectory, openParent, readEntries } from './directory.ts'

/** `enter` comes before a directory's content, `leave` after it. Handles are valid until the next step. */
export type Step =
  | { type: 'entries'; entries: readonly Dirent<Buffer>[]; directory: FileHandle }
  | { type: 'enter'; name: Buffer; directory: FileHandle }
  | { type: 'leave' }

export const newEntriesOf = (step: Step): readonly { name: Buffer }[] =>
  step.type === 'leave' ? [] : step.type === 'enter' ? [step] : step.entries

const batchEntries = 64

interface Level {
  name: Buffer
  stats: BigIntStats
  directories: Buffer[]
}

/**
 * Walks everything below an open directory in no particular order; links are not followed. Uses two handles at any
 * depth: it goes up through `..`, but only if that is the directory it came through, otherwise it looks for that one
 * from `base`. Skips what a tenant's process moves away meanwhile.
 * @param enters whether to descend into a directory
 */
export async function* walk(base: FileHandle, enters: (name: Buffer) => boolean = () => true): AsyncGenerator<Step> {
  const levels: Level[] = [await levelOf(base, Buffer.alloc(0))]
  let directory: FileHandle | undefined = base
  const change = async (next: FileHandle | undefined) => {
    const last = directory
    directory = next
    if (last !== base) await last?.close()
  }
  try {
    yield* scan(base, levels[0]!)
    for (;;) {
      const level: Level = levels.at(-1)!
      const name = level.directories.pop()
      if (name === undefined || !directory) {
        levels.pop()
        if (levels.length === 0) return
        await change(await openAbove(base, levels, directory))
        yield { type: 'leave' }
        continue
      }
      const child = enters(name) ? await openIfDirectory(directory, name) : undefined
      if (!child) continue
      await change(child)
      levels.push(await levelOf(child, name))
      yield { type: 'enter', name, directory: child }
      yield* scan(child, levels.at(-1)!)
    }
  } finally {
    await change(undefined)
  }
}

async function* scan(directory: FileHandle, level: Level): AsyncGenerator<Step> {
  let entries: Dirent<Buffer>[] = []
  for await (const entry of readEntries(directory)) {
    if (entry.isDirectory()) level.directories.push(entry.name)
    else if (entries.push(entry) === batchEntries) {
      yield { type: 'entries', entries, directory }
      entries = []
    }
  }
  if (entries.length > 0) yield { type: 'entries', entries, directory }
}

async function openAbove(
  base: FileHandle,
  levels: readonly Level[],
  directory: FileHandle | undefined
): Promise<FileHandle | undefined> {
  if (levels.length === 1) return base
  if (directory) {
    const parent = await openParent(directory)
    if (isSame(await parent.stat({ bigint: true }), levels.at(-1)!.stats)) return parent
    await parent.close()
  }
  return descend(base, levels)
}

async function descend(base: FileHandle, levels: readonly Level[]): Promise<FileHandle | undefined> {
  let directory = base
  for (const { name, stats } of levels.slice(1)) {
    const next = await openIfDirectory(directory, name)
    if (directory !== base) await directory.close()
    if (!next) return undefined
    directory = next
    if (!isSame(await next.stat({ bigint: true }), stats)) {
      await next.close()
      return undefined
    }
  }
  return directory
}

const levelOf = async (directory: FileHandle, name: Buffer): Promise<Level> => ({
  name,
  stats: await directory.stat({ bigint: true }),
  directories: []
})

const isSame = (a: BigIntStats, b: BigIntStats) => a.ino === b.ino && a.dev === b.dev
