import type { Overview } from '@panel/contract/overview'
import type { Dependencies } from '../../dependencies.ts'
import { getActor } from '../users/account-access.ts'
import { gatherOverview } from './overview.policy.ts'
import { listLatestDeployments } from './overview.repository.ts'

export async function readOverview(deps: Dependencies, userId: string): Promise<Overview> {
  const user = await getActor(deps.db, userId)
  const sources = deps.features.flatMap(({ attention = [] }) => attention)
  const wanted = sources.filter(({ isOfServer }) => !isOfServer || user.role === 'ADMIN')
  const [deployments, ...found] = await Promise.all([
    listLatestDeployments(deps.db, userId),
    ...wanted.map((source) => source.list(deps, user))
  ])
  return { ...gatherOverview(found), deployments }
}
