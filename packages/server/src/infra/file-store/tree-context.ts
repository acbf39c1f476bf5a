import type { FileHandle } from 'node:fs/promises'
import type { TreeOptions } from './file-store.ts'
import type { Staging } from './staging.ts'

export interface TreeContext extends Pick<TreeOptions, 'uid'> {
  isProtected: (name: string) => boolean
  root: FileHandle
  staging: Staging
}
