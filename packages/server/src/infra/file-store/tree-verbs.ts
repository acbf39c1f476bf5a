import { Readable, type Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { FileTree, FoundFile, OpenFile } from './file-store.ts'

/** A tree in another process, by verbs of infra/verb-socket. */
export interface TreeVerb {
  schemas: readonly z.ZodType[]
  run: (tree: FileTree, ...args: never[]) => Promise<unknown>
  /** As long as the content needs: no time limit. */
  isUnbounded: boolean
}

export interface Input {
  input?: Readable | undefined
}

export const Path = z.string().max(64 * 1024)
const Range = z.object({ start: z.int().min(0), end: z.int().min(0) }).nullable()
export const ArchiveLimits = z.object({ maxBytes: z.number(), maxEntries: z.number(), maxRatio: z.number() })
const WriteOptions = z.object({
  mode: z.enum(['create', 'replace']),
  maxBytes: z.number().exactOptional(),
  ifMatch: z.string().exactOptional()
})
const SearchOptions = z.object({ name: z.string(), limit: z.int() })
const PackOptions = z.object({
  skip: z.object({ paths: z.array(Path), prefixes: z.array(Path) }).exactOptional(),
  links: z.enum(['kept', 'resolved']).exactOptional()
})

const verb = (schemas: TreeVerb['schemas'], run: TreeVerb['run']): TreeVerb => ({ schemas, run, isUnbounded: false })
const unbounded = (declared: TreeVerb): TreeVerb => ({ ...declared, isUnbounded: true })

/** All but listing, which is transferred in another way in each place. */
export const treeVerbs = {
  stat: verb([Path], (tree, path: string) => tree.stat(path)),
  open: verb([Path], openFor),
  write: unbounded(
    verb([Path, WriteOptions], (tree, path: string, options: z.infer<typeof WriteOptions>, { input }: Input) =>
      tree.write(path, input!, options)
    )
  ),
  mkdir: verb([Path], (tree, path: string) => tree.mkdir(path)),
  remove: unbounded(verb([Path], (tree, path: string) => tree.remove(path))),
  move: verb([Path, Path], (tree, from: string, to: string) => tree.move(from, to)),
  copy: unbounded(verb([Path, Path], (tree, from: string, to: string) => tree.copy(from, to))),
  chmod: verb([Path, z.int().min(0).max(0o7777)], (tree, path: string, mode: number) => tree.chmod(path, mode)),
  search: verb([Path, SearchOptions], (tree, ...args: Parameters<FileTree['search']>) => tree.search(...args)),
  pack: verb([Path, PackOptions], async (tree, ...args: Parameters<FileTree['pack']>) => ({
    stream: await tree.pack(...args)
  })),
  extract: unbounded(
    verb([Path, Path, ArchiveLimits], (tree, ...args: Parameters<FileTree['extract']>) => tree.extract(...args))
  )
} satisfies Record<string, TreeVerb>

export type TreeVerbName = keyof typeof treeVerbs

/** Keeps the file open until the caller has sent a byte range or disconnects. */
async function openFor(tree: FileTree, path: string, { input }: Input): Promise<{ file: FoundFile; stream: Readable }> {
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

export interface TreeCalls {
  ask(name: Exclude<TreeVerbName, 'open'>, args: unknown[], options?: Input): Promise<unknown>
  open(path: string): Promise<{ value: unknown; input: Writable; stream: Readable }>
}

/** The caller's side of the verbs. */
export function createVerbTree({ ask, open }: TreeCalls): Omit<FileTree, 'list'> {
  const found = (...call: Parameters<TreeCalls['ask']>) => ask(...call) as Promise<FoundFile>
  return {
    stat: (path) => found('stat', [path]),
    async open(path): Promise<OpenFile> {
      const { value, input, stream } = await open(path)
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
    },
    write: (path, source, options) =>
      found('write', [path, options], {
        input: source instanceof Readable ? source : Readable.from([source], { objectMode: false })
      }),
    mkdir: (path) => found('mkdir', [path]),
    remove: async (path) => void (await ask('remove', [path])),
    move: (from, to) => found('move', [from, to]),
    copy: (from, to) => found('copy', [from, to]),
    chmod: (path, mode) => found('chmod', [path, mode]),
    search: (...args) => ask('search', args) as ReturnType<FileTree['search']>,
    pack: async (path, options = {}) => ((await ask('pack', [path, options])) as { stream: Readable }).stream,
    extract: (...args) => ask('extract', args) as ReturnType<FileTree['extract']>
  }
}
