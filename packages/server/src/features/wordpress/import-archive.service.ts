import { pipeline } from 'node:stream/promises'
import { Id } from '@panel/contract/common'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { makeStagingDirectory, writeStaged } from '../../infra/staging/staging.ts'
import { type WorkerCall, workerVerb } from '../../worker/worker-verb.ts'
import { stagingPaths } from './import-paths.service.ts'
import { findImport } from './imports.repository.ts'

/** Stores the uploaded archive in the staging directory. Rejects with DISK_FULL or with the stream's error. */
export const storeArchive = workerVerb('wordpress.storeArchive', [Id], keep, { timeoutMs: Infinity })

async function keep(deps: Pick<Dependencies, 'config' | 'db'>, importId: string, { input }: WorkerCall): Promise<void> {
  const row = await findImport(deps.db, importId)
  if (row?.status !== 'RUNNING' || row.step !== 'RECEIVING') throw new AppError('NOT_FOUND', 'Import not found')
  const { directory, archive } = stagingPaths(deps.config, importId)
  await makeStagingDirectory(directory)
  await pipeline(input!, writeStaged(archive)).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
      throw new AppError('DISK_FULL', "The server's disk is full", { cause: error })
    throw error
  })
}
