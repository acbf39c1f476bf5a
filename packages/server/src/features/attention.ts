import { type OverviewCode, type OverviewItem, overviewTexts } from '@panel/contract/overview'
import { knownSentences, type Sentence } from '@panel/contract/sentences'
import type { users } from '../db/schema/users.ts'
import type { Dependencies } from '../dependencies.ts'

/** What somebody has to look at, as a feature knows it; how bad that is the overview says. */
export type AttentionItem = Omit<OverviewItem, 'severity'>

/** Of one source: what is told one by one, and how much there is. */
export interface AttentionFound {
  items: readonly AttentionItem[]
  total: number
}

export interface AttentionSource {
  /** Of the server: for an ADMIN alone. */
  isOfServer?: true
  list(deps: Dependencies, user: typeof users.$inferSelect): Promise<AttentionFound>
}

/** Of rows that have `counted` as their `total`, or are all. */
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
