import type { Dependencies } from './dependencies.ts'
import { accountDiskBudget, noteFilesWritten } from './features/disk-usage/disk-usage-access.ts'

/** What the route policy asks of an account's room on the disk. */
export const accountRoom = (deps: Pick<Dependencies, 'db'>) => ({
  budget: (userId: string) => accountDiskBudget(deps, userId),
  note: (userId: string, bytes: number) => noteFilesWritten(deps, userId, bytes)
})
