import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Run } from '../process/process.ts'
import type { MailPaths } from './mail-paths.ts'

const maxBytes = 20 * 2 ** 20
const kept = 5
const timeoutMs = 120_000

/** Rotates a long mail log and deletes the oldest ones. Postfix must be running: it opens the new log. */
export async function boundMailLog({ postfix }: Pick<MailPaths, 'postfix'>, run: Run): Promise<void> {
  const found = await stat(postfix.mailLog).catch(() => undefined) // No log yet.
  if (!found || found.size <= maxBytes) return
  await run(['postfix', '-c', postfix.directory, 'logrotate'], { timeoutMs })
  const directory = dirname(postfix.mailLog)
  const old = (await readdir(directory)).filter((name) => name.startsWith(`${basename(postfix.mailLog)}.`)).sort()
  for (const name of old.slice(0, -kept)) await rm(join(directory, name), { force: true })
}
