import type { RemedyCode } from '@panel/contract/remedy-texts'
import type { Sentence } from '@panel/contract/sentences'
import { messageOf } from '../text/message-of.ts'
import type { Port } from './program.ts'

export function startProblem(error: unknown, portHint: string): string {
  const log = logOf(error)
  const complaints = log.match(/(?:error|critical|ALERT|ERROR|FATAL)\b.*/g)?.slice(-2) ?? []
  return [messageOf(error), ...complaints, ...(isPortTaken(log) ? [portHint] : [])].join('; ')
}

/** Remedy for the overview if another program occupies the port: it does not go away with a restart of the panel. */
export function portProblem(error: unknown, ports: readonly Port[]): Sentence<RemedyCode> | undefined {
  if (!isPortTaken(logOf(error))) return undefined
  return { code: 'PORT_IN_USE', values: { ports: ports.map(({ port }) => port).join(', ') } }
}

const logOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? error.cause.message : ''

const isPortTaken = (log: string): boolean => /address already in use/i.test(log)
