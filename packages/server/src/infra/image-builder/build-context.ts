import { Readable } from 'node:stream'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import * as tar from 'tar-stream'
import { createIgnoreMatcher } from './dockerignore.ts'
import { dependenciesDirectory, type BuildPlan } from './build-plan.ts'
import { BuildError } from './image-builder.ts'

export interface BuildContextOptions {
  plan: Pick<BuildPlan, 'files' | 'sourceDirectory' | 'dependencyFiles' | 'ignore'>
  maxBytes: number
  signal: AbortSignal
}

type Headers = Parameters<tar.Pack['entry']>[0]
type Entry = tar.Extract extends AsyncIterable<infer Item> ? Item : never

const epoch = new Date(0)
const headerBytes = 512
const entriesPerYield = 100

// Dependency files are buffered because they are written twice. Lock files are a few megabytes at most.
const maxDependencyBytes = 64 * 1024 * 1024

/**
 * Builds the tar stream that the engine builds from: the panel's own files first, then the repository's, streamed.
 * Owner and modes are fixed so that equal files hit the layer cache. Files keep the commit's mtime: the layer cache
 * ignores it, and web servers derive ETag and Last-Modified from it.
 * Destroying the result stops the archive. Archive errors, exceeding `maxBytes` and abort surface on the result.
 */
export function createBuildContext(archive: Readable | undefined, options: BuildContextOptions): Readable {
  const pack = ignoreErrorEvents(tar.pack())
  const context = Readable.from(pack, { objectMode: false })
  const onAbort = () => context.destroy(new Error('The build was cancelled.'))
  context.once('close', () => {
    options.signal.removeEventListener('abort', onAbort)
    pack.destroy()
    archive?.destroy()
  })
  options.signal.addEventListener('abort', onAbort, { once: true })
  if (options.signal.aborted) onAbort()
  void fill(pack, archive, options).catch((error: unknown) => {
    context.destroy(error instanceof Error ? error : new Error(String(error)))
  })
  return context
}

async function fill(pack: tar.Pack, archive: Readable | undefined, options: BuildContextOptions): Promise<void> {
  const { plan, maxBytes } = options
  const isIgnored = createIgnoreMatcher(plan.ignore)
  let left = maxBytes
  let leftForDependencies = maxDependencyBytes
  const spend = (bytes: number) => {
    left -= headerBytes + bytes
    if (left < 0)
      throw new BuildError({
        code: 'REPOSITORY_TOO_LARGE',
        values: { megabytes: Math.floor(maxBytes / 2 ** 20) }
      })
  }
  for (const [name, content] of plan.files) {
    const body = Buffer.from(content)
    spend(body.length)
    await addFile(pack, { name, mode: 0o644, mtime: epoch }, body)
  }
  if (archive) {
    let count = 0
    for await (const entry of unpack(archive)) {
      // Small files can arrive without I/O pauses and would block the event loop.
      if (++count % entriesPerYield === 0) await yieldToOthers()
      const path = entry.header.name.replace(/^(\.?\/)+/, '').replace(/\/$/, '')
      const header = headerOf(`${plan.sourceDirectory}${path}`, entry.header)
      if (path === '' || header === undefined || plan.files.has(header.name) || isIgnored(path)) {
        entry.resume()
        continue
      }
      const size = header.type === 'file' ? (entry.header.size ?? 0) : 0
      spend(size)
      if (header.type === 'file' && plan.dependencyFiles.has(path)) {
        leftForDependencies -= size
        if (leftForDependencies < 0) throw new BuildError({ code: 'DEPENDENCY_LIST_TOO_LARGE', values: { path } })
        spend(size)
        const body = await readAll(entry)
        await addFile(pack, header, body)
        await addFile(pack, { ...header, name: `${dependenciesDirectory}${path}`, mtime: epoch }, body)
      } else if (header.type === 'file') await pipeFile(pack, { ...header, size }, entry)
      else {
        entry.resume()
        await addFile(pack, header, Buffer.alloc(0))
      }
    }
  }
  pack.finalize()
}

function headerOf(name: string, header: Headers): (Headers & { type: string }) | undefined {
  const common = { name, mtime: header.mtime ?? epoch, uid: 0, gid: 0 }
  if (header.type === 'directory') return { ...common, name: `${name}/`, type: 'directory', mode: 0o755 }
  if (header.type === 'symlink') return { ...common, type: 'symlink', mode: 0o777, linkname: header.linkname ?? '' }
  if (header.type === 'file') return { ...common, type: 'file', mode: (header.mode ?? 0) & 0o111 ? 0o755 : 0o644 }
  return undefined
}

function unpack(archive: Readable): tar.Extract {
  const extract = ignoreErrorEvents(tar.extract())
  archive.once('error', (error) => extract.destroy(error))
  archive.once('close', () => {
    if (!archive.readableEnded)
      extract.destroy(archive.errored ?? new Error('The repository archive ended unexpectedly.'))
  })
  archive.pipe(extract)
  return extract
}

const addFile = (pack: tar.Pack, header: Headers, body: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    ignoreErrorEvents(pack.entry(header, body, (error) => (error ? reject(error) : resolve())))
  })

async function readAll(entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of entry) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

// pipe() keeps back-pressure and destroys the result's entry when the archive's entry fails.
const pipeFile = (pack: tar.Pack, header: Headers, entry: Entry): Promise<void> =>
  new Promise((resolve, reject) => {
    entry.pipe(ignoreErrorEvents(pack.entry(header, (error) => (error ? reject(error) : resolve()))))
  })

/** Stops an unhandled 'error' event from crashing the process. Each of these errors also surfaces elsewhere. */
export function ignoreErrorEvents<T extends { on(event: 'error', listener: () => void): unknown }>(stream: T): T {
  stream.on('error', () => {})
  return stream
}
