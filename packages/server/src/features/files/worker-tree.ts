import { Id } from '@panel/contract/common'
import type { Dependencies } from '../../dependencies.ts'
import type { FileTree } from '../../infra/file-store/file-store.ts'
import { createVerbTree, type TreeVerb, type TreeVerbName, treeVerbs } from '../../infra/file-store/tree-verbs.ts'
import type { VerbClient } from '../../infra/verb-socket/verb-client.ts'
import { workerVerb } from '../../worker/worker-verb.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'nodes'>
/** All file operations except listing, which is transferred as rendered JSON (listing.service.ts). */
export type ProjectTree = Omit<FileTree, 'list'>
type DeclaredTreeVerbs = Record<TreeVerbName, (deps: Deps, projectId: string, ...args: unknown[]) => Promise<unknown>>

/** Worker verbs for a project's files. Projects are named by id; no host path crosses the process boundary. */
export function declareTreeVerbs(find: (deps: Deps, projectId: string) => Promise<FileTree>): DeclaredTreeVerbs {
  const names = Object.keys(treeVerbs) as TreeVerbName[]
  const declared = names.map((name) => {
    const { schemas, run, isUnbounded }: TreeVerb = treeVerbs[name]
    return [
      name,
      workerVerb(
        `files.${name}`,
        [Id, ...schemas],
        async (deps: Deps, projectId: string, ...args: unknown[]) =>
          run(await find(deps, projectId), ...(args as never[])),
        isUnbounded ? { timeoutMs: Infinity } : {}
      )
    ]
  })
  return Object.fromEntries(declared) as DeclaredTreeVerbs
}

export const createWorkerTree = (
  verbs: DeclaredTreeVerbs,
  deps: Deps & { worker: VerbClient },
  id: string
): ProjectTree =>
  createVerbTree({
    ask: (name, args, options) => verbs[name](deps, id, ...args, options),
    open: (path) => deps.worker.converse('files.open', [id, path], { timeoutMs: 60_000 })
  })
