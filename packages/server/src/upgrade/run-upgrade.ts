import { messageOf } from '../text/message-of.ts'
import type { UpgradePhase } from './upgrade.machine.ts'

/** What the upgrade does outside of its own state. Each is idempotent: it may be repeated after a kill -9. */
export interface UpgradeEffects {
  /** Stops the store and copies it. */
  copyStore(): Promise<void>
  /** Starts the new version. Rejects if it does not serve; it must not run any more then. */
  tryVersion(): Promise<void>
  /** Stops the store and puts the copy back, unless that was done. */
  restoreStore(): Promise<void>
  /** Writes the next phase to disk. */
  move(phase: UpgradePhase, problem?: string): Promise<void>
}

/** Takes an upgrade from `requested` to its end. Resolves with whether the new version runs. */
export async function runUpgrade(effects: UpgradeEffects): Promise<boolean> {
  try {
    await effects.copyStore()
  } catch (error) {
    await effects.move('reverted', `The database could not be copied: ${messageOf(error)}`)
    return false
  }
  await effects.move('trying')
  try {
    await effects.tryVersion()
  } catch (error) {
    await revertUpgrade(effects, 'trying', messageOf(error))
    return false
  }
  await effects.move('done')
  return true
}

export async function revertUpgrade(
  effects: Pick<UpgradeEffects, 'restoreStore' | 'move'>,
  phase: UpgradePhase,
  problem?: string
): Promise<void> {
  if (phase === 'trying') await effects.move('reverting', problem)
  await effects.restoreStore()
  await effects.move('reverted')
}
