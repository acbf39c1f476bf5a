import type { FileHandle } from 'node:fs/promises'
import type { TreeOptions } from './file-store.ts'
import type { Staging } from './staging.ts'

/** What every change of a tree needs. */
export interface TreeContext extends Pick<TreeOptions, 'uid' | 'isProtected'> {
  /** Open, for as long as the call takes. */
  root: FileHandle
  staging: Staging
}
