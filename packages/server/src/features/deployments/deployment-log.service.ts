import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { WorkerThreadError } from '../../infra/worker-thread/worker-thread.ts'
import { messageOf } from '../../text/message-of.ts'
import { appendLog } from './deployments.repository.ts'
import { watchErrorLines } from './failure.policy.ts'
import { type Masker, openMasker } from './masking.service.ts'
import type { Variable } from './secret-value.policy.ts'

const flushAfterMs = 250
const chunkCharacters = 16 * 1024
const maxCharacters = 8 * 1024 * 1024

/** Appends to a deployment's log as lines come, in batches. Secrets are masked before anything is stored. */
export interface DeploymentLog {
  /** Output of a program, up to the limit. */
  write(text: string): void
  /** A sentence of ours, on a line of its own; it is written also when the log is full. */
  line(text: string): void
  /** From here on the secrets among these are masked, in place of those before. */
  hide(variables: readonly Variable[]): void
  /** Writes out what is buffered. */
  flush(): Promise<void>
  /**
   * As `flush`, and makes a line for `lastLine` of a sentence; of `instead` where it cannot be masked any more. With the number of the line
   * where the log begins to speak of an error.
   */
  end(text: string, instead: string): Promise<{ text: string; errorLine: number | undefined }>
  /** Writes what `end` has made, at once and in the caller's transaction. */
  lastLine(trx: Transaction, text: string): Promise<void>
  /** As `flush`, for the last time. */
  close(): Promise<void>
}

/** What is to be written; output goes on where the output before it ended. */
type Entry = { kind: 'output' | 'sentence'; text: string } | { kind: 'hide'; masker: Masker } | { kind: 'end' }

export function openDeploymentLog(deps: Pick<Dependencies, 'db' | 'logger'>, deploymentId: string): DeploymentLog {
  let entries: Entry[] = []
  let buffered = 0
  let received = 0
  let isInLine = false
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> = Promise.resolve()
  let masker = openMasker([])
  /** Whether nothing more can be masked, and so nothing be shown. */
  let isLost = false

  const onOwnLine = (text: string) => `${isInLine ? '\n' : ''}${text}\n`
  const follow = (text: string): string => {
    if (text !== '') isInLine = !text.endsWith('\n')
    return text
  }
  const maskedSentence = async (text: string) => {
    const rest = follow(await masker.end())
    const masked = await masker.sentence(text)
    return rest + follow(onOwnLine(masked))
  }
  const change = async (to: Masker) => {
    const previous = masker
    masker = to
    const rest = follow(await previous.end())
    await previous.close()
    const shortened = await masker.countShortened()
    return rest + (shortened === 0 ? '' : follow(onOwnLine(shortenedNote(shortened))))
  }
  const textOf = async (entry: Entry): Promise<string> => {
    if (entry.kind === 'hide') return change(entry.masker)
    if (isLost) return entry.kind === 'sentence' ? follow(onOwnLine(hidden)) : ''
    if (entry.kind === 'sentence') return maskedSentence(entry.text)
    return follow(await (entry.kind === 'end' ? masker.end() : masker.output(entry.text)))
  }
  const lose = (error: unknown): string => {
    if (!(error instanceof WorkerThreadError)) throw error
    deps.logger.warn({ error: messageOf(error.cause ?? error), deployment: deploymentId }, 'masking a log failed')
    isLost = true
    return follow(onOwnLine(lost))
  }
  const errorLines = watchErrorLines()
  const put = async (text: string) => {
    errorLines.add(storable(text))
    for (const chunk of chunksOf(storable(text))) await appendLog(deps.db, deploymentId, chunk)
  }
  const work = async (batch: readonly Entry[]) => {
    let text = ''
    for (const entry of batch) {
      text += await textOf(entry).catch(lose)
      if (text.length < chunkCharacters) continue
      await put(text)
      text = ''
    }
    await put(text)
  }
  const flushSoon = () => {
    clearTimeout(timer)
    timer = undefined
    const batch = entries
    entries = []
    buffered = 0
    flushing = flushing
      .then(() => work(batch))
      .catch((error: unknown) =>
        deps.logger.warn({ error: messageOf(error), deployment: deploymentId }, 'deployment log lost a chunk')
      )
  }
  const add = (entry: Entry) => {
    const last = entries.at(-1)
    if (last?.kind === 'output' && entry.kind === 'output') last.text += entry.text
    else entries.push(entry)
    if ('text' in entry) buffered += entry.text.length
    if (buffered >= chunkCharacters) flushSoon()
    else timer ??= setTimeout(flushSoon, flushAfterMs)
  }
  const flush = () => {
    add({ kind: 'end' })
    flushSoon()
    return flushing
  }
  return {
    write(text) {
      if (received > maxCharacters) return
      received += text.length
      if (received <= maxCharacters) add({ kind: 'output', text })
      else add({ kind: 'sentence', text: '[the log is longer than 8 MiB; what follows is left out]' })
    },
    line: (text) => add({ kind: 'sentence', text }),
    hide: (variables) => add({ kind: 'hide', masker: openMasker(variables) }),
    flush,
    async end(text, instead) {
      await flush()
      const line = isLost ? undefined : await maskedSentence(text).catch(() => undefined)
      const last = storable(line ?? follow(onOwnLine(instead)))
      errorLines.add(last)
      return { text: last, errorLine: errorLines.first() }
    },
    async lastLine(trx, text) {
      for (const chunk of chunksOf(text)) await appendLog(trx, deploymentId, chunk)
    },
    async close() {
      await flush()
      await masker.close()
    }
  }
}

const lost = '[what follows cannot be shown: the masking of secrets failed]'
const hidden = '[a line that cannot be shown]'
const shortenedNote = (count: number) =>
  `Note: ${count} of the variables are so large that this log is searched for them as they are, and not for all their encodings.`

/** PostgreSQL's text holds every character but NUL, and no lone surrogate. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Pieces of a size that is quick to append; never cut between the halves of a surrogate pair. */
function* chunksOf(text: string): Generator<string> {
  for (let from = 0, to; from < text.length; from = to) {
    to = Math.min(from + chunkCharacters, text.length)
    if (to < text.length && text.codePointAt(to - 1)! > 0xffff) to++
    yield text.slice(from, to)
  }
}
