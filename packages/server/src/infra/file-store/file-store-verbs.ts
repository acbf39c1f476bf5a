import { z } from 'zod'
import type { SocketVerb, VerbCall } from '../verb-socket/verb.ts'
import type { CaptureOptions, FileStore, FileTree, TreeOptions } from './file-store.ts'
import { ArchiveLimits, Path, treeVerbs } from './tree-verbs.ts'

/** How often the caller writes to the standard input of a file server, which ends after six times as long without. */
export const heartbeatMs = 10_000

const Uid = z.int().min(0)
const TreeOptions = z.strictObject({ root: Path, uid: Uid, protects: z.enum(['secrets', 'nothing']) })
const ListOptions = z.object({ depth: z.int(), limit: z.int(), after: z.string().optional() })
const CaptureOptions = z.strictObject({ uid: Uid, like: Path.optional(), maxBytes: z.number(), maxFiles: z.number() })

const verb = (schemas: readonly z.ZodType[], run: (store: FileStore, ...args: never[]) => Promise<unknown>) => ({
  schemas,
  run
})

const ofStore = {
  list: verb([TreeOptions, Path, ListOptions], (store, tree: TreeOptions, ...args: Parameters<FileTree['list']>) =>
    store.tree(tree).list(...args)
  ),
  capture: verb(
    [Path, Path, CaptureOptions],
    (store, from: string, directory: string, options: CaptureOptions, { signal }: VerbCall) =>
      store.capture(from, directory, { ...options, signal })
  ),
  unpack: verb([Path, Path, ArchiveLimits, z.strictObject({ uid: Uid })], (store, ...args: UnpackArguments) =>
    store.unpack(...args)
  ),
  sweep: verb([], (store) => store.sweep())
}
type UnpackArguments = Parameters<FileStore['unpack']>

const ofTrees = Object.fromEntries(
  Object.entries(treeVerbs).map(([name, { schemas, run }]) => [
    name,
    verb([TreeOptions, ...schemas], (store, tree: TreeOptions, ...args) => run(store.tree(tree), ...(args as never[])))
  ])
)

/** A file store for another process. Paths are trusted, as those of FileStore are: only the panel may connect. */
export const fileStoreVerbs = (store: FileStore): ReadonlyMap<string, SocketVerb> =>
  new Map(
    Object.entries({ ...ofTrees, ...ofStore }).map(([name, { schemas, run }]) => [
      `files.${name}`,
      {
        parse: (args) => z.tuple(schemas as [z.ZodType, ...z.ZodType[]]).parse(args),
        run: (args, call) => run(store, ...([...args, call] as never[]))
      }
    ])
  )
