import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Daemon } from './daemon.ts'
import { ProcessError, type Run } from './process.ts'
import { isAlive } from './signal.ts'

type Argv = readonly [string, ...string[]]

/** A transient service with its own sandbox. */
export interface OwnUnit {
  /** With `.service`. */
  name: string
  description: string
  properties: readonly string[]
  argv: Argv
}

const timeoutMs = 60_000
const aliveEveryMs = 1_000

/** Whether units can be created: systemd is PID 1 and this process is root. */
export const hasUnits = (): boolean => process.getuid?.() === 0 && existsSync('/run/systemd/system')

/**
 * Runs the program in a scope of its own, where units can be created: `systemctl status` shows it, and it outlives the unit of the panel. systemd-run
 * replaces itself by the program, so the pid is that of the child. The random part keeps apart what still runs of a previous start.
 */
export function inOwnScope(title: string, argv: Argv): Argv {
  if (!hasUnits()) return argv
  const unit = `--unit=panel-${unitWord(title)}-${randomBytes(4).toString('hex')}`
  return [
    'systemd-run',
    '--scope',
    '--quiet',
    '--collect',
    unit,
    `--description=Hosting panel: ${title}`,
    '--',
    ...argv
  ]
}

const unitWord = (title: string): string =>
  title
    .replace(/^the /, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')

/** Starts the unit in place of one of that name; resolves once the program is executed. Its output goes to the journal. */
export async function startUnit(
  { name, description, properties, argv }: OwnUnit,
  { env, run }: { env: Readonly<Record<string, string>>; run: Run }
): Promise<Daemon> {
  await run(['systemctl', 'stop', name], { timeoutMs }).catch((error: unknown) => {
    // Not loaded, which is the usual case.
    if (!(error instanceof ProcessError) || error.reason !== 'failed') throw error
  })
  await run(
    [
      ...(['systemd-run', '--quiet', '--collect', '--service-type=exec'] as const),
      ...[`--unit=${name}`, `--description=${description}`],
      ...properties.map((property) => `--property=${property}`),
      ...Object.entries(env).map(([key, value]) => `--setenv=${key}=${value}`),
      '--',
      ...argv
    ],
    { timeoutMs }
  ).catch((cause: unknown) => {
    throw cause instanceof ProcessError
      ? new Error(`systemd could not start ${name}: ${cause.stderr}`, { cause })
      : cause
  })
  const { stdout } = await run(['systemctl', 'show', '--property=MainPID', '--value', name], { timeoutMs })
  const pid = Number(stdout)
  const ended = () => !(pid > 0 && isAlive(pid))
  return {
    pid,
    failure: () => (ended() ? new Error(`it exited; see journalctl -u ${name}`) : undefined),
    onExit(callback) {
      const timer = setInterval(() => {
        if (!ended()) return
        clearInterval(timer)
        callback()
      }, aliveEveryMs).unref()
    }
  }
}
