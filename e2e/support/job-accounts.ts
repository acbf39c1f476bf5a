import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

let machines = 0

/**
 * Gives a machine within this one job accounts (job-user.ts) with uids of its own. A panel ends all processes of such a uid, and would reach those of
 * other panels. `etc` is the machine's own copy.
 */
export async function makeOwnJobAccounts(etc: string): Promise<void> {
  // Apart from those of this machine, of Debian 13's tree and of other test processes.
  const first = 2_000_100_000 + (((process.pid % 10_000) * 100 + machines++) % 1_000_000) * 64
  const numbers = Array.from({ length: 64 }, (_, at) => ({ name: `panel-job-${at + 1}`, uid: first + at }))
  await replaceLines(join(etc, 'passwd'), numbers.map(({ name, uid }) => `${name}:x:${uid}:${uid}::/nonexistent:/usr/sbin/nologin`)) // oxfmt-ignore
  await replaceLines(join(etc, 'group'), numbers.map(({ name, uid }) => `${name}:x:${uid}:`)) // oxfmt-ignore
}

async function replaceLines(path: string, lines: readonly string[]): Promise<void> {
  const others = (await readFile(path, 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('panel-job-'))
  await writeFile(path, [...others, ...lines, ''].join('\n'))
}
