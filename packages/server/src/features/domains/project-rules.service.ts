import type { Dependencies } from '../../dependencies.ts'
import { listProjectRoutes } from './routes.repository.ts'
import { applyRoutes, withRoutes } from './routing.service.ts'
import { findProjectRuleSet } from './rules.repository.ts'

export { saveProjectRules } from './rules.repository.ts'

/** After rules were saved. The set before the route that names it, which answers 503 until then. */
export async function applyProjectRules(
  deps: Pick<Dependencies, 'config' | 'db' | 'instanceId' | 'network' | 'proxy'>,
  projectId: string
): Promise<void> {
  await withRoutes(deps, async () => {
    const set = await findProjectRuleSet(deps.db, projectId)
    await deps.proxy.changeRules([], set ? [set] : [])
  })
  await applyRoutes(deps, await listProjectRoutes(deps.db, [projectId]))
}
