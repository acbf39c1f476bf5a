import { knownSentences } from '@panel/contract/sentences'
import type { WordpressImport } from '@panel/contract/wordpress'
import { wordpressNoteTexts, wordpressProblemTexts } from '@panel/contract/wordpress-texts'
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
  noteSentences: knownSentences(wordpressNoteTexts, row.noteSentences),
  errorCode: row.errorCode,
  errorMessage: row.errorMessage,
  errorSentences: knownSentences(wordpressProblemTexts, row.errorSentences),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString()
})
