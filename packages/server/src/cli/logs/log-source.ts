import { existsSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import type { Run } from '../../infra/process/process.ts'
import { spawnStream } from '../../infra/process/stream.ts'
import { type LogPart, type LogPartName, logParts } from './log-parts.ts'

// Logs start again at 10 MB; older lines than these are rarely of interest.
const tailBytes = 2 * 1024 * 1024
const journalTimeoutMs = 30_000
const pollMs = 500

/** The end of a part's log: its files, or the journal where systemd runs it and there are no files. */
export async function readTail(name: LogPartName, config: Config, run: Run): Promise<string> {
  const part: LogPart = logParts[name]
  const texts = await Promise.all((await part.files(config)).logs.map(readEnd))
  const found = texts.filter((text) => text !== undefined)
  if (found.length > 0) return found.join('\n')
  if (part.unit === undefined || !isSystemd()) return ''
  return run([...journal(part.unit), '--lines=5000'], {
    timeoutMs: journalTimeoutMs,
    maxOutputBytes: 64 * 1024 * 1024
  }).then(
    ({ stdout }) => stdout,
    () => '' // No journal, or no permission: there is nothing to show.
  )
}

/** Calls `onText` with what is written from now on, in whole lines, until aborted. */
export async function followLog(
  name: LogPartName,
  config: Config,
  onText: (text: string) => void,
  signal: AbortSignal
): Promise<void> {
  const part: LogPart = logParts[name]
  const { logs: files } = await part.files(config)
  if (part.unit !== undefined && isSystemd() && !files.some((file) => existsSync(file)))
    return followJournal(part.unit, onText, signal)
  await Promise.all(files.map((file) => followFile(file, onText, signal)))
}

const isSystemd = (): boolean => existsSync('/run/systemd/system')

const journal = (unit: string): [string, ...string[]] => ['journalctl', `--unit=${unit}`, '--output=short-iso', '--no-pager', '--quiet'] // oxfmt-ignore

async function readEnd(path: string): Promise<string | undefined> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (!file) return undefined
  try {
    const { size } = await file.stat()
    const from = Math.max(0, size - tailBytes)
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(Math.min(size, tailBytes)), position: from })
    const text = buffer.subarray(0, bytesRead).toString('utf8')
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1)
  } finally {
    await file.close()
  }
}

/** Logs are truncated, and replaced by new files: both start again at the beginning. */
async function followFile(path: string, onText: (text: string) => void, signal: AbortSignal): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  let inode = found?.ino
  let position = found?.size ?? 0
  const lines = createLineBuffer(onText)
  while (!signal.aborted) {
    await sleep(pollMs, undefined, { signal }).catch(() => {})
    const file = await open(path).catch(() => undefined) // Not written yet, or being replaced.
    if (!file) continue
    try {
      const { ino, size } = await file.stat()
      if (ino !== inode || size < position) position = 0
      inode = ino
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(Math.max(0, size - position)), position })
      position += bytesRead
      lines.write(buffer.subarray(0, bytesRead))
    } finally {
      await file.close()
    }
  }
}

async function followJournal(unit: string, onText: (text: string) => void, signal: AbortSignal): Promise<void> {
  const stream = spawnStream([...journal(unit), '--follow', '--lines=0'], {
    timeoutMs: 2 ** 31 - 1,
    env: {},
    maxBytes: Infinity,
    signal
  })
  const lines = createLineBuffer(onText)
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) lines.write(chunk)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function createLineBuffer(onText: (text: string) => void): { write(chunk: Buffer): void } {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  return {
    write(chunk) {
      const text = rest + decoder.write(chunk)
      const end = text.lastIndexOf('\n') + 1
      rest = text.slice(end)
      if (end > 0) onText(text.slice(0, end))
    }
  }
}
