import { randomBytes } from 'node:crypto'
import { startTerminal, type TerminalEnded, type TerminalSession } from '@panel/client'
import { WebSocket } from 'ws'
import type { Client, RunningPanel } from './panel.ts'
import { until } from './poll.ts'
import { commandLines } from './processes.ts'

/** A shell in the container of a site, of 100 columns and 30 rows. Resolves when it has started. */
export async function openTerminal(panel: Pick<RunningPanel, 'url'>, by: Pick<Client, 'cookie'>, id: string) {
  const address = `${panel.url.replace('http', 'ws')}/api/projects/${id}/terminal`
  const socket = new WebSocket(address, { headers: { cookie: by.cookie } })
  socket.on('error', () => {})
  let text = ''
  let onEnd: (ended: TerminalEnded) => void
  const ended = new Promise<TerminalEnded>((resolve) => (onEnd = resolve))
  const session = await new Promise<TerminalSession>((resolve, reject) => {
    const started = startTerminal(socket as Parameters<typeof startTerminal>[0], {
      columns: 100,
      rows: 30,
      onReady: () => resolve(started),
      onOutput(bytes, done) {
        text += Buffer.from(bytes).toString('latin1')
        done()
      },
      onEnd(end) {
        onEnd(end)
        reject(new Error(`${end.reason}: ${end.message ?? ''}`))
      }
    })
  })
  const type = (line: string) => session.write(new Uint8Array(Buffer.from(line)))
  const sees = (part: RegExp) =>
    until(
      async () => text,
      (all) => part.test(all)
    )
  return { session, ended, type, sees }
}

/** A command with a number of its own, to find its process on the machine. */
export const sleeper = () => `sleep ${randomBytes(3).readUIntBE(0, 3) + 100_000}`
export const isRunning = async (line: string) => (await commandLines()).includes(line)
export const hasStarted = (line: string) =>
  until(
    () => isRunning(line),
    (found) => found
  )
export const isGone = (line: string) =>
  until(
    () => isRunning(line),
    (found) => !found
  )
