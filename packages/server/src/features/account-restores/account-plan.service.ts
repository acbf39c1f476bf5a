import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { findPanelBackup } from '../backups/backup-access.ts'
import { requireGood } from '../backups/backups.service.ts'
import { type AccountThing, planAccount } from './account-plan.policy.ts'
import { type AccountRestoreRow, type ContentBackup, listContentBackups, type PlannedItem } from './account-restores.repository.ts' // oxfmt-ignore
import type { AccountSnapshot } from './account-snapshot.service.ts'
import {
  findAccountId,
  listHolders,
  listLeaving,
  listNamesOf,
  listThings,
  listVariables,
  type ProjectVariable
} from './account-things.repository.ts'

export interface AccountPlan {
  userId: string
  items: PlannedItem[]
  needs: ReadonlyMap<string, readonly string[]>
  /** Backups with files and databases, by project. */
  contents: ReadonlyMap<string, ContentBackup>
  /** Variables of projects that exist, and that were deleted since the backup. */
  variables: readonly ProjectVariable[]
}

/** Compares the account in the backup with what is on the server. */
export async function readPlan(
  { db }: Pick<Dependencies, 'db'>,
  row: AccountRestoreRow,
  snapshot: AccountSnapshot
): Promise<AccountPlan> {
  const userId = await findAccountId(snapshot.db, row.email)
  if (userId === undefined) throw new AppError('NOT_FOUND', `The backup has no account with the address ${row.email}.`)
  const { backup } = requireGood(await findPanelBackup(db, row.backupId))
  const [things, present] = [await listThings(snapshot.db, userId), await listThings(db, userId)]
  const variables = await missingVariables(snapshot, db, userId)
  const saved = [...things, ...asThings(variables)]
  const savedNames = await listNamesOf(snapshot.db, userId)
  const projectIds = idsOf(things, 'PROJECT')
  const { targetId } = backup
  const found = await listContentBackups(db, projectIds, { targetId, before: backup.endedAt! })
  return {
    userId,
    needs: new Map(saved.map(({ key, needs }) => [key, needs])),
    contents: new Map(found.map((content) => [content.projectId, content])),
    variables,
    items: planAccount({
      userId,
      saved,
      savedNames,
      present,
      heldNames: await listHolders(db, savedNames.map(({ name }) => name)), // oxfmt-ignore
      leaving: new Set(await listLeaving(db, userId)),
      contents: new Map(found.map(({ projectId, takenAt }) => [`PROJECT:${projectId}`, takenAt.toISOString()])),
      takenAt: row.backupTakenAt.toISOString()
    })
  }
}

/** Ids of things of a kind. */
export const idsOf = (things: readonly { key: string }[], kind: AccountThing['kind']): string[] =>
  things.flatMap(({ key }) => (key.startsWith(`${kind}:`) ? key.slice(kind.length + 1) : []))

async function missingVariables(
  snapshot: AccountSnapshot,
  db: Dependencies['db'],
  userId: string
): Promise<ProjectVariable[]> {
  const present = await listVariables(db, userId)
  const projectIds = new Set(idsOf(await listThings(db, userId), 'PROJECT'))
  const nameOf = ({ projectId, key }: ProjectVariable) => `${projectId} ${key}`
  const names = new Set(present.map(nameOf))
  return (await listVariables(snapshot.db, userId)).filter(
    (variable) => projectIds.has(variable.projectId) && !names.has(nameOf(variable))
  )
}

/** One per project, which names the variables. */
function asThings(variables: readonly ProjectVariable[]): AccountThing[] {
  const byProject = new Map<string, ProjectVariable[]>()
  for (const variable of variables)
    byProject.set(variable.projectId, [...(byProject.get(variable.projectId) ?? []), variable])
  return [...byProject].map(([projectId, missing]) => ({
    key: `VARIABLES:${projectId}`,
    kind: 'VARIABLES',
    name: `${missing[0]!.project}: ${missing.map(({ key }) => key).join(', ')}`,
    needs: [`PROJECT:${projectId}`]
  }))
}
