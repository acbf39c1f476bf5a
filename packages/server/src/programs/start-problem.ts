import { messageOf } from '../text/message-of.ts'

export function startProblem(error: unknown, portHint: string): string {
  const log = error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
  const complaints = log.match(/(?:error|critical|ALERT|ERROR|FATAL)\b.*/g)?.slice(-2) ?? []
  const isTaken = /address already in use/i.test(log)
  return [messageOf(error), ...complaints, ...(isTaken ? [portHint] : [])].join('; ')
}
