import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { constants, gunzipSync } from 'node:zlib'

// Synchronous file access: run it in a thread.

export interface LineLimits {
  lines: number
  bytes: number
}

const newline = 0x0a
const blockBytes = 256 * 1024
/** Logs are rotated at a sixth of this size. */
const maxUnpackedBytes = 128 * 2 ** 20
const tries = 5

/** Newest first, including rotated files (`<name>.<date>`, `.gz`). Starts over on a rotation in between. */
export function readLastLines(path: string, limits: LineLimits): string[] {
  for (let attempt = 1; ; attempt++) {
    const current = openIfThere(path)
    try {
      const lines = current === undefined ? [] : linesOfFile(current, limits)
      const isWhole = addOlder(lines, path, limits) && isStill(path, current)
      if (isWhole || attempt === tries) return lines
    } finally {
      if (current !== undefined) closeSync(current)
    }
  }
}

function addOlder(lines: string[], path: string, limits: LineLimits): boolean {
  let bytes = limits.bytes - bytesOf(lines)
  for (const older of olderFiles(path)) {
    if (lines.length === limits.lines || bytes <= 0) return true
    const found = linesOfOlder(older, { lines: limits.lines - lines.length, bytes })
    if (!found) return false
    lines.push(...found)
    bytes -= bytesOf(found)
  }
  return true
}

const bytesOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0)

/** Newest first. While a file is being compressed both versions exist, and only the original is complete. */
function olderFiles(path: string): string[] {
  const names = new Set(ifThere(() => readdirSync(dirname(path))) ?? [])
  return [...names]
    .filter((name) => name.startsWith(`${basename(path)}.`))
    .filter((name) => !(name.endsWith('.gz') && names.has(name.slice(0, -'.gz'.length))))
    .sort()
    .reverse()
    .map((name) => join(dirname(path), name))
}

function linesOfOlder(path: string, limits: LineLimits): string[] | undefined {
  if (path.endsWith('.gz')) {
    const packed = ifThere(() => readFileSync(path))
    return packed && lastLines(unpack(packed), limits, true)
  }
  const file = openIfThere(path)
  if (file === undefined) return undefined
  try {
    return linesOfFile(file, limits)
  } finally {
    closeSync(file)
  }
}

/** Up to where it is readable; a damaged file must not hide newer lines. */
function unpack(packed: Buffer): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength: maxUnpackedBytes, finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return Buffer.alloc(0)
  }
}

function linesOfFile(file: number, limits: LineLimits): string[] {
  const blocks: Buffer[] = []
  let at = fstatSync(file).size
  let bytes = 0
  // One line more than wanted, so that the first one is complete.
  for (let newlines = 0; at > 0 && newlines <= limits.lines && bytes < limits.bytes;) {
    const block = Buffer.alloc(Math.min(blockBytes, at))
    at -= block.length
    readSync(file, block, 0, block.length, at)
    blocks.unshift(block)
    bytes += block.length
    newlines += countNewlines(block)
  }
  return lastLines(Buffer.concat(blocks), limits, at === 0)
}

function countNewlines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count++
  return count
}

/** Newest first. Leaves out the first line if it may be incomplete, and the last one if it is not terminated. */
function lastLines(bytes: Buffer, limits: LineLimits, isFromStart: boolean): string[] {
  const first = Math.max(0, bytes.length - limits.bytes)
  const end = bytes.lastIndexOf(newline) + 1
  let start = end
  for (let count = 0; count < limits.lines && start > first; count++)
    start = start === 1 ? 0 : bytes.lastIndexOf(newline, start - 2) + 1
  if (start === 0 && !isFromStart) start = bytes.indexOf(newline) + 1
  return start === end
    ? []
    : bytes
        .toString('utf8', start, end - 1)
        .split('\n')
        .reverse()
}

const openIfThere = (path: string): number | undefined => ifThere(() => openSync(path, 'r'))

const isStill = (path: string, file: number | undefined): boolean =>
  statSync(path, { throwIfNoEntry: false })?.ino === (file === undefined ? undefined : fstatSync(file).ino)

function ifThere<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
