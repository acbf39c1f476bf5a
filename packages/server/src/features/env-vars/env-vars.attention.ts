import { attentionItem, type AttentionItem, type AttentionSource } from '../attention.ts'
import { listProjectsWithReferences } from './env-vars.repository.ts'
import { createReferenceCheck, effectiveVariables } from './environment.policy.ts'
import { readEnvironmentFacts } from './environment.service.ts'

// Each takes a few small queries; accounts with more are rare.
const maxProjects = 100

/** Projects whose next deployment will fail, because a variable refers to something that was deleted. */
export const brokenReferencesFound: AttentionSource = {
  async list(deps, user) {
    const items: AttentionItem[] = []
    for (const { id, name } of await listProjectsWithReferences(deps.db, user.id, maxProjects)) {
      const environment = await readEnvironmentFacts(deps, deps.db, id)
      const check = createReferenceCheck(environment)
      const problem = [...effectiveVariables(environment).values()].map(check).find((found) => found !== undefined)
      if (!problem) continue
      const { key, reference } = problem.values
      items.push(
        attentionItem('VARIABLE_BROKEN', 'project', id, name, {
          projectId: id,
          detail: `${key}: ${reference}`,
          sentences: [problem]
        })
      )
    }
    return { items, total: items.length }
  }
}
