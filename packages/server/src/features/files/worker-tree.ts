import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { Id } from '@panel/contract/common'
import type { Dependencies } from '../../dependencies.ts'
import type { FileTree, FoundFile, OpenFile } from '../../infra/file-store/file-store.ts'
import type { WorkerClient } from '../../infra/worker-socket/worker-client.ts'
import { type WorkerCall, workerVerb } from '../../worker/worker-verb.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'fileStore' | 'hostHelper'>
/** All file operations except listing, which is transferred as rendered JSON (listing.service.ts). */
export type ProjectTree = Omit<FileTree, 'list'>
type FindTree = (deps: Deps, projectId: string) => Promise<FileTree>

export const Path = z.string().max(64 * 1024)
const Range = z.object({ start: z.int().min(0), end: z.int().min(0) }).nullable()
const Limits = z.object({ maxBytes: z.number(), maxEntries: z.number(), maxRatio: z.number() })
const WriteOptions = z.object({
  mode: z.enum(['create', 'replace']),
  maxBytes: z.number().exactOptional(),
  ifMatch: z.string().exactOptional()
})
const SearchOptions = z.object({ name: z.string(), limit: z.int() })
const unbounded = { timeoutMs: Infinity }

/** Worker verbs for a project's files. Projects are named by id; no host path crosses the process boundary. */
export function declareTreeVerbs(find: FindTree) {
  const verb = <Args extends unknown[], Result>(
    name: string,
    schemas: readonly z.ZodType[],
    run: (tree: FileTree, ...args: Args) => Promise<Result>,
    options = {}
  ) =>
    workerVerb(
      `files.${name}`,
      [Id, ...schemas],
      async (deps: Deps, projectId: string, ...args: Args) => run(await find(deps, projectId), ...args),
      options
    )
  return {
    stat: verb('stat', [Path], (tree, path: string) => tree.stat(path)),
    open: verb('open', [Path], openFor),
    write: verb(
      'write',
      [Path, WriteOptions],
      (tree, path: string, options: z.infer<typeof WriteOptions>, { input }: WorkerCall) =>
        tree.write(path, input!, options),
      unbounded
    ),
    mkdir: verb('mkdir', [Path], (tree, path: string) => tree.mkdir(path)),
    remove: verb('remove', [Path], (tree, path: string) => tree.remove(path), unbounded),
    move: verb('move', [Path, Path], (tree, from: string, to: string) => tree.move(from, to)),
    copy: verb('copy', [Path, Path], (tree, from: string, to: string) => tree.copy(from, to), unbounded),
    chmod: verb('chmod', [Path, z.int().min(0).max(0o7777)], (tree, path: string, mode: number) =>
      tree.chmod(path, mode)
    ),
    search: verb('search', [Path, SearchOptions], (tree, ...args: Parameters<FileTree['search']>) =>
      tree.search(...args)
    ),
    pack: verb('pack', [Path], async (tree, path: string) => ({ stream: await tree.pack(path) })),
    extract: verb(
      'extract',
      [Path, Path, Limits],
      (tree, ...args: Parameters<FileTree['extract']>) => tree.extract(...args),
      unbounded
    )
  }
}

/** Keeps the file open until the caller has sent a byte range or disconnects. */
async function openFor(
  tree: FileTree,
  path: string,
  { input }: WorkerCall
): Promise<{ file: FoundFile; stream: Readable }> {
  const open = await tree.open(path)
  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      const range = Range.parse(JSON.parse(await text(input!)))
      yield* open.stream(range ?? undefined) as AsyncIterable<Buffer>
    } finally {
      await open.close()
    }
  }
  return { file: open.file, stream: Readable.from(chunks(), { objectMode: false }) }
}

export function createWorkerTree(
  verbs: ReturnType<typeof declareTreeVerbs>,
  deps: Deps & { worker: WorkerClient },
  id: string
): ProjectTree {
  return {
    stat: (path) => verbs.stat(deps, id, path),
    open: (path) => openAtWorker(deps.worker, id, path),
    write: (path, source, options) =>
      verbs.write(deps, id, path, options, {
        input: source instanceof Readable ? source : Readable.from([source], { objectMode: false })
      }),
    mkdir: (path) => verbs.mkdir(deps, id, path),
    remove: (path) => verbs.remove(deps, id, path),
    move: (from, to) => verbs.move(deps, id, from, to),
    copy: (from, to) => verbs.copy(deps, id, from, to),
    chmod: (path, mode) => verbs.chmod(deps, id, path, mode),
    search: (path, options) => verbs.search(deps, id, path, options),
    async pack(path, options) {
      if (options) throw new TypeError('pack() takes no options across the worker boundary')
      return (await verbs.pack(deps, id, path)).stream
    },
    extract: (path, to, limits) => verbs.extract(deps, id, path, to, limits)
  }
}

async function openAtWorker(worker: WorkerClient, projectId: string, path: string): Promise<OpenFile> {
  const { value, input, stream } = await worker.converse('files.open', [projectId, path], { timeoutMs: 60_000 })
  return {
    file: (value as { file: FoundFile }).file,
    stream(range) {
      input.end(JSON.stringify(range ?? null))
      return stream
    },
    async close() {
      stream.destroy()
      input.destroy()
    }
  }
}
