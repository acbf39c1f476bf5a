import type { Schema } from '../../api/client.ts'

export type FoundType = Schema<'SearchResult'>['type']
/** Default display order. */
export const groups = ['acts', 'pages', 'project', 'domain', 'database', 'mailbox', 'user'] as const
export type Group = (typeof groups)[number]

export interface Command {
  id: string
  group: Group
  label: string
  hint?: string
  run(): void
}
