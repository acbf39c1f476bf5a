import { ProcessError, type Run } from '../process/process.ts'
import type { DovecotPolicy } from './dovecot-config.policy.ts'
import { dovecot23 } from './dovecot-2.3.render.ts'
import { dovecot24 } from './dovecot-2.4.render.ts'

/** What a version of Dovecot's configuration language says in its own way. Each member renders whole lines. */
export interface DovecotLanguage {
  header: string
  /** Certificate and key, in one PEM file. */
  certificate(path: string): string
  /** Login names and passwords. */
  logIns: string
  logInPolicy: string
  /** Where a mailbox is. */
  mailboxes(policy: DovecotPolicy): string
  /** Who has a mailbox: one passwd file for each domain. */
  users(policy: DovecotPolicy): string
  /** Quota, Sieve and their plugins. */
  plugins(policy: DovecotPolicy): string
  /** Settings of a service whose processes serve many clients each. */
  sharedProcesses: string
  /** Name of the setting for a listener's address. */
  listenerAddress: string
}

/** By the output of `dovecot --version`: 2.4 has a language of its own. */
export function dovecotLanguage(version: string): DovecotLanguage {
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(version) ?? []
  if (major === undefined) throw new Error(`Unknown version of Dovecot: ${JSON.stringify(version.slice(0, 50))}`)
  return Number(major) * 1000 + Number(minor) >= 2_004 ? dovecot24 : dovecot23
}

/** Of the installed Dovecot. Before it is installed, the latest: the files are written again before its first start. */
export async function findDovecotLanguage(run: Run): Promise<DovecotLanguage> {
  try {
    return dovecotLanguage((await run(['dovecot', '--version'], { timeoutMs: 20_000 })).stdout)
  } catch (error) {
    if (error instanceof ProcessError && error.reason === 'missing') return dovecot24
    throw error
  }
}
