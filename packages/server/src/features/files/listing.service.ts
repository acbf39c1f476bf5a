import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { Id } from '@panel/contract/common'
import type { Dependencies } from '../../dependencies.ts'
import { Path } from '../../infra/file-store/tree-verbs.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { renderListing } from './listing.render.ts'
import { treeOfProject } from './project-files.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'nodes'>

const ListOptions = z.object({ depth: z.int(), limit: z.int(), after: z.string().optional() })
type ListOptions = z.infer<typeof ListOptions>

/** The worker serializes the listing, so that the API process does not parse and re-serialize 10,000 entries. */
const openListing = workerVerb(
  'files.list',
  [Id, Path, ListOptions],
  async (deps: Deps, projectId: string, path: string, { after, ...options }: ListOptions) => {
    const tree = await treeOfProject(deps, projectId)
    const listing = await tree.list(path, { ...options, ...(after === undefined ? {} : { after }) })
    return { stream: Readable.from(pieceByPiece(renderListing(listing)), { objectMode: false }) }
  }
)

export async function readListing(deps: Deps, projectId: string, path: string, options: ListOptions): Promise<Buffer> {
  const { stream } = await openListing(deps, projectId, path, options)
  const pieces: Buffer[] = []
  for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function* pieceByPiece(pieces: Iterable<string>): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    yield Buffer.from(piece)
    await setImmediate()
  }
}
