import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract, type Extract, type Header } from 'tar-stream'
import { AdapterError } from '../adapter-error.ts'
import { staysInside } from '../../text/link-target.ts'
import type { UploadLimits } from './git.ts'

export interface UploadedFile {
  path: string
  kind: 'file' | 'executable' | 'symlink'
  bytes: number
  content: AsyncIterable<Buffer>
}

/** Headers of one entry, with the longest names, and what streams buffer. More is a header that grows in memory. */
const maxBytesBetweenFiles = 2 ** 20

/**
 * The files of a gzipped tar in its order; `.git` is skipped. Reads no more than one piece of a file into memory. Rejects
 * with AdapterError archive-invalid or too-large.
 */
export async function* filesOfArchive(archive: Readable, limits: UploadLimits): AsyncGenerator<UploadedFile> {
  const entries = extract()
  const counter = countBetweenFiles()
  const feeding = pipeline(archive, createGunzip({ chunkSize: 64 * 1024 }), counter.stream, entries)
  // Awaited at the end; until then a failure reaches the loop through `entries`.
  feeding.catch(() => {})
  const taken = { files: 0, bytes: 0 }
  // The first error of the pipeline says more than those of the streams that it destroyed.
  const explain = async (error: unknown): Promise<unknown> => {
    if (error instanceof AdapterError) return error
    const cause: unknown = await feeding.then(
      () => error,
      (first: unknown) => first
    )
    return cause instanceof AdapterError || isOfSource(cause)
      ? cause
      : invalid('it is damaged, truncated or not a tar.gz file', cause)
  }
  try {
    for await (const entry of entries) {
      counter.expect(entry.header.size ?? 0)
      const file = uploadedFile(entry.header, limits, taken)
      if (file !== undefined) yield { ...file, content: contentOf(file, entry, explain) }
      entry.resume()
    }
    await feeding
  } catch (error) {
    throw await explain(error)
  } finally {
    archive.destroy()
  }
  if (taken.files === 0) throw invalid('it contains no files')
}

type Entry = Extract extends AsyncIterable<infer Item> ? Item : never

async function* contentOf(
  { kind }: Pick<UploadedFile, 'kind'>,
  entry: Entry,
  explain: (error: unknown) => Promise<unknown>
): AsyncGenerator<Buffer> {
  if (kind === 'symlink') return yield Buffer.from(entry.header.linkname ?? '')
  try {
    yield* entry as AsyncIterable<Buffer>
  } catch (error) {
    throw await explain(error)
  }
}

/** Undefined for entries that are skipped: folders, which Git does not store, and `.git`. */
function uploadedFile(
  header: Header,
  limits: UploadLimits,
  taken: { files: number; bytes: number }
): Omit<UploadedFile, 'content'> | undefined {
  const path = pathInArchive(header.name)
  // Counts what is skipped too, because it is read.
  taken.bytes += header.size ?? 0
  if (taken.bytes > limits.maxBytes) throw tooLarge(`more than ${Math.floor(limits.maxBytes / 2 ** 20)} MiB`)
  if (header.type === 'directory' || path.some((part) => part.toLowerCase() === '.git')) return undefined
  const kind = kindOf(header)
  if (kind === undefined || path.length === 0)
    throw invalid(`${shown(header.name)} is a hard link, device or other unsupported entry`)
  const name = path.join('/')
  const target = header.linkname ?? ''
  if (kind === 'symlink' && (target === '' || !staysInside(name, target)))
    throw invalid(`the link ${shown(header.name)} leaves the folder`)
  const bytes = kind === 'symlink' ? Buffer.byteLength(target) : (header.size ?? 0)
  taken.files += 1
  if (taken.files > limits.maxFiles) throw tooLarge(`more than ${limits.maxFiles} files`)
  return { path: name, kind, bytes }
}

function pathInArchive(name: string): string[] {
  if (name.startsWith('/')) throw invalid(`${shown(name)} is an absolute path`)
  if (/[\0\uFFFD]/.test(name)) throw invalid(`the file name ${shown(name)} is not UTF-8`)
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) throw invalid(`${shown(name)} leads out of the folder`)
  if (parts.some((part) => Buffer.byteLength(part) > 255) || Buffer.byteLength(name) > 4096)
    throw invalid(`the file name ${shown(name)} is too long`)
  return parts
}

/** tar-stream has already applied names from pax and GNU headers. */
function kindOf({ type, mode, pax }: Header): UploadedFile['kind'] | undefined {
  if (type === 'symlink') return 'symlink'
  // Content and name of a sparse file differ from its header.
  if (Object.keys(pax ?? {}).some((key) => key.startsWith('GNU.sparse.'))) return undefined
  if (type !== 'file' && type !== 'contiguous-file') return undefined
  return ((mode ?? 0) & 0o100) === 0 ? 'file' : 'executable'
}

/** tar-stream collects names and pax headers in memory, up to any size that a header claims. */
function countBetweenFiles(): { stream: Transform; expect(bytes: number): void } {
  let allowed = maxBytesBetweenFiles
  const stream = new Transform({
    transform(piece: Buffer, _encoding, done) {
      allowed -= piece.length
      if (allowed < 0) done(invalid('it has too large a header'))
      else done(null, piece)
    }
  })
  return { stream, expect: (bytes) => (allowed = bytes + maxBytesBetweenFiles) }
}

/** Neither zlib's nor one that the pipeline made. */
const isOfSource = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && !/^(Z_|ERR_STREAM_)/.test(String(error.code))

const shown = (name: string): string => JSON.stringify(name.slice(0, 200))

const invalid = (problem: string, cause?: unknown): AdapterError =>
  new AdapterError('archive-invalid', `The archive cannot be deployed: ${problem}`, { cause })

const tooLarge = (what: string): AdapterError =>
  new AdapterError('too-large', `The folder has ${what}, the limit of this server. Omit what the build can create.`)
