/** States of an upgrade, as they are on disk. Everything before `requested` leaves the panel as it is. */
export const upgradePhases = ['requested', 'trying', 'reverting', 'reverted', 'done'] as const
export type UpgradePhase = (typeof upgradePhases)[number]

/**
 * requested: the new version is unpacked and verified; the store has not been touched.
 * trying: the store is copied, and the new version may have changed the original.
 * reverting: the copy is being put back.
 */
const moves = {
  requested: ['trying', 'reverted'],
  trying: ['done', 'reverting'],
  reverting: ['reverted'],
  reverted: [],
  done: []
} as const satisfies Record<UpgradePhase, readonly UpgradePhase[]>

export const mayMove = (from: UpgradePhase, to: UpgradePhase): boolean =>
  (moves[from] as readonly UpgradePhase[]).includes(to)

export const isFinished = (phase: UpgradePhase): boolean => moves[phase].length === 0

interface UpgradeVersion {
  version: string
  /** Folder of the program. */
  directory: string
}

export interface UpgradeVersions {
  phase: UpgradePhase
  from: UpgradeVersion
  to: UpgradeVersion
  /** Folders of versions that `from` replaced: a supervisor may still start one of them. */
  earlier: readonly string[]
}

/** What `up` does first: run this version, try the other one, restore the store, run the other one instead, or not start. */
export type StartAction = 'run' | 'try' | 'revert' | 'hand-over' | 'refuse'

const ofPrevious = {
  requested: 'try',
  trying: 'revert',
  reverting: 'revert',
  reverted: 'run',
  done: 'hand-over'
} as const satisfies Record<UpgradePhase, StartAction>

// Only the process that tries the new version may start it, because only that one restores the store if it fails.
const ofOthers = {
  requested: 'run',
  trying: 'refuse',
  reverting: 'refuse',
  reverted: 'run',
  done: 'run'
} as const satisfies Record<UpgradePhase, StartAction>

/** @param isSupervised whether this process was started by the one that tries the new version */
export function startAction(state: UpgradeVersions | undefined, directory: string, isSupervised: boolean): StartAction {
  if (state === undefined) return 'run'
  if (directory === state.from.directory) return ofPrevious[state.phase]
  if (state.earlier.includes(directory)) return 'hand-over'
  return isSupervised && directory === state.to.directory ? 'run' : ofOthers[state.phase]
}

/** The version that a replaced one hands over to. */
export const successorOf = ({ phase, from, to }: UpgradeVersions, directory: string): UpgradeVersion =>
  phase === 'done' || directory === from.directory ? to : from

/** Folders that the next upgrade from `directory` replaces as well. */
export function replacedFolders(last: UpgradeVersions | undefined, directory: string): string[] {
  if (last?.phase === 'done' && last.to.directory === directory) return [...last.earlier, last.from.directory]
  return last?.from.directory === directory ? [...last.earlier] : []
}
