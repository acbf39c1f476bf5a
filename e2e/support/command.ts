import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

export interface RunningCommand {
  pid: number
  stdout(): string
  stderr(): string
  /** Resolves after the text was printed; rejects if the process exits first. */
  untilOutput(text: string): Promise<void>
  /** Sends the signal and waits for the exit. */
  kill(signal: NodeJS.Signals): Promise<Exit>
  ended: Promise<Exit>
}

interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

/** Runs a `./panel` command with exactly this environment besides PATH and HOME. */
export function startCommand(args: readonly string[], env: Record<string, string>): RunningCommand {
  const child = spawn(join(root, 'panel'), args, {
    cwd: root,
    env: { PATH: process.env.PATH, PANEL_NODE: process.execPath, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  let exit: Exit | undefined
  const ended = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => resolve((exit = { code, signal })))
  })
  return {
    pid: child.pid!,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    async untilOutput(text) {
      for (const deadline = Date.now() + 600_000; !(stdout + stderr).includes(text); await sleep(50)) {
        if (exit || Date.now() > deadline) throw new Error(`"${text}" never came:\n${stdout}\n${stderr}`)
      }
    },
    async kill(signal) {
      child.kill(signal)
      return ended
    }
  }
}
