import { AdapterError } from '../adapter-error.ts'
import { programPath } from '../process/program-path.ts'
import { startChild } from '../process/start-child.ts'

interface Rollback {
  table: string
  seconds: number
  trial: string
  reverting: string
  confirmed: string
}

/**
 * Arguments only, so that no path becomes shell text. `mv` of a missing file fails: the change was confirmed or
 * reverted. A table that was removed meanwhile is not loaded again: another panel may have removed it because this one
 * is gone. The loop covers an nft that another program keeps busy.
 */
const script = `
trap '' HUP INT TERM
echo armed
exec >/dev/null
sleep "$1"
mv -- "$3" "$4" || exit 0
tries=0
while nft list table inet "$2"; do
  nft -f "$5" && break
  tries=$((tries + 1))
  [ "$tries" -ge 60 ] && exit 1
  sleep 1
done
rm -f -- "$4"
`

/** Resolves once the process waits. It has its own session and survives the panel, also a `kill -9`. */
export async function startRollback({ table, seconds, trial, reverting, confirmed }: Rollback): Promise<void> {
  const problem = (cause?: unknown) =>
    new AdapterError('firewall-unavailable', 'The firewall of the server could not be changed', {
      cause,
      reason: 'the process that reverts the change did not start'
    })
  const args = ['panel-firewall-rollback', String(seconds), table, trial, reverting, confirmed]
  // oxlint-disable-next-line node/no-process-env -- only PATH
  const env = { PATH: process.env.PATH ?? programPath }
  const child = await startChild(['sh', '-c', script, ...args], {
    cwd: '/',
    env,
    stdio: ['ignore', 'pipe', 'ignore']
  }).catch((cause: unknown) => {
    throw problem(cause)
  })
  const stdout = child.stdout!
  await new Promise<void>((resolve, reject) => {
    stdout.once('data', () => resolve())
    child.once('exit', () => reject(problem()))
  }).finally(() => {
    stdout.destroy()
    child.unref()
  })
}
