import { AppError } from '../../errors.ts'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { readStaged, stagedSize } from '../../infra/staging/staging.ts'
import { createDumpFilter, type DumpReport } from './dump-filter.policy.ts'

const maxRatio = 200
const smallBytes = 1024 * 1024

/** Throws ARCHIVE_INVALID beyond `limitBytes` or a plausible compression ratio. */
async function* readDump(path: string, limitBytes: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  const isPacked = /\.gz$/i.test(path)
  const maxBytes = isPacked ? Math.min(limitBytes, (await stagedSize(path)) * maxRatio + smallBytes) : limitBytes
  const file = readStaged(path)
  // Not `pipeline`: the consumer must receive the errors of both streams.
  const source = isPacked ? file.pipe(createGunzip()) : file
  if (isPacked) file.once('error', (error) => source.destroy(error))
  let bytes = 0
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      signal.throwIfAborted()
      bytes += chunk.length
      if (bytes > maxBytes)
        throw new AppError('ARCHIVE_INVALID', {
          code: 'DUMPS_TOO_LARGE',
          values: { megabytes: Math.round(maxBytes / 1e6) }
        })
      yield chunk
    }
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_'))
      throw new AppError('ARCHIVE_INVALID', { code: 'DUMP_NOT_PACKED_WELL' }, { cause })
    throw cause
  } finally {
    file.destroy()
  }
}

export function openDump(path: string, maxBytes: number, signal: AbortSignal): { sql: Readable; report: DumpReport } {
  const filter = createDumpFilter()
  async function* statements() {
    for await (const chunk of readDump(path, maxBytes, signal)) {
      const text = filter.write(chunk.toString('latin1'))
      if (text !== '') yield Buffer.from(text, 'latin1')
    }
    const rest = filter.write('', true)
    if (rest !== '') yield Buffer.from(rest, 'latin1')
  }
  return { sql: Readable.from(statements(), { objectMode: false }), report: filter }
}

const optionsTable =
  /\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:[`"]?[\w$-]+[`"]?\s*\.\s*)?[`"]?\w*options[`"]?\s*\(/i
const overlap = 300

/** Throws ARCHIVE_INVALID unless exactly one dump creates an options table; it may come late in a dump. */
export async function chooseDump(paths: readonly string[], maxBytes: number, signal: AbortSignal): Promise<string> {
  const found: string[] = []
  let bytesLeft = maxBytes
  for (const path of paths) {
    const { makesOptions, bytes } = await inspectDump(path, bytesLeft, signal)
    if (makesOptions) found.push(path)
    bytesLeft -= bytes
  }
  if (found.length === 1) return found[0]!
  const names = found.map((path) => path.split('/').at(-1)).join(', ')
  throw new AppError(
    'ARCHIVE_INVALID',
    found.length === 0 ? { code: 'NO_DUMP_OF_SITE' } : { code: 'SEVERAL_DUMPS_OF_SITE', values: { names } }
  )
}

async function inspectDump(
  path: string,
  maxBytes: number,
  signal: AbortSignal
): Promise<{ makesOptions: boolean; bytes: number }> {
  let tail = ''
  let bytes = 0
  for await (const chunk of readDump(path, maxBytes, signal)) {
    bytes += chunk.length
    const text = tail + chunk.toString('latin1')
    if (optionsTable.test(text)) return { makesOptions: true, bytes }
    tail = text.slice(-overlap)
  }
  return { makesOptions: false, bytes }
}
