import { knownSentences, sentenceText } from '@panel/contract/sentences'
import type { WordpressTask } from '@panel/contract/wordpress-care'
import { wordpressTaskProblemTexts } from '@panel/contract/wordpress-care-texts'
import type { TaskRow } from './tasks.repository.ts'

export function taskView(row: TaskRow): WordpressTask {
  const problemSentences = knownSentences(wordpressTaskProblemTexts, row.problem)
  return {
    id: row.id,
    projectId: row.projectId,
    kind: row.kind,
    trigger: row.trigger,
    status: row.status,
    step: row.step,
    items: row.items,
    done: row.done,
    replacement: row.replacement,
    copy: row.copy,
    changed: row.changed,
    skipped: row.skipped,
    problem: problemSentences.length === 0 ? null : sentenceText(wordpressTaskProblemTexts, problemSentences),
    problemSentences,
    // The epoch while what was kept is removed.
    undoUntil: row.undoUntil?.getTime() ? row.undoUntil.toISOString() : null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString()
  }
}
