import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { programPath } from '../process/program-path.ts'
import { killGroup, startChild } from '../process/start-child.ts'

const restartAfterMs = 30_000
// Other users can write to the journal too, under any name. OpenSSH 9.8 moved the sign-in to sshd-session.
const matches = ['_UID=0', 'SYSLOG_IDENTIFIER=sshd', 'SYSLOG_IDENTIFIER=sshd-session']

/** Calls `onLine` for each message of the machine's sshd in the journal from now on. Resolves when the signal fires. */
export async function followJournal(onLine: (line: string) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await readUntilItEnds(onLine, signal)
    await sleep(restartAfterMs, undefined, { signal, ref: false }).catch(() => {}) // Aborted.
  }
}

async function readUntilItEnds(onLine: (line: string) => void, signal: AbortSignal): Promise<void> {
  const argv = ['journalctl', '--quiet', '--follow', '--lines=0', '--output=cat', ...matches] as const
  const child = await startChild([...argv], {
    stdio: ['ignore', 'pipe', 'ignore'],
    // oxlint-disable-next-line node/no-process-env -- only PATH
    env: { PATH: process.env.PATH ?? programPath }
  })
  const stop = () => killGroup(child)
  signal.addEventListener('abort', stop, { once: true })
  try {
    const closed = once(child, 'close')
    createInterface({ input: child.stdout! }).on('line', onLine)
    if (signal.aborted) stop()
    await closed
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
