import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AdapterError } from '../adapter-error.ts'
import { ProcessError, type Run } from '../process/process.ts'

interface SystemAccount {
  name: string
  uid: number
}

export async function readSystemAccounts(): Promise<SystemAccount[]> {
  return (await readRecords('/etc/passwd')).map(([name = '', , uid]) => ({ name, uid: Number(uid) }))
}

export async function readGroupMembers(group: string): Promise<string[]> {
  const record = (await readRecords('/etc/group')).find(([name]) => name === group)
  return (record?.[3] ?? '').split(',').filter((name) => name !== '')
}

export async function readGroupNames(gid: number): Promise<string[]> {
  return (await readRecords('/etc/group')).filter((fields) => Number(fields[2]) === gid).map(([name = '']) => name)
}

async function readRecords(path: string): Promise<string[][]> {
  return (await readFile(path, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(':'))
}

const timeoutMs = 30_000
const attempts = 5

/** Retries while another program locks the account files. `done`: exit codes for "nothing to do". */
export async function changeAccounts(
  run: Run,
  argv: readonly [string, ...string[]],
  options: { input?: string; done?: readonly number[] } = {}
): Promise<void> {
  const { input, done = [] } = options
  for (let attempt = 1; ; attempt++) {
    try {
      await run(argv, { timeoutMs, env: { LC_ALL: 'C.UTF-8' }, ...(input === undefined ? {} : { input }) })
      return
    } catch (error) {
      if (!(error instanceof ProcessError)) throw error
      if (error.exitCode !== undefined && done.includes(error.exitCode)) return
      if (attempt >= attempts || !/cannot lock|try again/i.test(error.stderr)) {
        const why = error.stderr.trim().split('\n').at(-1) || error.message
        throw new AdapterError('sftp-unavailable', 'The system account could not be changed', {
          cause: error,
          reason: why
        })
      }
      await sleep(attempt * 500)
    }
  }
}
