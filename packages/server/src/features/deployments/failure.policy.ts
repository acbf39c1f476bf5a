import type { DeploymentFailure } from '@panel/contract/deployments'
import { failureTexts } from '@panel/contract/failure-texts'
import { sentenceText } from '@panel/contract/sentences'

const maxReasonLength = 500
/** Errors further from the end are likely unrelated. */
const maxLinesBefore = 100

const colours = /\u001b\[[0-9;?]*[A-Za-z]/g
const errorWord =
  /(^|[^\w-])(error|err!|fatal|panic|exception|traceback|cannot find|could not|not found|failed)(?![\w-])/i
const harmlessWord = /\b(0|no) errors?\b|\bwarn(ing)?\b|^Step \d+\//i
export const failureMark = 'FAILED: '

/** Watches log lines for the one to jump to: the first error before the end. */
interface ErrorLines {
  add(text: string): void
  /** 1-based; undefined if the log has no failure mark. */
  first(): number | undefined
}

export function watchErrorLines(): ErrorLines {
  let count = 0
  let open = ''
  let found: number[] = []
  let end: number | undefined
  const take = (line: string) => {
    count++
    const text = line.replace(colours, '')
    if (text.startsWith(failureMark)) end ??= count
    else if (end === undefined && errorWord.test(text) && !harmlessWord.test(text)) found.push(count)
    if (found.length > maxLinesBefore) found = found.filter((at) => at >= count - maxLinesBefore)
  }
  return {
    add(text) {
      const lines = (open + text).split('\n')
      // A line may grow without bound; its beginning is enough.
      open = lines.pop()!.slice(0, 1_000)
      for (const line of lines) take(line.slice(0, 1_000))
    },
    first: () => (end === undefined ? undefined : (found.find((at) => at >= end! - maxLinesBefore) ?? end))
  }
}

export function exitCodeIn(reason: string): number | null {
  const [, code] =
    /(?:non-zero code:?|exit(?:ed with)?(?: code| status)|exited with)[: ]+(\d{1,3})\b/i.exec(reason) ?? []
  return code === undefined ? null : Number(code)
}

function reasonIn(lastLine: string): string {
  const [, reason = ''] = /FAILED: ([^\n]*)/.exec(lastLine) ?? []
  return reason.slice(0, maxReasonLength).toWellFormed()
}

export const failureOf = (
  phase: DeploymentFailure['phase'],
  {
    lastLine,
    line,
    sentences
  }: { lastLine: string; line: number | undefined; sentences: DeploymentFailure['sentences'] }
): DeploymentFailure => {
  const reason = reasonIn(lastLine)
  return {
    phase,
    reason,
    // If the log masked or cut part of them, use only the reason.
    sentences: reason === sentenceText(failureTexts, sentences) ? sentences : [],
    exitCode: exitCodeIn(lastLine),
    line: line ?? null
  }
}
