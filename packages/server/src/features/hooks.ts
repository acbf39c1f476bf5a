import type { Transaction } from '../db/database.ts'
import type { Dependencies } from '../dependencies.ts'
import { messageOf } from '../text/message-of.ts'
import type { AccountHooks, Effect, ProjectHooks, ProjectRow } from './feature.ts'

interface PendingEffect {
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
  event: keyof Pick<ProjectHooks, 'created' | 'renamed' | 'resized'>,
  project: ProjectRow
): Promise<PendingEffect[]> => gather(deps.features, (feature) => feature.project?.[event]?.(deps, trx, project))

export async function projectStarting(deps: Dependencies, project: ProjectRow): Promise<void> {
  for (const feature of deps.features) await feature.project?.starting?.(deps, project)
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
