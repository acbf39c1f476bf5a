import { setTimeout as sleep } from 'node:timers/promises'
import type { ContainerEngine } from './container-engine.ts'
import { type EngineCall, ignoringStatuses, type TimeLimits, unlessMissing } from './docker-call.ts'
import { endSession } from './docker-terminal-session.ts'

type TerminalCalls = Pick<ContainerEngine, 'createTerminal' | 'startTerminal' | 'resizeTerminal' | 'endTerminal'>

const exitLooks = 6
const exitPollMs = 50

interface InspectedExec {
  Running: boolean
  ExitCode: number | null
  Pid: number
  ContainerID: string
}

/** Terminals in running containers, over the engine's exec. */
export function createTerminalCalls({ call, limits }: { call: EngineCall; limits: TimeLimits }): TerminalCalls {
  const inspect = (id: string) =>
    unlessMissing(call(limits.ordinary, (engine) => engine.ask<InspectedExec>('GET', `/exec/${checkedId(id)}/json`)))
  return {
    createTerminal: async (id, { command, env, columns, rows }) => {
      const body = {
        AttachStdin: true,
        AttachStdout: true,
        AttachStderr: true,
        Tty: true,
        ConsoleSize: [rows, columns],
        Cmd: command,
        Env: Object.entries(env).map(([name, value]) => `${name}=${value}`)
      }
      const path = `/containers/${checkedId(id)}/exec`
      return (await call(limits.ordinary, (engine) => engine.ask<{ Id: string }>('POST', path, { body }))).Id
    },
    startTerminal: (terminalId, { columns, rows }) =>
      call(limits.ordinary, (engine) =>
        engine.upgrade(`/exec/${checkedId(terminalId)}/start`, {
          Tty: true,
          Detach: false,
          ConsoleSize: [rows, columns]
        })
      ),
    // 404, 409 and 500: it has ended, or has not started yet.
    resizeTerminal: (terminalId, { columns, rows }) =>
      ignoringStatuses(
        [404, 409, 500],
        call(limits.ordinary, (engine) =>
          engine.ask('POST', `/exec/${checkedId(terminalId)}/resize`, { query: { h: rows, w: columns } })
        )
      ),
    endTerminal: async (terminalId) => {
      // It may have ended a moment ago without the engine having noticed.
      for (let looks = 1; ; looks++) {
        const found = await inspect(terminalId)
        if (!found?.Running) return found?.ExitCode ?? undefined
        if (looks < exitLooks) await sleep(exitPollMs)
        else return endSession(found.Pid, found.ContainerID).then(() => undefined)
      }
    }
  }
}

function checkedId(id: string): string {
  if (!/^[a-zA-Z0-9][\w.-]*$/.test(id)) throw new TypeError('Invalid id')
  return id
}
