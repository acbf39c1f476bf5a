import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ContainerEngine, EngineError, type TerminalSize } from './container-engine.ts'
import { type EngineCall, ignoringStatuses, type TimeLimits, unlessMissing } from './docker-call.ts'
import { endSession } from './docker-terminal-session.ts'
import type { EngineHost } from './engine-host.ts'

type TerminalCalls = Pick<ContainerEngine, 'createTerminal' | 'startTerminal' | 'resizeTerminal' | 'endTerminal'>

const sizeTries = 20
const exitLooks = 6
const exitPollMs = 50

interface InspectedExec {
  Running: boolean
  ExitCode: number | null
  Pid: number
  ContainerID: string
}

/**
 * The engine ends the input at Ctrl-P Ctrl-Q, which shells use and pasted data may contain, and it cannot be told not to.
 * No person types these keys in a row. The first is rarely typed at all, because the engine holds it back until the next one.
 */
const unlikelyKeys = (): string => ['ctrl-^', ...randomBytes(16).toString('hex')].join(',')

interface TerminalDeps {
  call: EngineCall
  limits: TimeLimits
  host: Pick<EngineHost, 'run'>
}

/** Terminals in running containers, over the engine's exec. */
export function createTerminalCalls({ call, limits, host }: TerminalDeps): TerminalCalls {
  const inspect = (id: string) =>
    unlessMissing(call(limits.ordinary, (engine) => engine.ask<InspectedExec>('GET', `/exec/${checkedId(id)}/json`)))
  const resize = (id: string, { columns, rows }: TerminalSize): Promise<void> =>
    call(limits.ordinary, (engine) =>
      engine.ask('POST', `/exec/${checkedId(id)}/resize`, { query: { h: rows, w: columns } })
    )
  return {
    createTerminal: async (id, { command, env, columns, rows }) => {
      const body = {
        AttachStdin: true,
        AttachStdout: true,
        AttachStderr: true,
        Tty: true,
        DetachKeys: unlikelyKeys(),
        ConsoleSize: [rows, columns],
        Cmd: command,
        Env: Object.entries(env).map(([name, value]) => `${name}=${value}`)
      }
      const path = `/containers/${checkedId(id)}/exec`
      return (await call(limits.ordinary, (engine) => engine.ask<{ Id: string }>('POST', path, { body }))).Id
    },
    startTerminal: async (terminalId, size) => {
      const ConsoleSize = [size.rows, size.columns]
      const stream = await call(limits.ordinary, (engine) =>
        engine.upgrade(`/exec/${checkedId(terminalId)}/start`, { Tty: true, Detach: false, ConsoleSize })
      )
      // Engines before 23.0 ignore ConsoleSize, and refuse a size until the process runs.
      for (let tries = 1; tries <= sizeTries; tries++) {
        try {
          await resize(terminalId, size)
          break
        } catch (error) {
          if (!(error instanceof EngineError)) throw error
          await sleep(exitPollMs)
        }
      }
      return stream
    },
    // 404, 409 and 500: it has ended.
    resizeTerminal: (terminalId, size) => ignoringStatuses([404, 409, 500], resize(terminalId, size)),
    endTerminal: async (terminalId) => {
      // It may have ended a moment ago without the engine having noticed.
      for (let looks = 1; ; looks++) {
        const found = await inspect(terminalId)
        if (!found?.Running) return found?.ExitCode ?? undefined
        if (looks < exitLooks) await sleep(exitPollMs)
        else return endSession(host, found.Pid, found.ContainerID).then(() => undefined)
      }
    }
  }
}

function checkedId(id: string): string {
  if (!/^[a-zA-Z0-9][\w.-]*$/.test(id)) throw new TypeError('Invalid id')
  return id
}
