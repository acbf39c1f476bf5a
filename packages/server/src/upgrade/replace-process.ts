import { join } from 'node:path'
import { startSupervised, type SupervisedPanel, withoutUndefined } from './supervised.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Node.js 22.15 and newer can replace their process by another, which keeps its pid. */
export const canReplaceProcess = (): boolean => typeof process.execve === 'function'

/** Continues as `./panel` of `directory`, in this process where that is possible. Never returns. */
export async function becomePanel(directory: string, args: readonly string[], env: Env): Promise<never> {
  const path = join(directory, 'panel')
  if (canReplaceProcess()) return process.execve!(path, [path, ...args], withoutUndefined(env))
  return endLike(await startSupervised(directory, args, env))
}

/** Passes signals on and exits with the status of the other process. */
export async function endLike(panel: SupervisedPanel): Promise<never> {
  passSignals(panel)
  return process.exit(await panel.ended)
}

/** Resolves with a function that tells whether this process received a signal to stop. */
export function passSignals(panel: Pick<SupervisedPanel, 'signal'>): () => boolean {
  let isStopping = false
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      isStopping = true
      panel.signal(name)
    })
  return () => isStopping
}
