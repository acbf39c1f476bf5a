import type { Schema } from '../../api/client.ts'

export type FoundType = Schema<'SearchResult'>['type']
/** In the order in which they stand where nothing fits better. */
export const groups = ['acts', 'pages', 'project', 'domain', 'database', 'mailbox', 'user'] as const
export type Group = (typeof groups)[number]

export interface Command {
  id: string
  group: Group
  label: string
  /** What tells it from others of its name. */
  hint?: string
  run(): void
}
