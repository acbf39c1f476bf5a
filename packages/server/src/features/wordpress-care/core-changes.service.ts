import { Id } from '@panel/contract/common'
import { WordpressCoreChanges } from '@panel/contract/wordpress-care'
import { z } from 'zod'
import type { Dependencies } from '../../dependencies.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { getOwnSite } from '../wordpress/wordpress-access.ts'
import { scriptLimit } from './script.limits.ts'
import { askSite, valueOf } from './site-script.service.ts'

const Paths = z.array(z.string().max(4096)).max(500)
const Found = WordpressCoreChanges.extend({ version: z.string().max(50), changed: Paths, missing: Paths, extra: Paths })
const timeoutMs = 25_000

export const listCoreChanges = workerVerb('wordpress.coreChanges', [Id, Id], changesHere)

async function changesHere(
  deps: Pick<Dependencies, 'config' | 'db' | 'engine' | 'nodeId' | 'nodes'>,
  userId: string,
  projectId: string
): Promise<WordpressCoreChanges> {
  const project = await getOwnSite(deps.db, projectId, userId)
  return valueOf(
    await scriptLimit.run(userId, () => askSite(deps, project, { action: 'core-changes' }, Found, { timeoutMs }))
  )
}
