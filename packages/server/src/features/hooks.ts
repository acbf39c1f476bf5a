import type { Queryable, Transaction } from '../db/database.ts'
import type { Dependencies } from '../dependencies.ts'
import { messageOf } from '../text/message-of.ts'
import type { AccountHooks, DeploymentRow, Effect, ProjectHooks, ProjectRow, ValueSource } from './feature.ts'

export interface PendingEffect {
  feature: string
  run: Effect
}

type Answer = Promise<readonly Effect[] | void> | undefined

/** Runs in the caller's transaction. Resolves with the effects to run after the commit. */
async function gather(
  features: Dependencies['features'],
  ask: (feature: Dependencies['features'][number]) => Answer
): Promise<PendingEffect[]> {
  const pending: PendingEffect[] = []
  for (const feature of features)
    for (const run of (await ask(feature)) ?? []) pending.push({ feature: feature.name, run })
  return pending
}

export const accountChanged = (
  deps: Dependencies,
  trx: Transaction,
  event: keyof Pick<AccountHooks, 'suspended' | 'resumed' | 'deleted'>,
  userId: string
): Promise<PendingEffect[]> =>
  gather(event === 'deleted' ? deps.features.toReversed() : deps.features, ({ account }) =>
    account?.[event]?.(deps, trx, userId)
  )

export const projectChanged = (
  deps: Dependencies,
  trx: Transaction,
  event: keyof Pick<ProjectHooks, 'created' | 'renamed' | 'resized' | 'mountsChanged'>,
  project: ProjectRow
): Promise<PendingEffect[]> => gather(deps.features, (feature) => feature.project?.[event]?.(deps, trx, project))

export const projectReleased = (
  deps: Dependencies,
  trx: Transaction,
  project: ProjectRow,
  before: ProjectRow
): Promise<PendingEffect[]> =>
  gather(deps.features, (feature) => feature.project?.released?.(deps, trx, project, before))

export async function projectStarting(deps: Dependencies, project: ProjectRow): Promise<void> {
  for (const feature of deps.features) await feature.project?.starting?.(deps, project)
}

/** Ids that the features list. */
export async function listOfProjects(
  { db, features }: Pick<Dependencies, 'db' | 'features'>,
  hook: 'listHeld' | 'listRuns'
): Promise<string[]> {
  const lists = await Promise.all(features.map(({ project }) => project?.[hook]?.(db)))
  return lists.flatMap((ids) => ids ?? [])
}

/** Projects whose queued deployments do not start yet. */
export async function listPostponed({ features }: Pick<Dependencies, 'features'>, db: Queryable): Promise<string[]> {
  const lists = await Promise.all(features.map(({ deployment }) => deployment?.listPostponed?.(db)))
  return lists.flatMap((ids) => ids ?? [])
}

/** By project id; those without any are missing. */
export async function valueSources(
  deps: Pick<Dependencies, 'features'>,
  db: Queryable,
  projectIds: readonly string[]
): Promise<ReadonlyMap<string, readonly ValueSource[]>> {
  const sources = new Map<string, readonly ValueSource[]>()
  for (const { project } of deps.features)
    for (const [id, found] of (await project?.values?.(db, projectIds)) ?? [])
      sources.set(id, [...(sources.get(id) ?? []), ...found])
  return sources
}

export async function deploymentChanged(
  deps: Pick<Dependencies, 'features' | 'jobs'>,
  trx: Transaction,
  row: DeploymentRow
): Promise<void> {
  for (const { deployment } of deps.features) await deployment?.changed?.(deps, trx, row)
}

/** A failing effect does not stop the others; reconcile repeats it. */
export async function runEffects(deps: Pick<Dependencies, 'logger'>, effects: readonly PendingEffect[]): Promise<void> {
  await Promise.all(
    effects.map(async ({ feature, run }) => {
      try {
        await run()
      } catch (error) {
        deps.logger.warn({ feature, error: messageOf(error) }, 'effect failed, left to reconcile')
      }
    })
  )
}

export const ownersOf = (deps: Dependencies) =>
  Object.fromEntries(
    deps.features.flatMap(({ owners = {} }) =>
      Object.entries(owners).map(
        ([address, requireOwner]) =>
          [address, (userId: string, ids: Readonly<Record<string, string>>) => requireOwner(deps, userId, ids)] as const
      )
    )
  )
