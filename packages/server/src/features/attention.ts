import { type OverviewCode, type OverviewItem, overviewTexts } from '@panel/contract/overview'
import { knownSentences, type Sentence } from '@panel/contract/sentences'
import type { users } from '../db/schema/users.ts'
import type { Dependencies } from '../dependencies.ts'

/** An item that needs attention, without its severity, which the overview assigns. */
export type AttentionItem = Omit<OverviewItem, 'severity'>

export interface AttentionFound {
  items: readonly AttentionItem[]
  total: number
}

export interface AttentionSource {
  /** Server-wide: shown to an ADMIN only. */
  isOfServer?: true
  list(deps: Dependencies, user: typeof users.$inferSelect): Promise<AttentionFound>
}

/** Takes the total from the first row's `total` column, or else the number of rows. */
export const foundIn = <Row>(rows: readonly Row[], itemOf: (row: Row) => AttentionItem): AttentionFound => ({
  items: rows.map(itemOf),
  total: (rows[0] as { total?: number } | undefined)?.total ?? rows.length
})

export function attentionItem(
  code: OverviewCode,
  targetType: OverviewItem['targetType'],
  targetId: string,
  title: string,
  known: { projectId?: string; detail?: string | null; sentences?: readonly Sentence[] | undefined; since?: Date } = {}
): AttentionItem {
  const { projectId = null, detail = null, sentences = [], since } = known
  return {
    code,
    targetType,
    targetId,
    projectId,
    title,
    detail,
    sentences: knownSentences(overviewTexts, sentences),
    since: since?.toISOString() ?? null
  }
}
