import { type EnvVar, maskedValue } from '@panel/contract/env-vars'
import type { EnvVarFacts } from './env-vars.repository.ts'

export function maskedView(row: EnvVarFacts): EnvVar {
  const { projectId, groupId } = row
  return {
    id: row.id,
    key: row.key,
    maskedValue,
    sensitive: row.sensitive,
    scope: row.scope,
    processes: row.processes === null ? null : [...row.processes],
    references: [...(row.references ?? [])],
    ...(projectId === null ? {} : { projectId }),
    ...(groupId === null ? {} : { groupId }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString()
  }
}
