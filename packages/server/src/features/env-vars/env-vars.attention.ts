import { attentionItem, type AttentionItem, type AttentionSource } from '../attention.ts'
import { listProjectsWithReferences } from './env-vars.repository.ts'
import { createReferenceCheck, effectiveVariables } from './environment.policy.ts'
import { readEnvironmentsFacts } from './environment.service.ts'

// Limits what is read into memory; accounts with more are rare.
const maxProjects = 100

/** Projects whose next deployment will fail, because a variable refers to something that was deleted. */
export const brokenReferencesFound: AttentionSource = {
  async list(deps, user) {
    const items: AttentionItem[] = []
    const projects = await listProjectsWithReferences(deps.db, user.id, maxProjects)
    if (projects.length === 0) return { items, total: 0 }
    const environments = await readEnvironmentsFacts(deps, deps.db, projects.map(({ id }) => id)) // oxfmt-ignore
    for (const { id, name } of projects) {
      const environment = environments.get(id)!
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
