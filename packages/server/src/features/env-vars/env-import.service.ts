import type { EnvImportPreview, EnvChanges, EnvVar, SkippedVariable } from '@panel/contract/env-vars'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { AuditOrigin } from '../audit/recording.service.ts'
import { importPreview, importProblems } from './env-file.policy.ts'
import { type EnvFile, readEnvFile, skippedVariable } from './env-file.service.ts'
import { previewChanges } from './env-preview.service.ts'
import { idOf, writeVariables } from './env-vars-writing.service.ts'
import { listEnvVarFacts } from './env-vars.repository.ts'
import type { Holder } from './holder.types.ts'
import { requireOwnHolder } from './env-vars.service.ts'

const maxSkipped = 1_000

interface EnvFileText {
  content: string
  overwrite: boolean
}

export async function importEnvFile(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  holder: Holder,
  { content, overwrite }: EnvFileText
): Promise<{ variables: EnvVar[]; skipped: SkippedVariable[] }> {
  await requireOwnHolder(deps.db, userId, holder)
  const { entries, skipped } = await readImport(content)
  const audit = { action: 'env_var.imported', actorId: userId, targetId: idOf(holder) } as const
  const written = entries.map(({ key, value }) => ({ key, value }))
  const variables = await writeVariables(deps, { origin, audit, holder, entries: written, overwrite })
  const keys = new Set(variables.map(({ key }) => key))
  const kept = entries
    .filter(({ key }) => !keys.has(key))
    .map(({ key, line }) => skippedVariable(line, { code: 'THERE_ALREADY', values: { key } }))
  return { variables, skipped: [...skipped, ...kept].sort((a, b) => a.line - b.line).slice(0, maxSkipped) }
}

export async function previewEnvFile(
  deps: Dependencies,
  userId: string,
  holder: Holder,
  { content, overwrite }: EnvFileText
): Promise<{ preview: EnvImportPreview; changes: EnvChanges; skipped: SkippedVariable[] }> {
  await requireOwnHolder(deps.db, userId, holder)
  const { entries, skipped } = await readImport(content)
  const there = new Set((await listEnvVarFacts(deps.db, holder)).map(({ key }) => key))
  const written = entries.filter(({ key }) => overwrite || !there.has(key))
  const variables = written.map(({ key, value }) => ({ key, value }))
  const changes = await previewChanges(deps, userId, holder, { variables, removed: [] })
  return { preview: importPreview(entries, there, overwrite), changes, skipped }
}

async function readImport(content: string): Promise<EnvFile> {
  const file = await readEnvFile(content)
  const problems = importProblems(file.entries)
  if (problems.length > 0)
    throw new AppError('VALIDATION_ERROR', 'Nothing was imported: some variables are invalid.', { details: problems })
  return file
}
