import { type PhaseMark, phaseLine } from '@panel/contract/deployment-phases'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { WorkerThreadError } from '../../infra/worker-thread/worker-thread.ts'
import { messageOf } from '../../text/message-of.ts'
import { storable } from '../../text/storable.ts'
import { appendLog } from './deployments.repository.ts'
import { watchErrorLines } from './failure.policy.ts'
import { type Masker, openMasker } from './masking.service.ts'
import type { Variable } from './secret-value.policy.ts'

const flushAfterMs = 250
const chunkCharacters = 16 * 1024
const maxCharacters = 8 * 1024 * 1024

/** Appends to a deployment log in batches. Secrets are masked before anything is stored. */
export interface DeploymentLog {
  write(text: string): void
  /** A message of the panel on its own line; written even if the log is full. */
  line(text: string): void
  /** Marks the beginning of a phase, or the end of the last one. */
  phase(mark: PhaseMark): void
  /** From here on masks the secrets among these variables instead of the previous ones. */
  hide(variables: readonly Variable[]): void
  flush(): Promise<void>
  /** Renders `text` for `lastLine`, or `instead` if masking has failed. `errorLine`: number of the first error line. */
  end(text: string, instead: string): Promise<{ text: string; errorLine: number | undefined }>
  lastLine(trx: Transaction, text: string): Promise<void>
  close(): Promise<void>
}

/** `output` may continue the line of the previous output. */
type Entry = { kind: 'output' | 'sentence'; text: string } | { kind: 'hide'; masker: Masker } | { kind: 'end' }

export function openDeploymentLog(
  deps: Pick<Dependencies, 'db' | 'logger' | 'now'>,
  deploymentId: string
): DeploymentLog {
  let entries: Entry[] = []
  let buffered = 0
  let received = 0
  let isInLine = false
  let hasPhases = false
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> = Promise.resolve()
  let masker = openMasker([])
  /** Masking failed: from now on no text may be shown. */
  let hasMaskingFailed = false

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
    if (hasMaskingFailed) return entry.kind === 'sentence' ? follow(onOwnLine(hiddenLineNote)) : ''
    if (entry.kind === 'sentence') return maskedSentence(entry.text)
    return follow(await (entry.kind === 'end' ? masker.end() : masker.output(entry.text)))
  }
  const failMasking = (error: unknown): string => {
    if (!(error instanceof WorkerThreadError)) throw error
    deps.logger.warn(
      { error: messageOf(error.cause ?? error), deployment: deploymentId },
      'could not mask a deployment log'
    )
    hasMaskingFailed = true
    return follow(onOwnLine(maskingFailedNote))
  }
  const errorLines = watchErrorLines()
  const put = async (text: string) => {
    errorLines.add(storable(text))
    for (const chunk of chunksOf(storable(text))) await appendLog(deps.db, deploymentId, chunk)
  }
  const work = async (batch: readonly Entry[]) => {
    let text = ''
    for (const entry of batch) {
      text += await textOf(entry).catch(failMasking)
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
        deps.logger.warn(
          { error: messageOf(error), deployment: deploymentId },
          'could not write a chunk of a deployment log'
        )
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
      else add({ kind: 'sentence', text: '[Log truncated at 8 MiB]' })
    },
    line: (text) => add({ kind: 'sentence', text }),
    phase(mark) {
      if (mark === 'end' && !hasPhases) return
      hasPhases = true
      add({ kind: 'sentence', text: phaseLine(mark, deps.now()) })
    },
    hide: (variables) => add({ kind: 'hide', masker: openMasker(variables) }),
    flush,
    async end(text, instead) {
      await flush()
      const line = hasMaskingFailed ? undefined : await maskedSentence(text).catch(() => undefined)
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

const maskingFailedNote = '[Output hidden: masking of secrets failed]'
const hiddenLineNote = '[Line hidden]'
const shortenedNote = (count: number) =>
  count === 1
    ? 'Note: 1 variable is too large to mask in all encodings. Only its plain text is masked in this log.'
    : `Note: ${count} variables are too large to mask in all encodings. Only their plain text is masked in this log.`

/** Chunks small enough to append quickly; never splits a surrogate pair. */
function* chunksOf(text: string): Generator<string> {
  for (let from = 0, to; from < text.length; from = to) {
    to = Math.min(from + chunkCharacters, text.length)
    if (to < text.length && text.codePointAt(to - 1)! > 0xffff) to++
    yield text.slice(from, to)
  }
}
