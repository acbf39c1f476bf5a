import { Id } from '@panel/contract/common'
import type { PageCache } from '@panel/contract/wordpress'
import type { Dependencies } from '../../dependencies.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import type { FileTree } from '../../infra/file-store/file-store.ts'
import { pageCacheDirectory } from '../../infra/image-builder/image-builder.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { projectTree } from '../files/project-files.service.ts'
import { daysOfRequests } from './page-cache-days.policy.ts'
import { getOwnSite } from './wordpress-access.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'nodes'>

// Far more than the cache has beside its pages.
const limit = 100

export const getPageCache = workerVerb('wordpress.getPageCache', [Id, Id], readHere)

export const purgePageCache = workerVerb('wordpress.purgePageCache', [Id, Id], purgeHere)

async function readHere(deps: Deps, userId: string, projectId: string): Promise<PageCache> {
  const project = await getOwnSite(deps.db, projectId, userId)
  const tree = await projectTree(deps, project, { protects: 'nothing' })
  const found = await unlessMissing(tree.list(pageCacheDirectory, { depth: 1, limit }))
  return {
    enabled: project.pageCache,
    active: project.pageCache && found !== undefined,
    days: daysOfRequests(found?.nodes ?? [])
  }
}

async function purgeHere(deps: Deps, userId: string, projectId: string): Promise<void> {
  const project = await getOwnSite(deps.db, projectId, userId)
  await forgetPages(await projectTree(deps, project, { protects: 'nothing' }))
}

/** Pages are those of the generation that the file names (wordpress-page-cache.render.ts). */
export async function forgetPages(tree: Pick<FileTree, 'remove'>): Promise<void> {
  await unlessMissing(tree.remove(`${pageCacheDirectory}/generation`))
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AdapterError && ['file-not-found', 'not-a-directory'].includes(error.kind)) return undefined
    throw error
  }
}
