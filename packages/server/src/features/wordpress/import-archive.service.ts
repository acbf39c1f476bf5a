import { pipeline } from 'node:stream/promises'
import { Id } from '@panel/contract/common'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { makeStagingDirectory, writeStaged } from '../../infra/staging/staging.ts'
import { type WorkerCall, workerVerb } from '../../worker/worker-verb.ts'
import { stagingPaths } from './import-paths.service.ts'
import { findImport } from './imports.repository.ts'

/** Writes what comes to where the import will look for it. Rejects with DISK_FULL, and with the error of the stream. */
export const keepArchive = workerVerb('wordpress.keepArchive', [Id], keep, { timeoutMs: Infinity })

async function keep(deps: Pick<Dependencies, 'config' | 'db'>, importId: string, { input }: WorkerCall): Promise<void> {
  const row = await findImport(deps.db, importId)
  if (row?.status !== 'RUNNING' || row.step !== 'RECEIVING') throw new AppError('NOT_FOUND', 'There is no such import')
  const { directory, archive } = stagingPaths(deps.config, importId)
  await makeStagingDirectory(directory)
  await pipeline(input!, writeStaged(archive)).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
      throw new AppError('DISK_FULL', 'The disk of the server is full', { cause: error })
    throw error
  })
}
