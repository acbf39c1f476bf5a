import type { FileHandle } from 'node:fs/promises'
import type { TreeOptions } from './file-store.ts'
import type { Staging } from './staging.ts'

export interface TreeContext extends Pick<TreeOptions, 'uid' | 'isProtected'> {
  root: FileHandle
  staging: Staging
}
