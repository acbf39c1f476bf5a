import type { WordpressImport } from '@panel/contract/wordpress'
import type { ImportRow } from './imports.repository.ts'

export const importView = (row: ImportRow): WordpressImport => ({
  id: row.id,
  projectId: row.projectId,
  status: row.status,
  step: row.step,
  files: row.files,
  tables: row.tables,
  replacedAddress: row.replacedAddress,
  deploymentId: row.deploymentId,
  notes: row.notes,
  errorCode: row.errorCode,
  errorMessage: row.errorMessage,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString()
})
