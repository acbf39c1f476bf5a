import { z } from 'zod'
import { Origin } from '../audit/origin.ts'
import { Id } from '@panel/contract/common'
import { workerVerb } from '../../worker/worker-verb.ts'
import {
  type EnvImportPreview,
  EnvKey,
  EnvValue,
  type EnvVar,
  maskedValue,
  type SetEnvVars,
  type SkippedVariable
} from '@panel/contract/env-vars'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { type AuditOrigin, type NewAuditEntry, recordAudit } from '../audit/recording.service.ts'
import { getOwnProject, lockProject } from '../projects/project-access.ts'
import {
  deleteEnvVar,
  type EnvVarFacts,
  findEnvVar,
  listEnvVarFacts,
  listEnvVars,
  measureEnvVars,
  upsertEnvVars
} from './env-vars.repository.ts'
import { type EnvFile, readEnvFile, skippedVariable } from './env-file.service.ts'
import { renderEnvFile } from './env-format.policy.ts'
import { importPreview, importProblems, projectTotalProblem } from './env-file.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'now' | 'secretBox'>

// Keeps audit entries of large imports small.
const reportedKeys = 50

export async function listMasked(deps: Deps, userId: string, projectId: string): Promise<EnvVar[]> {
  await getOwnProject(deps.db, projectId, userId)
  return (await listEnvVarFacts(deps.db, projectId)).map(maskedView)
}

export const exportEnvFile = workerVerb('envVars.export', [Id, Id], exportEnvFileHere, { isSecret: true })

async function exportEnvFileHere(deps: Deps, userId: string, projectId: string): Promise<string> {
  await getOwnProject(deps.db, projectId, userId)
  return renderEnvFile(await openVariables(deps, projectId))
}

export const revealEnvVar = workerVerb('envVars.reveal', [Id, Id, EnvKey], revealEnvVarHere, { isSecret: true })

async function revealEnvVarHere(deps: Deps, userId: string, projectId: string, key: string) {
  await getOwnProject(deps.db, projectId, userId)
  const row = await findEnvVar(deps.db, projectId, key)
  if (!row) throw notFound(key)
  return {
    id: row.id,
    key: row.key,
    value: deps.secretBox.open(row.value),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString()
  }
}

export async function setEnvVars(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  input: SetEnvVars
): Promise<EnvVar[]> {
  await getOwnProject(deps.db, projectId, userId)
  const entries = 'variables' in input ? input.variables : [input]
  const audit = { action: 'env_var.set', actorId: userId, targetId: projectId } as const
  return write(deps, { origin, audit, projectId, entries, overwrite: true })
}

const maxSkipped = 1_000

export async function importEnvFile(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  { content, overwrite }: EnvFileText
): Promise<{ variables: EnvVar[]; skipped: SkippedVariable[] }> {
  await getOwnProject(deps.db, projectId, userId)
  const { entries, skipped } = await readImport(content)
  const audit = { action: 'env_var.imported', actorId: userId, targetId: projectId } as const
  const written = entries.map(({ key, value }) => ({ key, value }))
  const variables = await write(deps, { origin, audit, projectId, entries: written, overwrite })
  const keys = new Set(variables.map(({ key }) => key))
  const kept = entries
    .filter(({ key }) => !keys.has(key))
    .map(({ key, line }) => skippedVariable(line, { code: 'THERE_ALREADY', values: { key } }))
  return { variables, skipped: [...skipped, ...kept].sort((a, b) => a.line - b.line).slice(0, maxSkipped) }
}

export async function previewEnvFile(
  deps: Pick<Deps, 'db'>,
  userId: string,
  projectId: string,
  { content, overwrite }: EnvFileText
): Promise<{ preview: EnvImportPreview; skipped: SkippedVariable[] }> {
  await getOwnProject(deps.db, projectId, userId)
  const { entries, skipped } = await readImport(content)
  const there = new Set((await listEnvVarFacts(deps.db, projectId)).map(({ key }) => key))
  return { preview: importPreview(entries, there, overwrite), skipped }
}

interface EnvFileText {
  content: string
  overwrite: boolean
}

async function readImport(content: string): Promise<EnvFile> {
  const file = await readEnvFile(content)
  const problems = importProblems(file.entries)
  if (problems.length > 0)
    throw new AppError('VALIDATION_ERROR', 'Nothing was imported: some variables are invalid.', { details: problems })
  return file
}

export async function removeEnvVar(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  key: string
): Promise<void> {
  await getOwnProject(deps.db, projectId, userId)
  await deps.db.transaction(async (trx) => {
    if (!(await deleteEnvVar(trx, projectId, key))) throw notFound(key)
    const entry = { actorId: userId, targetId: projectId, metadata: { keys: [key] } }
    await recordAudit(deps, trx, origin, { action: 'env_var.deleted', ...entry })
  })
}

export interface OpenVariable {
  key: string
  value: string
  sensitive: boolean
}

export async function openVariables(deps: Pick<Deps, 'db' | 'secretBox'>, projectId: string): Promise<OpenVariable[]> {
  const rows = await listEnvVars(deps.db, projectId)
  return rows.map(({ key, value, sensitive }) => ({ key, value: deps.secretBox.open(value), sensitive }))
}

export const environmentOf = (variables: readonly OpenVariable[]): Record<string, string> =>
  Object.fromEntries(variables.map(({ key, value }) => [key, value]))

interface Write {
  origin: AuditOrigin
  audit: NewAuditEntry
  projectId: string
  entries: readonly { key: string; value: string; sensitive?: boolean | undefined }[]
  overwrite: boolean
}

const Entries = z.array(z.object({ key: EnvKey, value: EnvValue, sensitive: z.boolean().exactOptional() }))
const WriteSchema = z.object({
  origin: Origin,
  audit: z.object({ action: z.enum(['env_var.set', 'env_var.imported']), actorId: Id, targetId: Id }),
  projectId: Id,
  entries: Entries,
  overwrite: z.boolean()
})

const write = workerVerb('envVars.write', [WriteSchema], writeHere)

async function writeHere(deps: Deps, { origin, audit, projectId, entries, overwrite }: Write): Promise<EnvVar[]> {
  const last = new Map(entries.map((entry) => [entry.key, entry]))
  // Checked before sealing, to reject oversized input cheaply.
  rejectOn(projectTotalProblem(sizeOf([...last.values()])))
  const now = deps.now()
  const rows = [...last.values()].map(({ key, value, sensitive }) => ({
    id: newId(now.getTime()),
    projectId,
    key,
    value: deps.secretBox.seal(value),
    sensitive,
    createdAt: now,
    updatedAt: now
  }))
  const written = await deps.db.transaction(async (trx) => {
    // The project lock prevents two writes from passing the limit together.
    if (!(await lockProject(trx, projectId))) throw new AppError('NOT_FOUND', 'Project not found')
    const kept = new Map((await listEnvVarFacts(trx, projectId)).map(({ key, sensitive }) => [key, sensitive]))
    const complete = rows.map((row) => ({ ...row, sensitive: row.sensitive ?? kept.get(row.key) ?? true }))
    const changed = await upsertEnvVars(trx, complete, { overwrite, now })
    rejectOn(projectTotalProblem(await measureEnvVars(trx, projectId)))
    const keys = changed.map((row) => row.key)
    const metadata = { count: keys.length, keys: keys.slice(0, reportedKeys) }
    await recordAudit(deps, trx, origin, { ...audit, metadata })
    return changed
  })
  return written.map(maskedView)
}

function rejectOn(problem: string | undefined): void {
  if (problem !== undefined) throw new AppError('VALIDATION_ERROR', `Nothing was saved. ${problem}`)
}

const sizeOf = (entries: readonly { value: string }[]) => ({
  count: entries.length,
  bytes: entries.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0)
})

function maskedView(row: EnvVarFacts): EnvVar {
  return {
    id: row.id,
    key: row.key,
    maskedValue,
    sensitive: row.sensitive,
    projectId: row.projectId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString()
  }
}

const notFound = (key: string) => new AppError('NOT_FOUND', `Variable ${key} not found`)
