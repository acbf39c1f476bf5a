import { resolve } from 'node:path'
import { z } from 'zod'
import { bytes, port, whole } from './values.ts'

/** Project files, uploads and SFTP. */
export const fileVariables = {
  PROJECTS_DIR: z.string().optional(),
  SFTP_HOST: z.string().optional(),
  SFTP_PORT: port.default(22),
  SFTP_ACCOUNT_SESSIONS: whole(1, 1_000).default(16),
  FILE_UPLOAD_MAX_MB: whole(1, 1_000_000).default(100),
  ARCHIVE_MAX_SIZE: z.string().default('5g').pipe(bytes),
  ARCHIVE_MAX_ENTRIES: whole(1, 10_000_000).default(200_000),
  WORDPRESS_IMPORT_MAX: z.string().default('2g').pipe(bytes)
}

export const fileDefaults = (values: { DATA_DIR: string; PROJECTS_DIR?: string | undefined }) => ({
  PROJECTS_DIR: resolve(values.DATA_DIR, values.PROJECTS_DIR ?? 'workspaces/projects')
})
