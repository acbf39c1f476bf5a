import { join } from 'node:path'
import type { Config } from '../config.ts'
import { programState } from '../process/paths.ts'

type Places = Pick<Config, 'DATA_DIR' | 'PROJECTS_DIR' | 'SSH_KEYS_DIR'>

const name = 'restoring'

/** Everything is restored below DATA_DIR first, as if this were the directory of another panel. */
export const stagedDataDirectory = (dataDirectory: string): string => join(dataDirectory, name)

/** Written when everything is restored, before anything is moved to its place. */
export const completedMark = (dataDirectory: string): string =>
  join(stagedDataDirectory(dataDirectory), 'restored.json')

/** Directories outside DATA_DIR are restored on their own file system, so that they are moved by renaming. */
export function stagedConfig<C extends Places>(config: C): C {
  const staged = config.DATA_DIR
  const beside = (directory: string) => (directory.startsWith(`${staged}/`) ? directory : join(directory, name))
  return { ...config, PROJECTS_DIR: beside(config.PROJECTS_DIR), SSH_KEYS_DIR: beside(config.SSH_KEYS_DIR) }
}

export interface Move {
  from: string
  to: string
}

/** Directories that the settings put outside DATA_DIR. */
export const outsideOf = (staged: Places): Move[] =>
  [staged.PROJECTS_DIR, staged.SSH_KEYS_DIR]
    .filter((each) => !each.startsWith(`${staged.DATA_DIR}/`))
    .map((from) => ({ from, to: join(from, '..') }))

/** Directories whose entries are moved from the staged panel to the real one. DATA_DIR is last: it has the mark. */
export function movesOf(staged: Places, dataDirectory: string): Move[] {
  const state = { from: programState(staged), to: programState({ DATA_DIR: dataDirectory }) }
  return [
    ...outsideOf(staged),
    ...(state.from === staged.DATA_DIR ? [] : [state]),
    { from: staged.DATA_DIR, to: dataDirectory }
  ]
}
